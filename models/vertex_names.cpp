#include "models/vertex_names.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

using Eigen::Vector3d;

std::vector<Vector3d> vertices_of(const Shape& shape) {
  if (shape.kind != Shape::Kind::rod) return faces_of(shape).vertices;
  const Vector3d end = shape.length / 2 * Vector3d::UnitX();
  return {-end, end};
}

}  // namespace

VertexNames::VertexNames(const Shape& a, const Shape& b) : of_a_(vertices_of(a)), of_b_(vertices_of(b)) {}

Vector3d VertexNames::vertex(std::size_t number, const Placement& pose_a, const Placement& pose_b) const {
  return number < of_a_.size() ? pose_a.at(of_a_[number]) : pose_b.at(of_b_[number - of_a_.size()]);
}

void VertexNames::give(const Placement& pose_a, const Placement& pose_b, std::vector<Touch>& touches,
                       std::vector<bool>& is_taken) const {
  const std::size_t all = of_a_.size() + of_b_.size();
  const auto by_gap = [](const Touch& s, const Touch& t) { return s.gap < t.gap; };
  const auto by_name = [](const Touch& s, const Touch& t) { return s.feature < t.feature; };
  if (touches.size() > all) {
    std::sort(touches.begin(), touches.end(), by_gap);
    touches.resize(all);
    std::sort(touches.begin(), touches.end(), by_name);
  }
  // Vertices come first.
  is_taken.assign(all, false);
  Touches next = touches.begin();
  for (; next != touches.end() && next->feature < static_cast<int>(all); ++next)
    is_taken[static_cast<std::size_t>(next->feature)] = true;
  for (; next != touches.end(); ++next) name_nearest(pose_a, pose_b, next, touches.end(), is_taken);
  std::sort(touches.begin(), touches.end(), by_name);
}

void VertexNames::name_nearest(const Placement& pose_a, const Placement& pose_b, Touches next, Touches end,
                               std::vector<bool>& is_taken) const {
  double least = HUGE_VAL;
  Touches nearest = next;
  std::size_t name = 0;
  for (Touches touch = next; touch != end; ++touch) {
    const Vector3d at = 0.5 * (touch->point_a + touch->point_b);
    for (std::size_t v = 0; v < is_taken.size(); ++v) {
      const double distance = (vertex(v, pose_a, pose_b) - at).norm();
      if (is_taken[v] || distance >= least) continue;
      least = distance;
      nearest = touch;
      name = v;
    }
  }
  is_taken[name] = true;
  nearest->feature = static_cast<int>(name);
  std::iter_swap(next, nearest);
}

}  // namespace carom
