#include "models/closed_form/line_bodies.h"

#include <utility>

namespace carom {

namespace {

double gap(const LineContact& contact, const Vec& q) {
  const double above = contact.upper == ground ? 0 : q(contact.upper);
  const double below = contact.lower == ground ? 0 : q(contact.lower);
  return above - below - contact.distance;
}

std::vector<Coordinate> coordinates_of(const LineData& data) {
  std::vector<Coordinate> coordinates;
  coordinates.reserve(data.bodies.size());
  for (const std::string& body : data.bodies)
    coordinates.push_back({body + (data.axis == LineData::Axis::x ? ".x" : ".y")});
  return coordinates;
}

}  // namespace

LineBodies::LineBodies(LineData data, std::vector<ContactCoefficients> coefficients)
    : ClosedForm(coordinates_of(data), data.bodies, data.contact_names, std::move(coefficients)),
      data_(std::move(data)) {
  data_.bodies = data_.contact_names = {};  // which the base keeps
}

void LineBodies::mass(const Vec&, MassMatrix& M) const {
  make_diagonal(M, size());
  for (Index i = 0; i < size(); ++i) M.block(i)(0, 0) = data_.masses(i);
}

double LineBodies::potential(double, const Vec& q) const {
  double energy = -data_.acceleration * data_.masses.dot(q);
  for (const LineSpring& spring : data_.springs) {
    const double stretch = q(spring.second) - q(spring.first);
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  return energy;
}

void LineBodies::forces(double, const Vec& q, const Vec&, Vec& inner, Vec&) const {
  inner = data_.acceleration * data_.masses;
  for (const LineSpring& spring : data_.springs) {
    const double pull = spring.stiffness * (q(spring.second) - q(spring.first));
    inner(spring.first) += pull;
    inner(spring.second) -= pull;
  }
}

void LineBodies::force_gradient(double, const Vec&, const Vec&, ForceGradient& gradient) const {
  for (const auto& [i, j, k] : data_.springs) {
    gradient.stiffness.push_back({i, i, k});
    gradient.stiffness.push_back({j, j, k});
    gradient.stiffness.push_back({i, j, -k});
    gradient.stiffness.push_back({j, i, -k});
  }
}

// At rest most stay as they are, and what is not written need not be carried back to memory.
void LineBodies::contact_gaps(const Vec& q, Contacts& contacts) const {
  for (std::size_t key = 0; key < data_.contacts.size(); ++key) {
    const double now = gap(data_.contacts[key], q);
    if (contacts.points[key].gap != now) contacts.points[key].gap = now;
  }
}

void LineBodies::contacts(const Vec& q, const Vec&, double, Contacts& contacts) const {
  contacts.points.reserve(data_.contacts.size());
  contacts.W.reserve(data_.contacts.size(), 2 * data_.contacts.size());
  for (std::size_t key = 0; key < data_.contacts.size(); ++key) {
    const LineContact& contact = data_.contacts[key];
    open_contact(contacts, key, gap(contact, q));
    contacts.W.open_row();
    if (contact.lower != ground) contacts.W.add(contact.lower, -1);
    if (contact.upper != ground) contacts.W.add(contact.upper, 1);
  }
}

void LineBodies::clutches(const Vec&, Clutches& clutches) const {
  for (const LineClutch& clutch : data_.clutches) {
    clutches.W.open_row();
    clutches.W.add(clutch.first, -1);
    clutches.W.add(clutch.second, 1);
    clutches.restitution.push_back(clutch.restitution);
  }
}

void LineBodies::pose(const Vec& q, Index body, double* out) const {
  const double place = q(body) + (data_.places.size() > 0 ? data_.places(body) : 0);
  out[0] = data_.axis == LineData::Axis::x ? place : 0;
  out[1] = data_.axis == LineData::Axis::y ? place : 0;
  out[2] = 0;
}

Shape LineBodies::shape_of(Index body) const {
  if (data_.shapes.empty()) return {};
  return data_.shapes[data_.shapes.size() == 1 ? 0 : static_cast<std::size_t>(body)];
}

double LineBodies::half_extent(Index body) const {
  const Shape shape = shape_of(body);
  switch (shape.kind) {
    case Shape::Kind::disk:
      return shape.radius;
    case Shape::Kind::rod:
      return shape.length / 2;
    default:
      return (data_.axis == LineData::Axis::x ? shape.size.x() : shape.size.y()) / 2;
  }
}

// A wall stands where the surface of its body is when the gap is 0.
Drawing LineBodies::drawing() const {
  Drawing drawing;
  for (Index i = 0; i < size(); ++i) drawing.shapes.push_back({i, shape_of(i)});
  const Eigen::Vector3d along = data_.axis == LineData::Axis::x ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  for (const auto& [lower, upper, distance] : data_.contacts) {
    if (lower == ground) drawing.shapes.push_back(drawn_plane((distance - half_extent(upper)) * along, along));
    if (upper == ground) drawing.shapes.push_back(drawn_plane((half_extent(lower) - distance) * along, -along));
  }
  return drawing;
}

}  // namespace carom
