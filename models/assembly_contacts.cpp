#include "models/assembly_contacts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <stdexcept>

#include "models/bounding_box.h"
#include "models/found_pairs.h"
#include "models/tangent_frame.h"

namespace carom {

namespace {

using Eigen::Vector3d;
using Kind = Shape::Kind;

// Room for the feature number of a found contact in its key.
constexpr std::uint64_t features_per_pair = 1u << 24;

bool is_point_like(const Shape& shape) { return shape.kind == Kind::point || shape.kind == Kind::disk; }

// The vertices a bounded shape can stand on; of a cylinder those of the prism in it.
int vertex_count(const Shape& shape, bool planar) {
  switch (shape.kind) {
    case Kind::rod:
      return 2;
    case Kind::block:
      return block_corners(planar);
    case Kind::polygon:
      return static_cast<int>(shape.vertices.size());
    case Kind::cylinder:
      return 2 * prism_sides;
    case Kind::polyhedron:
      return static_cast<int>(shape.polytope->vertices.size());
    case Kind::point:
    case Kind::disk:
    case Kind::plane:
      break;
  }
  return 1;
}

// The points two shapes can touch in, by the vertices that name them: on a plane those of the other shape, elsewhere
// those of A and then of B.
int point_count(const Shape& a, const Shape& b, bool planar) {
  if (a.kind == Kind::plane) return vertex_count(b, planar);
  if (b.kind == Kind::plane) return vertex_count(a, planar);
  if (is_point_like(a) || is_point_like(b)) return 1;
  return vertex_count(a, planar) + vertex_count(b, planar);
}

struct ContactFrame {
  Vector3d t1, t2;
};

// The tangents at a contact; `axis` (in the world) turns the first one, unless it is zero or stands on the surface.
ContactFrame tangents_of(const Vector3d& n, const Vector3d& axis, bool planar) {
  if (planar) return {planar_tangent(n), Vector3d::Zero()};
  const Vector3d along = axis - n.dot(axis) * n;
  const double length = along.norm();
  ContactFrame frame;
  if (length > 1e-9 * axis.norm()) {
    frame.t1 = along / length;
    frame.t2 = n.cross(frame.t1);
  } else {
    complete_frame(n, frame.t1, frame.t2);
  }
  return frame;
}

// The few coordinates of two bodies, before they become a row.
class RowOfTwoBodies {
 public:
  void add(Index column, double value) { entries_[count_++] = {column, value}; }
  Rows::Row row() const { return {entries_.data(), entries_.data() + count_}; }

