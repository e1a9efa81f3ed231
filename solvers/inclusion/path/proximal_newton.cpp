#include "solvers/inclusion/path/proximal_newton.h"

#include <algorithm>
#include <cmath>

namespace carom {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

namespace {

constexpr double near_enough = 1e-3;  // to a proximal point, as a part of the way there
constexpr double rounded = 1e-14;     // of the drive: what Newton's method cannot take away
constexpr double noise = 1e-15;       // of length times drive: the same where it gets nowhere any more
constexpr double short_way = 1e-10;   // of the drive: a part of the way that is no longer enough

}  // namespace

ProximalNewton::ProximalNewton(const ContactDirections& contacts, VelocityMatrix& matrix)
    : contacts_(contacts),
      matrix_(matrix),
      K_(contacts.count(), Eigen::Matrix3d::Zero()),
      move_(contacts.count(), Vector3d::Zero()) {
  for (std::size_t i = 0; i < contacts.count(); ++i)
    drive_ = std::max(drive_, contacts[i].c.cwiseAbs().maxCoeff() * std::sqrt(contacts[i].rho_normal));
}

bool ProximalNewton::step(double length, int most_steps, std::vector<Vector3d>& z) {
  centre_ = z;
  double last = HUGE_VAL;
  for (steps_ = 0;; ++steps_) {
    const double miss = linearise(length, z);
    if (steps_ > 0 && is_near(miss, last, near_enough * way(z), length)) return true;
    if (steps_ == most_steps || !std::isfinite(miss) || !advance(z)) break;
    last = miss;
  }
  z = centre_;
  return false;
}

// A short way is gone to its end, since the last digits are wanted there: until rounding keeps Newton's method.
bool ProximalNewton::is_near(double miss, double last, double enough, double length) const {
  if (miss <= rounded * drive_) return true;
  if (enough >= short_way * drive_) return miss <= enough;
  return miss <= std::max(enough, noise * length * drive_) && miss > 0.5 * last;
}

double ProximalNewton::way(const std::vector<Vector3d>& z) const {
  double longest = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (contacts_[i].rho_normal > 0)
      longest = std::max(longest, (z[i] - centre_[i]).cwiseAbs().maxCoeff() / std::sqrt(contacts_[i].rho_normal));
  return longest;
}

double ProximalNewton::linearise(double length, const std::vector<Vector3d>& z) {
  contacts_.velocity(z, v_);
  double miss = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const double own = linearise(i, length, z[i]);
    if (!(own <= miss)) miss = own;
  }
  return miss;
}

// The equations of one contact, and how far it is from obeying its law, |P(Λ − rξ̂) − Λ|√G_NN.
double ProximalNewton::linearise(std::size_t i, double length, const Vector3d& z) {
  const Contact& contact = contacts_[i];
  K_[i].setZero();
  move_[i] = -z;
  if (contact.rho_normal == 0) return 0;
  const double rho = length * contact.rho_normal, give = 1 / rho;
  const Vector3d xi = contacts_.along(contact, v_) + contact.c + give * (z - centre_[i]);
  const double pushed = z(0) - xi(0) / (1 / contact.rho_normal + give);
  Vector3d target = Vector3d::Zero();
  if (pushed > 0 || contact.bilateral) {
    target(0) = pushed;
    K_[i](0, 0) = rho;
    move_[i](0) = -rho * xi(0);
  }
  if (contact.size > 1 && contact.rho_tangential > 0) {
    const double r = 1 / (1 / contact.rho_tangential + give), radius = contact.radius(target);
    const Vector2d a = z.tail<2>() - r * xi.tail<2>();
    const double length_of_a = a.norm();
    if (radius > 0 && length_of_a <= radius) {
      target.tail<2>() = a;
      K_[i].bottomRightCorner<2, 2>() = rho * Matrix2d::Identity();
      move_[i].tail<2>() = -rho * xi.tail<2>();
    } else if (length_of_a > 0) {
      target.tail<2>() = radius / length_of_a * a;
      slide(i, radius, length_of_a, a / length_of_a, give, r, z);
    }
  }
  return (target - z).cwiseAbs().maxCoeff() / std::sqrt(contact.rho_normal);
}

// Λ_T = μ(Λ_N + o)e, which turns with a: across e,  Λ + ΔΛ = (R/|a|)(Λ + ΔΛ − r(ξ̂ + Δξ̂)).
void ProximalNewton::slide(std::size_t i, double radius, double length_of_a, const Vector2d& e, double give, double r,
                           const Vector3d& z) {
  const Contact& contact = contacts_[i];
  K_[i].bottomLeftCorner<2, 1>() = contact.m * K_[i](0, 0) * e;
  move_[i].tail<2>() += contact.m * (z(0) + move_[i](0) + contact.offset) * e;
  if (contact.size == 2) return;
  const Matrix2d across = Matrix2d::Identity() - e * e.transpose();
  const double part = radius / length_of_a, held = 1 - part * (1 - r * give);
  K_[i].bottomRightCorner<2, 2>() = part * r / held * across;
  move_[i].tail<2>() += (1 - 1 / held) * (across * z.tail<2>());
}

bool ProximalNewton::advance(std::vector<Vector3d>& z) {
  ++factorisations_;
  if (!matrix_.factor(K_)) return false;
  dv_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i) contacts_.add(contacts_[i], move_[i], dv_);
  matrix_.solve(dv_);
  if (!dv_.allFinite()) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) z[i] += move_[i] - K_[i] * contacts_.along(contacts_[i], dv_);
  return true;
}

}  // namespace carom
