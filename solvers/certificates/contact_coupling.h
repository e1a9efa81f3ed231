// How friction at a contact pushes its own normal: what Painlevé's paradox and the uneven rise of v_N hang on.

#pragma once

#include "engine/impact_problem.h"

namespace carom {

// max over admissible f of |G_NT·f|/G_NN, that is √(Σ(μ_k G_Nk)²)/G_NN; infinite if the contact cannot move along its
// normal but friction acts on it.
double friction_coupling(const ImpactProblem& problem, std::size_t contact);

}  // namespace carom
