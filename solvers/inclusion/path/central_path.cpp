#include "solvers/inclusion/path/central_path.h"

#include <algorithm>
#include <cmath>

namespace carom {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

namespace {

constexpr double relative_give = 1e-8;  // of G_NN
constexpr double to_boundary = 0.995;   // share of the way to the nearest vanishing factor that a long step goes
constexpr double shortest_share = 0.1;  // of a long step; where less is left, the path is followed by its length
constexpr double least_product = 0.1;   // of τw: how far from the path a point may be
constexpr double most_product = 10;
constexpr double most_uneven = 20;  // products of a path of its own, relative to their mean

}  // namespace

void CentralPoint::resize(std::size_t count) {
  push.resize(count, Pairs::Zero()), speed.resize(count, Pairs::Zero()), tangential.resize(count);
}

void CentralPoint::add(double factor, const CentralPoint& change) {
  for (std::size_t i = 0; i < push.size(); ++i) {
    push[i] += factor * change.push[i];
    speed[i] += factor * change.speed[i];
    tangential[i] += factor * change.tangential[i];
  }
}

CentralPath::CentralPath(const ContactDirections& contacts, VelocityMatrix& matrix)
    : contacts_(contacts), matrix_(matrix), K_(contacts.count()) {
  const std::size_t count = contacts.count();
  for (std::size_t i = 0; i < count; ++i) {
    drive_ = std::max(drive_, contacts[i].c.cwiseAbs().maxCoeff() * std::sqrt(contacts[i].rho_normal));
    if (moves(i)) pair_count_ += pairs(i);
  }
  resize(count);
  for (auto* part : {&centre_, &first_miss_, &miss_target_}) part->resize(count, Vector2d::Zero());
  for (auto* part : {&products_, &product_target_}) part->resize(count, Pairs::Zero());
}

double CentralPath::give(std::size_t i) const { return relative_give / contacts_[i].rho_normal; }

void CentralPath::update_velocity() {
  v_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) contacts_.add(contacts_[i], impulse(i), v_);
}

Vector2d CentralPath::miss(std::size_t i) const {
  const Vector2d z = impulse(i).head<2>();
  const Vector2d xi = velocity_of(i, at_.speed[i]);
  Vector2d difference =
      (contacts_.along(contacts_[i], v_) + contacts_[i].c).head<2>() + give(i) * (z - centre_[i]) - xi;
  if (pairs(i) < 3) difference(1) = 0;
  return difference;
}

void CentralPath::start(const std::vector<Vector3d>& z, double margin, double dilation) {
  const double product = margin * margin * drive_ * drive_;
  dilation_ = dilation;
  by_length_ = false;
  contacts_.velocity(z, v_);
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Contact& contact = contacts_[i];
    if (!moves(i)) continue;
    centre_[i] = z[i].head<2>();
    if (pairs(i) == 0) {
      at_.push[i](0) = z[i](0);
      continue;
    }
    // Of all Λ_N − rξ_N = q the pair with the product wanted.
    const Vector3d xi = contacts_.along(contact, v_) + contact.c;
    const double q = z[i](0) - contact.rho_normal * xi(0);
    const double root = std::hypot(q, 2 * std::sqrt(product * contact.rho_normal));
    const double normal = q > 0 ? 0.5 * (q + root) : 2 * product * contact.rho_normal / (root - q);
    const double radius = contact.m * (normal + contact.offset);
    // The same for friction: held by what it had, or sliding as fast as it does.
    const double held = z[i](1) - contact.rho_tangential * xi(1);
    const double least = std::min(0.1 * radius, product / std::abs(xi(1)));
    const double slack = std::max(radius - std::abs(held), least);
    at_.push[i] << normal, held < 0 ? slack : 2 * radius - slack, held < 0 ? 2 * radius - slack : slack;
    at_.speed[i] = product / at_.push[i];
    at_.tangential[i] = std::copysign(radius - slack, held);
  }
  last_at_ = at_;
}

std::vector<Vector3d> CentralPath::impulses() const {
  std::vector<Vector3d> z(contacts_.count(), Vector3d::Zero());
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) z[i] = impulse(i);
  return z;
}

double CentralPath::gap() const { return mean_product() / (drive_ * drive_); }

double CentralPath::mean_product() const { return mean_product_after(0, at_); }

double CentralPath::mean_product_after(double share, const Point& change) const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Pairs product = (at_.push[i] + share * change.push[i]) * (at_.speed[i] + share * change.speed[i]);
    sum += product.head(pairs(i)).sum();
  }
  return sum / pair_count_;
}

// ΔΛ = K(… − Δξ): with d = speed/push of the pairs, K⁻¹ = [d₀ + βμ²(d₁ + d₂)  βμ(d₁ − d₂); μ(d₁ − d₂)  d₁ + d₂] + g.
bool CentralPath::linearise() {
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    K_[i].setZero();
    if (!moves(i)) continue;
    if (pairs(i) == 0) {
      K_[i](0, 0) = 1 / give(i);
      continue;
    }
    const Pairs d = at_.speed[i] / at_.push[i];
    if (pairs(i) < 3) {
      K_[i](0, 0) = 1 / (d(0) + give(i));
      continue;
    }
    const double mu = contacts_[i].m, normal = d(0) + give(i), sum = d(1) + d(2), opening = dilation_ * mu * mu;
    const double determinant = normal * (sum + give(i)) + opening * (4 * d(1) * d(2) + give(i) * sum);
    K_[i](0, 0) = (sum + give(i)) / determinant;
    K_[i](0, 1) = -dilation_ * mu * (d(1) - d(2)) / determinant;
    K_[i](1, 0) = -mu * (d(1) - d(2)) / determinant;
    K_[i](1, 1) = (normal + opening * sum) / determinant;
  }
  if (!matrix_.factor(K_)) return false;
  update_velocity();
  largest_miss_ = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    miss_target_[i] = miss(i);
    const double relative_miss = miss_target_[i].cwiseAbs().maxCoeff() * std::sqrt(contacts_[i].rho_normal) / drive_;
    largest_miss_ = std::max(largest_miss_, relative_miss);
  }
  return true;
}

