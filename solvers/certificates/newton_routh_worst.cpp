#include "solvers/certificates/newton_routh_worst.h"

#include <cmath>

#include "solvers/certificates/newton_worst.h"

namespace carom {

namespace {

constexpr double flat_routh_slope = 1e-13;  // slopes that are none

struct PlanarPath {
  double g, mu, restitution;
  Mat L;  // γ = Lv

  double normal_slope(double f) const { return 1 + g * f; }
  double tangential_slope(double f) const { return g + f; }

  // Slip to the side s from beginning to end: z = (x, sγ_T⁺, sγ_T⁻, −γ_N⁻).
  LawPiece slipping(double s) const {
    const double f = -s * mu;
    LawPiece piece = begun(s);
    piece.E.row(0) << normal_slope(f), 0, 0, -(1 + restitution);
    piece.E.row(1) << s * tangential_slope(f), -1, 1, 0;
    piece.P << 1, 0, 0, 0, f, 0, 0, 0;
    return piece;
  }

  // To rest, and on from there: z = (x₁, x₂, sγ_T⁻, −γ_N⁻).
  LawPiece coming_to_rest(double s) const {
    const double f = -s * mu;
    const double onward = std::abs(g) <= mu ? -g : -std::copysign(mu, g);
    LawPiece piece = begun(s);
    piece.E.row(0) << normal_slope(f), normal_slope(onward), 0, -(1 + restitution);
    piece.E.row(1) << s * tangential_slope(f), 0, 1, 0;
    piece.P << 1, 1, 0, 0, f, onward, 0, 0;
    return piece;
  }

 private:
  // Slipping to the side s and approaching.
  LawPiece begun(double s) const {
    LawPiece piece{Mat::Zero(4, 4), Mat::Zero(4, L.cols()), Mat::Identity(4, 4), Mat(2, 4)};
    piece.E(2, 2) = piece.E(3, 3) = 1;
    piece.R.row(2) = s * L.row(1);
    piece.R.row(3) = -L.row(0);
    return piece;
  }
};

}  // namespace

WorstVelocity newton_routh_worst(const ContactIsland& island, const PieceLimits& limits) {
  if (island.rows.size() < 2) return newton_worst(island, limits);  // without friction the rule is the law
  if (island.rows.size() > 2 || island.frictional != 1 || !island.rays_exact) return WorstVelocity::unknown();
  const UnitIsland unit(island);
  if (unit.L.cols() == 1) return {};  // dependent rows
  const PlanarPath path{unit.G(0, 1), std::abs(unit.rays(1, 0)), island.epsilon(0), unit.L};
  PieceSearch search(unit, limits);
  for (double s : {-1.0, 1.0}) {
    const double f = -s * path.mu;
    if (path.normal_slope(f) > flat_routh_slope) search.visit(path.slipping(s));
    if (s * path.tangential_slope(f) < -flat_routh_slope) search.visit(path.coming_to_rest(s));
  }
  return search.worst();
}

}  // namespace carom
