// A path of points near τw, followed by its length where τ turns back: predictor and corrector in one, with the bend of
// the path, in relative changes of the factors. A path says where it leads from a point (look_ahead), what lies near it
// (is_near_path), how a change is added, and when long steps are worth a try again (may_go_far).

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace carom {

template <class Path, class Point>
class PathByLength {
 protected:
  // Where the path leads from a point: back onto it, along it (∂/∂τ), and how it bends.
  struct Course {
    Point correction, tangent, bend;
    double along = 0;      // of the tangent, to be added to the correction so that it is orthogonal to the path
    double slope = 0;      // of τ by the length of the path
    double curvature = 0;  // its second derivative
    double off = 0;        // the largest relative correction
  };

  static constexpr double shortest_step = 1e-3;  // a relative change of one contact

  void resize(std::size_t contacts) {
    for (Point* point : {&at_, &last_at_}) point->resize(contacts);
    for (Course* course : {&here_, &last_})
      for (Point* point : {&course->correction, &course->tangent, &course->bend}) point->resize(contacts);
  }

  void begin_path(std::size_t contacts) {
    longest_step_ = 4 * std::sqrt(static_cast<double>(contacts));
    by_length_ = true;
    begun_ = false;
    tau_ = 1;
    step_ = longest_step_ / 8;
  }

  bool step_along() {
    Path& path = static_cast<Path&>(*this);
    if (!path.look_ahead(here_) || tau_ > Path::back_at_start) return false;
    if (begun_ && step_ > 10 * shortest_step && here_.off > farthest_off) return go(0.25 * step_);
    std::swap(last_, here_);
    last_at_ = at_;
    last_tau_ = tau_;
    begun_ = true;
    if (tau_ < passed && last_.off < farthest_off && path.may_go_far()) {
      by_length_ = false;
      return true;
    }
    return go(std::min(step_ > 0 ? 3 * step_ : 10 * shortest_step, longest_step_));
  }

  Point at_, last_at_;
  bool by_length_ = false;
  double tau_ = 1;
  Course here_, last_;

 private:
  static constexpr double steepest_fall = 1e-3;  // of τ in one step
  static constexpr double passed = 0.05;         // τ below which long steps are tried again
  static constexpr double farthest_off = 1;      // relative correction after a step that is not taken back

  // As far along the path as the point stays near it, or only back onto it.
  bool go(double step) {
    for (; step > shortest_step; step *= 0.5)
      if (place(1, step)) return true;
    for (double share = 1; share > 0.01; share *= 0.5)
      if (place(share, 0)) return true;
    return false;
  }

  // From the last point by a share of its correction and a step along the path, bend included.
  bool place(double share, double step) {
    Path& path = static_cast<Path&>(*this);
    const double square = 0.5 * step * step;
    const double by_tau = share * last_.along + step * last_.slope + square * last_.curvature;
    const double tau = last_tau_ + by_tau;
    if (!(tau >= steepest_fall * last_tau_)) return false;
    at_ = last_at_;
    path.add(share, last_.correction);
    path.add(by_tau, last_.tangent);
    if (step > 0) path.add(square, last_.bend);
    if (!path.is_near_path(tau)) return false;
    tau_ = tau;
    step_ = step;
    return true;
  }

  double last_tau_ = 1;
  double step_ = 0;  // that led here; 0: only corrected
  double longest_step_ = 0;
  bool begun_ = false;
};

}  // namespace carom