 private:
  std::array<Rows::Entry, 12> entries_;
  std::size_t count_ = 0;
};

// d·(v_A − v_B) of the material points that touch.
void add_contact_row(const PlacedBody& a, const PlacedBody& b, const Touch& touch, const Vector3d& d, Rows& W) {
  RowOfTwoBodies row;
  a.add_velocity(d, touch.point_a, row);
  b.add_velocity(-d, touch.point_b, row);
  W.append(row.row());
}

void add_contact(std::uint64_t key, const ContactCoefficients& coefficients, const Vector3d& friction_axis,
                 const PlacedBody& a, const PlacedBody& b, const Touch& touch, bool planar, Contacts& contacts) {
  const Index tangents = !coefficients.has_friction() ? 0 : planar ? 1 : 2;
  contacts.points.push_back({key, &coefficients, touch.gap, contacts.W.count(), tangents});
  add_contact_row(a, b, touch, touch.normal, contacts.W);
  if (tangents == 0) return;
  const ContactFrame frame = tangents_of(touch.normal, friction_axis, planar);
  add_contact_row(a, b, touch, frame.t1, contacts.W);
  if (tangents == 2) add_contact_row(a, b, touch, frame.t2, contacts.W);
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::pair<int, int> ordered(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

void check_coefficients(const ContactCoefficients& coefficients, const std::string& who) {
  if (!(coefficients.friction.minCoeff() >= 0) || !coefficients.friction.allFinite() || !(coefficients.stiffness > 0) ||
      !std::isfinite(coefficients.restitution) || !std::isfinite(coefficients.tangential_restitution))
    throw std::invalid_argument(who + ": friction is at least 0, stiffness positive and restitution a number");
}

}  // namespace

// ---- materials

MaterialTable::MaterialTable(const AssemblyDescription& description) {
  std::map<std::string, std::size_t> numbers;
  for (const BodyDescription& body : description.bodies)
    material_.push_back(numbers.try_emplace(body.material, numbers.size()).first->second);
  count_ = numbers.size();
  coefficients_.resize(count_ * count_);
  std::vector<int> specificity(count_ * count_, -1);
  for (const MaterialPair& pair : description.materials) {
    check_coefficients(pair.coefficients, "materials '" + pair.first + "' and '" + pair.second + "'");
    const auto matches = [](const std::string& given, const std::string& name) {
      return given == "*" || given == name;
    };
    const int named = (pair.first != "*") + (pair.second != "*");
    for (const auto& [first, i] : numbers) {
      for (const auto& [second, j] : numbers) {
        const bool fits = (matches(pair.first, first) && matches(pair.second, second)) ||
                          (matches(pair.first, second) && matches(pair.second, first));
        if (!fits || named < specificity[i * count_ + j]) continue;
        specificity[i * count_ + j] = named;
        coefficients_[i * count_ + j] = pair.coefficients;
      }
    }
  }
}

const ContactCoefficients& MaterialTable::operator()(int body_a, int body_b) const {
  return coefficients_[material_[static_cast<std::size_t>(body_a)] * count_ +
                       material_[static_cast<std::size_t>(body_b)]];
}

// ---- construction

AssemblyContacts::AssemblyContacts(const AssemblyDescription& description, const Bodies& bodies)
    : description_(description), number_(next_number()), planar_(description.planar), materials_(description) {
  for (const BodyDescription& body : description.bodies)
    shapes_.push_back(!shapes_.empty() && *shapes_.back() == body.shape ? shapes_.back() : &body.shape);
  for (std::size_t i = 0; i < description.contacts.size(); ++i)
    add_named(description.contacts[i], part_name("contact", description.contacts[i].name, i), bodies);
  if (description.collide) set_up_collisions(bodies);
  list_placing(bodies);
}

// How many of a body's coordinates contacts with its shape depend on: a disk about its centre of mass is the same
// however it is turned in the plane.
Index AssemblyContacts::placing_count(int i, bool however_turned, const Bodies& bodies) const {
  if (!bodies[i].moves) return 0;
  const bool turns = !however_turned || !planar_ || !is_point_like(shape_of(i)) || !bodies[i].centre.isZero(0);
  return turns ? bodies[i].position_count() : bodies[i].dimension();
}

// But for the points of it that are named.
void AssemblyContacts::list_placing(const Bodies& bodies) {
  std::vector<Index> counts(static_cast<std::size_t>(bodies.count()), 0);
  for (const int i : colliders_) counts[static_cast<std::size_t>(i)] = placing_count(i, true, bodies);
  for (const NamedPair& pair : named_)
    for (const int i : {pair.a.body, pair.b.body})
      if (i != world) counts[static_cast<std::size_t>(i)] = placing_count(i, false, bodies);
  for (int i = 0; i < bodies.count(); ++i)
    for (Index k = 0; k < counts[static_cast<std::size_t>(i)]; ++k) placing_.push_back(bodies[i].q + k);
}

void AssemblyContacts::add_named(const ContactDescription& contact, const std::string& who, const Bodies& bodies) {
  const Anchor b{contact.b, Vector3d::Zero()};
  bodies.check_pair(contact.a, b, who);
  check_coefficients(contact.coefficients, who);
  if (contact.a.body == world) throw std::invalid_argument(who + ": its first side is a body, not the world");
  NamedPair pair;
  pair.description = &contact;
  pair.a = {contact.a.body, &shape_of(contact.a.body), Vector3d::Zero()};
  if (contact.point_of_a) pair.a = {contact.a.body, &own_shapes_.emplace_back(), contact.a.at};
  if (contact.b == world) {
    Shape& plane = own_shapes_.emplace_back();
    plane.kind = Kind::plane;
    plane.normal = contact.plane_normal.normalized();
    if (!contact.plane_point.allFinite()) throw std::invalid_argument(who + ": the point of its plane is not a number");
    if (!(plane.normal.norm() > 0) || (planar_ && plane.normal.z() != 0))
      throw std::invalid_argument(who + ": the normal of its plane has no direction" + (planar_ ? " in x and y" : ""));
    pair.b = {world, &plane, contact.plane_point};
  } else {
    pair.b = {contact.b, &shape_of(contact.b), Vector3d::Zero()};
  }
  std::string why_not;
  if (!can_touch(*pair.a.shape, *pair.b.shape, planar_, why_not)) throw std::invalid_argument(who + ": " + why_not);
  pair.first_key = names_.size();
  const bool on_plane = pair.a.shape->kind == Kind::plane || pair.b.shape->kind == Kind::plane;
  if (!planar_ && !on_plane && !is_point_like(*pair.a.shape) && !is_point_like(*pair.b.shape))
    pair.names.emplace(*pair.a.shape, *pair.b.shape);
  const int slots = point_count(*pair.a.shape, *pair.b.shape, planar_);
  const std::string& name = contact.name.empty() ? who : contact.name;
  for (int k = 1; k <= slots; ++k) names_.push_back(slots == 1 ? name : name + "." + std::to_string(k));
  named_.push_back(pair);
}

void AssemblyContacts::set_up_collisions(const Bodies& bodies) {
  const Collide& collide = *description_.collide;
  if (collide.bodies.empty()) {
    for (int i = 0; i < bodies.count(); ++i) colliders_.push_back(i);
  } else {
    colliders_ = collide.bodies;
    std::sort(colliders_.begin(), colliders_.end());
    colliders_.erase(std::unique(colliders_.begin(), colliders_.end()), colliders_.end());
    if (colliders_.front() < 0 || colliders_.back() >= bodies.count())
      throw std::invalid_argument("collide: a body in its list does not exist");
  }
  set_up_reaches(bodies);
  for (const auto& [i, j] : collide.except) no_collision_.push_back(ordered(i, j));
  for (const NamedPair& pair : named_)
    if (pair.b.body != world) no_collision_.push_back(ordered(pair.a.body, pair.b.body));
  for (const Joint& joint : description_.joints)
    if (!collide.joined_too && joint.kind != Joint::Kind::motion && joint.a.body != world && joint.b.body != world)
      no_collision_.push_back(ordered(joint.a.body, joint.b.body));
  std::sort(no_collision_.begin(), no_collision_.end());
  check_colliding_shapes(bodies);
  check_names(bodies);
}

bool AssemblyContacts::collides(int i, int j, const Bodies& bodies) const {
  return (bodies[i].moves || bodies[j].moves) && can_collide(i, j);
}

bool AssemblyContacts::can_collide(int i, int j) const {
  if (shape_of(i).kind == Kind::point && shape_of(j).kind == Kind::point) return false;  // they never meet
  return !std::binary_search(no_collision_.begin(), no_collision_.end(), ordered(i, j));
}

// Every sort of shape against every other; only where a pair of sorts is not known are the bodies looked through.
void AssemblyContacts::check_colliding_shapes(const Bodies& bodies) const {
  std::map<std::pair<Kind, bool>, std::vector<int>> by_sort;  // with or without thickness
  for (const int i : colliders_) by_sort[{shape_of(i).kind, shape_of(i).radius > 0}].push_back(i);
  for (const auto& [sort_a, list_a] : by_sort) {
    for (const auto& [sort_b, list_b] : by_sort) {
      if (sort_a.first == Kind::point && sort_b.first == Kind::point) continue;
      std::string why_not;
      if (can_touch(shape_of(list_a.front()), shape_of(list_b.front()), planar_, why_not)) continue;
      const auto pair = first_meeting(list_a, list_b, bodies);
      if (!pair) continue;
      const auto name = [&](int i) { return "'" + description_.bodies[static_cast<std::size_t>(i)].name + "'"; };
      throw std::invalid_argument("collide: bodies " + name(pair->first) + " and " + name(pair->second) + ": " +
                                  why_not + "; list the pair under 'except' if it never meets");
    }
  }
}

std::optional<std::pair<int, int>> AssemblyContacts::first_meeting(const std::vector<int>& these,
                                                                   const std::vector<int>& those,
                                                                   const Bodies& bodies) const {
  for (const int i : these) {
    for (const int j : those) {
      if (i != j && collides(i, j, bodies)) return bodies[i].moves ? std::pair{i, j} : std::pair{j, i};
    }
  }
  return std::nullopt;
}

std::vector<std::pair<int, int>> AssemblyContacts::meeting_materials(const Bodies& bodies) const {
  std::map<std::string, std::vector<int>> by_material;
  for (const int i : colliders_) by_material[description_.bodies[static_cast<std::size_t>(i)].material].push_back(i);
  std::vector<std::pair<int, int>> pairs;
  for (auto a = by_material.begin(); a != by_material.end(); ++a) {
    for (auto b = a; b != by_material.end(); ++b) {
      if (const auto pair = first_meeting(a->second, b->second, bodies)) pairs.push_back(*pair);
    }
  }
  return pairs;
}

std::string AssemblyContacts::name(std::uint64_t key) const {
  if (key < names_.size()) return names_[key];
  const auto [i, j] = bodies_of(key);
  const BodyDescription &a = description_.bodies[static_cast<std::size_t>(i)],
                        &b = description_.bodies[static_cast<std::size_t>(j)];
  const std::string both = a.name + "-" + b.name;
  if (point_count(a.shape, b.shape, planar_) == 1) return both;
  return both + "." + std::to_string((key - names_.size()) % features_per_pair + 1);
}

std::pair<int, int> AssemblyContacts::bodies_of(std::uint64_t key) const {
  if (key < names_.size()) return {named_pair(key).a.body, named_pair(key).b.body};
  const std::uint64_t pair = (key - names_.size()) / features_per_pair, bodies = description_.bodies.size();
  const int i = static_cast<int>(pair / bodies), j = static_cast<int>(pair % bodies);
  return description_.bodies[static_cast<std::size_t>(i)].fixed ? std::pair{j, i} : std::pair{i, j};  // as below
}

double AssemblyContacts::width(std::uint64_t key) const {
  double least = HUGE_VAL;
  const auto [a, b] = bodies_of(key);
  for (const int body : {a, b})
    if (body != world && shape_of(body).kind != Kind::plane && extent_of(shape_of(body)) > 0)
      least = std::min(least, 2 * extent_of(shape_of(body)));
  return std::isfinite(least) ? least : 0;
}

double AssemblyContacts::half_thickness(std::uint64_t key) const {
  double least = HUGE_VAL;
  const auto [a, b] = bodies_of(key);
  for (const int body : {a, b}) {
    const double own = body == world ? 0 : half_thickness_of(shape_of(body), planar_);
    if (own > 0) least = std::min(least, own);
  }
  return std::isfinite(least) ? least : 0;
}

std::uint64_t AssemblyContacts::pair(std::uint64_t key) const {
  const std::uint64_t named = names_.size();
  return key < named ? named_pair(key).first_key : key - (key - named) % features_per_pair;
}

const AssemblyContacts::NamedPair& AssemblyContacts::named_pair(std::uint64_t key) const {
  const auto next = std::upper_bound(named_.begin(), named_.end(), key,
                                     [](std::uint64_t k, const NamedPair& pair) { return k < pair.first_key; });
  return *std::prev(next);
}

// ---- finding

// Kept from step to step and by each thread for itself: an assembly may be stepped by several.
struct AssemblyContacts::Workspace {
  std::vector<PlacedBody> placed;  // one a body, the world last
  std::vector<Touch> touches;
  std::vector<bool> is_taken;     // of the names of a pair
  std::vector<double> half_step;  // of each collider: the farthest its surface moves in half a step
  std::vector<Box> boxes;
  BroadPhase broad_phase;
  FoundPairs found;
  std::vector<bool> still;  // colliders since the last search

  const PlacedBody& operator[](int body) const {
    return body == world ? placed.back() : placed[static_cast<std::size_t>(body)];
  }
};

void AssemblyContacts::find(const Bodies& bodies, const Vec& q, const Vec& u, double h, Contacts& contacts) const {
  if (named_.empty() && colliders_.empty()) return;
  thread_local Workspace work;
  work.placed.clear();
  for (int i = 0; i < bodies.count(); ++i) work.placed.push_back(bodies.place(i, q));
  work.placed.push_back(bodies.place(world, q));
  contacts.q = q;
  contacts.u = u;
  find_named(work, contacts);
  if (colliders_.empty()) return;
  see_what_is_still(q, u, h, work);
  inflate_boxes(u, h, work);
  find_between_shapes(work, contacts);
  work.found.finish(number_, h, contacts);
}

void AssemblyContacts::see_what_is_still(const Vec& q, const Vec& u, double h, Workspace& work) const {
  const Contacts* last = work.found.last_of(number_, h);
  work.still.resize(colliders_.size());
  for (std::size_t k = 0; k < colliders_.size(); ++k)
    work.still[k] = last && reaches_[k].is_placed_alike(last->q, q) && reaches_[k].is_same(last->u, u, h);
  work.found.start();
}

bool AssemblyContacts::finds_again(const Contacts& found, const Vec& q, const Vec& u, double h) const {
  if (found.q.size() != q.size()) return false;
  for (const Index i : placing_)
    if (found.q(i) != q(i)) return false;
  return std::all_of(reaches_.begin(), reaches_.end(),
                     [&](const Reach& reach) { return reach.is_same(found.u, u, h); });
}

void AssemblyContacts::find_named(Workspace& work, Contacts& contacts) const {
  const auto placement = [&](const Side& side) {
    const PlacedBody& body = work[side.body];
    return Placement{body.at(side.at), body.rotation()};
  };
  for (const NamedPair& pair : named_) {
    work.touches.clear();
    const Placement pose_a = placement(pair.a), pose_b = placement(pair.b);
    find_touches(*pair.a.shape, pose_a, *pair.b.shape, pose_b, planar_, HUGE_VAL, work.touches);
    if (pair.names) pair.names->give(pose_a, pose_b, work.touches, work.is_taken);
    const PlacedBody &a = work[pair.a.body], &b = work[pair.b.body];
    const Vector3d axis = b.rotation() * pair.description->friction_axis;
    for (const Touch& touch : work.touches) {
      const std::uint64_t key = pair.first_key + static_cast<std::uint64_t>(touch.feature);
      add_contact(key, pair.description->coefficients, axis, a, b, touch, planar_, contacts);
    }
  }
}

void AssemblyContacts::inflate_boxes(const Vec& u, double h, Workspace& work) const {
  work.half_step.resize(colliders_.size());
  work.boxes.resize(colliders_.size());
  for (std::size_t k = 0; k < colliders_.size(); ++k) {
    if (work.still[k]) continue;
    const PlacedBody& body = work[colliders_[k]];
    const Shape& shape = shape_of(colliders_[k]);
    work.half_step[k] = reaches_[k].of(body.velocity(u, body.centre()).norm(), body.angular_velocity(u).norm(), h);
    Box& box = work.boxes[k] = bounding_box(shape, body.frame());
    box.low.array() -= work.half_step[k];
    box.high.array() += work.half_step[k];
  }
}

void AssemblyContacts::find_between_shapes(Workspace& work, Contacts& contacts) const {
  const std::uint64_t body_count = description_.bodies.size();
  for (const auto& [k, l] : work.broad_phase.pairs(work.boxes)) {
    if (work.still[static_cast<std::size_t>(k)] && work.still[static_cast<std::size_t>(l)]) {
      work.found.repeat({k, l}, contacts);
      continue;
    }
    const double reach = work.half_step[static_cast<std::size_t>(k)] + work.half_step[static_cast<std::size_t>(l)];
    int i = colliders_[static_cast<std::size_t>(k)], j = colliders_[static_cast<std::size_t>(l)];
    if (!(work[i].moves() || work[j].moves()) || !can_collide(i, j)) continue;
    // Keys ascend with the pairs, so that nothing has to be sorted by them.
    const std::uint64_t pair = static_cast<std::uint64_t>(i) * body_count + static_cast<std::uint64_t>(j);
    if (!work[i].moves()) std::swap(i, j);
    const std::size_t begin = contacts.points.size();
    work.touches.clear();
    find_touches(shape_of(i), work[i].frame(), shape_of(j), work[j].frame(), planar_, reach, work.touches);
    for (const Touch& touch : work.touches) {
      const std::uint64_t found = pair * features_per_pair + static_cast<std::uint64_t>(touch.feature);
      add_contact(names_.size() + found, materials_(i, j), Vector3d::Zero(), work[i], work[j], touch, planar_,
                  contacts);
    }
    work.found.note({k, l}, begin, contacts);
  }
}

}  // namespace carom