bool CentralPath::solve(Point& change) {
  const auto right_side = [&](std::size_t i) {
    if (pairs(i) == 0) return Vector3d(-miss_target_[i](0), 0, 0);
    const Vector2d side = velocity_of(i, product_target_[i] / at_.push[i]) - miss_target_[i];
    return Vector3d(side(0), pairs(i) == 3 ? side(1) : 0.0, 0);
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
  if (pairs(i) == 0) {
    change.push[i](0) = dz(0);
    return;
  }
  const Pairs q = product_target_[i] / at_.push[i], d = at_.speed[i] / at_.push[i];
  const double r = contacts_[i].rho_normal, mu = contacts_[i].m;
  Pairs &push = change.push[i], &speed = change.speed[i];
  const auto by_push = [&](int k, double value) { push(k) = value, speed(k) = q(k) - d(k) * value; };
  const auto by_speed = [&](int k, double value) { speed(k) = value, push(k) = (q(k) - value) / d(k); };
  if (d(0) * r < 1) {
    by_push(0, dz(0));
  } else {
    const double opening = pairs(i) < 3 ? 0.0 : q(1) - d(1) * (mu * dz(0) + dz(1)) + q(2) - d(2) * (mu * dz(0) - dz(1));
    by_speed(0, dxi(0) - dilation_ * mu * opening);
  }
  change.tangential[i] = pairs(i) == 3 ? dz(1) : 0;
  if (pairs(i) < 3) return;
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

double CentralPath::largest_dilation() const {
  double largest = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i) || pairs(i) < 3) continue;
    const double opening = dilation_ * contacts_[i].m * (at_.speed[i](1) + at_.speed[i](2));
    largest = std::max(largest, opening * std::sqrt(contacts_[i].rho_normal) / drive_);
  }
  return largest;
}

bool CentralPath::advance() { return by_length_ ? step_along() : step_far(); }

// To products σ of their mean, σ small if the way to zero products is free; what the product of the changes adds is
// taken into account by a second solution of the same equations.
bool CentralPath::step_far() {
  if (!linearise()) return false;
  if (matrix_.determinant_sign() < 0) {
    at_ = last_at_;
    keep_products();
    return true;
  }
  for (std::size_t i = 0; i < contacts_.count(); ++i) product_target_[i] = -at_.push[i] * at_.speed[i];
  Point& straight = here_.tangent;
  if (!solve(straight)) return false;
  const double mean = mean_product();
  const double share = std::min(1.0, longest_share(straight));
  const double sigma = std::clamp(std::pow(mean_product_after(share, straight) / mean, 3), 1e-8, 1.0);
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    product_target_[i] = sigma * mean - at_.push[i] * at_.speed[i] - straight.push[i] * straight.speed[i];
  if (!solve(here_.correction)) return false;
  const double length = std::min(1.0, to_boundary * longest_share(here_.correction));
  if (length < shortest_share) {
    keep_products();
    return true;
  }
  last_at_ = at_;
  at_.add(length, here_.correction);
  return true;
}

double CentralPath::longest_share(const Point& change) const {
  double share = HUGE_VAL;
  const auto bound = [&](double value, double by) {
    if (by < 0) share = std::min(share, -value / by);
  };
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    for (int k = 0; k < pairs(i); ++k) {
      bound(at_.push[i](k), change.push[i](k));
      bound(at_.speed[i](k), change.speed[i](k));
    }
  }
  return share;
}

void CentralPath::keep_products() {
  begin_path(contacts_.count());
  update_velocity();
  const double mean = mean_product();
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    products_[i] = (at_.push[i] * at_.speed[i]).max(mean / most_uneven).min(mean * most_uneven);
    first_miss_[i] = miss(i);
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

bool CentralPath::is_near_path(double tau) const {
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    for (int k = 0; k < pairs(i); ++k) {
      const double push = at_.push[i](k), share = push * at_.speed[i](k) / (tau * products_[i](k));
      if (!(push > 0 && share >= least_product && share <= most_product)) return false;
    }
  }
  return true;
}

bool CentralPath::look_ahead(Course& course) {
  if (!linearise()) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    product_target_[i] = tau_ * products_[i] - at_.push[i] * at_.speed[i];
    miss_target_[i] -= tau_ * first_miss_[i];
  }
  if (!solve(course.correction)) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    product_target_[i] = products_[i];
    miss_target_[i] = -first_miss_[i];
  }
  if (!solve(course.tangent)) return false;
  const double of_tau = static_cast<double>(contacts_.count()) / (tau_ * tau_);
  const double square = relative(course.tangent, course.tangent) + of_tau;
  // det K⁻¹ > 0, so this is the sign of the Jacobian's determinant, which changes where τ turns and only there.
  course.slope = -matrix_.determinant_sign() / std::sqrt(square);
  course.along = -relative(course.tangent, course.correction) / square;
  course.off = largest_relative(course.correction, course.along, course.tangent);
  // (push·speed)″ = τ″w, without the part along the path
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    product_target_[i] = -2 * course.slope * course.slope * course.tangent.push[i] * course.tangent.speed[i];
    miss_target_[i].setZero();
  }
  if (!solve(course.bend)) return false;
  course.curvature = -relative(course.tangent, course.bend) / square;
  return true;
}

}  // namespace carom
