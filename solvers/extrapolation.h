// Gragg–Bulirsch–Stoer extrapolation (Hairer, Nørsett & Wanner, Solving ODEs I, sects. II.9 and II.14): a symmetric
// rule with 1, 2, ..., up to 7 parts of a step, extrapolated in h². High order, no tables, steps as long as the
// solution is smooth, for the laws that integrate through an impact.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "engine/linear_algebra.h"

namespace carom {

class Extrapolation {
 public:
  // A step in equal parts whose error expands in the square of their length.
  class Rule {
   public:
    virtual ~Rule() = default;
    virtual void begin(const Vec& y) = 0;  // the steps that follow are from y
    virtual void step(const Vec& y, double h, int parts, Vec& y_end) = 0;
  };

  Extrapolation(Rule& rule, double tolerance, Vec scale)
      : rule_(rule), tolerance_(tolerance), scale_(std::move(scale)) {}

  void set_tolerance(double tolerance) { tolerance_ = tolerance; }

  // y after one step of length h, and the estimated error in units of the tolerance. Columns of the table are added
  // until the step is as exact as asked, or will not be.
  double trial(const Vec& y, double h, Vec& y_end) {
    rule_.begin(y);
    double error = HUGE_VAL;
    for (column_ = 0; column_ < columns; ++column_) {
      add_column(y, h);
      if (column_ < fewest_columns - 1) continue;
      error = estimate(y);
      if (error <= 1 || !(error <= to_come(column_))) break;
    }
    column_ = std::min(column_, columns - 1);
    y_end = table_[0];
    return error;
  }

  // A part of the last trial's step, with as many columns: what it gives depends smoothly on h.
  void part(const Vec& y, double h, Vec& y_end) {
    rule_.begin(y);
    const int last = column_;
    for (column_ = 0; column_ < last; ++column_) add_column(y, h);
    add_column(y, h);
    y_end = table_[0];
  }

  // Advances y by an accepted step; h is the length tried and becomes the length to try next. Returns the
  // length taken, or 0 if no step is short enough.
  double advance(Vec& y, double& h) {
    for (int attempt = 0; attempt < 60; ++attempt) {
      const double error = trial(y, h, y_end_);
      if (!(error <= 1)) {
        h *= std::isfinite(error) ? std::clamp(0.8 * std::pow(error, -1.0 / (2 * column_ + 1)), 0.05, 0.7) : 0.05;
        continue;
      }
      const double taken = h;
      y = y_end_;
      const double room = std::pow(growth, columns - 1 - column_);  // for steps that take all columns
      h *= error > 0 ? std::clamp(0.8 * room * std::pow(error, -1.0 / (2 * column_ + 1)), 0.5, 4.0) : 4.0;
      return taken;
    }
    return 0;
  }

 private:
  static constexpr int columns = 7;
  static constexpr int fewest_columns = 4;
  static constexpr double growth = 1.6;

  void add_column(const Vec& y, double h) {
    const int j = column_;
    rule_.step(y, h, j + 1, table_[static_cast<std::size_t>(j)]);
    for (int k = j; k > 0; --k) {  // Aitken–Neville in h²
      const double ratio = static_cast<double>(j + 1) / static_cast<double>(k);
      const auto lower = static_cast<std::size_t>(k - 1);
      error_ = (table_[lower + 1] - table_[lower]) / (ratio * ratio - 1);
      table_[lower] = table_[lower + 1] + error_;
    }
  }

  double estimate(const Vec& y) const {
    double worst = 0;
    for (Index i = 0; i < y.size(); ++i) {
      const double e = std::abs(error_(i)) / (tolerance_ * (scale_(i) + std::abs(y(i))));
      if (!(e <= worst)) worst = e;
    }
    return worst;
  }

  // By how much the columns after this one can make the error smaller, with something to spare.
  static double to_come(int column) {
    double factor = 10;
    for (int j = column + 1; j < columns; ++j) factor *= (j + 1) * (j + 1);
    return factor;
  }

  Rule& rule_;
  double tolerance_;
  Vec scale_;
  std::array<Vec, columns> table_;
  int column_ = 0;  // the last one of the last trial
  Vec error_, y_end_;
};

// y' = f(y) by the modified midpoint rule, two substeps a part.
class MidpointRule final : public Extrapolation::Rule {
 public:
  using Derivative = std::function<void(const Vec& y, Vec& dy)>;

  explicit MidpointRule(Derivative derivative) : derivative_(std::move(derivative)) {}

  void begin(const Vec& y) override { derivative_(y, dy_begin_); }
  void step(const Vec& y, double h, int parts, Vec& y_end) override {
    const double s = 0.5 * h / parts;
    previous_ = y;
    current_ = y + s * dy_begin_;
    for (int i = 1; i < 2 * parts; ++i) {
      derivative_(current_, dy_);
      previous_ += 2 * s * dy_;
      previous_.swap(current_);
    }
    derivative_(current_, dy_);
    y_end = 0.5 * (previous_ + current_ + s * dy_);
  }

 private:
  Derivative derivative_;
  Vec dy_begin_, dy_, previous_, current_;
};

// The fraction of a step from `begin` at which `event` first turns positive, given that it is not at the beginning and
// is at the end, so that it is no more than `enough` there: regula falsi with the end that stays scaled (Anderson &
// Björck 1973), each time a fresh step from the beginning.
inline double locate(Extrapolation& ode, const Vec& begin, double h, Vec& y_end,
                     const std::function<double(const Vec&)>& event, double enough = 0) {
  double low = 0;
  double high = 1;
  double e_low = std::min(0.0, event(begin));
  double e_high = event(y_end);
  int moved = 0;  // in a row: the upper end 1, 2, … times, the lower one −1, −2, …
  const auto scaled = [](double e_new, double e_old) { return e_new < e_old ? 1 - e_new / e_old : 0.5; };
  double off = e_high;  // what the event is at `high`
  Vec y;
  for (int i = 0; i < 100 && off > enough && high - low > 1e-15; ++i) {
    double s = e_high - e_low > 0 ? low - e_low * (high - low) / (e_high - e_low) : 0.5 * (low + high);
    if (std::abs(moved) > 3 || !(s > low) || !(s < high)) s = 0.5 * (low + high);
    ode.part(begin, s * h, y);
    const double e = event(y);
    if (e >= 0) {
      moved = std::max(moved, 0) + 1;
      if (moved > 1) e_low *= scaled(e, e_high);
      high = s;
      off = e_high = e;
      y_end.swap(y);
    } else {
      moved = std::min(moved, 0) - 1;
      if (moved < -1) e_high *= scaled(-e, -e_low);
      low = s;
      e_low = e;
    }
  }
  return high;
}

}  // namespace carom
