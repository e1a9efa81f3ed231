// The worst case where it can be computed instead of searched for.
//
// At given coefficients: planar friction and few contacts under Newton's and Poisson's laws (newton_worst.h,
// poisson_worst.h), one planar contact under Newton's rule on Routh's path (newton_routh_worst.h), any restitution
// matrix (restitution_matrix_worst.h). A single contact under `sequential` is one collision by the law of each,
// of whose solutions the most gaining one counts too.
//
// Within ranges of the coefficients: contacts in the plane on which nothing else acts. At a given γ⁻ the work
// 2W = ΛᵀGΛ + 2Λᵀγ⁻ is convex in the impulse, so it is greatest where the impulses that coefficients in the ranges
// allow have a vertex. With rows of unit length and γ_N⁻ = −A:
//
// Newton. (1 + ε_N)A = Λ_N + gΛ_T. Slip at Λ_T = fΛ_N, |f| = μ, allows a polygon bounded by the ends of ε_N, the ends
// of μ and ξ_T = 0, which is stick; stick, Λ = −G⁻¹(I + ε)γ⁻ with |Λ_T| ≤ μΛ_N, allows most with the most friction,
// and is affine in (ε_N, ε_T). Their vertices are
//   - slip with ε_N and μ at ends, at any ε_T that keeps the sign of ξ_T = γ_T⁺ + ε_Tγ_T⁻: then an end of ε_T does too,
//   - stick with ε_N and ε_T at ends, and the most friction,
//   - stick at an edge of the friction cone, |Λ_T| = μΛ_N with the most friction: with ε_N at an end it is also slip
//     with ε_T at an end, which is the first case; with ε_T at an end ε_N can lie in between (newton_edge_worst.h).
// So corners of the ranges and those two edges are all there is. The polygon is bounded: slip with an impulse that
// leaves γ_N⁺ alone, f = −1/g, drives γ_T by (g − 1/g)Λ_N, along f, which friction does not do.
//
// Newton's rule on Routh's path, ε ≤ 1. Energy along the path is convex (marching.h): ε is at an end. With ε given, Λ
// lies on the line Λ_N + gΛ_T = (1 + ε)A, on which W is convex, and y = |Λ_T| against the slip before is unimodal in μ:
// slip all the way, y = (1 + ε)A μ/(1 − sgμ), increases; slip that ends in stick does not depend on μ; slip that
// reverses (μ < h = |g|, sg < 0) has
//
//   y = μ(2τ/(μ + h) − c)/(1 − μh),  c = (1 + ε)A,  τ = |γ_T⁻|,
//
// which first increases, is greatest at τ = c(μ + h)²/(2h(1 + μ²)) with y = cμ²/(h(1 + μ²)), and then decreases. There
//
//   2W = −(1 − ε²)A² + y((1 − ε)h − 2(1 + ε)μ/(1 + μ²))A ≤ −(1 − ε²)A²/(1 + μ²) ≤ 0.
//
// Every gain therefore is exceeded at an end of μ: the corners are enough.
//
// Poisson, ε_T ≤ ε_N: the worst case is ε_N² − 1 or nothing (poisson_worst.h), so it is at the largest ε_N. Dependent
// rows that friction locks have another, which grows with ε_T and falls with ε_N and μ: at the least ε_N ≥ ε_T.

#pragma once

#include <cstdint>
#include <optional>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/coefficient_ranges.h"
#include "solvers/certificates/worst_case.h"

namespace carom {

// Not exact: at least a bound where one is known, and u⁻ of an example.
WorstCase exact_worst_case(const LawChoice& law, const ImpactProblem& problem, std::int64_t most_faces);

// None where it is not known how to.
std::optional<WorstCase> exact_worst_case_within(const LawChoice& law, const ImpactProblem& problem,
                                                 const CoefficientRanges& ranges, std::int64_t most_faces);

}  // namespace carom
