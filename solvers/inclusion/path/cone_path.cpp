#include "solvers/inclusion/path/cone_path.h"

#include <algorithm>
#include <cmath>

namespace carom {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

namespace {

constexpr double relative_give = 1e-11;  // of G_NN; contacts at rest that contradict each other by rounding slip
constexpr double to_boundary = 0.99;     // share of the way to the nearest boundary that a long step goes
constexpr double shortest_share = 0.1;   // of a long step; where less is left, the path is followed by its length
constexpr double least_central = 0.01;   // of the mean product: what no product may be below after a long step
constexpr double least_fall = 1e-6;      // of the mean product in a long step
constexpr double least_product = 0.1;    // of τw: how far from the path a point may be
constexpr double most_product = 10;
constexpr double most_uneven = 20;  // products of a path of its own, relative to their mean
constexpr int most_centrings = 10;  // in a row

// How far (a, b) may go along (da, db) before |b| = a.
double way_to_mantle(double a, const Vector2d& b, double da, const Vector2d& db) {
  const double size = b.norm();
  const double square = da * da - db.squaredNorm(), half = a * da - b.dot(db), rest = (a - size) * (a + size);
  double way = da < 0 ? -a / da : HUGE_VAL;
  const double discriminant = half * half - square * rest;
  if (discriminant < 0) return way;
  const double q = -(half + std::copysign(std::sqrt(discriminant), half));
  for (const double root : {q / square, rest / q})
    if (root > 0) way = std::min(way, root);
  return way;
}

// Of two changes of (a, b) relative to it: the metric of the cone's barrier −ln(a² − |b|²), by the spectral values
// a ± |b| and across.
double relative_in_cone(double a, const Vector2d& b, double da, const Vector2d& db, double ea, const Vector2d& eb) {
  const double size = b.norm();
  const Vector2d e = size > 0 ? Vector2d(b / size) : Vector2d::UnitX();
  const double d = e.dot(db), f = e.dot(eb), more = a + size, less = a - size;
  return (da + d) * (ea + f) / (more * more) + (da - d) * (ea - f) / (less * less) +
         2 * (db.dot(eb) - d * f) / (more * less);
}

}  // namespace

ConePath::ConePath(const ContactDirections& contacts, VelocityMatrix& matrix)
    : contacts_(contacts),
      matrix_(matrix),
      products_(contacts.count()),
      target_(contacts.count()),
      first_miss_(contacts.count(), Vector3d::Zero()),
      miss_target_(contacts.count(), Vector3d::Zero()),
      right_side_(contacts.count()),
      K_(contacts.count(), Matrix3d::Zero()) {
  resize(contacts.count());
  for (std::size_t i = 0; i < contacts.count(); ++i)
    drive_ = std::max(drive_, contacts[i].c.cwiseAbs().maxCoeff() * std::sqrt(contacts[i].rho_normal));
}

double ConePath::give(std::size_t i) const { return relative_give / contacts_[i].rho_normal; }

ConePoint ConePath::after(const Point& from, double share, const Point& change) {
  return {from.push + share * change.push, from.opening + share * change.opening, from.hold + share * change.hold,
          from.speed + share * change.speed, from.slip + share * change.slip};
}

void ConePath::start(const std::vector<Vector3d>& z, double margin) {
  by_length_ = false;
  centrings_ = 0;
  contacts_.velocity(z, v_);
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) start(i, z[i], contacts_.along(contacts_[i], v_) + contacts_[i].c, margin * margin * drive_ * drive_);
  last_at_ = at_;
}

