#include "models/closed_form/planar_chain.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "models/instance_number.h"
#include "models/sine_cosine.h"

namespace carom {

namespace {

std::vector<Coordinate> coordinates_of(const std::vector<Link>& links) {
  std::vector<Coordinate> coordinates;
  coordinates.reserve(links.size());
  for (const Link& link : links) coordinates.push_back({link.name + ".angle", Coordinate::Kind::angle});
  return coordinates;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Named& item : items) names.push_back(item.name);
  return names;
}

// The links' directions at the position that was looked at last, by whichever chain.
struct LastDirections {
  std::uint64_t chain = 0;
  std::vector<double> q;
  std::vector<Eigen::Vector2d> directions;

  bool are_of(std::uint64_t looking, const Vec& angles) const {
    if (chain != looking) return false;
    const double* const looked_for = angles.data();
    for (std::size_t i = 0; i < q.size(); ++i)
      if (std::bit_cast<std::uint64_t>(q[i]) != std::bit_cast<std::uint64_t>(looked_for[i])) return false;
    return true;
  }
};

// Of each thread, found by a pointer that needs no constructor: a step asks a dozen times.
constinit thread_local LastDirections* last_directions = nullptr;

LastDirections& own_directions() {
  thread_local LastDirections own;
  return own;
}

}  // namespace

PlanarChain::PlanarChain(std::vector<Link> links, const Eigen::Vector2d& zero, double gravity,
                         std::vector<LinkOnPlane> contacts, std::vector<ContactCoefficients> coefficients)
    : ClosedForm(coordinates_of(links), names_of(links), names_of(contacts), std::move(coefficients)),
      links_(std::move(links)),
      number_(next_instance_number()),
      lengths_(size()),
      moments_(size()),
      inertias_(size()),
      zero_(zero),
      gravity_(gravity),
      contacts_(std::move(contacts)) {
  double beyond = 0;  // Σ_{k>i} m_k
  for (Index i = size() - 1; i >= 0; --i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    lengths_(i) = link.length;
    moments_(i) = link.mass * link.centre + link.length * beyond;
    inertias_(i) = link.inertia + link.mass * link.centre * link.centre + link.length * link.length * beyond;
    beyond += link.mass;
  }
}

// Sines and cosines are most of what a step costs: they are taken once for each position.
PlanarChain::Directions PlanarChain::directions(const Vec& q) const {
  const LastDirections* const last = last_directions;
  return last && last->are_of(number_, q) ? last->directions.data() : new_directions(q);
}

PlanarChain::Directions PlanarChain::new_directions(const Vec& q) const {
  if (!last_directions) last_directions = &own_directions();
  LastDirections& last = *last_directions;
  const auto links = static_cast<std::size_t>(q.size());
  last.q.resize(links);
  last.directions.resize(links);
  last.chain = number_;
  const double x = zero_.x(), y = zero_.y();
  double* const angles = last.q.data();
  Eigen::Vector2d* const d = last.directions.data();
  for (std::size_t i = 0; i < links; ++i) {
    const auto [s, c] = sine_cosine(angles[i] = q.data()[i]);
    d[i].x() = c * x - s * y;
    d[i].y() = c * y + s * x;
  }
  return d;
}

void PlanarChain::mass(const Vec& q, MassMatrix& M) const {
  const Index links = q.size();
  double* const block = dense_mass(M, links).data();
  const Directions d = directions(q);  // cos(φ_i − φ_j) = d_i·d_j
  if (links == 2) {                    // double pendulums spend much of their time here
    block[0] = inertias_(0);
    block[1] = block[2] = lengths_(0) * moments_(1) * (d[0].x() * d[1].x() + d[0].y() * d[1].y());
    block[3] = inertias_(1);
    return;
  }
  for (Index j = 0; j < links; ++j) {
    double* const column = block + j * links;
    const double x = moments_(j) * d[j].x(), y = moments_(j) * d[j].y();
    for (Index i = 0; i < j; ++i) column[i] = block[j + i * links] = lengths_(i) * (d[i].x() * x + d[i].y() * y);
    column[j] = inertias_(j);
  }
}

double PlanarChain::potential(double, const Vec& q) const {
  const Directions d = directions(q);
  double height = 0;
  for (Index i = 0; i < q.size(); ++i) height += moments_(i) * d[i].y();
  return gravity_ * height;
}

