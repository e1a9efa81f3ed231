#include "solvers/certificates/poisson_worst.h"

#include <algorithm>

#include "solvers/certificates/contact_modes.h"

namespace carom {

namespace {

constexpr double most_compressions = 300;  // four a rough contact, two any other element
constexpr double most_pairs = 11000;       // of modes: 22 a rough contact, four any other element

class PoissonPieces {
 public:
  PoissonPieces(const UnitIsland& island, std::int64_t most_faces) : island_(island), search_(island, most_faces) {
    for (const UnitIsland::Element& element : island.elements) {
      const double share = element.rough ? island.epsilon(element.normal) - island.epsilon(element.normal + 1) : 0;
      kept_share_.push_back(share);
      plain_.push_back(modes_of(island, element));
      kept_.push_back(share > 0 ? modes_with_kept_friction(island, element) : plain_.back());
    }
  }

  double compressions() const {
    double product = 1;
    for (const auto& modes : plain_) product *= static_cast<double>(modes.size());
    return product;
  }

  WorstVelocity worst() {
    compress(0);
    std::stable_sort(compressions_.begin(), compressions_.end(),
                     [](const Compression& a, const Compression& b) { return a.bound > b.bound; });
    double pairs = 0;
    for (const Compression& compression : compressions_) pairs += decompressions(compression);
    if (pairs > most_pairs) return {0, compressions_.front().bound, {}};
    for (const Compression& compression : compressions_) {
      if (!(compression.bound > search_.gain())) break;
      decompress(0, compression);
      if (search_.affordable()) continue;
      WorstVelocity worst = search_.worst();
      worst.bound = compression.bound;
      return worst;
    }
    return search_.worst();
  }

 private:
  struct Compression {
    std::vector<const ElementMode*> modes;
    PhaseMode mode;
    double bound;  // of the gain
  };

  void compress(std::size_t element) {
    if (element == plain_.size()) return add_compression();
    for (const ElementMode& mode : plain_[element]) {
      chosen_.push_back(&mode);
      compress(element + 1);
      chosen_.pop_back();
    }
  }

  void add_compression() {
    const PhaseMode mode(island_, chosen_);
    const Mat returned = island_.epsilon.asDiagonal() * mode.P;
    const Mat work = returned.transpose() * island_.G * returned - mode.P.transpose() * island_.G * mode.P;
    const double bound = search_.bound(mode.X - island_.G * mode.P, island_.L, mode.signs, work);
    if (bound > search_.gain()) compressions_.push_back({chosen_, mode, bound});
  }

  double decompressions(const Compression& before) const {
    double product = 1;
    for (std::size_t i = 0; i < plain_.size(); ++i)
      product *= static_cast<double>(open(i, before) ? plain_[i].size() : kept_[i].size());
    return product;
  }

  // The first mode is open: nothing is kept of no impulse.
  bool open(std::size_t element, const Compression& before) const {
    return before.modes[element] == &plain_[element].front();
  }

  void decompress(std::size_t element, const Compression& before) {
    if (!search_.affordable()) return;
    if (element == plain_.size()) return visit(before.mode);
    for (const ElementMode& mode : open(element, before) ? plain_[element] : kept_[element]) {
      chosen_.push_back(&mode);
      decompress(element + 1, before);
      chosen_.pop_back();
    }
  }

  void visit(const PhaseMode& before) {
    const Index n = island_.G.rows(), motions = island_.L.cols();
    const PhaseMode after(island_, chosen_);
    Mat kept = Mat::Zero(n, n);  // of Δ, in terms of z⁻
    std::vector<Vec> inequalities;
    Index first = n;  // of the element's unknowns
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const ElementMode& mode = *chosen_[i];
      const Vec kappa = kept_share_[i] * before.P.row(island_.elements[i].normal).transpose();
      if (mode.kept.size() > 0) kept += mode.kept * kappa.transpose();
      if (mode.weights.size() > 0) {
        Vec inequality = Vec::Zero(2 * n);
        inequality.head(n) = mode.weight * kappa;
        inequality.segment(first, mode.weights.size()) = mode.weights;
        inequalities.push_back(inequality);
      }
      first += static_cast<Index>(mode.unknowns.size());
    }
    const auto epsilon = island_.epsilon.asDiagonal();
    const Mat returned = epsilon * before.P + kept;
    LawPiece piece;
    piece.E = Mat::Zero(2 * n, 2 * n);
    piece.E.topLeftCorner(n, n) = before.X - island_.G * before.P;
    piece.E.bottomLeftCorner(n, n) = -before.X - island_.G * returned;
    piece.E.bottomRightCorner(n, n) = after.X - island_.G * after.P;
    piece.R = Mat::Zero(2 * n, motions);
    piece.R.topRows(n) = island_.L;
    piece.P.resize(n, 2 * n);
    piece.P << before.P + returned, after.P;
    const Index signs = before.signs.rows() + after.signs.rows();
    piece.N = Mat::Zero(signs + static_cast<Index>(inequalities.size()), 2 * n);
    piece.N.topLeftCorner(before.signs.rows(), n) = before.signs;
    piece.N.block(before.signs.rows(), n, after.signs.rows(), n) = after.signs;
    for (std::size_t k = 0; k < inequalities.size(); ++k)
      piece.N.row(signs + static_cast<Index>(k)) = inequalities[k].transpose();
    search_.visit(piece);
  }

  const UnitIsland& island_;
  PieceSearch search_;
  std::vector<double> kept_share_;                      // ε_N − ε_T by elements
  std::vector<std::vector<ElementMode>> plain_, kept_;  // after no compression, and after some
  std::vector<Compression> compressions_;
  std::vector<const ElementMode*> chosen_;
};

}  // namespace

WorstVelocity poisson_worst(const ContactIsland& island, std::int64_t most_faces) {
  if (island.rows.empty()) return {};
  if (!island.rays_exact) return WorstVelocity::unknown();
  const UnitIsland unit(island);
  PoissonPieces pieces(unit, most_faces);
  return pieces.compressions() > most_compressions ? WorstVelocity::unknown() : pieces.worst();
}

}  // namespace carom
