#include "solvers/certificates/contact_modes.h"

namespace carom {

namespace {

// What the unknowns of an element are made of.
struct Parts {
  Parts(const UnitIsland& island, const UnitIsland::Element& element)
      : zero(Vec::Zero(island.G.rows())), normal(Vec::Unit(zero.size(), element.normal)) {
    edges[0] = island.rays.col(element.ray);
    if (!element.rough) return;
    tangent = Vec::Unit(zero.size(), element.normal + 1);
    edges[1] = island.rays.col(element.ray + 1);
  }

  ElementMode::Unknown opening() const { return {zero, normal, 1}; }
  ElementMode::Unknown pressing(int edge) const { return {edges[edge], zero, 1}; }
  // The first edge pulls along −t, as against a slip along t; the second the other way.
  ElementMode::Unknown slipping(int edge) const { return {zero, tangent, edge == 0 ? 1.0 : -1.0}; }

  Vec zero, normal, tangent;
  Vec edges[2];
};

}  // namespace

std::vector<ElementMode> modes_of(const UnitIsland& island, const UnitIsland::Element& element) {
  const Parts part(island, element);
  if (!element.rough) return {{{part.opening()}}, {{part.pressing(0)}}};
  return {{{part.opening(), {part.zero, part.tangent, 0}}},
          {{part.pressing(0), part.pressing(1)}},
          {{part.pressing(0), part.slipping(0)}},
          {{part.pressing(1), part.slipping(1)}}};
}

std::vector<ElementMode> modes_with_kept_friction(const UnitIsland& island, const UnitIsland::Element& element) {
  const Parts part(island, element);
  std::vector<ElementMode> modes;
  for (int edge : {0, 1}) {
    const Vec kept = part.edges[edge] - part.normal;
    modes.push_back({{part.opening(), part.slipping(edge)}, kept});
    modes.push_back({{part.pressing(edge), part.slipping(edge)}, kept});
  }
  // Separating and sticking: Δ_T goes from the pull of one edge, κ·kept, towards that of the other, by κ at most.
  modes.push_back({{part.opening(), {part.edges[1] - part.edges[0], part.zero, 1}},
                   part.edges[0] - part.normal,
                   Eigen::Vector2d(0, -1),
                   1});
  // Pressing and sticking: Δ_N + κ and Δ_T between the edges, Δ_N ≥ 0.
  modes.push_back({{part.pressing(0), part.pressing(1)}, -part.normal, Eigen::Vector2d(1, 1), -1});
  return modes;
}

double number_of_choices(const ModeLists& lists) {
  double product = 1;
  for (const auto* modes : lists) product *= static_cast<double>(modes->size());
  return product;
}

void visit_choices(const ModeLists& lists, const std::function<bool(const ModeChoice&)>& visit) {
  std::vector<std::size_t> places(lists.size(), 0);
  ModeChoice chosen(lists.size());
  for (bool more = true; more;) {
    for (std::size_t i = 0; i < lists.size(); ++i) chosen[i] = &(*lists[i])[places[i]];
    if (!visit(chosen)) return;
    more = false;
    for (std::size_t i = lists.size(); i-- > 0 && !more;) {  // the last element changes first
      more = ++places[i] < lists[i]->size();
      if (!more) places[i] = 0;
    }
  }
}

PhaseMode::PhaseMode(const UnitIsland& island, const ModeChoice& modes) {
  const Index n = island.G.rows();
  P.resize(n, n);
  X.resize(n, n);
  Vec sign(n);
  Index column = 0, kept = 0;
  for (const ElementMode* mode : modes) {
    for (const ElementMode::Unknown& unknown : mode->unknowns) {
      P.col(column) = unknown.Lambda;
      X.col(column) = unknown.xi;
      sign(column) = unknown.sign;
      kept += unknown.sign != 0;
      ++column;
    }
  }
  signs = Mat::Zero(kept, n);
  for (Index k = 0, row = 0; k < n; ++k)
    if (sign(k) != 0) signs(row++, k) = sign(k);
}

}  // namespace carom
