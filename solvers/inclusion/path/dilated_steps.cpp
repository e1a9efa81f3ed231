#include "solvers/inclusion/path/dilated_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

namespace {

constexpr int most_newton_steps = 30;
constexpr double near_enough = 0.1;  // φ′ as a part of the way that a step has gone
constexpr double rounded = 1e-15;    // φ′ as a part of the velocities
constexpr double level = 0.3;        // a slope that is left, as a part of the one before
constexpr int most_tries = 30;       // of lengths of a step
// Of changes of the dilation, by their cosine with the last one.
constexpr double goes_on = 0.5;
constexpr double growth = 2, shrinking = 0.5;
constexpr double longest_stride = 64, shortest_stride = 0.2;

bool is_dilated(const Contact& contact) { return contact.size > 1 && !contact.bilateral && contact.offset >= 0; }

// P(a) and ρP′(a) of one contact.
struct Projected {
  Vector3d z = Vector3d::Zero();
  Matrix3d K = Matrix3d::Zero();

  void press(const Vector3d& a, double rho) {
    z(0) = a(0);
    K(0, 0) = rho;
  }
  void hold_within(double radius, const Vector3d& a, double rho) {  // the tangential impulse by itself
    const double t = a.tail<2>().norm();
    if (t <= radius) {
      z.tail<2>() = a.tail<2>();
      K.bottomRightCorner<2, 2>() = rho * Matrix2d::Identity();
    } else if (radius > 0) {
      turn(radius, a.tail<2>() / t, rho / t);
    }
  }
  // To Λ_N on the edge |Λ_T| = m(Λ_N + o).
  void slide(double Lambda_N, double m, double radius, const Vector3d& a, double rho) {
    const double t = a.tail<2>().norm();
    const Vector2d e = a.tail<2>() / t;
    const Vector3d edge(1, m * e(0), m * e(1));
    K = rho / edge.squaredNorm() * edge * edge.transpose();
    z(0) = Lambda_N;
    turn(radius, e, rho / t);
  }

 private:
  void turn(double radius, const Vector2d& e, double rate) {
    z.tail<2>() = radius * e;
    K.bottomRightCorner<2, 2>() += rate * radius * (Matrix2d::Identity() - e * e.transpose());
  }
};

Projected project(const Contact& contact, const Vector3d& a, double rho, double held_radius) {
  Projected at;
  if (!is_dilated(contact)) {
    if (contact.bilateral || a(0) > 0) at.press(a, rho);
    if (contact.size > 1) at.hold_within(held_radius, a, rho);
    return at;
  }
  const double m = contact.m, o = contact.offset, t = a.tail<2>().norm();
  const double on_edge = (a(0) + o + m * t) / (1 + m * m) - o;  // Λ_N of the edge's nearest point
  if (t <= m * (a(0) + o) && a(0) >= 0) {
    at.z = a;
    at.K = rho * Matrix3d::Identity();
  } else if (t > m * (a(0) + o) && on_edge > 0) {
    at.slide(on_edge, m, m * (on_edge + o), a, rho);
  } else {
    at.hold_within(m * o, a, rho);
  }
  return at;
}

}  // namespace

DilatedSteps::DilatedSteps(const ContactDirections& contacts, VelocityMatrix& matrix)
    : contacts_(contacts),
      matrix_(matrix),
      dilation_(contacts.count()),
      change_(contacts.count()),
      held_radius_(contacts.count()) {
  for (Place* place : {&here_, &there_}) {
    place->z.resize(contacts.count());
    place->K.resize(contacts.count());
  }
}

void DilatedSteps::start(const std::vector<Vector3d>& z) {
  contacts_.velocity(z, here_.v);
  stride_ = 0;
}

bool DilatedSteps::step(double length, std::vector<Vector3d>& z) {
  centre_ = z;
  follow_dilation();
  for (std::size_t i = 0; i < contacts_.count(); ++i) held_radius_[i] = contacts_[i].radius(z[i]);
  const Vec first = here_.v;
  look(length, here_);
  bool is_found = false;
  for (int k = 0; !is_found && k < most_newton_steps; ++k) {
    const bool goes_down = go_down(length);
    const double miss = here_.miss.norm();
    is_found = miss <= std::max(near_enough * (here_.v - first).norm(), rounded * length * here_.v.norm());
    if (!goes_down) break;
  }
  if (!is_found) return false;
  z = here_.z;
  return true;
}

// A change that goes on as the last one did may be longer, and one that turns back is to be shorter: what slides on in
// the end is decided by contacts that change it little by little.
void DilatedSteps::follow_dilation() {
  double both = 0, size = 0, last = 0;
  const bool is_first = stride_ == 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Contact& contact = contacts_[i];
    if (!is_dilated(contact)) continue;
    const double slip = (contacts_.along(contact, here_.v) + contact.c).tail<2>().norm();
    if (is_first) dilation_[i] = 0;
    const double change = contact.m * slip - dilation_[i];
    both += contact.rho_normal * change * change_[i];
    size += contact.rho_normal * change * change;
    last += contact.rho_normal * change_[i] * change_[i];
    change_[i] = change;
  }
  if (is_first || both < 0) {
    stride_ = is_first ? 1 : std::max(shrinking * std::min(stride_, 1.0), shortest_stride);
  } else {
    stride_ = both > goes_on * std::sqrt(size * last) ? std::min(growth * stride_, longest_stride) : 1;
  }
  for (std::size_t i = 0; i < contacts_.count(); ++i) dilation_[i] = std::max(0.0, dilation_[i] + stride_ * change_[i]);
}

void DilatedSteps::look(double length, Place& place) const {
  place.miss = -place.v;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Contact& contact = contacts_[i];
    place.z[i] = centre_[i];
    place.K[i].setZero();
    if (contact.rho_normal > 0) {
      const double rho = length * contact.rho_normal;
      Vector3d a = contacts_.along(contact, place.v) + contact.c;
      a(0) += dilation_[i];
      a = centre_[i] - rho * a;
      const Projected at = project(contact, a, rho, held_radius_[i]);
      place.z[i] = at.z;
      place.K[i].topLeftCorner(contact.size, contact.size) = at.K.topLeftCorner(contact.size, contact.size);
    }
    contacts_.add(contact, place.z[i], place.miss);
  }
  place.miss = -place.miss;
}

// One step of Newton's method, as long as φ falls along it. False where rounding keeps it from that.
bool DilatedSteps::go_down(double length) {
  ++factorisations_;
  if (!matrix_.factor(here_.K)) return false;
  direction_ = -here_.miss;
  matrix_.solve(direction_);
  if (!direction_.allFinite()) return false;
  const double slope = here_.miss.dot(direction_);
  double part = 1, shortest = 0, longest = 1;
  for (int tries = 0; tries < most_tries; ++tries) {
    there_.v = here_.v + part * direction_;
    look(length, there_);
    const double left = there_.miss.dot(direction_);
    if (std::abs(left) <= level * std::abs(slope) || (part == 1 && left < 0)) {
      std::swap(here_, there_);
      return true;
    }
    (left < 0 ? shortest : longest) = part;
    part = 0.5 * (shortest + longest);
  }
  return false;
}

}  // namespace carom
