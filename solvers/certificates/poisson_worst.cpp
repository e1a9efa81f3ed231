#include "solvers/certificates/poisson_worst.h"

#include <algorithm>
#include <cmath>

#include "solvers/certificates/contact_modes.h"

namespace carom {

namespace {

constexpr double most_compressions = 300;  // four a rough contact, two any other element
constexpr double most_pairs = 11000;       // of modes: 22 a rough contact, four any other element

WorstVelocity attained(double restitution, const UnitIsland& island, const Vec& gamma) {
  const double gain = restitution * restitution - 1;
  if (!(restitution > 1)) return {};
  return {gain, gain, island.length.cwiseProduct(gamma), 0, true};
}

// One contact or clutch on which nothing else acts.
WorstVelocity alone(const UnitIsland& island) {
  const double epsilon = island.epsilon(0);
  if (island.G.rows() == 1) return attained(epsilon, island, -Vec::Ones(1));
  const double mu = island.rays.row(1).maxCoeff();
  const bool dependent = island.L.cols() == 1;
  const double g = dependent ? std::copysign(1.0, island.G(0, 1)) : island.G(0, 1);
  if (dependent && mu >= 1)
    return attained((epsilon * (1 - mu) + 2 * mu * island.epsilon(1)) / (1 + mu), island, -Eigen::Vector2d(1, g));
  const double f = std::clamp(-g, -mu, mu);
  return attained(epsilon, island, -Eigen::Vector2d(1 + g * f, g + f));
}

class PoissonPieces {
 public:
  PoissonPieces(const UnitIsland& island, const PieceLimits& limits) : island_(island), search_(island, limits) {
    for (const UnitIsland::Element& element : island.elements) {
      const double share = element.rough ? island.epsilon(element.normal) - island.epsilon(element.normal + 1) : 0;
      kept_share_.push_back(share);
      plain_.push_back(modes_of(island, element));
      kept_.push_back(share > 0 ? modes_with_kept_friction(island, element) : plain_.back());
    }
  }

  double compressions() const { return number_of_choices(of_compression()); }

  WorstVelocity worst() {
    visit_choices(of_compression(), [this](const ModeChoice& chosen) {
      add_compression(chosen);
      return true;
    });
    std::stable_sort(compressions_.begin(), compressions_.end(),
                     [](const Compression& a, const Compression& b) { return a.bound > b.bound; });
    double pairs = 0;
    for (const Compression& compression : compressions_) pairs += number_of_choices(of_decompression(compression));
    if (pairs > most_pairs) return {0, compressions_.front().bound, {}};
    for (const Compression& compression : compressions_) {
      if (!(compression.bound > search_.gain())) break;
      visit_choices(of_decompression(compression), [&](const ModeChoice& chosen) {
        visit(compression.mode, chosen);
        return search_.affordable();
      });
      if (search_.affordable()) continue;
      WorstVelocity worst = search_.worst();
      worst.bound = compression.bound;
      return worst;
    }
    return search_.worst();
  }

 private:
  struct Compression {
    ModeChoice modes;
    PhaseMode mode;
    double bound;  // of the gain
  };

  ModeLists of_compression() const {
    ModeLists lists;
    for (const auto& modes : plain_) lists.push_back(&modes);
    return lists;
  }

  // The first mode is open: nothing is kept of no impulse.
  ModeLists of_decompression(const Compression& before) const {
    ModeLists lists;
    for (std::size_t i = 0; i < plain_.size(); ++i)
      lists.push_back(before.modes[i] == &plain_[i].front() ? &plain_[i] : &kept_[i]);
    return lists;
  }

  void add_compression(const ModeChoice& chosen) {
    const PhaseMode mode(island_, chosen);
    const Mat returned = island_.epsilon.asDiagonal() * mode.P;
    const Mat work = returned.transpose() * island_.G * returned - mode.P.transpose() * island_.G * mode.P;
    const double bound = search_.bound(mode.X - island_.G * mode.P, island_.L, mode.signs, work);
    if (bound > search_.gain()) compressions_.push_back({chosen, mode, bound});
  }

  void visit(const PhaseMode& before, const ModeChoice& chosen) {
    const Index n = island_.G.rows(), motions = island_.L.cols();
    const PhaseMode after(island_, chosen);
    Mat kept = Mat::Zero(n, n);  // of Δ, in terms of z⁻
    std::vector<Vec> inequalities;
    Index first = n;  // of the element's unknowns
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const ElementMode& mode = *chosen[i];
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
};

}  // namespace

WorstVelocity poisson_worst(const ContactIsland& island, const PieceLimits& limits) {
  if (island.rows.empty()) return {};
  if (!island.rays_exact) return WorstVelocity::unknown();
  const UnitIsland unit(island);
  if (island.elements.size() == 1 && island.coefficients_within(0, island.epsilon(0))) return alone(unit);
  PoissonPieces pieces(unit, limits);
  return pieces.compressions() > most_compressions ? WorstVelocity::unknown() : pieces.worst();
}

}  // namespace carom
