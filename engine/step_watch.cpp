#include "engine/step_watch.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/joint_directions.h"

namespace carom {

namespace {

constexpr double told_error = 5e-3;  // of what a body turns by in a step
constexpr double good_error = 1e-3;
constexpr double a_little = 1e-2;  // of a step: within it joints turn by little at any speed

}  // namespace

StepWatch::StepWatch(const System& system, const LengthScale& lengths, const IntegratorOptions& options,
                     const Note& note)
    : system_(system),
      lengths_(lengths),
      note_(note),
      h_(options.step),
      theta_(options.theta),
      passage_is_told_(system.directions_are_constant() || !note),  // along those nothing comes out behind another
      depth_is_told_(!note),
      turning_is_told_(system.geometric_joint_rows() == 0 || !note),
      passages_(system, options.step) {
  if (!turning_is_told_) find_bodies();
}

void StepWatch::expect_inactive(std::size_t most) {
  if (!passage_is_told_) overlapping_.reserve(most);
}

// The pairs of bodies that were in contact or in each other when the step began, sorted.
void StepWatch::find_met_pairs(const std::vector<ActiveContact>& active) {
  met_pairs_.clear();
  for (const ActiveContact& contact : active) met_pairs_.push_back(system_.contact_pair(contact.key));
  for (const std::uint64_t key : overlapping_) met_pairs_.push_back(system_.contact_pair(key));
  std::sort(met_pairs_.begin(), met_pairs_.end());
}

// Bodies that go apart, as they did along this normal when the step began, although they would have been in each other
// then and had not met: they may have come through each other. Of a pile the first two questions leave few.
void StepWatch::tell_of_passage(const SimulationState& state, const Vec& u, const Contacts& contacts,
                                const std::vector<ActiveContact>& active, double gap_allowance) {
  const double thinnest = 1e5 * gap_allowance;  // what a body passes through
  bool pairs_are_found = false;
  for (const ContactPoint& point : contacts.points) {
    const double opened = h_ * contacts.W.dot(point.first_row, state.u);
    if (!(opened > thinnest && point.gap - opened < -gap_allowance)) continue;
    if (!(contacts.W.dot(point.first_row, u) > 0)) continue;
    if (!pairs_are_found) find_met_pairs(active);
    pairs_are_found = true;
    if (std::binary_search(met_pairs_.begin(), met_pairs_.end(), system_.contact_pair(point.key))) continue;
    displacement_ = (1 - theta_) * u + theta_ * state.u;
    const auto overlap = passages_.overlap(point.key, state.q, state.u, displacement_, 100 * gap_allowance);
    if (!overlap) continue;
    note_(fmt::format(
        "at t = {:.9g} s: the bodies of '{}' passed through each other within a step of {:g} s, unseen; they "
        "were in each other for {:.2g} s, and it takes an integrator.step below that",
        state.time, system_.contact_name(point.key), h_, *overlap));
    passage_is_told_ = true;
    return;
  }
}

// A body that is seen only when it is wholly under the surface: it stays there, for contacts stop velocities.
bool StepWatch::tell_of_depth(const SimulationState& state, const Vec& u, const Rows& W, const ContactPoint& point) {
  const double of_bodies = system_.contact_width(point.key), width = of_bodies > 0 ? of_bodies : lengths_.size();
  if (!(point.gap < -width)) return false;
  const double begin = W.dot(point.first_row, u), end = W.dot(point.first_row, state.u);
  const double came = -h_ * ((1 - theta_) * begin + theta_ * end);
  if (!(point.gap + came > -width)) return false;
  note_(fmt::format(
      "at t = {:.9g} s: '{}' is {:.3g} m deep after a step of {:g} s, further than {} reaches ({:.3g} m); it went "
      "that far in {:.2g} s, and it takes an integrator.step below that",
      state.time, system_.contact_name(point.key), -point.gap, h_,
      of_bodies > 0 ? "the smaller of its bodies" : "the system", width, h_ * width / came));
  depth_is_told_ = true;
  return true;
}

void StepWatch::find_bodies() {
  const auto n = static_cast<Index>(system_.velocities().size());
  std::string before;
  for (Index i = 0; i < n; ++i) {
    std::string body = system_.body_of(i);
    if (i == 0 || body != before) body_begins_.push_back(i);
    before = std::move(body);
  }
  body_begins_.push_back(n);
}

// By how much geometric joints change the velocity in a step at this rate, with no other forces.
void StepWatch::find_change_by_joints(const SimulationState& state, ConstrainedMass& manifold) {
  displacement_ = a_little * h_ * state.u;
  system_.move(state.q, displacement_, q_on_);
  direct_joints(system_, state.time, q_on_, B_on_, b_on_);
  turned_.setZero(system_.joint_rows());
  for (Index j = 0; j < system_.geometric_joint_rows(); ++j) turned_(j) = (b_on_(j) - B_on_.dot(j, state.u)) / a_little;
  manifold.shift(turned_, shift_);
}

// Joints lead the centre of a body round a curve, of which a step takes the chord. A hinge at the distance r makes of
// it, free of other forces,
//
//   (J + mr²) hω = JΔφ + mr² sin Δφ.
//
// The body turns too far, by ρ²/6 of its angle, ρ² = (hω)² mr²/(J + mr²), and from hω = 1 on by any. Here δ² = m(hω²r)²
// is what the joints change in the velocity, in the kinetic metric. A point on a thread has ρ² = δ²/mv², as all bodies
// together have.
void StepWatch::tell_of_turning(const SimulationState& state, const MassMatrix& M, ConstrainedMass& manifold) {
  if (!(h_ * lengths_.largest_part(state.u) > a_little)) return;
  find_change_by_joints(state, manifold);
  spin_ = state.u;
  for (Index i = 0; i < spin_.size(); ++i)
    if (lengths_.is_length(i)) spin_(i) = 0;
  M.multiply(spin_, of_spin_);
  M.multiply(shift_, of_shift_);
  double rho_squared = M.kinetic_energy(shift_) / M.kinetic_energy(state.u);
  Index worst = 0;
  shift_.cwiseAbs().maxCoeff(&worst);
  for (std::size_t body = 0; body + 1 < body_begins_.size(); ++body) {
    const Index begin = body_begins_[body], count = body_begins_[body + 1] - begin;
    const auto part = [&](const Vec& v) { return v.segment(begin, count); };
    const double angle = h_ * part(spin_).norm();
    if (!(angle > 0)) continue;
    const double delta_squared = part(shift_).dot(part(of_shift_));
    const double of_body = delta_squared / (part(spin_).dot(part(of_spin_)) + delta_squared / (angle * angle));
    if (of_body <= rho_squared) continue;
    rho_squared = of_body;
    worst = begin;
  }
  const double error = rho_squared / 6;
  if (!(error > told_error)) return;
  note_(fmt::format(
      "at t = {:.9g} s: a step of {:g} s is long for what joints turn '{}' by: it comes {:.2g} % too far, or more; at "
      "an integrator.step of {:.2g} s it is {:g} %",
      state.time, h_, system_.body_of(worst), 100 * error, h_ * std::sqrt(good_error / error), 100 * good_error));
  turning_is_told_ = true;
}

}  // namespace carom
