#include "solvers/inclusion/all/branch_cone.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/inclusion/all/cone.h"
#include "solvers/inclusion/rounding.h"

namespace carom {

using Eigen::Vector2d;
using Friction = Decision::Friction;

namespace {
constexpr double no_work = 1e-6;     // relative: not worth a cut
constexpr double narrow_arc = 1e-4;  // whose ends are nearly parallel

Vector2d across_circle(double angle) { return {-std::sin(angle), std::cos(angle)}; }
}  // namespace

BranchCone::BranchCone(const UnitFriction& problem, const Branch& branch, double rest, int corners,
                       const Tangents* cuts)
    : problem_(problem), rest_(rest), corners_(corners), cuts_(cuts) {
  const Index n = problem.c.size();
  const Index sites = static_cast<Index>(branch.size());
  Index columns = (6 + corners) * sites;
  if (cuts) {
    for (const auto& tangents : *cuts) columns += static_cast<Index>(tangents.size());
  }
  A_ = Mat::Zero(n + 4 * sites, columns);
  impulse_ = Mat::Zero(n, A_.cols());
  b_ = Vec::Zero(A_.rows());
  b_.head(n) = problem.c;
  next_row_ = n;
  for (std::size_t s = 0; s < branch.size(); ++s) {
    const Site& site = problem.sites[s];
    add_velocities(site, branch[s]);
    add_impulses(site, branch[s]);
  }
  // In the units of r a weak axis of friction does not make a row small.
  for (Index row : rows_) {
    A_.row(row) /= problem.friction(row);
    b_(row) /= problem.friction(row);
  }
  for (Index row = n; row < next_row_; ++row) rows_.push_back(row);
}

BranchCone::Test BranchCone::test(int most_cuts) const {
  if (rows_.empty()) return {};
  const auto impulse = impulse_.leftCols(columns_);
  PlaceInCone place(A(), b_(rows_));
  for (int cuts = 0;; ++cuts) {
    if (place.outside()) return {true, cuts + 1};
    const auto x = place.x();
    if (!x || cuts == most_cuts) return {false, cuts + 1};
    const Vec lambda = impulse * *x;
    const Vec effect = problem_.G * lambda;
    const double work = lambda.dot(effect + problem_.c);
    if (!(work > no_work * std::abs(lambda.dot(problem_.c)))) return {false, cuts + 1};
    place.bound(impulse.transpose() * (2 * effect + problem_.c), lambda.dot(effect));
  }
}

std::optional<Vec> BranchCone::farthest(const Vec& direction) const {
  const auto impulse = impulse_.leftCols(columns_);
  const auto x = largest_in_cone(A(), b_(rows_), impulse.transpose() * direction);
  if (!x) return std::nullopt;
  return impulse * *x;
}

void BranchCone::add_velocities(const Site& site, const std::optional<Decision>& decision) {
  rows_.push_back(site.normal);
  if (!decision || !decision->held) A_(site.normal, columns_++) = 1;
  if (decision && !decision->held) b_(site.normal) -= rest_;
  if (!decision || decision->friction == Friction::none) return;
  for (Index k = 0; k < site.tangents; ++k) rows_.push_back(site.tangent + k);
  const double slowest = rest_ * site.smallest_friction;
  if (decision->friction == Friction::slip) {
    A_(site.tangent, columns_++) = std::cos(decision->begin);
    b_(site.tangent) -= slowest * std::cos(decision->begin);
  }
  if (decision->friction == Friction::arc) add_slip(site, *decision, slowest);
}

void BranchCone::add_slip(const Site& site, const Decision& arc, double slowest) {
  const Index first = columns_++;
  const Index second = columns_++;
  const bool narrow = arc.width() < narrow_arc;
  A_.block(site.tangent, first, 2, 1) = on_circle(arc.begin);
  A_.block(site.tangent, second, 2, 1) = narrow ? across_circle(arc.middle()) : on_circle(arc.end);
  if (narrow) bound_turns(first, 2 * std::sin(0.5 * arc.width()));
  if (slowest > 0) {
    A_(next_row_, first) = 1;
    if (!narrow) A_(next_row_, second) = 1;
    A_(next_row_, columns_++) = -1;
    b_(next_row_++) = slowest;
  }
}

void BranchCone::add_impulses(const Site& site, const std::optional<Decision>& decision) {
  const bool pushes = !decision || decision->held;
  if (site.tangents == 0) {
    if (pushes) add_impulse(site, 1, Vector2d::Zero());
    return;
  }
  if (decision && decision->friction == Friction::none) return;
  const bool keeps_up = site.offset > 0;
  const Index keeping = next_row_;
  if (keeps_up) b_(next_row_++) = site.offset;
  const double normal = keeps_up ? 0 : 1;
  const auto add_friction = [&](const Vector2d& pull) {
    if (keeps_up) A_(keeping, columns_) = 1;
    add_impulse(site, normal, -pull);
  };
  if (decision && decision->friction == Friction::arc && decision->width() < narrow_arc) {
    const double half = 0.5 * decision->width();
    const Vector2d e = on_circle(decision->middle()), across = across_circle(decision->middle());
    const Index along = columns_;
    add_friction(e / std::cos(half));
    for (double side : {1.0, -1.0}) add_impulse(site, 0, std::tan(half) * e - side * across);
    bound_turns(along, std::sin(half));
  } else {
    for (const Vector2d& corner : corners(site, decision)) add_friction(corner);
  }
  if (keeps_up && pushes) {
    A_(keeping, columns_) = -1;
    add_impulse(site, 1, Vector2d::Zero());
  }
}

void BranchCone::bound_turns(Index along, double width) {
  A_(next_row_, along) = -width;
  A_.row(next_row_).segment(along + 1, columns_ - along).setOnes();
  ++next_row_;
  ++columns_;
}

void BranchCone::add_impulse(const Site& site, double normal, const Vector2d& tangential) {
  auto effect = A_.col(columns_).head(problem_.c.size());
  double size = std::abs(normal);
  impulse_(site.normal, columns_) = normal;
  effect -= normal * problem_.G.col(site.normal);
  for (Index k = 0; k < site.tangents; ++k) {
    impulse_(site.tangent + k, columns_) = tangential(k);
    effect -= tangential(k) * problem_.G.col(site.tangent + k);
    size += problem_.friction(site.tangent + k) * std::abs(tangential(k));
  }
  for (Index row = 0; row < effect.size(); ++row)
    if (std::abs(effect(row)) <= rounding_of_G * size * problem_.friction(row)) effect(row) = 0;
  ++columns_;
}

std::vector<Vector2d> BranchCone::corners(const Site& site, const std::optional<Decision>& decision) const {
  if (site.tangents == 1) {
    if (decision && decision->friction == Friction::slip) return {{std::cos(decision->begin), 0}};
    return {{1, 0}, {-1, 0}};
  }
  if (decision && decision->friction == Friction::arc) {
    const double reach = 1 / std::cos(0.5 * decision->width());
    return {on_circle(decision->begin), on_circle(decision->end), reach * on_circle(decision->middle())};
  }
  if (cuts_) {
    const auto& cuts = (*cuts_)[static_cast<std::size_t>(&site - problem_.sites.data())];
    if (!cuts.empty()) return corners_between(cuts);
  }
  std::vector<Vector2d> polygon;
  polygon.reserve(static_cast<std::size_t>(corners_));
  for (int k = 0; k < corners_; ++k)
    polygon.push_back(on_circle(2 * k * std::numbers::pi / corners_) / std::cos(std::numbers::pi / corners_));
  return polygon;
}

std::vector<Vector2d> BranchCone::corners_between(std::vector<double> tangents) const {
  for (int k = 0; k < corners_; ++k) tangents.push_back((2 * k + 1) * std::numbers::pi / corners_);
  for (double& angle : tangents) angle -= 2 * std::numbers::pi * std::floor(angle / (2 * std::numbers::pi));
  std::sort(tangents.begin(), tangents.end());
  std::vector<Vector2d> polygon;
  polygon.reserve(tangents.size());
  double last = tangents.back() - 2 * std::numbers::pi;
  for (double angle : tangents) {
    polygon.push_back(on_circle(0.5 * (last + angle)) / std::cos(0.5 * (angle - last)));
    last = angle;
  }
  return polygon;
}

}  // namespace carom
