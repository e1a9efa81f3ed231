#include "models/assembly.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "models/assembly_contacts.h"
#include "models/bodies.h"
#include "models/bounding_box.h"
#include "models/forces.h"
#include "models/joints.h"

namespace carom {

namespace {

// Normals of planes are given by their direction.
AssemblyDescription with_unit_normals(AssemblyDescription description) {
  for (BodyDescription& body : description.bodies) {
    if (body.shape.kind != Shape::Kind::plane) continue;
    body.shape.normal.normalize();
    if (!(body.shape.normal.norm() > 0) || (description.planar && body.shape.normal.z() != 0))
      throw std::invalid_argument("body '" + body.name + "': the normal of its plane has no direction" +
                                  (description.planar ? " in x and y" : ""));
  }
  return description;
}

}  // namespace

struct Assembly::Parts {
  explicit Parts(AssemblyDescription from)
      : description(with_unit_normals(std::move(from))),
        bodies(description),
        joints(description, bodies),
        clutches(description, bodies),
        forces(description, bodies),
        contacts(description, bodies) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  AssemblyDescription description;
  Bodies bodies;
  JointRows joints;
  ClutchRows clutches;
  Forces forces;
  AssemblyContacts contacts;  // refers to the description
};

Assembly::Assembly(AssemblyDescription description) : parts_(std::make_unique<const Parts>(std::move(description))) {}
Assembly::~Assembly() = default;

Vec Assembly::initial_positions() const {
  Vec q = Vec::Zero(positions_of_bodies() + static_cast<Index>(parts_->forces.twists().size()));
  q.head(positions_of_bodies()) = parts_->bodies.initial_positions();
  return q;
}
Index Assembly::positions_of_bodies() const { return parts_->bodies.position_count(); }
Vec Assembly::initial_velocities() const { return parts_->bodies.initial_velocities(); }
const AssemblyDescription& Assembly::description() const { return parts_->description; }

std::vector<Coordinate> Assembly::positions() const {
  using Kind = Coordinate::Kind;
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < parts_->bodies.count(); ++i) {
    const Body& body = parts_->bodies[i];
    if (!body.moves) continue;
    const std::string& name = description().bodies[static_cast<std::size_t>(i)].name;
    for (const char* part : {".x", ".y"}) coordinates.push_back({name + part, Kind::length});
    if (!body.planar) coordinates.push_back({name + ".z", Kind::length});
    if (!body.rotates) continue;
    if (body.planar) {
      coordinates.push_back({name + ".angle", Kind::angle});
    } else {
      for (const char* part : {".qw", ".qx", ".qy", ".qz"}) coordinates.push_back({name + part, Kind::quaternion});
    }
  }
  coordinates.insert(coordinates.end(), parts_->forces.twists().begin(), parts_->forces.twists().end());
  return coordinates;
}

std::vector<Coordinate> Assembly::velocities() const {
  using Kind = Coordinate::Kind;
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < parts_->bodies.count(); ++i) {
    const Body& body = parts_->bodies[i];
    if (!body.moves) continue;
    const std::string& name = description().bodies[static_cast<std::size_t>(i)].name;
    for (const char* part : {".vx", ".vy"}) coordinates.push_back({name + part, Kind::length, true});
    if (!body.planar) coordinates.push_back({name + ".vz", Kind::length, true});
    if (!body.rotates) continue;
    if (body.planar) {
      coordinates.push_back({name + ".omega", Kind::angle, true});
    } else {
      for (const char* part : {".wx", ".wy", ".wz"}) coordinates.push_back({name + part, Kind::angle, true});
    }
  }
  return coordinates;
}

void Assembly::move(const Vec& q, const Vec& displacement, Vec& result) const {
  parts_->bodies.move(q, displacement, result);
  parts_->forces.follow(parts_->bodies, displacement, result);
}

void Assembly::mass(const Vec&, MassMatrix& M) const { parts_->bodies.mass(M); }

double Assembly::potential(double, const Vec& q) const { return parts_->forces.potential(parts_->bodies, q); }

void Assembly::forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const {
  parts_->forces.add(parts_->bodies, t, q, u, inner, applied);
}

bool Assembly::forces_are_constant() const { return parts_->forces.are_constant(); }

void Assembly::force_gradient(double, const Vec& q, const Vec& u, ForceGradient& gradient) const {
  parts_->forces.gradient(parts_->bodies, q, u, gradient);
}

Index Assembly::geometric_joint_rows() const { return parts_->joints.geometric_count(); }
Index Assembly::joint_rows() const { return parts_->joints.count(); }

void Assembly::joint_gaps(double t, const Vec& q, Vec& g) const { parts_->joints.gaps(parts_->bodies, t, q, g); }

void Assembly::joint_directions(double t, const Vec& q, Rows& B, Vec& b) const {
  parts_->joints.directions(parts_->bodies, t, q, B, b);
}

std::string Assembly::joint_name(Index row) const { return parts_->joints.name(row); }

void Assembly::contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const {
  parts_->contacts.find(parts_->bodies, q, u, h, contacts);
}

bool Assembly::finds_again(const Contacts& found, const Vec& q, const Vec& u, double h) const {
  return parts_->contacts.finds_again(found, q, u, h);
}

std::vector<std::pair<int, int>> Assembly::meeting_materials() const {
  return parts_->contacts.meeting_materials(parts_->bodies);
}
std::size_t Assembly::named_contacts() const { return parts_->contacts.named_count(); }
std::string Assembly::contact_name(std::uint64_t key) const { return parts_->contacts.name(key); }
std::uint64_t Assembly::contact_pair(std::uint64_t key) const { return parts_->contacts.pair(key); }
double Assembly::contact_width(std::uint64_t key) const { return parts_->contacts.width(key); }
double Assembly::contact_half_thickness(std::uint64_t key) const { return parts_->contacts.half_thickness(key); }

void Assembly::clutches(const Vec& q, Clutches& clutches) const { parts_->clutches.rows(parts_->bodies, q, clutches); }

std::string Assembly::clutch_name(Index clutch) const { return parts_->clutches.name(clutch); }

double Assembly::largest_body() const {
  double extent = 0;
  for (const BodyDescription& body : description().bodies)
    if (!body.fixed) extent = std::max(extent, extent_of(body.shape));
  return extent;
}

PoseLayout Assembly::poses() const {
  PoseLayout layout;
  layout.size = description().planar ? 3 : 7;
  for (const BodyDescription& body : description().bodies) layout.bodies.push_back(body.name);
  return layout;
}

void Assembly::pose(const Vec& q, Index body, double* out) const {
  const PlacedBody placed = parts_->bodies.place(static_cast<int>(body), q);
  const Eigen::Vector3d& origin = placed.frame().origin;
  if (description().planar) {
    out[0] = origin.x();
    out[1] = origin.y();
    out[2] = placed.angle();
    return;
  }
  const Eigen::Quaterniond orientation = parts_->bodies.orientation(static_cast<int>(body), q);
  const double values[] = {origin.x(),      origin.y(),      origin.z(),     orientation.w(),
                           orientation.x(), orientation.y(), orientation.z()};
  std::copy(std::begin(values), std::end(values), out);
}

std::string Assembly::body_of(Index velocity_coordinate) const {
  return description().bodies[static_cast<std::size_t>(parts_->bodies.body_of(velocity_coordinate))].name;
}

}  // namespace carom
