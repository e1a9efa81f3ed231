// A state to start from: on the joints, and without penetration beyond what rounded input digits make.

#include "engine/initial_state.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/constrained_mass.h"
#include "engine/length_scale.h"
#include "engine/simulation.h"

namespace carom {

namespace {

// Lengths are typed with some digits; a contact closed to this, relative to the size of the system, is closed.
constexpr double typed_digits = 1e-4;
constexpr double met = 1e-12;  // as a part of the lengths of the system

constexpr int most_in_vain = 20;  // iterations that bring a state with held coordinates no nearer
constexpr double turn = 0.5;      // of them, out of a singular pose, rad: not past another way to close
constexpr int most_turned_starts = 24;
constexpr Index most_turned = 100;     // coordinates; starting again with more takes long
constexpr double free_enough = 1e-12;  // of a contact's compliance: what joints leave of it

// Joints that hold coordinates where they are.
void append_held(const std::vector<bool>& held, Rows& rows) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!held[i]) continue;
    rows.open_row();
    rows.add(static_cast<Index>(i), 1);
  }
}

// In a singular pose the joints may leave no other motion than one along a held coordinate: what is left of it leads
// out of there.
void hold(const std::vector<bool>& held, Vec& motion) {
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) motion(static_cast<Index>(i)) = 0;
}

// Every angle that is not held, turned by an amount of its own up to `most`; another one for every `round`.
Vec turned(const System& system, const std::vector<bool>& held, double most, int round = 0) {
  const std::vector<Coordinate> velocities = system.velocities();
  Vec motion = Vec::Zero(static_cast<Index>(velocities.size()));
  for (std::size_t i = 0; i < velocities.size(); ++i)
    if ((held.empty() || !held[i]) && velocities[i].is_angle())
      motion(static_cast<Index>(i)) = most * std::sin((7.0 + round) * static_cast<double>(i + (round > 0 ? 1 : 0)));
  return motion;
}

// What a correction δ has to close: joints, Bᵀδ = −g, and contacts that penetrate, w·δ ≥ −g.
struct Broken {
  Rows joints;    // and held coordinates
  Vec joint_gap;  // of each row; zero for kinematic joints
  Rows contacts;  // normals
  std::vector<double> contact_gap;
  double worst = 0;  // as a part of the lengths of the system
};

Broken broken_at(const System& system, const LengthScale& lengths, const Vec& q, const Vec& u, bool with_contacts,
                 const std::vector<bool>& held) {
  Broken broken;
  broken.joint_gap.setZero(system.joint_rows());
  if (system.joint_rows() > 0) {
    Vec b = Vec::Zero(system.joint_rows());
    Vec gap(system.geometric_joint_rows());
    system.joint_directions(0, q, broken.joints, b);
    system.joint_gaps(0, q, gap);
    broken.joint_gap.head(gap.size()) = gap;
    broken.worst = lengths.largest_part(broken.joint_gap, broken.joints, q);
  }
  append_held(held, broken.joints);
  broken.joint_gap.conservativeResizeLike(Vec::Zero(broken.joints.count()));
  Contacts contacts;
  if (with_contacts) system.contacts(q, u, 0, contacts);
  const double length = lengths.of_gaps(q);
  for (const ContactPoint& point : contacts.points) {
    if (point.gap >= -met * length) continue;
    broken.contacts.append(contacts.W[point.first_row]);
    broken.contact_gap.push_back(point.gap);
    broken.worst = std::max(broken.worst, -point.gap / length);
  }
  return broken;
}

