// When a contact marched through its normal impulse (Routh's path) cannot create energy.
//
// Along the path the impulses grow by (1, f) dI_N, f = −∂h(v_T) with h the support function of the friction set A, or
// whatever in A holds the contact at stick. Friction takes f·v_T ≤ 0, so only the normal work can be positive.
//
// stronge: the normal impulse returns ε² of what it took. No gain for ε ≤ 1.
//
// poisson-routh: kinetic energy along the path has T' = v_N + f·v_T, continuous (f jumps only at v_T = 0), and
// T'' = (1,f)ᵀG(1,f) =: q(f), since f maximises −f·v_T over A and its own turning does no work. q never grows: while
// slip turns, q' = 2v_T'·f' = −2v_T'ᵀ∇²h v_T' ≤ 0; and at v_T = 0 the path goes on, by stick or along a slip that its
// own acceleration keeps, with the f that minimises q over A (∇q = 2v_T' is normal to A there). So T' after compression
// rises no faster than it rose before: with T'(I_C) = f·v_T ≤ 0 follows T(I_C + x) ≤ T(I_C − x) ≤ T(0) for x ≤ I_C. No
// gain for ε ≤ 1, in the plane and in space.
//
// newton-routh: v_N rises from v_N⁻ to 0 with slopes of at most a₊ and from 0 to −εv_N⁻ with slopes of at least a₋,
// a± = G_NN ± h(G_NT). The normal work is at most ½v_N⁻²(ε²/a₋ − 1/a₊): no gain if ε²a₊ ≤ a₋.

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/proof.h"

namespace carom {

Proof prove_stronge(const ImpactProblem& problem);
Proof prove_poisson_routh(const ImpactProblem& problem);
Proof prove_newton_routh(const ImpactProblem& problem);
std::vector<Certificate> marching_certificates(const ImpactProblem& problem);

}  // namespace carom
