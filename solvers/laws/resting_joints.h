// An impact while joints move by prescription, Bᵀu = b ≠ 0, as its contacts see it.
//
// With u_b = M⁻¹B(BᵀM⁻¹B)⁻¹b, the slowest motion that the drives ask for, and u = u_b + w,
//
//   Bᵀw = 0,   γ⁻ = Wᵀw + χ,   χ = Wᵀu_b,   γ⁺ = γ⁻ + GΛ.
//
// u_b is the same before and after, so that the drives are felt through χ alone, and the contacts' work Λᵀγ⁻ + ½ΛᵀGΛ
// is that of the impact at resting joints (b = 0) from w + w_χ, where w_χ is the slowest motion with Bᵀw_χ = 0 and
// Wᵀw_χ = χ: what moves as seen from the drives. Kinetic energy itself changes by −χᵀΛ besides, as the drives keep
// their motion: that work is applied, not the impact's.

#pragma once

#include <optional>
#include <string>

#include "engine/impact_problem.h"

namespace carom {

bool has_moving_joints(const ImpactProblem& problem);

// w + w_χ; none if no motion of the system follows the drives at all contacts at once (a body squeezed between two
// that are driven): then χ is outside the range of G.
std::optional<Vec> velocity_at_resting_joints(const ImpactProblem& problem);

// Why no law has a solution: an element that the drives alone close. Its row of G is zero, so that its γ stays negative
// whatever the impulses. (The problem's own γ⁻ is zero there, as rounding would have a sign otherwise.)
std::optional<std::string> closed_by_joints(const ImpactProblem& problem);

}  // namespace carom
