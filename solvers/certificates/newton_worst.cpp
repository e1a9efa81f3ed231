#include "solvers/certificates/newton_worst.h"

#include "solvers/certificates/contact_modes.h"

namespace carom {

namespace {

constexpr double most_modes = 5000;  // four a rough contact, two any other element: six rough contacts

class NewtonPieces {
 public:
  NewtonPieces(const UnitIsland& island, std::int64_t most_faces) : island_(island), search_(island, most_faces) {
    for (const UnitIsland::Element& element : island.elements) modes_.push_back(modes_of(island, element));
  }

  double count() const {
    double product = 1;
    for (const auto& modes : modes_) product *= static_cast<double>(modes.size());
    return product;
  }

  WorstVelocity worst() {
    choose(0);
    return search_.worst();
  }

 private:
  void choose(std::size_t element) {
    if (!search_.affordable()) return;
    if (element == modes_.size()) return visit();
    for (const ElementMode& mode : modes_[element]) {
      chosen_.push_back(&mode);
      choose(element + 1);
      chosen_.pop_back();
    }
  }

  void visit() {
    const PhaseMode mode(island_, chosen_);
    const Vec onward = 1 + island_.epsilon.array();
    search_.visit({mode.X - island_.G * mode.P, onward.asDiagonal() * island_.L, mode.signs, mode.P});
  }

  const UnitIsland& island_;
  PieceSearch search_;
  std::vector<std::vector<ElementMode>> modes_;
  std::vector<const ElementMode*> chosen_;
};

}  // namespace

WorstVelocity newton_worst(const ContactIsland& island, std::int64_t most_faces) {
  if (island.rows.empty()) return {};
  if (!island.rays_exact || !(island.epsilon.array() > -1).all()) return WorstVelocity::unknown();
  const UnitIsland unit(island);
  NewtonPieces pieces(unit, most_faces);
  return pieces.count() > most_modes ? WorstVelocity::unknown() : pieces.worst();
}

}  // namespace carom
