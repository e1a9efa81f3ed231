// What the laws in inclusion form share: posing the inclusion of a problem and reading a result off a solution.

#pragma once

#include <string>
#include <vector>

#include "engine/impact_law.h"
#include "engine/inclusion.h"

namespace carom {

// ξ = GΛ + c with the force sets of all contacts and clutches. `offset` (one entry a row, at normal rows)
// enlarges the friction sets: radius Λ_N + offset.
Inclusion pose(const ImpactProblem& problem, Vec c, const Vec& offset);
Inclusion pose(const ImpactProblem& problem, Vec c);

// A solution with the least of all impulses that give its velocities, so that redundant contacts share them in one way
// whatever the order of the elements. `others`: the directions in which other impulses lie.
struct CanonicalSolution {
  InclusionSolution solution;
  Mat others;
};
CanonicalSolution canonical(const Inclusion& inclusion, const InclusionSolution& solution);

// Every element's own ε: the normal one, then the tangential one of its tangent rows.
Vec restitution_by_rows(const ImpactProblem& problem);

// ξ = γ⁺ + εγ⁻ with ε by rows: one inclusion for the whole impact. Every solution is a result.
LawOutcome resolve_single_inclusion(const ImpactProblem& problem, const InclusionSolver& solver, const Vec& epsilon);

// open, closed, stick or slip from the impulses and the tangential ξ of the law.
std::vector<State> states_of(const ImpactProblem& problem, const Vec& Lambda, const Vec& xi);

// Results that end with the same velocities are one; the most dissipative comes first.
void order_results(const ImpactProblem& problem, std::vector<ImpactResult>& results);

// The elements' work is the change of kinetic energy: false where huge impulses have rounded the velocities away.
bool is_balanced(const ImpactResult& result);

// A failed or unsuited solver as the law's own answer.
LawOutcome without_solution(const InclusionOutcome& outcome, const std::string& phase);

}  // namespace carom
