#include "engine/length_scale.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

std::vector<bool> which_are(Coordinate::Kind kind, const std::vector<Coordinate>& coordinates) {
  std::vector<bool> are;
  for (const Coordinate& coordinate : coordinates) are.push_back(coordinate.kind == kind);
  return are;
}

// How far from an axis a row acts: what it has in the coordinates of rotation.
double largest_lever(const Rows& rows, const std::vector<bool>& velocity_is_length) {
  double lever = 0;
  for (Index i = 0; i < rows.count(); ++i)
    for (const Rows::Entry& entry : rows[i])
      if (!velocity_is_length[static_cast<std::size_t>(entry.column)]) lever = std::max(lever, std::abs(entry.value));
  return lever;
}

}  // namespace

double size_of(const System& system, const Vec& q) {
  const std::vector<bool> position_is_length = which_are(Coordinate::Kind::length, system.positions());
  const std::vector<bool> velocity_is_length = which_are(Coordinate::Kind::length, system.velocities());
  double size = system.largest_body();
  for (Index i = 0; i < q.size(); ++i)
    if (position_is_length[static_cast<std::size_t>(i)]) size = std::max(size, std::abs(q(i)));
  const Vec rest = Vec::Zero(static_cast<Index>(velocity_is_length.size()));
  Contacts contacts;
  system.contacts(q, rest, 0, contacts);
  for (const ContactPoint& point : contacts.points)
    if (std::isfinite(point.gap)) size = std::max(size, std::abs(point.gap));
  Rows B;
  Vec b = Vec::Zero(system.joint_rows());
  system.joint_directions(0, q, B, b);
  size = std::max({size, largest_lever(contacts.W, velocity_is_length), largest_lever(B, velocity_is_length)});
  return size > 0 && std::isfinite(size) ? size : 1;
}

LengthScale::LengthScale(const System& system, double size) : size_(size), per_size_(1 / size) {
  const std::vector<bool> position_is_length = which_are(Coordinate::Kind::length, system.positions());
  if (std::find(position_is_length.begin(), position_is_length.end(), false) == position_is_length.end()) return;
  const std::vector<bool> velocity_is_length = which_are(Coordinate::Kind::length, system.velocities());
  velocity_is_length_.assign(velocity_is_length.begin(), velocity_is_length.end());
  length_of_position_.resize(static_cast<Index>(position_is_length.size()));
  part_of_velocity_.resize(static_cast<Index>(velocity_is_length_.size()));
  const std::vector<bool> is_attitude = which_are(Coordinate::Kind::quaternion, system.positions());
  const bool has_attitudes = std::find(is_attitude.begin(), is_attitude.end(), true) != is_attitude.end();
  for (std::size_t i = 0; i < position_is_length.size(); ++i) {
    const double of_turning = has_attitudes && !is_attitude[i] ? 0 : size;
    length_of_position_(static_cast<Index>(i)) = position_is_length[i] ? 1 : of_turning;
  }
  std::transform(velocity_is_length_.begin(), velocity_is_length_.end(), part_of_velocity_.begin(),
                 [&](bool is_length) { return is_length ? 1 / size : 1; });
}

double LengthScale::of_gaps(const Vec& q) const {
  if (length_of_position_.size() == 0) return size_ + largest(q);
  double most = 0;
  for (Index i = 0; i < q.size(); ++i) most = std::max(most, std::abs(q(i) * length_of_position_(i)));
  return size_ + most;
}

bool LengthScale::is_length(Rows::Row row) const {
  return velocity_is_length_.empty() || std::any_of(row.begin(), row.end(), [&](const Rows::Entry& entry) {
           return velocity_is_length_[static_cast<std::size_t>(entry.column)];
         });
}

bool LengthScale::turns(Rows::Row row) const {
  constexpr double lever = 1e-9;  // a part of the size
  return !velocity_is_length_.empty() && std::any_of(row.begin(), row.end(), [&](const Rows::Entry& entry) {
    return !velocity_is_length_[static_cast<std::size_t>(entry.column)] && std::abs(entry.value) > lever * size_;
  });
}

double LengthScale::largest_part(const Vec& gaps, const Rows& B, const Vec& q) const {
  const double length = of_gaps(q);
  double most = 0;
  for (Index j = 0; j < gaps.size(); ++j) {
    const double part = std::abs(gaps(j)) / (is_length(B[j]) ? length : 1);
    if (!(part <= most)) most = part;
  }
  return most;
}

double LengthScale::largest_part(const Vec& displacement) const {
  if (part_of_velocity_.size() == 0) return largest(displacement) / size_;
  double most = 0;
  for (Index i = 0; i < displacement.size(); ++i) {
    const double part = std::abs(displacement(i)) * part_of_velocity_(i);
    if (!(part <= most)) most = part;
  }
  return most;
}

}  // namespace carom
