#include "engine/force_set.h"

#include <algorithm>
#include <cmath>

namespace carom {

Eigen::Vector2d project_on_ellipse(const Eigen::Vector2d& point, const Eigen::Vector2d& semi_axes) {
  const double a = semi_axes(0);
  const double b = semi_axes(1);
  if (a <= 0 || b <= 0) {  // a segment or a point
    return {a > 0 ? std::clamp(point(0), -a, a) : 0.0, b > 0 ? std::clamp(point(1), -b, b) : 0.0};
  }
  if (a == b) {
    const double length = point.norm();
    return length <= a ? point : Eigen::Vector2d(point * (a / length));
  }
  const double x = std::abs(point(0));
  const double y = std::abs(point(1));
  if (std::hypot(x / a, y / b) <= 1) return point;

  // Outside, the nearest point is (a²x/(t+a²), b²y/(t+b²)) with the root t > 0 of
  //   F(t) = (ax/(t+a²))² + (by/(t+b²))² − 1,
  // which is convex and decreasing for t ≥ 0: Newton's method from t = 0 climbs to it monotonically.
  double t = 0;
  for (int i = 0; i < 200; ++i) {
    const double p = a * x / (t + a * a);
    const double q = b * y / (t + b * b);
    const double F = p * p + q * q - 1;
    const double slope = -2 * (p * p / (t + a * a) + q * q / (t + b * b));
    const double next = t - F / slope;
    if (!(next > t)) break;
    t = next;
  }
  return {std::copysign(a * a * x / (t + a * a), point(0)), std::copysign(b * b * y / (t + b * b), point(1))};
}

Eigen::Vector2d project(const ForceSet& set, const Eigen::Vector2d& x, const Vec& Lambda) {
  switch (set.shape) {
    case ForceSet::Shape::unilateral:
      return {std::min(x(0), 0.0), 0.0};
    case ForceSet::Shape::line: {
      const double bound = set.friction(0) * set.radius(Lambda);
      return {std::clamp(x(0), -bound, bound), 0.0};
    }
    case ForceSet::Shape::ellipse:
      return project_on_ellipse(x, set.friction * set.radius(Lambda));
    case ForceSet::Shape::bilateral:
      return {x(0), 0.0};
  }
  return Eigen::Vector2d::Zero();
}

Eigen::Vector2d rows_of(const ForceSet& set, const Vec& v) {
  return {v(set.row), set.size() == 2 ? v(set.row + 1) : 0.0};
}

void set_rows_of(const ForceSet& set, const Eigen::Vector2d& value, Vec& v) {
  v(set.row) = value(0);
  if (set.size() == 2) v(set.row + 1) = value(1);
}

void add_contact_sets(const Eigen::Vector2d& friction, Index tangents, Index normal_row, double offset,
                      std::vector<ForceSet>& sets) {
  sets.push_back({.row = normal_row});
  Index strongest = 0;
  if (tangents == 0 || !(friction.head(tangents).maxCoeff(&strongest) > 0)) return;
  ForceSet set;
  set.normal_row = normal_row;
  set.offset = offset;
  if (tangents == 2 && friction.minCoeff() > 0) {
    set.shape = ForceSet::Shape::ellipse;
    set.row = normal_row + 1;
    set.friction = friction;
  } else {
    set.shape = ForceSet::Shape::line;
    set.row = normal_row + 1 + strongest;
    set.friction(0) = friction(strongest);
  }
  sets.push_back(set);
}

}  // namespace carom
