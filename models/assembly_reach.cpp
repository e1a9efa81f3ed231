// How far the surfaces of colliding bodies move in half a step, and whether a body is where it was.

#include <algorithm>
#include <cmath>

#include "models/assembly_contacts.h"
#include "models/bounding_box.h"

namespace carom {

namespace {

using Eigen::Vector3d;
using Kind = Shape::Kind;

// Shapes closer than these parts of their own extent and of the scene are listed even at rest, so that a contact whose
// gap is zero but for rounding is not lost. Listing a contact that is open does no harm.
constexpr double close_to_shape = 1e-6, close_in_scene = 1e-9;

}  // namespace

void AssemblyContacts::set_up_reaches(const Bodies& bodies) {
  double size = 0;
  for (const int k : colliders_)
    size = std::max({size, extent_of(*piece(k).shape), bodies[piece(k).body].initial.origin.norm()});
  for (const int k : colliders_) {
    const Piece& own = piece(k);
    const double extent = extent_of(*own.shape);
    const Body& body = bodies[own.body];
    Reach& reach = reaches_.emplace_back();
    reach.q = body.q;
    reach.placing = placing_count(own.body, true, bodies);
    reach.u = body.u;
    if (body.moves) reach.translations = body.dimension();
    reach.rotations = body.velocity_count() - reach.translations;
    // A disk turning about its own centre moves no surface; a plane has no end.
    const double offset = (own.at - body.centre).norm();
    reach.swing = own.shape->kind == Kind::plane ? HUGE_VAL : own.shape->kind == Kind::disk ? offset : offset + extent;
    reach.closeness = close_to_shape * extent + close_in_scene * (size > 0 ? size : 1);
  }
}

double AssemblyContacts::Reach::of(double speed, double angular_speed, double h) const {
  const double moved = 0.5 * h * speed;
  const double turned = 0.5 * h * angular_speed;
  const double swung = turned > 0 ? turned * swing : 0;  // a plane's swing is infinite
  return closeness * (std::floor((moved + swung) / closeness) + 2);
}

// In space a turn is not looked at closely: the body's axes would be needed.
bool AssemblyContacts::Reach::is_same(const Vec& u_before, const Vec& u_now, double h) const {
  const Index count = translations + rotations;
  if (u_before.segment(u, count) == u_now.segment(u, count)) return true;
  const auto of = [&](const Vec& u_of) {
    Vector3d v = Vector3d::Zero();
    for (Index k = 0; k < translations; ++k) v(k) = u_of(u + k);
    return Reach::of(v.norm(), rotations == 1 ? Vector3d(0, 0, u_of(u + 2)).norm() : 0, h);
  };
  for (Index k = translations; rotations > 1 && swing > 0 && k < translations + rotations; ++k)
    if (u_before(u + k) != u_now(u + k)) return false;
  return of(u_before) == of(u_now);
}

bool AssemblyContacts::Reach::is_placed_alike(const Vec& q_before, const Vec& q_now) const {
  for (Index k = q; k < q + placing; ++k)
    if (q_before(k) != q_now(k)) return false;
  return true;
}

}  // namespace carom
