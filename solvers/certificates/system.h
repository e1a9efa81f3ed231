// What can be said of the impact before any law is chosen: its Delassus operator, and friction against it.

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "solvers/certificates/certificate.h"

namespace carom {

// Eigenvalues and condition number of G on the manifold of the bilateral constraints, its rank, and the kinetic angles
// between contacts (Brogliato 2012, eq. 21).
std::vector<Certificate> delassus_certificates(const ImpactProblem& problem);

// Coefficients against Table 1 of Glocker 2014 (Poisson) and of Glocker 2013 (Newton: a clutch needs −1 < ε ≤ 0).
std::vector<Certificate> coefficient_certificates(const ImpactProblem& problem);

// The contact LCP (Brogliato 2012, sects. 2.2.1 and 4): 0 ≤ λ ⟂ Dλ + b ≥ 0 with D = G + P for contacts that slide as
// γ_T says, or any way where they do not slide; P- and copositive matrix, Propositions 14 and 15.
std::vector<Certificate> contact_lcp_certificates(const ImpactProblem& problem);

// Painlevé: the friction at which a sliding contact locks, μ_c = G_NN/|G_NT|, and the distance to it.
std::vector<Certificate> painleve_certificates(const ImpactProblem& problem);

// Lemmas 1 and 2 and Theorem 2 of Brogliato 2012 for Newton's rule with Coulomb friction, as corrected.
std::vector<Certificate> friction_certificates(const ImpactProblem& problem);

// Delassus, contact LCP and Painlevé, and the U-property.
std::vector<Certificate> system_certificates(const ImpactProblem& problem);

}  // namespace carom
