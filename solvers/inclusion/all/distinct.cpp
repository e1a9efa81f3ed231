#include "solvers/inclusion/all/distinct.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double same_velocity = 1e-8;  // relative; closer solutions are one
constexpr double near_velocity = 1e-6;  // likewise; farther ones are two

// Σ rᵢvᵢ² and Σ Λᵢ²/rᵢ: velocities and impulses in the units of √energy.
double velocity_square(const Inclusion& inclusion, const Vec& v) {
  return (inclusion.r.array() * v.array().square()).sum();
}
double impulse_square(const Inclusion& inclusion, const Vec& Lambda) {
  return (Lambda.array().square() / inclusion.r.array()).sum();
}

// Of the velocities, relative to what drives the problem.
double distance(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b) {
  const double scale = std::max(velocity_square(inclusion, inclusion.c), velocity_square(inclusion, a.xi));
  const double square = (inclusion.r.array() * (a.xi - b.xi).array().square()).sum();
  return std::sqrt(square) / std::sqrt(scale);
}

}  // namespace

bool have_same_velocities(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b) {
  return distance(inclusion, a, b) <= same_velocity;
}

bool are_one(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b) {
  const double apart = distance(inclusion, a, b);
  if (apart <= same_velocity || apart > near_velocity) return apart <= same_velocity;
  return natural_residual(inclusion, 0.5 * (a.Lambda + b.Lambda)) <= std::max({a.residual, b.residual, exact_residual});
}

bool is_better(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b) {
  if (a.residual > residual_tolerance || b.residual > residual_tolerance) return a.residual < b.residual;
  return std::sqrt(impulse_square(inclusion, a.Lambda)) < std::sqrt(impulse_square(inclusion, b.Lambda)) * (1 - 1e-9);
}

std::vector<std::size_t> spread(const std::vector<Vec>& points, std::size_t count) {
  std::vector<std::size_t> taken;
  std::vector<double> distance(points.size(), HUGE_VAL);  // from those taken
  std::size_t next = 0;
  while (taken.size() < std::min(count, points.size())) {
    taken.push_back(next);
    distance[next] = -1;
    for (std::size_t i = 0; i < points.size(); ++i)
      distance[i] = std::min(distance[i], (points[i] - points[taken.back()]).norm());
    next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) - distance.begin());
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace carom
