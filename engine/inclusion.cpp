#include "engine/inclusion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

double natural_residual(const Inclusion& inclusion, const Vec& Lambda) {
  const Vec xi = (*inclusion.G) * Lambda + inclusion.c;
  double worst = 0;
  for (const ForceSet& set : inclusion.sets) {
    const Eigen::Vector2d impulse = rows_of(set, Lambda);
    // One r for both rows of a set: prox is taken in the Euclidean metric of the tangent plane.
    const double r = set.size() == 2 ? std::min(inclusion.r(set.row), inclusion.r(set.row + 1)) : inclusion.r(set.row);
    const Eigen::Vector2d miss = impulse + project(set, -impulse + r * rows_of(set, xi), Lambda);
    const double error = miss.cwiseAbs().maxCoeff();
    if (!(error <= worst)) worst = error;  // keeps a NaN
  }
  double scale = 0;
  for (Index i = 0; i < Lambda.size(); ++i) {
    scale = std::max({scale, std::abs(Lambda(i)), inclusion.r(i) * std::abs(inclusion.c(i))});
  }
  return scale > 0 ? worst / scale : worst;
}

InclusionSolution with_residual(const Inclusion& inclusion, Vec Lambda) {
  InclusionSolution solution;
  solution.xi = (*inclusion.G) * Lambda + inclusion.c;
  solution.residual = natural_residual(inclusion, Lambda);
  solution.Lambda = std::move(Lambda);
  return solution;
}

}  // namespace carom
