#include "solvers/certificates/newton_worst.h"

#include <algorithm>
#include <cmath>

#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

constexpr double redundant = 1e-12;  // smallest eigenvalue of G with rows of unit length
constexpr double most_faces = 7000;  // nine a rough contact, three any other element: four rough contacts

// A coordinate of a mode's cone: which pair (Λ, ξ) it is a multiple of, and which multiples are allowed.
struct Coordinate {
  Index pair;
  enum class Sign { positive, negative, free } sign = Sign::positive;
};

using Face = std::vector<Coordinate>;

// All pairs (Λ, ξ) that are edges of a mode at one element, and the faces that they span.
struct ElementModes {
  std::vector<Face> faces;
};

class Modes {
 public:
  explicit Modes(const ContactIsland& island) {
    const Index n = static_cast<Index>(island.rows.size());
    Index row = 0, ray = 0;
    while (row < n) {
      // A rough contact has two rays, which differ in its tangent, the row after its normal.
      const bool rough = ray + 1 < island.rays.cols() && island.rays(row, ray) > 0 && island.rays(row, ray + 1) > 0;
      const Index opening = add(Vec::Zero(n), Vec::Unit(n, row));
      const Index first = add(island.rays.col(ray), Vec::Zero(n));
      if (rough) {
        const Index second = add(island.rays.col(ray + 1), Vec::Zero(n));
        elements_.push_back(rough_modes(opening, add(Vec::Zero(n), Vec::Unit(n, row + 1)), first, second));
      } else {
        elements_.push_back({{{}, {{opening}}, {{first}}}});
      }
      row += rough ? 2 : 1;
      ray += rough ? 2 : 1;
    }
  }

  const std::vector<ElementModes>& elements() const { return elements_; }
  Mat Lambda() const { return columns(impulses_); }
  Mat xi() const { return columns(velocities_); }

 private:
  using Sign = Coordinate::Sign;

  // The first ray pulls along −t, as against a slip along t; the second the other way.
  static ElementModes rough_modes(Index opening, Index slipping, Index against_positive, Index against_negative) {
    return {{{},
             {{opening}},
             {{slipping, Sign::free}},
             {{opening}, {slipping, Sign::free}},
             {{against_positive}},
             {{against_negative}},
             {{against_positive}, {against_negative}},
             {{against_positive}, {slipping, Sign::positive}},
             {{against_negative}, {slipping, Sign::negative}}}};
  }

  Index add(const Vec& Lambda, const Vec& xi) {
    impulses_.push_back(Lambda);
    velocities_.push_back(xi);
    return static_cast<Index>(impulses_.size()) - 1;
  }

  static Mat columns(const std::vector<Vec>& list) {
    Mat matrix(list.front().size(), static_cast<Index>(list.size()));
    for (std::size_t k = 0; k < list.size(); ++k) matrix.col(static_cast<Index>(k)) = list[k];
    return matrix;
  }

  std::vector<ElementModes> elements_;
  std::vector<Vec> impulses_, velocities_;
};

class FaceSearch {
 public:
  FaceSearch(const ContactIsland& island, const Modes& modes) : modes_(modes) {
    const Mat Lambda = modes.Lambda();
    const Mat pushed = island.G * Lambda;
    gamma_ = Vec(1 + island.epsilon.array()).cwiseInverse().asDiagonal() * Mat(modes.xi() - pushed);
    const Mat mixed = Lambda.transpose() * gamma_;
    work_ = 0.5 * (mixed + mixed.transpose() + Lambda.transpose() * pushed);
    energy_ = 0.5 * gamma_.transpose() * inverse(island.G) * gamma_;
  }

  // False if a mode is singular.
  bool run() {
    choose(0);
    return !singular_;
  }

  NewtonWorst result() const {
    NewtonWorst worst;
    worst.gain = gain_;
    if (gain_ > 0) worst.gamma = gamma_ * x_;
    return worst;
  }

 private:
  void choose(std::size_t element) {
    if (element == modes_.elements().size()) return visit();
    for (const Face& part : modes_.elements()[element].faces) {
      face_.insert(face_.end(), part.begin(), part.end());
      choose(element + 1);
      face_.resize(face_.size() - part.size());
    }
  }

  void visit() {
    if (face_.empty()) return;
    std::vector<Index> pairs;
    for (const Coordinate& coordinate : face_) pairs.push_back(coordinate.pair);
    const std::optional<GreatestQuotient> top = greatest_quotient(work_(pairs, pairs), energy_(pairs, pairs));
    if (!top) singular_ = true;
    if (!top || !(top->value > gain_)) return;
    for (double side : {1.0, -1.0}) {
      if (!inside(side * top->x)) continue;
      gain_ = top->value;
      x_ = Vec::Zero(work_.rows());
      for (std::size_t k = 0; k < pairs.size(); ++k) x_(pairs[k]) = side * top->x(static_cast<Index>(k));
    }
  }

  bool inside(const Vec& x) const {
    for (std::size_t k = 0; k < face_.size(); ++k) {
      const double value = x(static_cast<Index>(k));
      if (face_[k].sign == Coordinate::Sign::positive && value < 0) return false;
      if (face_[k].sign == Coordinate::Sign::negative && value > 0) return false;
    }
    return true;
  }

  const Modes& modes_;
  Mat gamma_, work_, energy_;  // of the pairs: γ⁻, and the two forms
  Face face_;
  double gain_ = 0;
  Vec x_;
  bool singular_ = false;
};

double face_count(const Modes& modes) {
  double count = 1;
  for (const ElementModes& element : modes.elements()) count *= static_cast<double>(element.faces.size());
  return count;
}

}  // namespace

std::optional<NewtonWorst> newton_worst(const ContactIsland& island) {
  if (island.rows.empty()) return NewtonWorst{};
  if (!island.rays_exact || !(island.epsilon.array() > -1).all()) return std::nullopt;
  if (!(eigenvalues(unit_diagonal(island.G))(0) > redundant)) return std::nullopt;
  const Modes modes(island);
  if (face_count(modes) > most_faces) return std::nullopt;
  FaceSearch search(island, modes);
  if (!search.run()) return std::nullopt;
  return search.result();
}

}  // namespace carom
