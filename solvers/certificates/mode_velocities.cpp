#include "solvers/certificates/mode_velocities.h"

#include <cmath>
#include <numbers>

#include "solvers/certificates/matrix_figures.h"
#include "solvers/laws/inclusion_form.h"

namespace carom {

ModeVelocities::ModeVelocities(const ImpactProblem& problem)
    : G_(problem.G().dense()),
      slowest_(problem.white_directions() * pseudo_inverse(G_)),
      onward_(1 + restitution_by_rows(problem).array()),
      unit_(problem.compliance().cwiseSqrt()) {
  if (!(onward_.array() > 0).all()) onward_.setOnes();
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.row_count(i) == 0) continue;
    Row row;
    row.normal = problem.first_row(i);
    row.friction.setZero();
    if (const Contact* contact = problem.elements()[i].contact(); contact && contact->has_friction()) {
      row.tangents = contact->friction.size();
      row.friction.head(row.tangents) = contact->friction;
    }
    elements_.push_back(row);
  }
}

Vec ModeVelocities::draw(std::mt19937_64& engine) const {
  Vec Lambda = Vec::Zero(G_.rows());
  Vec xi = Vec::Zero(G_.rows());
  for (const Row& row : elements_) draw_element(row, engine, Lambda, xi);
  Vec gamma = xi - G_ * Lambda;
  if (std::uniform_int_distribution<int>(0, 1)(engine) == 0) gamma = gamma.cwiseQuotient(onward_);
  return slowest_ * gamma;
}

void ModeVelocities::draw_element(const Row& row, std::mt19937_64& engine, Vec& Lambda, Vec& xi) const {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share;
  const double size = std::abs(normal(engine));
  const Index n = row.normal;
  const bool open = share(engine) < 0.3;
  if (open) {
    xi(n) = size * unit_(n);
    for (Index k = 1; k <= row.tangents; ++k) xi(n + k) = normal(engine) * unit_(n + k);
    return;
  }
  Lambda(n) = size / unit_(n);
  if (row.tangents == 0) return;
  const double angle = row.tangents == 2     ? 2 * std::numbers::pi * share(engine)
                       : share(engine) < 0.5 ? 0
                                             : std::numbers::pi;
  const Eigen::Vector2d e = row.friction.cwiseProduct(Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  const bool sticks = share(engine) < 0.5;
  const double used = sticks ? share(engine) : 1;
  const double speed = sticks ? 0 : std::abs(normal(engine));
  for (Index k = 0; k < row.tangents; ++k) {
    Lambda(n + 1 + k) = -used * e(k) * Lambda(n);
    // ξ_T is normal to the friction set at −Λ_T: along (cos φ/μ₁, sin φ/μ₂).
    if (speed > 0 && row.friction(k) > 0)
      xi(n + 1 + k) = speed * unit_(n + 1) * e(k) / (row.friction(k) * row.friction(k)) * row.friction.maxCoeff();
  }
}

}  // namespace carom
