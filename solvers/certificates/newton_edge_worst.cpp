#include "solvers/certificates/newton_edge_worst.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double flat_slope = 1e-10;  // a slope that is none

struct Edge {
  double normal, tangential;  // slopes: γ_N⁻ = −normal·x/(1 + ε_N), γ_T⁻ = −tangential·x
  double f;
};

Edge edge_of(const UnitIsland& island, Index ray) {
  const double f = island.rays(1, ray), g = island.G(0, 1);
  return {1 + g * f, (g + f) / (1 + island.epsilon(1)), f};
}

// z = (x, −γ_N⁻), at an edge with a falling normal velocity.
LawPiece piece_of(const Edge& edge, const CoefficientRanges::Range& restitution, const Mat& L) {
  LawPiece piece{Mat(2, 2), L, Mat(3, 2), Mat(2, 2)};
  piece.E << 0, -1, -edge.tangential, 0;
  piece.N << 1, 0, -edge.normal / (1 + restitution.first), 1, edge.normal / (1 + restitution.second), -1;
  piece.P << 1, 0, edge.f, 0;
  return piece;
}

double restitution_at(const Edge& edge, const Vec& gamma, const CoefficientRanges::Range& restitution) {
  const double x = -gamma(1) / edge.tangential;
  return std::clamp(edge.normal * x / -gamma(0) - 1, restitution.first, restitution.second);
}

}  // namespace

EdgeWorst newton_edge_worst(const ContactIsland& island, const CoefficientRanges::Range& restitution,
                            const PieceLimits& limits) {
  EdgeWorst found;
  if (island.rows.size() < 2) return found;  // no friction, no edge
  if (island.rows.size() > 2 || !island.rays_exact || !(restitution.first > -1)) {
    found.worst = WorstVelocity::unknown();
    return found;
  }
  const UnitIsland unit(island);
  PieceSearch search(unit, limits);
  for (Index ray : {0, 1}) {
    const Edge edge = edge_of(unit, ray);
    if (edge.normal > -flat_slope) continue;  // the ends of the range are the worst
    const double before = search.gain();
    search.visit(piece_of(edge, restitution, unit.L));
    if (!(search.gain() > before)) continue;
    found.restitution = restitution_at(edge, search.worst().gamma.cwiseQuotient(unit.length), restitution);
  }
  found.worst = search.worst();
  return found;
}

}  // namespace carom
