#include "models/contact_geometry.h"

#include <algorithm>
#include <stdexcept>

#include "models/contact_pairs.h"

namespace carom {

namespace {

using Kind = Shape::Kind;

std::string kind_name(Kind kind, bool planar) {
  switch (kind) {
    case Kind::point:
      return "point";
    case Kind::disk:
      return planar ? "disk" : "sphere";
    case Kind::rod:
      return "rod";
    case Kind::block:
      return "block";
    case Kind::polygon:
      return "polygon";
    case Kind::plane:
      return "plane";
    case Kind::cylinder:
      return "cylinder";
    case Kind::polyhedron:
      return "polyhedron";
    case Kind::compound:
      return "body of several shapes";
  }
  return "";
}

bool is_round(const Shape& shape) { return shape.kind == Kind::point || shape.kind == Kind::disk; }

bool is_thin(const Shape& shape) { return (is_round(shape) || shape.kind == Kind::rod) && shape.radius == 0; }

// A point is on one side of a line or on the other, and rods without thickness pass beside each other in space. In the
// plane they may cross, but those that meet side by side are through each other as soon as they do.
bool never_overlap(const Shape& a, const Shape& b) { return is_thin(a) && is_thin(b); }

bool is_compound(const Shape& shape) { return shape.kind == Kind::compound; }

bool known_in_space(const Shape& a, const Shape& b) { return a.kind != Kind::polygon && b.kind != Kind::polygon; }

bool is_spatial(const Shape& shape) { return shape.kind == Kind::cylinder || shape.kind == Kind::polyhedron; }
bool known_in_plane(const Shape& a, const Shape& b) { return !is_spatial(a) && !is_spatial(b); }

bool both_planes(const Shape& a, const Shape& b) { return a.kind == Kind::plane && b.kind == Kind::plane; }

bool is_known(const Shape& a, const Shape& b, bool planar) {
  return !is_compound(a) && !is_compound(b) && !both_planes(a, b) && !never_overlap(a, b) &&
         (planar ? known_in_plane(a, b) : known_in_space(a, b));
}

std::string why_not_known(const Shape& a, const Shape& b, bool planar) {
  const std::string pair = "a " + kind_name(a.kind, planar) + " and a " + kind_name(b.kind, planar);
  if (is_compound(a) || is_compound(b)) return "the parts of bodies touch, not " + pair;
  if (both_planes(a, b)) return "two planes cannot touch each other: one of the shapes must be bounded";
  if (never_overlap(a, b)) {
    const bool has_rod = a.kind == Kind::rod || b.kind == Kind::rod;
    return pair + " without thickness cannot touch each other: " +
           (has_rod ? "give a rod a thickness" : "take a " + kind_name(Kind::disk, planar) + " for one of them");
  }
  return planar ? "contact of " + pair + " is not known in the plane: cylinders and polyhedra are spatial shapes"
                : "contact of " + pair + " is not known in space: a polygon is a planar shape; use a polyhedron";
}

}  // namespace

bool can_touch(const Shape& a, const Shape& b, bool planar, std::string& why_not) {
  if (a.kind == Kind::compound)
    return std::all_of(a.parts->begin(), a.parts->end(),
                       [&](const ShapePart& part) { return can_touch(part.shape, b, planar, why_not); });
  if (b.kind == Kind::compound) return can_touch(b, a, planar, why_not);
  if (is_known(a, b, planar)) return true;
  why_not = why_not_known(a, b, planar);
  return false;
}

int find_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, bool planar,
                 double reach, std::vector<Touch>& touches) {
  if (!is_known(a, b, planar)) throw std::invalid_argument(why_not_known(a, b, planar));
  const std::size_t before = touches.size();
  (planar ? planar_touches : spatial_touches)(a, pose_a, b, pose_b, reach, touches);
  return static_cast<int>(touches.size() - before);
}

}  // namespace carom