void ConePath::start(std::size_t i, const Vector3d& z, const Vector3d& xi, double product) {
  const Contact& contact = contacts_[i];
  Point& p = at_[i];
  // Of all Λ_N − rξ_N = q the pair with the product wanted.
  const double q = z(0) - contact.rho_normal * xi(0);
  const double root = std::hypot(q, 2 * std::sqrt(product * contact.rho_normal));
  p.push = q > 0 ? 0.5 * (q + root) : 2 * product * contact.rho_normal / (root - q);
  p.opening = product / p.push;
  if (!rubs(i)) return;
  // Held by what it had, or sliding as fast as it does; and σ = product·x⁻¹.
  const double R = radius(i, p), slip = xi.tail<2>().norm();
  p.hold = z.tail<2>() - contact.rho_tangential * xi.tail<2>();
  const double size = p.hold.norm();
  const double most = R - std::min(0.1 * R, 0.5 * product / slip);
  if (size > most) p.hold *= most / size;
  const double determinant = R * R - p.hold.squaredNorm();
  p.speed = product * R / determinant;
  p.slip = -product / determinant * p.hold;
}

std::vector<Vector3d> ConePath::impulses() const {
  std::vector<Vector3d> z(contacts_.count(), Vector3d::Zero());
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) z[i] << at_[i].push, at_[i].hold;
  return z;
}

double ConePath::gap() const { return mean_product(0, at_) / (drive_ * drive_); }

double ConePath::mean_product(double share, const std::vector<Point>& change) const {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point p = after(at_[i], share, change[i]);
    const Product is = product(p, radius(i, p));
    sum += is.normal + (rubs(i) ? is.along : 0);
    count += rubs(i) ? 2 : 1;
  }
  return count > 0 ? sum / count : 0;
}

// (R − ΛΛᵀ/R)⁻¹b, Λ_T as Λ: what Δξ_T is multiplied with in x∘σ once Δs is eliminated.
Vector2d ConePath::across_inverse(std::size_t i, const Vector2d& b) const {
  const Vector2d& hold = at_[i].hold;
  const double R = radius(i, at_[i]), size = hold.norm();
  return (b + hold * (hold.dot(b) / ((R - size) * (R + size)))) / R;
}

// Δξ = … − DΔΛ keeps the products: from
//   R Δs + s ΔR + Λ_T·Δξ_T + ξ_T·ΔΛ_T = a,   R Δξ_T + ξ_T ΔR + s ΔΛ_T + Λ_T Δs = b,   ΔR = μΔΛ_N,
// without Δs
//   (R − Λ_TΛ_Tᵀ/R)Δξ_T + (s − Λ_Tξ_Tᵀ/R)ΔΛ_T + μ(ξ_T − sΛ_T/R)ΔΛ_N = b − Λ_T a/R.
Matrix3d ConePath::stiffness(std::size_t i) const {
  const Point& p = at_[i];
  const double R = radius(i, p);
  Matrix3d D = Matrix3d::Zero();
  D(0, 0) = p.opening / p.push;
  const Matrix2d by_hold = p.speed * Matrix2d::Identity() - p.hold * p.slip.transpose() / R;
  D.block<2, 1>(1, 0) = contacts_[i].m * across_inverse(i, p.slip - p.speed / R * p.hold);
  D.block<2, 1>(1, 1) = across_inverse(i, by_hold.col(0));
  D.block<2, 1>(1, 2) = across_inverse(i, by_hold.col(1));
  return D;
}

void ConePath::update_misses() {
  contacts_.velocity(impulses(), v_);
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point& p = at_[i];
    miss_target_[i] = contacts_.along(contacts_[i], v_) + contacts_[i].c - Vector3d(p.opening, p.slip(0), p.slip(1));
    if (!rubs(i)) miss_target_[i].tail<2>().setZero();
  }
}

bool ConePath::linearise() {
  update_misses();
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    if (rubs(i)) {
      K_[i] = (stiffness(i) + give(i) * Matrix3d::Identity()).inverse();
    } else {
      K_[i](0, 0) = 1 / (at_[i].opening / at_[i].push + give(i));
    }
  }
  return matrix_.factor(K_);
}

