#include "solvers/inclusion/central_path.h"

#include <algorithm>
#include <cmath>

namespace carom {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

namespace {

constexpr double relative_give = 1e-8;  // of G_NN
constexpr double least_product = 0.1;   // of τw: how far from the path a point may be
constexpr double most_product = 10;
constexpr double steepest_fall = 1e-3;  // of τ in one step
constexpr double shortest_step = 1e-3;  // a relative change of one contact
constexpr double farthest_off = 1;      // relative correction after a step that is not taken back
constexpr double back_at_start = 2;     // τ

}  // namespace

CentralPath::CentralPath(const ContactDirections& contacts, VelocityMatrix& matrix)
    : contacts_(contacts), matrix_(matrix), K_(contacts.count()) {
  const std::size_t count = contacts.count();
  for (std::size_t i = 0; i < count; ++i)
    drive_ = std::max(drive_, contacts[i].c.cwiseAbs().maxCoeff() * std::sqrt(contacts[i].rho_normal));
  for (Point* point : {&at_, &last_at_, &here_.correction, &here_.tangent, &last_.correction, &last_.tangent})
    point->resize(count);
  centre_.resize(count), first_miss_.resize(count), product_target_.resize(count), miss_target_.resize(count);
}

double CentralPath::give(std::size_t i) const { return relative_give / contacts_[i].rho_normal; }

void CentralPath::update_velocity() {
  v_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) contacts_.add(contacts_[i], impulse(i), v_);
}

Vector2d CentralPath::miss(std::size_t i) const {
  const Vector2d z = impulse(i).head<2>();
  const Vector2d xi(at_.speed[i](0), pairs(i) == 3 ? at_.speed[i](1) - at_.speed[i](2) : 0.0);
  Vector2d difference =
      (contacts_.along(contacts_[i], v_) + contacts_[i].c).head<2>() + give(i) * (z - centre_[i]) - xi;
  if (pairs(i) == 1) difference(1) = 0;
  return difference;
}

void CentralPath::start(const std::vector<Vector3d>& z, double margin) {
  margin_ = margin;
  product_ = margin * margin * drive_ * drive_;
  tau_ = 1;
  step_ = 4 * std::sqrt(static_cast<double>(contacts_.count()));
  begun_ = false;
  contacts_.velocity(z, v_);
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Contact& contact = contacts_[i];
    if (!moves(i)) continue;
    centre_[i] = z[i].head<2>();
    // Of all Λ_N − rξ_N = q the pair with the product wanted.
    const Vector3d xi = contacts_.along(contact, v_) + contact.c;
    const double q = z[i](0) - contact.rho_normal * xi(0);
    const double root = std::hypot(q, 2 * std::sqrt(product_ * contact.rho_normal));
    const double normal = q > 0 ? 0.5 * (q + root) : 2 * product_ * contact.rho_normal / (root - q);
    const double radius = contact.m * (normal + contact.offset);
    // The same for friction: held by what it had, or sliding as fast as it does.
    const double held = z[i](1) - contact.rho_tangential * xi(1);
    const double least = std::min(0.1 * radius, product_ / std::abs(xi(1)));
    const double slack = std::max(radius - std::abs(held), least);
    at_.push[i] << normal, held < 0 ? slack : 2 * radius - slack, held < 0 ? 2 * radius - slack : slack;
    at_.speed[i] = product_ / at_.push[i];
    at_.tangential[i] = std::copysign(radius - slack, held);
  }
  update_velocity();
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) first_miss_[i] = miss(i);
}

std::vector<Vector3d> CentralPath::impulses() const {
  std::vector<Vector3d> z(contacts_.count(), Vector3d::Zero());
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) z[i] = impulse(i);
  return z;
}

// ΔΛ = K(… − Δξ): with d = speed/push of the pairs, K⁻¹ = [d₀ 0; μ(d₁ − d₂) d₁ + d₂] + g.
void CentralPath::linearise() {
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    K_[i].setZero();
    if (!moves(i)) continue;
    const Pairs d = at_.speed[i] / at_.push[i];
    K_[i](0, 0) = 1 / (d(0) + give(i));
    if (pairs(i) == 1) continue;
    K_[i](1, 1) = 1 / (d(1) + d(2) + give(i));
    K_[i](1, 0) = -contacts_[i].m * (d(1) - d(2)) * K_[i](0, 0) * K_[i](1, 1);
  }
}

bool CentralPath::solve(Point& change) {
  const auto right_side = [&](std::size_t i) {
    const Pairs q = product_target_[i] / at_.push[i];
    return Vector3d(q(0) - miss_target_[i](0), pairs(i) == 3 ? q(1) - q(2) - miss_target_[i](1) : 0.0, 0);
  };
  dv_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) contacts_.add(contacts_[i], K_[i] * right_side(i), dv_);
  matrix_.solve(dv_);
  if (!dv_.allFinite()) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Vector3d along = contacts_.along(contacts_[i], dv_);
    const Vector2d dz = (K_[i] * (right_side(i) - along)).head<2>();
    spread(i, dz, along.head<2>() + give(i) * dz + miss_target_[i], change);
  }
  return true;
}

