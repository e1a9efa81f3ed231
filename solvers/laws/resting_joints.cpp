#include "solvers/laws/resting_joints.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace carom {

namespace {

constexpr double off_manifold = 1e-9;  // relative, of a velocity that moves a joint
constexpr double not_followed = 1e-9;  // relative, of γ⁻

Vec on_resting_manifold(const ImpactProblem& problem, const Vec& v) {
  const Mat free = problem.free_motions();
  return free * (free.transpose() * v);
}

}  // namespace

bool has_moving_joints(const ImpactProblem& problem) {
  const Vec v = problem.to_white(problem.u_minus());
  return (v - on_resting_manifold(problem, v)).norm() > off_manifold * v.norm();
}

std::optional<Vec> velocity_at_resting_joints(const ImpactProblem& problem) {
  if (closed_by_joints(problem)) return std::nullopt;
  const Vec w = on_resting_manifold(problem, problem.to_white(problem.u_minus()));
  const Mat Wt = problem.white_directions().transpose();
  const Vec chi = problem.gamma_minus() - Wt * w;
  Eigen::CompleteOrthogonalDecomposition<Mat> solve;
  solve.setThreshold(1e-11);
  solve.compute(Wt);
  const Vec w_chi = solve.solve(chi);
  if ((Wt * w_chi - chi).norm() > not_followed * (chi.norm() + problem.gamma_minus().norm())) return std::nullopt;
  return problem.from_white(w + w_chi);
}

std::optional<std::string> closed_by_joints(const ImpactProblem& problem) {
  const double speed = std::sqrt(2 * problem.kinetic_energy(problem.u_minus()));
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    const Index row = problem.first_row(i);
    if (element.bilateral() || problem.G()(row, row) != 0) continue;
    const Vec& direction = element.contact() ? element.contact()->normal : element.clutch()->direction;
    const double gamma = direction.dot(problem.u_minus());
    if (gamma < -verdict_tolerance * std::sqrt(problem.compliance()(row)) * speed)
      return fmt::format("{} '{}' is closed at {:.4g}{} by joints or prescribed motions, which no impulse can change",
                         element.contact() ? "contact" : "clutch", element.name, -gamma,
                         element.contact() ? " m/s" : "");
  }
  return std::nullopt;
}

}  // namespace carom
