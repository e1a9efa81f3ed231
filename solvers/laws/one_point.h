// One frictional contact marched through its normal impulse I_N (Routh; Keller 1986; Djerassi 2010): what
// `stronge`, `poisson-routh` and `newton-routh` share. They differ in when restitution ends.
//
//   dv_N/dI_N = G_NN + G_NT f,   dv_T/dI_N = G_TN + G_TT f,   f = dI_T/dI_N
//
//   slip    f = −μ v_T/|v_T|      (ellipse: f = −A²v_T/|Av_T|, A = diag(μ₁, μ₂): maximum
//                                 dissipation on the force set of Glocker 2014)
//   stick   f = −G_TT⁻¹G_TN       if that is admissible, |A⁻¹f| ≤ 1
//
// Compression ends at v_N = 0. The march itself is in routh_march.h.

#pragma once

#include "engine/impact_law.h"
#include "solvers/laws/list.h"
#include "solvers/laws/routh_march.h"

namespace carom {

// No collision: the contact with these velocities [normal, tangential...] moves along itself (or apart).
inline bool grazes(const ElementRows& gamma) { return gamma(0) >= -rounding * gamma.norm(); }

void resolve_one_point(const ImpactProblem& problem, RestitutionEnd end, const char* law, LawOutcome& outcome);

// A clutch that the contacts act on is outside the domain, whichever way it turns. Without a problem nothing is
// certain.
std::vector<LawComplaint> check_one_point(const ImpactProblem* problem, const char* law);

}  // namespace carom