// −sin(φ_i − φ_j) = d′_i·d_j, so the inertial terms are d′_i times two running sums: of l_j φ̇_j² d_j over the links
// before i, of p_j φ̇_j² d_j over those behind it.
void PlanarChain::forces(double, const Vec& q, const Vec& u, Vec& inner, Vec&) const {
  const Directions d = directions(q);
  if (q.size() == 2) return forces_of_two(d, u, inner);
  double before_x = 0, before_y = 0;
  for (Index i = 0; i < q.size(); ++i) {
    const double x = d[i].x(), y = d[i].y(), along = lengths_(i) * u(i) * u(i);
    inner(i) = moments_(i) * (x * before_y - y * before_x - gravity_ * x);
    before_x += along * x;
    before_y += along * y;
  }
  double behind_x = 0, behind_y = 0;
  for (Index i = q.size() - 1; i >= 0; --i) {
    const double x = d[i].x(), y = d[i].y(), along = moments_(i) * u(i) * u(i);
    inner(i) += lengths_(i) * (x * behind_y - y * behind_x);
    behind_x += along * x;
    behind_y += along * y;
  }
}

// The sums of double pendulums, which have one term each: −M̂ sin(φ₁ − φ₂) = M̂ d′₁·d₂.
void PlanarChain::forces_of_two(Directions d, const Vec& u, Vec& inner) const {
  const double across = lengths_(0) * moments_(1) * (d[0].x() * d[1].y() - d[0].y() * d[1].x());
  inner(0) = across * u(1) * u(1) - gravity_ * moments_(0) * d[0].x();
  inner(1) = -across * u(0) * u(0) - gravity_ * moments_(1) * d[1].x();
}

Eigen::Vector2d PlanarChain::point(Directions d, Index link, const Eigen::Vector2d& at) const {
  Eigen::Vector2d place = at.x() * d[link] + at.y() * quarter_turn(d[link]);
  for (Index i = 0; i < link; ++i) place += lengths_(i) * d[i];
  return place;
}

Eigen::Vector2d PlanarChain::point(const Vec& q, Index link, const Eigen::Vector2d& at) const {
  return point(directions(q), link, at);
}

void PlanarChain::add_row(Directions d, const LinkOnPlane& contact, const Eigen::Vector2d& along, Rows& W) const {
  const double x = along.x(), y = along.y();
  const double *const lengths = lengths_.data(), s1 = contact.at.x(), s2 = contact.at.y();
  W.add_row(contact.link + 1, [&](Index i) {
    const double across = y * d[i].x() - x * d[i].y();                                                 // along·d′
    return i < contact.link ? lengths[i] * across : s1 * across - s2 * (x * d[i].x() + y * d[i].y());  // d″ = −d
  });
}

void PlanarChain::contacts(const Vec& q, const Vec&, double, Contacts& contacts) const {
  const Directions d = directions(q);
  for (std::size_t key = 0; key < contacts_.size(); ++key) {
    const LinkOnPlane& contact = contacts_[key];
    const double gap = contact.normal.dot(point(d, contact.link, contact.at) - contact.plane_point);
    const bool friction = open_contact(contacts, key, gap);
    add_row(d, contact, contact.normal, contacts.W);
    if (friction) add_row(d, contact, contact.tangent, contacts.W);
  }
}

void PlanarChain::pose(const Vec& q, Index link, double* out) const {
  const Eigen::Vector2d centre = point(q, link, {links_[static_cast<std::size_t>(link)].centre, 0});
  out[0] = centre.x();
  out[1] = centre.y();
  out[2] = q(link) + std::atan2(zero_.y(), zero_.x());
}

// A rod, a point mass at the end of a massless bar, or a body that contacts touch around its hinge.
Shape PlanarChain::shape_of(Index link) const {
  const Link& data = links_[static_cast<std::size_t>(link)];
  if (data.length > 0) return data.inertia > 0 ? rod_shape(data.length) : Shape{};
  Eigen::Vector2d reach = Eigen::Vector2d::Zero();
  for (const LinkOnPlane& contact : contacts_) {
    if (contact.link == link) reach = reach.cwiseMax(contact.at.cwiseAbs());
  }
  return reach.minCoeff() > 0 ? block_shape(2 * reach.x(), 2 * reach.y()) : Shape{};
}

Drawing PlanarChain::drawing() const {
  Drawing drawing;
  drawing.joints.push_back({});
  for (Index i = 0; i < size(); ++i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    const Eigen::Vector3d hinge(-link.centre, 0, 0), end(link.length - link.centre, 0, 0);
    const Shape shape = shape_of(i);
    const bool rod = shape.kind == Shape::Kind::rod;
    drawing.shapes.push_back({i, shape, rod ? Eigen::Vector3d(0.5 * (hinge + end)) : Eigen::Vector3d::Zero()});
    if (!rod && link.length > 0) drawing.lines.push_back({DrawnLine::Kind::bar, {i, hinge}, {i, end}});
    if (i + 1 < size()) drawing.joints.push_back({i, end});
  }
  for (const LinkOnPlane& contact : contacts_)
    drawing.shapes.push_back(drawn_plane({contact.plane_point.x(), contact.plane_point.y(), 0},
                                         {contact.normal.x(), contact.normal.y(), 0}));
  return drawing;
}

}  // namespace carom
