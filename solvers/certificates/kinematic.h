// Whether a law can leave a contact approaching, or a clutch driven backwards, in a given system.

#pragma once

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/certificate.h"

namespace carom {

// Holds where the law says so of itself; otherwise the law is tried, first on the impact's own velocity.
Certificate kinematic_certificate(const LawChoice& law, const ImpactProblem& problem);

}  // namespace carom
