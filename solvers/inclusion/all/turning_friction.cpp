#include "solvers/inclusion/all/turning_friction.h"

#include <cmath>

namespace carom {

namespace {

using Eigen::Vector2d;

// Norms of blocks of 2 columns, and of one or two rows.
Mat block_norms(const Mat& blocks, Index rows) {
  Mat norms(blocks.rows() / rows, blocks.cols() / 2);
  for (Index j = 0; j < norms.rows(); ++j) {
    for (Index k = 0; k < norms.cols(); ++k) norms(j, k) = blocks.block(rows * j, 2 * k, rows, 2).norm();
  }
  return norms;
}

// J₀ and J_m, from S and N in the directions of e and e'.
class TurnedDirections {
 public:
  explicit TurnedDirections(const TurningFriction& friction) : friction_(friction), m_(friction.phi.size()) {
    e_ = Mat::Zero(2 * m_, m_);
    t_ = Mat::Zero(2 * m_, m_);
    for (Index j = 0; j < m_; ++j) {
      e_.block(2 * j, j, 2, 1) = Vector2d(std::cos(friction.phi(j)), std::sin(friction.phi(j)));
      t_.block(2 * j, j, 2, 1) = Vector2d(-std::sin(friction.phi(j)), std::cos(friction.phi(j)));
    }
    S_tt_ = t_.transpose() * friction.S * t_;
    S_te_ = t_.transpose() * friction.S * e_;
    S_et_ = e_.transpose() * friction.S * t_;
    T_ = -friction.N * t_ * friction.R.asDiagonal();  // ∂R/∂d
  }

  Mat jacobian() const {
    Mat J = -S_tt_ * friction_.R.asDiagonal();
    J.diagonal() -= e_.transpose() * friction_.slip;
    return J;
  }

  Mat derivative(Index m) const {
    const Vec& R = friction_.R;
    Mat J = -S_tt_ * T_.col(m).asDiagonal() - S_tt_.col(m) * T_.row(m);
    J.col(m) += R(m) * S_te_.col(m);
    J.row(m) += S_et_.row(m).cwiseProduct(R.transpose());
    J.diagonal() += R(m) * S_et_.col(m);
    J(m, m) -= t_.col(m).dot(friction_.slip);
    return J;
  }

 private:
  const TurningFriction& friction_;
  Index m_;
  Mat e_, t_, S_tt_, S_te_, S_et_, T_;
};

}  // namespace

std::optional<Vec> contraction_bound(const Mat& E, const Vec& b) {
  const Vec positive = b.array() + 1e-12 * (1 + b.maxCoeff());
  const Vec z = (Mat::Identity(E.rows(), E.cols()) - E).partialPivLu().solve(positive);
  if (!z.allFinite() || !(z.array() > 0).all()) return std::nullopt;
  return z;
}

std::optional<JacobianBounds> bound_jacobian(const TurningFriction& friction) {
  const Index m = friction.phi.size();
  const Vec& delta = friction.delta;
  const Vec half_square = 0.5 * delta.cwiseAbs2();
  const Mat sigma = block_norms(friction.S, 2);
  const Mat nu = block_norms(friction.N, 1);
  const Vec R0 = friction.R.cwiseAbs();

  const Mat loop = nu * delta.asDiagonal();
  const auto found = contraction_bound(loop, loop * R0 + friction.R_error);
  if (!found) return std::nullopt;
  const Vec& rho = *found;
  const Vec R = R0 + rho;
  const Mat tau = (Mat::Identity(m, m) - loop).partialPivLu().solve(nu * R.asDiagonal());

  // |∂q/∂d|, and its change to first and to second order.
  const Mat turned = delta.asDiagonal() * tau;
  const Mat rate = Mat(R.asDiagonal()) + turned;
  const Mat rate_change = Mat(Vec(rho + R0.cwiseProduct(delta)).asDiagonal()) + turned;
  const Mat tau_change = nu * rate_change;
  const Vec rho_beyond = tau_change * delta + friction.R_error;
  const Vec own = rho_beyond + rho.cwiseProduct(delta) + R.cwiseProduct(half_square);
  const Mat rate_beyond = Mat(own.asDiagonal()) + delta.asDiagonal() * tau_change + half_square.asDiagonal() * tau;

  // |ξ_T − ξ₀|, and beyond first order.
  const Vec slip_change = sigma * R.cwiseProduct(delta);
  const Vec slip_beyond = sigma * (rho.cwiseProduct(delta) + R0.cwiseProduct(half_square));
  Vec speed(m);
  for (Index j = 0; j < m; ++j) speed(j) = friction.slip.segment(2 * j, 2).norm();

  const TurnedDirections directions(friction);
  JacobianBounds bounds;
  bounds.J = directions.jacobian();
  for (Index k = 0; k < m; ++k) bounds.derivative.push_back(directions.derivative(k));
  bounds.first_order = sigma * rate_change + delta.asDiagonal() * (sigma * rate);
  bounds.first_order.diagonal() += slip_change + delta.cwiseProduct(speed + slip_change) + friction.slip_error;
  bounds.second_order =
      sigma * rate_beyond + delta.asDiagonal() * (sigma * rate_change) + half_square.asDiagonal() * (sigma * rate);
  bounds.second_order.diagonal() += slip_beyond + delta.cwiseProduct(slip_change) +
                                    half_square.cwiseProduct(speed + slip_change) + friction.slip_error;
  return bounds;
}

}  // namespace carom
