#include "engine/inclusion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

double natural_residual(const Inclusion& inclusion, const Vec& Lambda) {
  const Vec unit = inclusion.r.cwiseSqrt();
  const Vec drive = inclusion.c.cwiseAbs().cwiseProduct(unit);
  const double largest_drive = drive.size() > 0 ? drive.maxCoeff() : 0;
  const double largest_impulse = drive.size() > 0 ? Lambda.cwiseQuotient(unit).cwiseAbs().maxCoeff() : 0;
  // Impulses that amplify what drives them count a little, or rounding would fail them; huge ones do not, or
  // they would hide that a contact still approaches.
  const double amplification = largest_drive > 0 ? std::clamp(largest_impulse / largest_drive, 1.0, 10.0) : 1.0;
  const Vec xi = (*inclusion.G) * Lambda + inclusion.c;
  double worst = 0;
  for (const ForceSet& set : inclusion.sets) {
    const Eigen::Vector2d impulse = rows_of(set, Lambda);
    // One r for both rows of a set: prox is taken in the Euclidean metric of the tangent plane.
    const double r = set.size() == 2 ? std::min(inclusion.r(set.row), inclusion.r(set.row + 1)) : inclusion.r(set.row);
    const Eigen::Vector2d miss = impulse + project(set, -impulse + r * rows_of(set, xi), Lambda);
    const double own_drive = set.size() == 2 ? std::max(drive(set.row), drive(set.row + 1)) : drive(set.row);
    const double scale = std::max(own_drive, 1e-3 * largest_drive) * amplification;
    double error = miss.cwiseAbs().maxCoeff() / std::sqrt(r);
    if (error != 0) error /= scale > 0 ? scale : largest_impulse;
    if (!(error <= worst)) worst = error;  // keeps a NaN
  }
  return worst;
}

InclusionSolution with_residual(const Inclusion& inclusion, Vec Lambda) {
  InclusionSolution solution;
  solution.xi = (*inclusion.G) * Lambda + inclusion.c;
  solution.residual = natural_residual(inclusion, Lambda);
  solution.Lambda = std::move(Lambda);
  return solution;
}

}  // namespace carom
