#include "config/doubled_contacts.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>

#include "models/bounding_box.h"

namespace carom {

namespace {

constexpr double alike = 1e-6;  // radians, and parts of a body's extent: planes nearer than that are one

// A body's shape, or one point of it.
struct Side {
  int body = world;
  std::optional<Vec3> point;
};

struct Plane {
  Vec3 point, normal;
};

// What meets what: a body and a plane, in the world or a body itself, or two bodies.
struct Meeting {
  Side side;
  Side other;
  std::optional<Plane> plane;  // in place of the other
};

bool is_plane(const SceneDraft& draft, int body) {
  return body != world && draft.body(body).shape.kind == Shape::Kind::plane;
}

Plane plane_of(const BodyDescription& body, bool planar) {
  const Vec3 normal = planar ? Vec3(Eigen::AngleAxisd(body.angle, Vec3::UnitZ()) * body.shape.normal)
                             : Vec3(body.orientation * body.shape.normal);
  return {body.position, normal};
}

Meeting meeting_of(const ContactDescription& contact, const SceneDraft& draft) {
  Meeting meeting{{contact.a.body, {}}, {contact.b, {}}, {}};
  if (contact.point_of_a) meeting.side.point = contact.a.at;
  if (is_plane(draft, meeting.side.body)) std::swap(meeting.side, meeting.other);
  if (meeting.other.body == world) {
    meeting.plane = Plane{contact.plane_point, contact.plane_normal};
  } else if (is_plane(draft, meeting.other.body)) {
    meeting.plane = plane_of(draft.body(meeting.other.body), draft.planar);
  }
  return meeting;
}

// Of what could not be read nothing is known to be given twice.
bool is_read(const ContactDraft& made, const SceneDraft& draft) {
  const auto body_is_read = [&](int body) {
    return body == world || draft.bodies[static_cast<std::size_t>(body)].geometry_is_read;
  };
  return made.geometry_is_read && body_is_read(made.contact.a.body) && body_is_read(made.contact.b);
}

// As far as a body can tell.
bool is_same(const Plane& one, const Plane& two, const BodyDescription& body) {
  const double apart = std::abs(one.normal.dot(two.point - one.point));
  return (one.normal - two.normal).norm() <= alike &&
         apart <= alike * extent_of(body.shape) + rounding * (one.point.norm() + two.point.norm());
}

// The points at which a shape touches, where they are always the same.
std::vector<Vec3> corners_of(const Shape& shape, bool planar) {
  std::vector<Vec3> corners;
  switch (shape.kind) {
    case Shape::Kind::point:
      corners.push_back(Vec3::Zero());
      break;
    case Shape::Kind::rod:
      if (shape.radius == 0) corners = {Vec3(-shape.length / 2, 0, 0), Vec3(shape.length / 2, 0, 0)};
      break;
    case Shape::Kind::block:
      for (int k = 0; k < block_corners(planar); ++k) corners.push_back(block_corner(shape, planar, k));
      break;
    case Shape::Kind::polygon:
      for (const Eigen::Vector2d& vertex : shape.vertices) corners.emplace_back(vertex.x(), vertex.y(), 0);
      break;
    case Shape::Kind::polyhedron:
      corners = shape.polytope->vertices;
      break;
    case Shape::Kind::compound:
      for (const ShapePart& part : *shape.parts)
        for (const Vec3& corner : corners_of(part.shape, planar)) corners.push_back(part.at + part.rotation * corner);
      break;
    case Shape::Kind::disk:
    case Shape::Kind::cylinder:
    case Shape::Kind::plane:
      break;
  }
  return corners;
}

// The same point, or a corner beside the shape that has it; all of a shape beside all of it.
bool is_same(const Side& one, const Side& two, const SceneDraft& draft) {
  if (one.body != two.body) return false;
  if (!one.point && !two.point) return true;
  const Shape& shape = draft.body(one.body).shape;
  const auto is_at = [&](const Vec3& a, const Vec3& b) { return (a - b).norm() <= alike * extent_of(shape); };
  if (one.point && two.point) return is_at(*one.point, *two.point);
  const std::vector<Vec3> corners = corners_of(shape, draft.planar);
  const Vec3 point = one.point ? *one.point : *two.point;
  return std::any_of(corners.begin(), corners.end(), [&](const Vec3& corner) { return is_at(corner, point); });
}

bool is_same(const Meeting& one, const Meeting& two, const SceneDraft& draft) {
  if (one.plane && two.plane)
    return is_same(one.side, two.side, draft) && is_same(*one.plane, *two.plane, draft.body(one.side.body));
  if (one.plane || two.plane) return false;
  if (is_same(one.side, two.side, draft) && is_same(one.other, two.other, draft)) return true;
  const bool are_points_of_both = one.side.point && two.side.point;  // a corner of each on the other
  return !are_points_of_both && is_same(one.side, two.other, draft) && is_same(one.other, two.side, draft);
}

}  // namespace

void refuse_doubled_contacts(const SceneDraft& draft, Diagnostics& diagnostics) {
  struct Named {
    Meeting meeting;
    const ContactDraft* made;
  };
  std::map<std::pair<int, int>, std::vector<Named>> by_bodies;
  for (const ContactDraft& made : draft.contacts) {
    if (!is_read(made, draft)) continue;
    const Meeting meeting = meeting_of(made.contact, draft);
    std::vector<Named>& above =
        by_bodies[meeting.plane ? std::pair(world, meeting.side.body)
                                : std::pair(std::minmax({meeting.side.body, meeting.other.body}))];
    const auto same = std::find_if(above.begin(), above.end(),
                                   [&](const Named& earlier) { return is_same(earlier.meeting, meeting, draft); });
    if (same == above.end()) {
      above.push_back({meeting, &made});
      continue;
    }
    const Place& first = same->made->origin.place;
    diagnostics.error(
        made.origin.place, made.origin.path,
        fmt::format("is between the same as '{}'{}, and both would hold and brake it; leave one of them out",
                    same->made->contact.name, first.line > 0 ? fmt::format(" in line {}", first.line) : ""));
  }
}

void refuse_doubled_planes(const SceneDraft& draft, Diagnostics& diagnostics) {
  const Collide& collide = *draft.collide;
  const auto collides = [&](int body) {
    return collide.bodies.empty() ||
           std::find(collide.bodies.begin(), collide.bodies.end(), body) != collide.bodies.end();
  };
  const auto excepted = [&](int a, int b) {
    return std::any_of(collide.except.begin(), collide.except.end(),
                       [&](const auto& pair) { return std::minmax(pair.first, pair.second) == std::minmax(a, b); });
  };
  for (int i = 0; i < static_cast<int>(draft.bodies.size()); ++i) {
    if (!is_plane(draft, i) || !draft.bodies[static_cast<std::size_t>(i)].geometry_is_read || !collides(i)) continue;
    const Plane plane = plane_of(draft.body(i), draft.planar);
    for (const ContactDraft& made : draft.contacts) {
      const ContactDescription& contact = made.contact;
      if (!is_read(made, draft) || contact.b != world || !collides(contact.a.body) || excepted(contact.a.body, i))
        continue;
      if (is_same({contact.plane_point, contact.plane_normal}, plane, draft.body(contact.a.body)))
        diagnostics.error(
            made.origin.place, made.origin.path,
            fmt::format("its plane is also the body '{}', which 'collide' lets it meet once more; name that "
                        "body ('on') instead of a plane",
                        draft.body(i).name));
    }
  }
}

}  // namespace carom
