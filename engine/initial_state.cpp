// A state to start from: on the joints, and without penetration beyond what rounded input digits make.

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "engine/constrained_mass.h"
#include "engine/simulation.h"

namespace carom {

namespace {

// Lengths are typed with some digits; a contact closed to this, relative to the size of the system, is closed.
constexpr double typed_digits = 1e-4;
constexpr double met = 1e-12;

double extent(const Vec& q) { return std::max(1.0, q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0); }

// Joint rows and, where contacts penetrate, their normals: what a correction has to close.
struct Broken {
  Rows rows;
  Vec gap;  // of each row; zero for kinematic joints
  Vec b;    // prescribed velocity of the joint rows
  Index joints = 0;
  double worst = 0;
};

Broken broken_at(const System& system, const Vec& q, const Vec& u, bool with_contacts) {
  Broken broken;
  broken.joints = system.joint_rows();
  broken.b.setZero(broken.joints);
  Vec joint_gap(system.geometric_joint_rows());
  if (broken.joints > 0) {
    system.joint_directions(0, q, broken.rows, broken.b);
    system.joint_gaps(0, q, joint_gap);
  }
  std::vector<double> gaps(joint_gap.data(), joint_gap.data() + joint_gap.size());
  gaps.resize(static_cast<std::size_t>(broken.joints), 0.0);
  Contacts contacts;
  if (with_contacts) system.contacts(q, u, 0, contacts);
  for (const ContactPoint& point : contacts.points) {
    if (point.gap >= -met) continue;
    broken.rows.append(contacts.W[point.first_row]);
    gaps.push_back(point.gap);
  }
  broken.gap = Eigen::Map<Vec>(gaps.data(), static_cast<Index>(gaps.size()));
  if (!gaps.empty()) broken.worst = broken.gap.cwiseAbs().maxCoeff();
  return broken;
}

bool close_positions(const System& system, Vec& q, const Vec& u, bool with_contacts) {
  MassMatrix M;
  ConstrainedMass metric;
  double last = HUGE_VAL;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Broken broken = broken_at(system, q, u, with_contacts);
    if (broken.worst <= met || (broken.worst <= 1e-10 && broken.worst >= 0.5 * last)) return true;
    last = broken.worst;
    system.mass(q, M);
    if (!M.factor() || !metric.set_mass(M, nullptr, 0, 0)) return false;
    metric.set_joints(broken.rows);
    Vec shift;
    metric.shift(-broken.gap, shift);
    if (!shift.allFinite()) return false;
    system.move(q, shift, q);
  }
  return false;
}

void close_velocities(const System& system, const Vec& q, Vec& u) {
  if (system.joint_rows() == 0) return;
  Rows B;
  Vec b = Vec::Zero(system.joint_rows());
  system.joint_directions(0, q, B, b);
  MassMatrix M;
  system.mass(q, M);
  ConstrainedMass metric;
  if (!M.factor() || !metric.set_mass(M, nullptr, 0, 0)) return;
  metric.set_joints(B);
  for (Index j = 0; j < b.size(); ++j) b(j) -= B.dot(j, u);
  Vec shift;
  metric.shift(b, shift);
  u += shift;
}

}  // namespace

std::vector<std::string> initial_violations(const System& system, const Vec& q, const Vec& u) {
  std::vector<std::string> violations;
  const double allowed = typed_digits * extent(q);
  if (system.joint_rows() > 0) {
    Rows B;
    Vec b = Vec::Zero(system.joint_rows());
    Vec gap(system.geometric_joint_rows());
    system.joint_directions(0, q, B, b);
    system.joint_gaps(0, q, gap);
    for (Index j = 0; j < gap.size(); ++j) {
      if (!(std::abs(gap(j)) <= allowed))
        violations.push_back(fmt::format("joint '{}' is open by {:.4g}", system.joint_name(j), std::abs(gap(j))));
    }
    for (Index j = 0; j < b.size(); ++j) {
      const double off = B.dot(j, u) - b(j);
      if (!(std::abs(off) <= typed_digits * std::max(1.0, u.cwiseAbs().maxCoeff())))
        violations.push_back(
            fmt::format("joint '{}' comes apart with velocity {:.4g}", system.joint_name(j), std::abs(off)));
    }
  }
  Contacts contacts;
  system.contacts(q, u, 0, contacts);
  for (const ContactPoint& point : contacts.points) {
    if (!(point.gap >= -allowed))
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

bool project_initial_state(const System& system, Vec& q, Vec& u) {
  if (!close_positions(system, q, u, true)) return false;
  close_velocities(system, q, u);
  return initial_violations(system, q, u).empty();
}

}  // namespace carom
