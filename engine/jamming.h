// Sliding against its own contact (Painlevé). A contact that slides with the impulse Λ = (Λ_N, Λ_T), |Λ_T| = μΛ_N,
// answers to more of it by
//
//   γ_N = a Λ_N + rest,    a = (G_NN Λ_N + G_NT Λ_T)/Λ_N,
//
// with G of this contact alone. Where a < 0 friction presses the contact together more than the normal impulse opens
// it: sliding, staying open and being stopped at once (an impact without collision) can all solve the inclusion.
// Sliding is then no motion that a contact keeps: let it give way however little, and Λ_N runs away from the sliding
// one, up to the jam if it is pressed on harder, down to opening if less. Génot & Brogliato, Eur. J. Mech. A 18 (1999);
// Champneys & Várkonyi, IMA J. Appl. Math. 81 (2016).

#pragma once

#include <span>

#include "engine/inclusion.h"

namespace carom {

// The normal row of a contact that slides with a < 0 under these impulses; −1 if there is none.
Index row_that_slides_against_itself(const Inclusion& inclusion, const Vec& Lambda);

// Of all solutions that a contact can keep, the one with most impulse in the row where the contact was pressed on
// harder before, else the one with least; null where none can be kept.
const InclusionSolution* lasting_solution(const Inclusion& inclusion, std::span<const InclusionSolution> solutions,
                                          Index row, bool pressed_harder);

}  // namespace carom
