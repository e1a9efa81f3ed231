#include "solvers/inclusion/path/natural_newton.h"

#include <algorithm>

namespace carom {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

void NaturalNewton::linearise(std::size_t i, double proximal_step, const Vector3d& z, const Vector3d& xi) {
  const Contact& contact = contacts_[i];
  K_[i].setZero();
  move_[i] = -z;
  if (contact.rho_normal == 0) return;
  const double rho = proximal_step * contact.rho_normal;
  const double pushed = z(0) - contact.rho_normal * xi(0);
  if (pushed > 0) {
    K_[i](0, 0) = rho;
    move_[i](0) = -rho * xi(0);
  }
  if (contact.size == 1) return;
  const double radius = contact.m * std::max(0.0, std::max(0.0, pushed) + contact.offset);
  const Vector2d a = z.tail<2>() - contact.rho_tangential * xi.tail<2>();
  const double length = a.norm();
  if (radius > 0 && length <= radius) {
    K_[i].bottomRightCorner<2, 2>() = rho * Matrix2d::Identity();
    move_[i].tail<2>() = -rho * xi.tail<2>();
    return;
  }
  if (!(length > 0)) return;
  const Vector2d e = a / length;
  K_[i].bottomLeftCorner<2, 1>() = contact.m * K_[i](0, 0) * e;
  move_[i].tail<2>() += contact.m * (z(0) + move_[i](0) + contact.offset) * e;
  if (contact.size == 2) return;
  // Across e: z + Δz = (R/|a|)(z + Δz − r(ξ + Δξ)), a stiff answer where sliding has just begun.
  const Matrix2d across = Matrix2d::Identity() - e * e.transpose();
  const double turned = std::min(radius / length, 1 - contact.rho_tangential / rho);
  K_[i].bottomRightCorner<2, 2>() = contact.rho_tangential * turned / (1 - turned) * across;
  move_[i].tail<2>() -= turned / (1 - turned) * (across * z.tail<2>());
}

bool NaturalNewton::advance(double proximal_step, std::vector<Vector3d>& z) {
  contacts_.velocity(z, v_);
  dv_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    linearise(i, proximal_step, z[i], contacts_.along(contacts_[i], v_) + contacts_[i].c);
    contacts_.add(contacts_[i], move_[i], dv_);
  }
  if (!matrix_.factor(K_)) return false;
  matrix_.solve(dv_);
  if (!dv_.allFinite()) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) z[i] += move_[i] - K_[i] * contacts_.along(contacts_[i], dv_);
  return true;
}

}  // namespace carom
