#include "engine/inclusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom {

namespace {

constexpr double largest_allowance = 1e-10;  // for rounding, relative to the largest drive

double drive(const Inclusion& inclusion, Index row) { return std::abs(inclusion.c(row)) * std::sqrt(inclusion.r(row)); }

// What the sum ξ = Σ Gᵢⱼ Λⱼ + c may have rounded off.
double rounding_of_row(const Inclusion& inclusion, const Vec& Lambda, Index row) {
  double sum = std::abs(inclusion.c(row));
  inclusion.G->visit_row(row, [&](Index j, double G_ij) { sum += std::abs(G_ij * Lambda(j)); });
  return 2 * std::numeric_limits<double>::epsilon() * sum;
}

}  // namespace

double natural_residual(const Inclusion& inclusion, const Vec& Lambda) {
  double largest_drive = 0;
  double largest_impulse = 0;
  for (Index i = 0; i < Lambda.size(); ++i) {
    largest_drive = std::max(largest_drive, drive(inclusion, i));
    largest_impulse = std::max(largest_impulse, std::abs(Lambda(i)) / std::sqrt(inclusion.r(i)));
  }
  // Impulses that amplify what drives them count a little, or rounding would fail them; huge ones do not, or
  // they would hide that a contact still approaches.
  const double amplification = largest_drive > 0 ? std::clamp(largest_impulse / largest_drive, 1.0, 10.0) : 1.0;
  const auto xi = [&](Index row) { return inclusion.G->row_dot(row, Lambda) + inclusion.c(row); };
  double worst = 0;
  for (const ForceSet& set : inclusion.sets) {
    const bool pair = set.size() == 2;
    const Eigen::Vector2d impulse = rows_of(set, Lambda);
    const Eigen::Vector2d velocity(xi(set.row), pair ? xi(set.row + 1) : 0);
    // One r for both rows of a set: prox is taken in the Euclidean metric of the tangent plane.
    const double r = pair ? std::min(inclusion.r(set.row), inclusion.r(set.row + 1)) : inclusion.r(set.row);
    const Eigen::Vector2d miss = impulse + project(set, -impulse + r * velocity, Lambda);
    const double own_drive = std::max(drive(inclusion, set.row), pair ? drive(inclusion, set.row + 1) : 0);
    const double scale = std::max(own_drive, 1e-3 * largest_drive) * amplification;
    const double unit = scale > 0 ? scale : largest_impulse;
    double error = miss.cwiseAbs().maxCoeff() / std::sqrt(r);
    if (miss.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
    if (error <= worst * unit) continue;
    // A row deep in a chain sums impulses far larger than its own drive; their rounding is no miss, as long as it
    // is too small to be an approach.
    double rounded = rounding_of_row(inclusion, Lambda, set.row);
    if (pair) rounded = std::max(rounded, rounding_of_row(inclusion, Lambda, set.row + 1));
    error -= std::min(rounded * std::sqrt(r), largest_allowance * largest_drive);
    worst = std::max(worst, error / unit);
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
