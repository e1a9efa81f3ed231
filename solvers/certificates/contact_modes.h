// The modes of one element in one phase of an impact, each by the unknowns that it leaves and the signs they keep.
//
//   open    Λ = 0,                 ξ_N ≥ 0, ξ_T any
//   stick   Λ between its edges,   ξ = 0
//   slip    Λ on an edge,          ξ_N = 0, ξ_T against the pull
//
// Poisson's decompression keeps friction where nothing presses any more: −Δ_T ∈ (Δ_N + κ)A with κ = (ε_N − ε_T)Λ_N⁻.
// With κ > 0 a contact that separates (Δ_N = 0, γ_N ≥ 0) sticks or slips too.

#pragma once

#include <functional>
#include <vector>

#include "solvers/certificates/law_pieces.h"

namespace carom {

struct ElementMode {
  struct Unknown {
    Vec Lambda, xi;
    double sign;  // 1 or −1: it has this sign; 0: any
  };
  std::vector<Unknown> unknowns;

  // With κ: an impulse κ·kept besides the unknowns', and where it says more than signs do, weights·z + weight κ ≥ 0.
  Vec kept = {};
  Vec weights = {};
  double weight = 0;
};

std::vector<ElementMode> modes_of(const UnitIsland& island, const UnitIsland::Element& element);
std::vector<ElementMode> modes_with_kept_friction(const UnitIsland& island, const UnitIsland::Element& element);

using ModeChoice = std::vector<const ElementMode*>;              // one mode an element
using ModeLists = std::vector<const std::vector<ElementMode>*>;  // the modes to choose from, by elements

double number_of_choices(const ModeLists& lists);

// Every choice of one mode an element, until `visit` returns false.
void visit_choices(const ModeLists& lists, const std::function<bool(const ModeChoice&)>& visit);

// One mode an element, put together: Λ = P z (+ what is kept), ξ = X z, signs z ≥ 0.
struct PhaseMode {
  explicit PhaseMode(const UnitIsland& island, const ModeChoice& modes);

  Mat P, X;
  Mat signs;
};

}  // namespace carom
