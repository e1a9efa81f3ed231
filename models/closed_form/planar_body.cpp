#include "models/closed_form/planar_body.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace carom {

namespace {

std::vector<Coordinate> coordinates_of(const PlanarBodyData& data) {
  std::vector<Coordinate> coordinates = {{data.name + ".x"}, {data.name + ".y"}};
  if (data.inertia) coordinates.push_back({data.name + ".angle", Coordinate::Kind::angle});
  return coordinates;
}

std::vector<std::string> names_of(const std::vector<BodyOnPlane>& contacts) {
  std::vector<std::string> names;
  for (const BodyOnPlane& contact : contacts) names.push_back(contact.name);
  return names;
}

}  // namespace

PlanarBody::PlanarBody(PlanarBodyData data, std::vector<ContactCoefficients> coefficients)
    : ClosedForm(coordinates_of(data), {data.name}, names_of(data.contacts), std::move(coefficients)),
      data_(std::move(data)) {}

void PlanarBody::mass(const Vec&, MassMatrix& M) const {
  make_diagonal(M, size());
  M.block(0)(0, 0) = M.block(1)(0, 0) = data_.mass;
  if (turns()) M.block(2)(0, 0) = *data_.inertia;
}

double PlanarBody::potential(double, const Vec& q) const { return -data_.mass * data_.acceleration.dot(q.head<2>()); }

void PlanarBody::forces(double, const Vec&, const Vec&, Vec& inner, Vec&) const {
  inner.head<2>() = data_.mass * data_.acceleration;
}

Eigen::Vector2d PlanarBody::from_centre(const BodyOnPlane& contact, double angle) const {
  return Eigen::Vector2d(Eigen::Rotation2Dd(angle) * contact.at) - contact.radius * contact.normal;
}

double PlanarBody::gap(const BodyOnPlane& contact, const Vec& q, const Eigen::Vector2d& lever) const {
  return contact.normal.dot(Eigen::Vector2d(q.head<2>()) + lever - contact.plane_point);
}

// A particle, or a disk that is round about its centre of mass.
bool PlanarBody::directions_are_constant() const {
  return !turns() || std::all_of(data_.contacts.begin(), data_.contacts.end(),
                                 [](const BodyOnPlane& contact) { return contact.at.isZero(0); });
}

void PlanarBody::contact_gaps(const Vec& q, Contacts& contacts) const {
  for (std::size_t key = 0; key < data_.contacts.size(); ++key) {
    const BodyOnPlane& contact = data_.contacts[key];
    contacts.points[key].gap = gap(contact, q, from_centre(contact, angle(q)));
  }
}

void PlanarBody::contacts(const Vec& q, const Vec&, double, Contacts& contacts) const {
  for (std::size_t key = 0; key < data_.contacts.size(); ++key) {
    const BodyOnPlane& contact = data_.contacts[key];
    const Eigen::Vector2d lever = from_centre(contact, angle(q));
    const Eigen::Vector2d turning = quarter_turn(lever);
    const auto add_row = [&](const Eigen::Vector2d& direction) {
      contacts.W.open_row();
      contacts.W.add(0, direction.x());
      contacts.W.add(1, direction.y());
      if (turns()) contacts.W.add(2, direction.dot(turning));
    };
    const bool friction = open_contact(contacts, key, gap(contact, q, lever));
    add_row(contact.normal);
    if (friction) add_row(contact.tangent);
  }
}

void PlanarBody::pose(const Vec& q, Index, double* out) const {
  const Eigen::Vector2d upright = Eigen::Rotation2Dd(data_.tilt) * Eigen::Vector2d(q.head<2>());
  out[0] = upright.x();
  out[1] = upright.y();
  out[2] = data_.tilt + (turns() ? q(2) : 0);
}

Drawing PlanarBody::drawing() const {
  Drawing drawing;
  drawing.shapes.push_back({0, data_.shape});
  const Eigen::Rotation2Dd upright(data_.tilt);
  for (const BodyOnPlane& contact : data_.contacts) {
    const Eigen::Vector2d point = upright * contact.plane_point, normal = upright * contact.normal;
    drawing.shapes.push_back(drawn_plane({point.x(), point.y(), 0}, {normal.x(), normal.y(), 0}));
  }
  return drawing;
}

Vec PlanarBody::on_the_floor(double angle) const {
  double lowest = HUGE_VAL;
  for (const BodyOnPlane& contact : data_.contacts)
    lowest = std::min(lowest, contact.normal.dot(from_centre(contact, angle) - contact.plane_point));
  return Eigen::Vector3d(0, -lowest, angle);
}

ParameterSpecs start_on_floor_parameters(const std::string& angle, const std::string& velocity) {
  return {
      as_angle(any_number("angle", angle, "at the start, rad, where position is not given")),
      as_angle(list_of(any_number("position", "on the floor, turned by angle", "x, y (m), angle (rad) at the start")),
               2),
      as_angle(list_of(any_number("velocity", velocity, "of x, y (m/s), angle (rad/s) at the start")), 2)};
}

Model start_on_floor(PlanarBodyData data, const ParameterValues& values) {
  const auto contacts = static_cast<Index>(data.contacts.size());
  auto body = std::make_shared<const PlanarBody>(std::move(data), values.coefficients(contacts));
  const Vec q = values.has("position") ? values.list("position", 3) : body->on_the_floor(values.number("angle"));
  return {std::move(body), q, values.list("velocity", 3)};
}

std::vector<BodyOnPlane> block_corners(double width, double height, Index corners) {
  std::vector<BodyOnPlane> contacts = {{"bottom-left", {-width / 2, -height / 2}},
                                       {"bottom-right", {width / 2, -height / 2}}};
  if (corners == 4) {
    contacts.push_back({"top-right", {width / 2, height / 2}});
    contacts.push_back({"top-left", {-width / 2, height / 2}});
  }
  return contacts;
}

std::vector<BodyOnPlane> corner_walls(double angle, double radius) {
  if (!(angle < EIGEN_PI)) throw std::invalid_argument("corner must be below π");
  const double c = std::cos(angle), s = std::sin(angle);
  return {{"floor", {0, 0}, radius}, {"wall", {0, 0}, radius, {0, 0}, {s, -c}, {c, s}}};
}

}  // namespace carom
