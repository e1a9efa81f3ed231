// What the laws in inclusion form share: posing the inclusion of a problem and reading a result off a solution.

#pragma once

#include <string>
#include <vector>

#include "engine/impact_law.h"
#include "engine/inclusion.h"

namespace carom {

// ξ = GΛ + c with the force sets of all contacts and clutches.
Inclusion pose(const ImpactProblem& problem, Vec c);

// The same into a former inclusion, except c. `offset` (one entry a row, at normal rows) enlarges the friction sets:
// radius Λ_N + offset.
void pose(const ImpactProblem& problem, Inclusion& inclusion);
void pose(const ImpactProblem& problem, const Vec& offset, Inclusion& inclusion);

// A solution with the least of all impulses that give its velocities, so that redundant contacts share them in one way
// whatever the order of the elements. Returns the directions in which other impulses lie.
Mat make_canonical(const Inclusion& inclusion, InclusionSolution& solution);

// Every element's own ε: the normal one, then the tangential one of its tangent rows.
void restitution_by_rows(const ImpactProblem& problem, Vec& epsilon);
Vec restitution_by_rows(const ImpactProblem& problem);

// ξ = γ⁺ + εγ⁻ with ε by rows: one inclusion for the whole impact. Every solution is a result.
LawOutcome resolve_single_inclusion(const ImpactProblem& problem, const InclusionSolver& solver, const Vec& epsilon);
void resolve_single_inclusion(const ImpactProblem& problem, const InclusionSolver& solver, const Vec& epsilon,
                              LawOutcome& outcome);

// open, closed, stick or slip from the impulses and the tangential ξ of the law.
void name_states(const ImpactProblem& problem, const Vec& Lambda, const Vec& xi, std::vector<State>& states);

// Everything but the note.
void tell(const InclusionOutcome& answer, int iterations, double residual, SolverReport& report);

// The jump in scratch as result number `count` of an outcome, which counts unless its impulses are too large.
void add_result(const ImpactProblem& problem, LawOutcome& outcome, std::size_t& count);

bool end_alike(const ImpactProblem& problem, const ImpactResult& a,
               const ImpactResult& b);  // velocities up to rounding

// The outcome has so many results: those that end with the same velocities are one, the most dissipative comes first,
// but for one without impulses where nothing approaches.
// `others` (Poisson's extreme shares) are appended after them.
void finish_results(const ImpactProblem& problem, LawOutcome& outcome, std::size_t count,
                    std::vector<ImpactResult> others = {});

// Why no result counts: nothing but friction, or a coefficient, can make impulses too large.
std::string too_large(const ImpactProblem& problem);

// A failed or unsuited solver as the law's own answer. That there is no solution is said only where the masses allow
// it.
void end_without_solution(const ImpactProblem& problem, const InclusionOutcome& answer, const std::string& phase,
                          LawOutcome& outcome);

}  // namespace carom
