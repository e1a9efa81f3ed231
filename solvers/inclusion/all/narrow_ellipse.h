// Angles on the ellipse of friction.

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/inclusion/all/slide_roots.h"

namespace carom {

// Slip v of an arc with the semi-axes μ has the direction (cos φ/μ₁, sin φ/μ₂), tan ψ = tan φ·μ₁/μ₂. Of a narrow
// ellipse one of the angles turns where the other hardly does; between them is that of tan θ = tan φ·√(μ₁/μ₂).
class NarrowEllipse {
 public:
  NarrowEllipse(const UnitFriction& problem, const Site& site)
      : ratio_(problem.friction(site.tangent) / problem.friction(site.tangent + 1)) {}

  // How far friction or slip turns within an arc.
  double turn(const Decision& arc) const {
    return std::max(arc.width(), stretched(arc.end, ratio_) - stretched(arc.begin, ratio_));
  }
  // Where it is halved: the middle in θ.
  double between(const Decision& arc) const {
    const double half = std::sqrt(ratio_);
    return stretched(0.5 * (stretched(arc.begin, half) + stretched(arc.end, half)), 1 / half);
  }

 private:
  // The angle with the tangent tan(angle)·ratio, in the same quadrant.
  static double stretched(double angle, double ratio) {
    const double other = std::atan2(ratio * std::sin(angle), std::cos(angle));
    return angle + std::remainder(other - angle, 2 * std::numbers::pi);
  }

  double ratio_;
};

}  // namespace carom