// Which of the contacts push in the least motion δ that meets joints and leaves no contact penetrating: of a block
// that is deep in a floor with two corners perhaps only one. The impulses λ ≥ 0 of the contacts, one after the other
// (Hildreth's method), far enough to tell which are zero. Of very many contacts all are taken.
std::vector<bool> pushing(const Broken& broken, ConstrainedMass& metric, Index n) {
  constexpr Index most_contacts = 1000;
  constexpr int sweeps = 2000;
  const Index count = broken.contacts.count();
  std::vector<bool> pushes(static_cast<std::size_t>(count), true);
  if (count < 2 || count > most_contacts) return pushes;
  Vec delta = Vec::Zero(n);
  if (broken.joints.count() > 0) metric.shift(-broken.joint_gap, delta);
  std::vector<Eigen::SparseVector<double>> response;  // to each contact's impulse
  Vec compliance(count);
  for (Index i = 0; i < count; ++i) {
    Vec f = Vec::Zero(n);
    broken.contacts.add_to(f, i, 1);
    Vec free = f;
    metric.solve_free(free);
    metric.respond(f);
    compliance(i) = broken.contacts.dot(i, f);
    if (compliance(i) <= free_enough * broken.contacts.dot(i, free)) compliance(i) = 0;
    response.emplace_back(f.sparseView());
  }
  Vec lambda = Vec::Zero(count);
  const double deepest = -*std::min_element(broken.contact_gap.begin(), broken.contact_gap.end());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double largest_change = 0;
    for (Index i = 0; i < count; ++i) {
      if (!(compliance(i) > 0)) continue;
      const double gap = broken.contact_gap[static_cast<std::size_t>(i)] + broken.contacts.dot(i, delta);
      const double change = std::max(-lambda(i), -gap / compliance(i));
      lambda(i) += change;
      delta += change * response[static_cast<std::size_t>(i)];
      largest_change = std::max(largest_change, std::abs(change) * compliance(i));
    }
    if (largest_change <= 1e-9 * deepest) break;
  }
  for (Index i = 0; i < count; ++i) pushes[static_cast<std::size_t>(i)] = lambda(i) > 0;
  return pushes;
}

bool close_positions(const System& system, Vec& q, const Vec& u, bool with_contacts,
                     const std::vector<bool>& held = {}) {
  MassMatrix M;
  ConstrainedMass metric;
  const LengthScale lengths(system, size_of(system, q));
  double last = HUGE_VAL, deepest = 0, nearest = HUGE_VAL;
  int since_nearer = 0;
  bool is_turned = false;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Broken broken = broken_at(system, lengths, q, u, with_contacts, held);
    if (broken.worst <= met || (broken.worst <= 1e-10 && broken.worst >= 0.5 * last)) return true;
    last = broken.worst;
    since_nearer = last < 0.5 * nearest ? 0 : since_nearer + 1;
    if (since_nearer == 0) nearest = last;
    if (!held.empty() && since_nearer > most_in_vain) return false;
    system.mass(q, M);
    if (!M.factor() || !metric.set_mass(M, nullptr, 0, 0)) return false;
    metric.set_joints(broken.joints);
    const std::vector<bool> pushes = pushing(broken, metric, u.size());
    Rows rows = broken.joints;
    std::vector<double> way(broken.joint_gap.begin(), broken.joint_gap.end());
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      if (!pushes[i]) continue;
      rows.append(broken.contacts[static_cast<Index>(i)]);
      way.push_back(broken.contact_gap[i]);
    }
    metric.set_joints(rows);
    Vec shift;
    metric.shift(-Eigen::Map<Vec>(way.data(), static_cast<Index>(way.size())), shift);
    if (!shift.allFinite()) return false;
    hold(held, shift);
    // Contacts turn with the bodies: out of a deep penetration in small steps, or they would be thrown past it.
    deepest = std::max(deepest, broken.worst);
    const double most = !broken.contact_gap.empty() ? 0.1 * std::max(1.0, deepest) : held.empty() ? HUGE_VAL : turn;
    const double far = lengths.largest_part(shift);
    if (far > most) shift *= most / far;
    if (far <= met && !held.empty()) {
      if (std::exchange(is_turned, true)) return false;
      shift = turned(system, held, turn);  // links in line close no joint by a small motion
    }
    system.move(q, shift, q);
  }
  return false;
}