// The pairs' changes from those of Λ and ξ: each from that side of the pair that is not about to vanish, the other by
// push·Δspeed + speed·Δpush = target.
void CentralPath::spread(std::size_t i, const Vector2d& dz, const Vector2d& dxi, Point& change) const {
  const Pairs q = product_target_[i] / at_.push[i], d = at_.speed[i] / at_.push[i];
  const double r = contacts_[i].rho_normal, mu = contacts_[i].m;
  Pairs &push = change.push[i], &speed = change.speed[i];
  const auto by_push = [&](int k, double value) { push(k) = value, speed(k) = q(k) - d(k) * value; };
  const auto by_speed = [&](int k, double value) { speed(k) = value, push(k) = (q(k) - value) / d(k); };
  if (d(0) * r < 1) {
    by_push(0, dz(0));
  } else {
    by_speed(0, dxi(0));
  }
  change.tangential[i] = pairs(i) == 3 ? dz(1) : 0;
  if (pairs(i) == 1) return;
  const bool slides_up = at_.push[i](1) < at_.push[i](2);  // p is the smaller one
  const int far = slides_up ? 2 : 1, near = slides_up ? 1 : 2;
  const double sign = slides_up ? 1 : -1;  // of Λ_T in `near`, and of its speed in ξ_T
  by_push(far, mu * push(0) - sign * dz(1));
  if (d(near) * r < 1) {
    by_push(near, mu * push(0) + sign * dz(1));
  } else {
    by_speed(near, sign * dxi(1) + speed(far));
  }
}

double CentralPath::relative(std::size_t i, const Point& a, const Point& b) const {
  const int n = pairs(i);
  const Pairs in_push = a.push[i] * b.push[i] / at_.push[i].square();
  const Pairs in_speed = a.speed[i] * b.speed[i] / at_.speed[i].square();
  return in_push.head(n).sum() + in_speed.head(n).sum();
}

double CentralPath::relative(const Point& a, const Point& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) sum += relative(i, a, b);
  return sum;
}

double CentralPath::largest_relative(const Point& a, double factor, const Point& b) const {
  double largest = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    largest =
        std::max(largest, relative(i, a, a) + 2 * factor * relative(i, a, b) + factor * factor * relative(i, b, b));
  }
  return std::sqrt(largest);
}

bool CentralPath::is_near_path(const Point& point, double tau) const {
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    for (int k = 0; k < pairs(i); ++k) {
      const double push = point.push[i](k), product = push * point.speed[i](k);
      if (!(push > 0 && product >= least_product * tau * product_ && product <= most_product * tau * product_))
        return false;
    }
  }
  return true;
}

bool CentralPath::look_ahead(Course& course) {
  linearise();
  if (!matrix_.factor(K_)) return false;
  update_velocity();
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    product_target_[i] = tau_ * product_ - at_.push[i] * at_.speed[i];
    miss_target_[i] = miss(i) - tau_ * first_miss_[i];
  }
  if (!solve(course.correction)) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    product_target_[i].setConstant(product_);
    miss_target_[i] = -first_miss_[i];
  }
  if (!solve(course.tangent)) return false;
  const double of_tau = static_cast<double>(contacts_.count()) / (tau_ * tau_);
  const double square = relative(course.tangent, course.tangent) + of_tau;
  // det K⁻¹ > 0, so this is the sign of the Jacobian's determinant, which changes where τ turns and only there.
  course.slope = -matrix_.determinant_sign() / std::sqrt(square);
  course.along = -relative(course.tangent, course.correction) / square;
  course.off = largest_relative(course.correction, course.along, course.tangent);
  return true;
}

// From the last point by a share of its correction and a step along its tangent.
bool CentralPath::place(double share, double step) {
  const double by_tau = share * last_.along + step * last_.slope;
  const double tau = last_tau_ + by_tau;
  if (!(tau >= steepest_fall * last_tau_)) return false;
  const Point &correction = last_.correction, &tangent = last_.tangent;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    at_.push[i] = last_at_.push[i] + share * correction.push[i] + by_tau * tangent.push[i];
    at_.speed[i] = last_at_.speed[i] + share * correction.speed[i] + by_tau * tangent.speed[i];
    at_.tangential[i] = last_at_.tangential[i] + share * correction.tangential[i] + by_tau * tangent.tangential[i];
  }
  if (!is_near_path(at_, tau)) return false;
  tau_ = tau;
  step_ = step;
  return true;
}

// As far along the path as the point stays near it, or only back onto it.
bool CentralPath::go(double step) {
  for (; step > shortest_step; step *= 0.5)
    if (place(1, step)) return true;
  for (double share = 1; share > 0.01; share *= 0.5)
    if (place(share, 0)) return true;
  return false;
}

bool CentralPath::advance() {
  if (!look_ahead(here_) || tau_ > back_at_start) return false;
  if (begun_ && step_ > 10 * shortest_step && here_.off > farthest_off) return go(0.25 * step_);
  std::swap(last_, here_);
  last_at_ = at_;
  last_tau_ = tau_;
  begun_ = true;
  const double longest = 4 * std::sqrt(static_cast<double>(contacts_.count()));
  return go(std::min(step_ > 0 ? 3 * step_ : 10 * shortest_step, longest));
}

}  // namespace carom