// x∘σ of one contact, and the product of its normal pair.
ConePath::Product ConePath::product(const Point& p, double R) {
  return {p.push * p.opening, R * p.speed + p.hold.dot(p.slip), R * p.slip + p.speed * p.hold};
}

// To `mean` in every pair; with what the product of the changes `first`, if there are some, adds to it.
void ConePath::aim(double mean, const std::vector<Point>* first) {
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    target_[i] = Product{mean, mean, Vector2d::Zero()} - product(at_[i], radius(i, at_[i]));
    if (first) target_[i] = target_[i] - product((*first)[i], contacts_[i].m * (*first)[i].push);
  }
}

bool ConePath::solve(std::vector<Point>& change) {
  dv_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Product& t = target_[i];
    Vector2d slip = Vector2d::Zero();
    if (rubs(i)) slip = across_inverse(i, t.across - t.along / radius(i, at_[i]) * at_[i].hold);
    right_side_[i] = Vector3d(t.normal / at_[i].push, slip(0), slip(1)) - miss_target_[i];
    contacts_.add(contacts_[i], K_[i] * right_side_[i], dv_);
  }
  matrix_.solve(dv_);
  if (!dv_.allFinite()) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point& p = at_[i];
    const Vector3d along = contacts_.along(contacts_[i], dv_);
    const Vector3d dz = K_[i] * (right_side_[i] - along);
    Point& d = change[i];
    d.push = dz(0);
    d.opening = (target_[i].normal - p.opening * d.push) / p.push;
    if (!rubs(i)) continue;
    d.hold = dz.tail<2>();
    d.slip = (along + give(i) * dz + miss_target_[i]).tail<2>();
    d.speed =
        (target_[i].along - p.speed * contacts_[i].m * d.push - p.slip.dot(d.hold) - p.hold.dot(d.slip)) / radius(i, p);
  }
  return true;
}

double ConePath::longest_share(const std::vector<Point>& change) const {
  double share = HUGE_VAL;
  const auto bound = [&](double value, double by) {
    if (by < 0) share = std::min(share, -value / by);
  };
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point &p = at_[i], &d = change[i];
    bound(p.push, d.push);
    bound(p.opening, d.opening);
    if (!rubs(i)) continue;
    share = std::min(share, way_to_mantle(radius(i, p), p.hold, contacts_[i].m * d.push, d.hold));
    share = std::min(share, way_to_mantle(p.speed, p.slip, d.speed, d.slip));
  }
  return share;
}

bool ConePath::advance() { return by_length_ ? step_along() : step_far(); }

// To products a part of their mean, a small one if the way to zero products is free; what the product of the changes
// adds is taken into account by a second solution of the same equations.
bool ConePath::step_far() {
  if (!linearise()) return false;
  if (matrix_.determinant_sign() < 0) {
    at_ = last_at_;
    keep_products();
    return true;
  }
  std::vector<Point>&straight = here_.tangent, &change = here_.correction;
  aim(0, nullptr);
  if (!solve(straight)) return false;
  const double mean = mean_product(0, at_);
  const double free = std::min(1.0, longest_share(straight));
  aim(std::clamp(std::pow(mean_product(free, straight) / mean, 3), least_fall, 1.0) * mean, &straight);
  if (!solve(change)) return false;
  double share = std::min(1.0, to_boundary * longest_share(change));
  while (share >= shortest_share && !is_central(share, change)) share *= 0.8;
  if (share < shortest_share) return centre(mean);
  centrings_ = 0;
  last_at_ = at_;
  add(share, change);
  return true;
}

bool ConePath::is_central(double share, const std::vector<Point>& change) const {
  const double least = least_central * mean_product(share, change);
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point p = after(at_[i], share, change[i]);
    const Product is = product(p, radius(i, p));
    if (is.normal < least || (rubs(i) && is.along - is.across.norm() < least)) return false;
  }
  return true;
}

