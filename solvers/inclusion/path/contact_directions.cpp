#include "solvers/inclusion/path/contact_directions.h"

#include <algorithm>
#include <cmath>

namespace carom {

using Eigen::Vector3d;

namespace {

void add_friction(const ForceSet& set, ContactDirections::Contact& contact) {
  contact.offset = set.offset;
  contact.size = 1 + static_cast<int>(set.size());
  contact.m = contact.size == 2 ? set.friction(0) : std::sqrt(set.friction(0) * set.friction(1));
  for (int d = 1; d < contact.size; ++d) {
    contact.rows[static_cast<std::size_t>(d)] = set.row + d - 1;
    contact.stretch(d) = contact.m / set.friction(d - 1);
  }
}

}  // namespace

void ContactDirections::rebuild(const Inclusion& inclusion) {
  velocity_size_ = inclusion.G->white_size();
  contacts_.clear();
  coordinates_.clear();
  directions_.clear();
  contact_of_.resize(static_cast<std::size_t>(inclusion.c.size()));
  for (const ForceSet& set : inclusion.sets) {
    if (!set.is_friction()) {
      contact_of_[static_cast<std::size_t>(set.row)] = contacts_.size();
      contacts_.emplace_back();
      contacts_.back().rows[0] = set.row;
      contacts_.back().bilateral = set.shape == ForceSet::Shape::bilateral;
    } else {
      add_friction(set, contacts_[contact_of_[static_cast<std::size_t>(set.normal_row)]]);
    }
  }
  for (Contact& contact : contacts_) {
    collect(inclusion.G->white_rows(), contact);
    for (int d = 0; d < contact.size; ++d)
      contact.c(d) = inclusion.c(contact.rows[static_cast<std::size_t>(d)]) / contact.stretch(d);
  }
}

void ContactDirections::collect(const Rows& white, Contact& contact) {
  contact.first = coordinates_.size();
  for (int d = 0; d < contact.size; ++d) {
    for (const Rows::Entry& entry : white[contact.rows[static_cast<std::size_t>(d)]]) {
      const auto own = coordinates_.begin() + static_cast<std::ptrdiff_t>(contact.first);
      auto place = std::find(own, coordinates_.end(), entry.column) - coordinates_.begin();
      if (place == static_cast<std::ptrdiff_t>(coordinates_.size())) {
        coordinates_.push_back(entry.column);
        directions_.push_back(Vector3d::Zero());
      }
      directions_[static_cast<std::size_t>(place)](d) += entry.value / contact.stretch(d);
    }
  }
  contact.coordinates = coordinates_.size() - contact.first;
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < contact.coordinates; ++k) G += direction(contact, k) * direction(contact, k).transpose();
  const double largest = 0.5 * (G(1, 1) + G(2, 2)) + std::hypot(0.5 * (G(1, 1) - G(2, 2)), G(1, 2));
  contact.rho_normal = G(0, 0) > 0 ? 1 / G(0, 0) : 0;
  contact.rho_tangential = largest > 0 ? 1 / largest : 0;
  contact.coupling = G.col(0).tail<2>();
}

std::vector<Vector3d> ContactDirections::stretched(const Vec& Lambda) const {
  std::vector<Vector3d> z;
  stretch(Lambda, z);
  return z;
}

void ContactDirections::stretch(const Vec& Lambda, std::vector<Vector3d>& z) const {
  z.assign(count(), Vector3d::Zero());
  for (std::size_t i = 0; i < count(); ++i)
    for (int d = 0; d < contacts_[i].size; ++d)
      z[i](d) = Lambda(contacts_[i].rows[static_cast<std::size_t>(d)]) * contacts_[i].stretch(d);
}

void ContactDirections::unstretch(const std::vector<Vector3d>& z, Vec& Lambda) const {
  Lambda.setZero();
  for (std::size_t i = 0; i < count(); ++i)
    for (int d = 0; d < contacts_[i].size; ++d)
      Lambda(contacts_[i].rows[static_cast<std::size_t>(d)]) = z[i](d) / contacts_[i].stretch(d);
}

void ContactDirections::velocity(const std::vector<Vector3d>& z, Vec& v) const {
  v.setZero(velocity_size_);
  for (std::size_t i = 0; i < count(); ++i) add(contacts_[i], z[i], v);
}

// What the normal impulse changes in the tangential velocity follows from G_TN, so that v is read and written once.
template <int rows>
void ContactDirections::relax(const Contact& contact, Vector3d& z, Vec& v) const {
  using Own = Eigen::Matrix<double, rows, 1>;
  const Index* const coordinates = coordinates_.data() + contact.first;
  const Vector3d* const directions = directions_.data() + contact.first;
  double* const velocity = v.data();
  Own xi = contact.c.head<rows>();
  for (std::size_t k = 0; k < contact.coordinates; ++k)
    xi += velocity[coordinates[k]] * directions[k].template head<rows>();
  const double pushed = z(0) - contact.rho_normal * xi(0);
  Own target = Own::Zero();
  target(0) = contact.bilateral ? pushed : std::max(0.0, pushed);
  if (contact.size > 1) {
    auto target_T = target.template tail<rows - 1>();
    const auto z_T = z.segment<rows - 1>(1);
    const auto coupling = contact.coupling.head<rows - 1>();
    target_T = z_T - contact.rho_tangential * (xi.template tail<rows - 1>() + (target(0) - z(0)) * coupling);
    const double radius = contact.m * std::max(0.0, target(0) + contact.offset);
    const double length = rows == 2 ? std::abs(target(1)) : target_T.norm();
    if (length > radius) target_T *= radius / length;
  }
  const Own change = target - z.head<rows>();
  if ((change.array() == 0).all()) return;
  for (std::size_t k = 0; k < contact.coordinates; ++k)
    velocity[coordinates[k]] += directions[k].template head<rows>().dot(change);
  z.head<rows>() = target;
}

void ContactDirections::sweep(int times, std::vector<Vector3d>& z, Vec& v) const {
  for (int k = 0; k < times; ++k)
    for (std::size_t i = 0; i < count(); ++i)
      contacts_[i].size < 3 ? relax<2>(contacts_[i], z[i], v) : relax<3>(contacts_[i], z[i], v);
}

}  // namespace carom
