#include "config/scene_motion.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace carom {

namespace {

constexpr int pieces = 4096;    // of the duration, each looked at
constexpr int bisections = 50;  // of a piece, down to the rounding of its times

struct Jump {
  double time, size;
};

double change(const Expression& f, double begin, double end) { return f(end).value - f(begin).value; }

// A function that does not jump changes by less and less on ever shorter pieces.
std::optional<Jump> jump_within(const Expression& f, double begin, double end) {
  const double whole = std::abs(change(f, begin, end));
  for (int k = 0; k < bisections; ++k) {
    const double middle = 0.5 * (begin + end);
    (std::abs(change(f, begin, middle)) > std::abs(change(f, middle, end)) ? end : begin) = middle;
  }
  const double size = change(f, begin, end);
  return std::abs(size) >= 0.5 * whole ? std::optional(Jump{end, size}) : std::nullopt;
}

// Only pieces are looked into on which the derivative at either end does not explain the change.
std::optional<Jump> first_jump(const Expression& f, double duration) {
  if (f.is_constant()) return std::nullopt;
  const double length = duration / pieces;
  Expression::Value before = f(0);
  for (int k = 1; k <= pieces; ++k) {
    const double end = k * length;
    const Expression::Value after = f(end);
    const double changed = after.value - before.value;
    const double explained = 4 * length * std::max(std::abs(before.derivative), std::abs(after.derivative));
    const bool against_both = changed * before.derivative < 0 && changed * after.derivative < 0;  // a pole
    if (against_both || std::abs(changed) > explained + 1e-9 * (1 + std::abs(before.value)))
      if (const auto jump = jump_within(f, end - length, end)) return jump;
    before = after;
  }
  return std::nullopt;
}

// The run is looked at in some windows, finely enough to see what happens within a step.
constexpr int windows = 8, steps_a_window = 32, looks_a_step = 16;
constexpr double fewest_steps = 10;  // of a period
constexpr double rounding_of_drive = 1e-9;

// Two turns make a period. Changes below rounding are none.
int turns_within(const Expression& f, double begin, double length) {
  double before = f(begin).value, largest = std::abs(before), direction = 0;
  int turns = 0;
  for (int k = 1; k <= steps_a_window * looks_a_step; ++k) {
    const double value = f(begin + k * length).value, changed = value - before;
    largest = std::max(largest, std::abs(value));
    if (!(std::abs(changed) > rounding_of_drive * largest)) continue;
    if (changed * direction < 0) ++turns;
    direction = changed;
    before = value;
  }
  return turns;
}

void check_period(const Expression& f, const IntegratorOptions& integrator, const Origin& at,
                  Diagnostics& diagnostics) {
  if (f.is_constant()) return;
  int turns = 0;
  for (int w = 0; w < windows; ++w)
    turns = std::max(turns, turns_within(f, w * integrator.duration / windows, integrator.step / looks_a_step));
  const double steps = 2.0 * steps_a_window / turns;
  if (!(steps < fewest_steps)) return;
  diagnostics.warning(
      at.place, at.path,
      fmt::format("'{}' goes back and forth within about {:.2g} steps of {:g} s, which do not resolve it", f.text(),
                  steps, integrator.step));
}

// A pole is looked for where interval arithmetic does not exclude it, down to a part of the run that only its rounding
// is smaller than. It is one if the impulse near it does not shrink with the time it takes.
constexpr int most_spans = 20000;
constexpr double shortest_span = 1e-13, near = 1e-9, nearer = 1e-11;  // parts of the duration

bool is_pole(const Expression& f, double at, double duration) {
  const auto impulse = [&](double part) {
    const double time = part * duration;
    const double before = at - time < 0 ? 0 : std::abs(f(at - time).value), after = std::abs(f(at + time).value);
    return time * std::max(before, after);
  };
  const double far = impulse(near);
  return far > 0 && std::isfinite(far) && impulse(nearer) > 0.5 * far;
}

std::optional<double> first_pole(const Expression& f, double duration) {
  if (f.is_constant()) return std::nullopt;
  std::vector<std::pair<double, double>> spans = {{0, duration}};  // the earliest last
  for (int looked_at = 0; !spans.empty() && looked_at < most_spans; ++looked_at) {
    const auto [begin, end] = spans.back();
    spans.pop_back();
    const Expression::Range values = f.range(begin, end);
    if (std::isfinite(values.least) && std::isfinite(values.most)) continue;
    const double middle = 0.5 * (begin + end);
    if (end - begin > shortest_span * duration) {
      spans.emplace_back(middle, end);
      spans.emplace_back(begin, middle);
    } else if (is_pole(f, middle, duration)) {
      return begin > 0 ? middle : 0;
    }
  }
  return std::nullopt;
}

bool has_pole(const Expression& f, double duration, const Origin& at, Diagnostics& diagnostics) {
  const auto time = first_pole(f, duration);
  if (time)
    diagnostics.error(
        at.place, at.path,
        fmt::format("'{}' has a pole at t = {:.6g} s, within the run: there it exceeds every number", f.text(), *time));
  return time.has_value();
}

// A body that follows has a place and a velocity when the run begins.
bool begins(const Expression& f, const Origin& at, Diagnostics& diagnostics) {
  const Expression::Value start = f(0);
  if (!std::isfinite(start.value)) {
    diagnostics.error(at.place, at.path, fmt::format("'{}' is not a finite number at t = 0", f.text()));
  } else if (!std::isfinite(start.derivative)) {
    diagnostics.error(at.place, at.path,
                      fmt::format("'{}' has no finite velocity at t = 0, with which a body could begin", f.text()));
  }
  return std::isfinite(start.value) && std::isfinite(start.derivative);
}

}  // namespace

void check_motions(const SceneDraft& draft, const IntegratorOptions& integrator, Diagnostics& diagnostics) {
  const auto check_load = [&](const Expression(&components)[3], const Origin& at) {
    for (const Expression& f : components)
      if (!has_pole(f, integrator.duration, at, diagnostics)) check_period(f, integrator, at, diagnostics);
  };
  for (const LoadDraft& made : draft.loads) {
    check_load(made.load.force, made.origin);
    check_load(made.load.torque, made.origin);
  }
  for (const JointDraft& made : draft.joints) {
    if (made.joint.kind != Joint::Kind::motion) continue;
    const Expression& f = made.joint.motion;
    const Origin at = {made.origin.place, made.origin.path + ".as"};
    if (has_pole(f, integrator.duration, at, diagnostics) || !begins(f, at, diagnostics)) continue;
    check_period(f, integrator, at, diagnostics);
    const auto jump = first_jump(f, integrator.duration);
    if (!jump) continue;
    diagnostics.error(at.place, at.path,
                      fmt::format("'{}' jumps by {:.4g} at t = {:.6g} s, which no velocity can follow; let it take its "
                                  "time, as min(1, max(0, (t - {:.6g})/0.01)) does to go from 0 to 1",
                                  f.text(), jump->size, jump->time, jump->time));
  }
}

}  // namespace carom