// Towards equal products, from where there is little way left: near them a path of its own begins.
bool ConePath::centre(double mean) {
  aim(mean, nullptr);
  if (!solve(here_.correction)) return false;
  const double share = std::min(1.0, 0.5 * longest_share(here_.correction));
  if (++centrings_ > most_centrings || share < shortest_step) {
    keep_products();
    return true;
  }
  last_at_ = at_;
  add(share, here_.correction);
  return true;
}

void ConePath::add(double factor, const std::vector<Point>& change) {
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) at_[i] = after(at_[i], factor, change[i]);
}

void ConePath::keep_products() {
  begin_path(contacts_.count());
  centrings_ = 0;
  update_misses();
  first_miss_ = miss_target_;
  const double mean = mean_product(0, at_);
  const auto even = [&](double product) { return std::clamp(product, mean / most_uneven, mean * most_uneven); };
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    Product& w = products_[i] = product(at_[i], radius(i, at_[i]));
    w.normal = even(w.normal);
    w.along = even(w.along);
    const double across = w.across.norm(), most = 0.5 * w.along;
    if (across > most) w.across *= most / across;
  }
}

double ConePath::relative(std::size_t i, const Point& a, const Point& b) const {
  const Point& p = at_[i];
  double sum = a.push * b.push / (p.push * p.push) + a.opening * b.opening / (p.opening * p.opening);
  if (!rubs(i)) return sum;
  const double m = contacts_[i].m;
  sum += relative_in_cone(radius(i, p), p.hold, m * a.push, a.hold, m * b.push, b.hold);
  return sum + relative_in_cone(p.speed, p.slip, a.speed, a.slip, b.speed, b.slip);
}

double ConePath::relative(const std::vector<Point>& a, const std::vector<Point>& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (moves(i)) sum += relative(i, a[i], b[i]);
  return sum;
}

double ConePath::largest_relative(const Course& course) const {
  double largest = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point both = after(course.correction[i], course.along, course.tangent[i]);
    largest = std::max(largest, relative(i, both, both));
  }
  return std::sqrt(largest);
}

bool ConePath::is_near_path(double tau) const {
  const auto is_near = [](double product, double wanted) {
    return product >= least_product * wanted && product <= most_product * wanted;
  };
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Point& p = at_[i];
    const Product is = product(p, radius(i, p)), w = products_[i];
    if (!(p.push > 0) || !is_near(is.normal, tau * w.normal)) return false;
    if (!rubs(i)) continue;
    const double off = (is.across - tau * w.across).norm();
    if (!(radius(i, p) > p.hold.norm() && p.speed > p.slip.norm())) return false;
    if (!is_near(is.along - off, tau * w.along) || !is_near(is.along + off, tau * w.along)) return false;
  }
  return true;
}

bool ConePath::look_ahead(Course& course) {
  if (!linearise()) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    target_[i] = tau_ * products_[i] - product(at_[i], radius(i, at_[i]));
    miss_target_[i] -= tau_ * first_miss_[i];
  }
  if (!solve(course.correction)) return false;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    target_[i] = products_[i];
    miss_target_[i] = -first_miss_[i];
  }
  if (!solve(course.tangent)) return false;
  const double of_tau = static_cast<double>(contacts_.count()) / (tau_ * tau_);
  const double square = relative(course.tangent, course.tangent) + of_tau;
  // det D > 0, so this is the sign of the Jacobian's determinant, which changes where τ turns and only there.
  course.slope = -matrix_.determinant_sign() / std::sqrt(square);
  course.along = -relative(course.tangent, course.correction) / square;
  course.off = largest_relative(course);
  // (Λ_N y)″ = τ″w and the same of x∘σ, without the part along the path
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Point& d = course.tangent[i];
    target_[i] = -2 * course.slope * course.slope * product(d, contacts_[i].m * d.push);
    miss_target_[i].setZero();
  }
  if (!solve(course.bend)) return false;
  course.curvature = -relative(course.tangent, course.bend) / square;
  return true;
}

}  // namespace carom