// The same from other starts where that leads nowhere: a mechanism caught behind a contact first closes its joints,
// then it starts with its angles turned, ever further.
bool assemble(const System& system, Vec& q, const Vec& u, const std::vector<bool>& held = {}) {
  const Vec given = q;
  if (close_positions(system, q, u, true, held)) return true;
  const int starts = system.joint_rows() > 0 && u.size() <= most_turned ? most_turned_starts : -1;
  for (int start = 0; start <= starts; ++start) {
    const double most = std::numbers::pi * start / most_turned_starts;
    system.move(given, turned(system, held, most, start), q);
    if (close_positions(system, q, u, false, held) && close_positions(system, q, u, true, held)) return true;
  }
  q = given;
  return false;
}

// False if the held ones do not let the joints be met.
bool close_velocities(const System& system, const Vec& q, Vec& u, const std::vector<bool>& held = {}) {
  if (system.joint_rows() == 0) return true;
  Rows B;
  Vec b = Vec::Zero(system.joint_rows());
  system.joint_directions(0, q, B, b);
  MassMatrix M;
  system.mass(q, M);
  ConstrainedMass metric;
  if (!M.factor() || !metric.set_mass(M, nullptr, 0, 0)) return false;
  append_held(held, B);
  for (Index j = 0; j < b.size(); ++j) b(j) -= B.dot(j, u);
  b.conservativeResizeLike(Vec::Zero(B.count()));
  metric.set_joints(B);
  Vec shift;
  metric.shift(b, shift);
  hold(held, shift);
  u += shift;
  if (held.empty()) return true;
  double missed = 0;
  for (Index j = 0; j < b.size(); ++j) missed = std::max(missed, std::abs(b(j) - B.dot(j, shift)));
  return missed <= met * largest(b);
}

}  // namespace

std::vector<std::string> initial_violations(const System& system, const Vec& q, const Vec& u) {
  std::vector<std::string> violations;
  const LengthScale lengths(system, size_of(system, q));
  if (system.joint_rows() > 0) {
    Rows B;
    Vec b = Vec::Zero(system.joint_rows());
    Vec gap(system.geometric_joint_rows());
    system.joint_directions(0, q, B, b);
    system.joint_gaps(0, q, gap);
    const double allowed_speed = typed_digits * std::max(std::min(1.0, lengths.size()), largest(u));
    for (Index j = 0; j < b.size(); ++j) {
      const bool is_length = lengths.is_length(B[j]);
      const char* unit = is_length ? "m" : "rad";
      const double open = j < gap.size() ? std::abs(gap(j)) : 0, off = std::abs(B.dot(j, u) - b(j));
      if (!(open <= typed_digits * (is_length ? lengths.size() : 1)))
        violations.push_back(fmt::format("joint '{}' is open by {:.4g} {}", system.joint_name(j), open, unit));
      if (!(off <= allowed_speed))
        violations.push_back(
            fmt::format("joint '{}' comes apart with velocity {:.4g} {}/s", system.joint_name(j), off, unit));
    }
  }
  Contacts contacts;
  system.contacts(q, u, 0, contacts);
  for (const ContactPoint& point : contacts.points) {
    if (!(point.gap >= -typed_digits * lengths.size()))
      violations.push_back(
          fmt::format("contact '{}' penetrates by {:.4g} m", system.contact_name(point.key), -point.gap));
  }
  return violations;
}

bool close_joints(const System& system, Vec& q, Vec& u) {
  if (!close_positions(system, q, u, false)) return false;
  close_velocities(system, q, u);
  return true;
}

Projection project_initial_state(const System& system, Vec& q, Vec& u, const GivenState& given) {
  const auto any = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), true) != flags.end();
  };
  Projection projection =
      any(given.positions) || any(given.velocities) ? Projection::of_the_rest : Projection::of_everything;
  const Vec given_u = u;
  if (!any(given.positions) || !assemble(system, q, u, given.positions)) {
    if (any(given.positions)) projection = Projection::of_everything;
    if (!assemble(system, q, u)) return Projection::impossible;
  }
  if (!close_velocities(system, q, u, given.velocities)) {
    u = given_u;
    projection = Projection::of_everything;
    close_velocities(system, q, u);
  }
  return initial_violations(system, q, u).empty() ? projection : Projection::impossible;
}

bool project_initial_state(const System& system, Vec& q, Vec& u) {
  return project_initial_state(system, q, u, {}) != Projection::impossible;
}

}  // namespace carom
