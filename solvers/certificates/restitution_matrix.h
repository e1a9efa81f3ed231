// Restitution matrices v⁺ = −ℰv⁻ in kinetic quasi-velocities (Brogliato 2012, sect. 3): which are admissible.
//
// With G = NᵀN of the contacts' unit normals and D = diag(G⁻¹, I),
//
//   T⁺ − T⁻ = ½vᵀ(ℰᵀDℰ − D)v,   v_n ≤ 0, v_t of any sign.
//
// Proposition 2 holds both ways: no gain if and only if D − ℰᵀDℰ is copositive there. A contact may also open before
// the impact; what the law makes of such velocities is linear in pieces, and computed (restitution_matrix_worst.h).
//
// Corrected against the print:
//  - Remark 6: the condition for diagonal ℰ_nn is −a(1 − e₁e₂) + √((1−e₁²)(1−e₂²)) ≥ 0; the printed sign of its
//    first two terms would admit gains for a > 0 and forbid harmless ones for a < 0. The squared form there only counts
//    for a > 0.
//  - Remark 6: Proposition 7 with Frobenius norms gives |E| < √((1−a²)/(2(1+a²))).
//  - Proposition 5: |λ_max| is the spectral radius.
//  - Eq. (52): e₁₁² + e₂₁² + e₁₁e₂₁ = 1; in general cⱼᵀG⁻¹cⱼ = (G⁻¹)ⱼⱼ for the columns of a conserving matrix.
//  - Definition 1 (U-property). A matrix of Corollary 1 maps the orthant into itself and is an isometry of G⁻¹, so it
//    maps the orthant *onto* itself (its image has the same solid angle): it is a permutation with positive factors,
//    E eⱼ = √(Dⱼⱼ/D_ππ) e_π(j), that leaves D̂ = D with unit diagonal unchanged. All of them can be listed. Orthogonal
//    contacts do *not* have the property, contrary to the text after Definition 1: every permutation is one more
//    solution. It is the diagonal matrices that have only the one, ε = 1.

#pragma once

#include <optional>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/proof.h"

namespace carom {

// The law while certain contacts approach, certain ones open and are pushed, and the others open by themselves: in
// white coordinates v → after·v where side·v ≥ 0, and > 0 for contacts that open.
struct MatrixPiece {
  Mat after;
  Mat side;
  Vec opening;  // 1 or 0 by the rows of side
};

// All of them; none if the normals are dependent, a block has another size, or there are too many contacts.
std::optional<std::vector<MatrixPiece>> matrix_pieces(const ImpactProblem& problem, const Parameters& parameters);

Proof prove_restitution_matrix(const ImpactProblem& problem, const Parameters& parameters);
std::vector<Certificate> restitution_matrix_certificates(const ImpactProblem& problem, const Parameters& parameters);

// Of the system, whatever the law: the matrices that conserve energy and are admissible for every velocity.
std::vector<Mat> conserving_matrices(const Mat& G_unit);
Certificate u_property(const ImpactProblem& problem);

}  // namespace carom
