#include "models/assembly_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "models/bounding_box.h"
#include "models/found_pairs.h"
#include "models/instance_number.h"
#include "models/tangent_frame.h"

namespace carom {

namespace {

using Eigen::Vector3d;
using Kind = Shape::Kind;

// Room for the feature number of a found contact in its key.
constexpr std::uint64_t features_per_pair = 1u << 24;
constexpr std::size_t most_pieces = 1'000'000;  // so that a key is a number of 64 bits

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
    case Kind::compound:
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

std::pair<int, int> ordered(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

}  // namespace

// ---- construction

AssemblyContacts::AssemblyContacts(const AssemblyDescription& description, const Bodies& bodies)
    : description_(description), number_(next_instance_number()), planar_(description.planar), materials_(description) {
  list_pieces();
  for (std::size_t i = 0; i < description.contacts.size(); ++i)
    add_named(description.contacts[i], part_name("contact", description.contacts[i].name, i), bodies);
  if (description.collide) set_up_collisions(bodies);
  list_placing(bodies);
}

void AssemblyContacts::list_pieces() {
  for (const BodyDescription& body : description_.bodies) {
    shapes_.push_back(!shapes_.empty() && *shapes_.back() == body.shape ? shapes_.back() : &body.shape);
    const int number = static_cast<int>(first_piece_.size());
    first_piece_.push_back(static_cast<int>(pieces_.size()));
    if (body.shape.kind != Kind::compound) {
      pieces_.push_back({number, shapes_.back()});
    } else {
      for (const ShapePart& part : *shapes_.back()->parts) pieces_.push_back({number, &part.shape, &part, part.at});
    }
  }
  first_piece_.push_back(static_cast<int>(pieces_.size()));
  if (pieces_.size() > most_pieces)
    throw std::invalid_argument("all bodies together have more than " + std::to_string(most_pieces) + " shapes");
}

std::vector<AssemblyContacts::Piece> AssemblyContacts::pieces_of_body(int body) const {
  const auto first = first_piece_.begin() + body;
  return {pieces_.begin() + *first, pieces_.begin() + *std::next(first)};
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
  for (const int i : colliders_)
    counts[static_cast<std::size_t>(piece(i).body)] = placing_count(piece(i).body, true, bodies);
  for (const NamedPair& pair : named_)
    for (const int i : {pair.a.body, pair.b.body})
      if (i != world) counts[static_cast<std::size_t>(i)] = placing_count(i, false, bodies);
  for (int i = 0; i < bodies.count(); ++i)
    for (Index k = 0; k < counts[static_cast<std::size_t>(i)]; ++k) placing_.push_back(bodies[i].q + k);
}

AssemblyContacts::Piece AssemblyContacts::plane_of_world(const ContactDescription& contact, const std::string& who) {
  Shape& plane = own_shapes_.emplace_back();
  plane.kind = Kind::plane;
  plane.normal = contact.plane_normal.normalized();
  if (!contact.plane_point.allFinite()) throw std::invalid_argument(who + ": the point of its plane is not a number");
  if (!(plane.normal.norm() > 0) || (planar_ && plane.normal.z() != 0))
    throw std::invalid_argument(who + ": the normal of its plane has no direction" + (planar_ ? " in x and y" : ""));
  return {world, &plane, nullptr, contact.plane_point};
}

void AssemblyContacts::add_named(const ContactDescription& contact, const std::string& who, const Bodies& bodies) {
  bodies.check_pair(contact.a, {contact.b, Vector3d::Zero()}, who);
  check_coefficients(contact.coefficients, who);
  if (contact.a.body == world) throw std::invalid_argument(who + ": its first side is a body, not the world");
  std::vector<Piece> of_a = pieces_of_body(contact.a.body), of_b;
  if (contact.point_of_a) of_a = {{contact.a.body, &own_shapes_.emplace_back(), nullptr, contact.a.at}};
  if (contact.b == world) {
    of_b = {plane_of_world(contact, who)};
  } else {
    of_b = pieces_of_body(contact.b);
  }
  const std::size_t first = names_.size();
  for (const Piece& a : of_a) {
    for (const Piece& b : of_b) add_named_pair({a, b, &contact, names_.size(), {}}, who);
  }
  const std::string& name = contact.name.empty() ? who : contact.name;
  const bool several = names_.size() > first + 1;
  for (std::size_t k = first; k < names_.size(); ++k)
    names_[k] = several ? name + "." + std::to_string(k - first + 1) : name;
}

// Leaves the names of its points empty.
void AssemblyContacts::add_named_pair(const NamedPair& pair, const std::string& who) {
  const Shape &a = *pair.a.shape, &b = *pair.b.shape;
  std::string why_not;
  if (!can_touch(a, b, planar_, why_not)) throw std::invalid_argument(who + ": " + why_not);
  const bool on_plane = a.kind == Kind::plane || b.kind == Kind::plane;
  named_.push_back(pair);
  if (!planar_ && !on_plane && !is_point_like(a) && !is_point_like(b)) named_.back().names.emplace(a, b);
  names_.resize(names_.size() + static_cast<std::size_t>(point_count(a, b, planar_)));
}

void AssemblyContacts::set_up_collisions(const Bodies& bodies) {
  const Collide& collide = *description_.collide;
  std::vector<int> chosen = collide.bodies;
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (!chosen.empty() && (chosen.front() < 0 || chosen.back() >= bodies.count()))
    throw std::invalid_argument("collide: a body in its list does not exist");
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k)
    if (chosen.empty() || std::binary_search(chosen.begin(), chosen.end(), piece(k).body)) colliders_.push_back(k);
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

bool AssemblyContacts::can_meet(const Piece& a, const Piece& b) const {
  const bool both_points = a.shape->kind == Kind::point && b.shape->kind == Kind::point;
  return a.body != b.body && !both_points && can_collide(a.body, b.body);
}

// Every sort of shape against every other; only where a pair of sorts is not known are the bodies looked through.
void AssemblyContacts::check_colliding_shapes(const Bodies& bodies) const {
  struct Sort {
    const Shape* shape;
    std::vector<int> bodies;
  };
  std::map<std::pair<Kind, bool>, Sort> by_sort;  // with or without thickness
  for (const int k : colliders_) {
    const Shape& shape = *piece(k).shape;
    Sort& sort = by_sort[{shape.kind, shape.radius > 0}];
    sort.shape = &shape;
    if (sort.bodies.empty() || sort.bodies.back() != piece(k).body) sort.bodies.push_back(piece(k).body);
  }
  for (const auto& [kind_a, a] : by_sort) {
    for (const auto& [kind_b, b] : by_sort) {
      if (kind_a.first == Kind::point && kind_b.first == Kind::point) continue;
      std::string why_not;
      if (can_touch(*a.shape, *b.shape, planar_, why_not)) continue;
      const auto pair = first_meeting(a.bodies, b.bodies, bodies);
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
  for (const int k : colliders_) {
    const int i = piece(k).body;
    std::vector<int>& alike = by_material[description_.bodies[static_cast<std::size_t>(i)].material];
    if (alike.empty() || alike.back() != i) alike.push_back(i);
  }
  std::vector<std::pair<int, int>> pairs;
  for (auto a = by_material.begin(); a != by_material.end(); ++a) {
    for (auto b = a; b != by_material.end(); ++b) {
      if (const auto pair = first_meeting(a->second, b->second, bodies)) pairs.push_back(*pair);
    }
  }
  return pairs;
}

// A-B, then the parts of those that have several, then the number of the feature: A-B.lid.3.
std::string AssemblyContacts::name(std::uint64_t key) const {
  if (key < names_.size()) return names_[key];
  const auto [a, b] = pieces_of(key);
  const auto body_name = [&](int body) { return description_.bodies[static_cast<std::size_t>(body)].name; };
  std::string name = body_name(a.body) + "-" + body_name(b.body);
  for (const Piece* of : {&a, &b})
    if (of->part) name += "." + of->part->name;
  if (point_count(*a.shape, *b.shape, planar_) == 1) return name;
  return name + "." + std::to_string((key - names_.size()) % features_per_pair + 1);
}

AssemblyContacts::Pieces AssemblyContacts::pieces_of(std::uint64_t key) const {
  if (key < names_.size()) return {named_pair(key).a, named_pair(key).b};
  const std::uint64_t pair = (key - names_.size()) / features_per_pair, pieces = pieces_.size();
  const Piece &i = piece(static_cast<int>(pair / pieces)), &j = piece(static_cast<int>(pair % pieces));
  return description_.bodies[static_cast<std::size_t>(i.body)].fixed ? Pieces{j, i} : Pieces{i, j};  // as below
}

// A single point of a body counts as all of it.
const Shape& AssemblyContacts::bulk_of(const Piece& piece) const {
  const bool is_named_point = piece.shape->kind == Kind::point && piece.body != world;
  return is_named_point ? shape_of(piece.body) : *piece.shape;
}

double AssemblyContacts::width(std::uint64_t key) const {
  double least = HUGE_VAL;
  const auto [a, b] = pieces_of(key);
  for (const Shape* shape : {&bulk_of(a), &bulk_of(b)})
    if (extent_of(*shape) > 0) least = std::min(least, 2 * extent_of(*shape));
  return std::isfinite(least) ? least : 0;
}

double AssemblyContacts::half_thickness(std::uint64_t key) const {
  double least = HUGE_VAL;
  const auto [a, b] = pieces_of(key);
  for (const Shape* shape : {&bulk_of(a), &bulk_of(b)})
    if (const double own = half_thickness_of(*shape, planar_); own > 0) least = std::min(least, own);
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
  Placement pose_of(const Piece& piece) const {
    const PlacedBody& body = (*this)[piece.body];
    if (!piece.part) return {body.at(piece.at), body.rotation()};
    return {body.at(piece.at), body.rotation() * piece.part->rotation};
  }
  // Of a whole body its frame; another is kept until the next with this number is asked for.
  const Placement& frame_of(const Piece& piece, std::size_t number) {
    if (!piece.part) return (*this)[piece.body].frame();
    return frames[number] = pose_of(piece);
  }

  std::array<Placement, 2> frames;
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
  for (const NamedPair& pair : named_) {
    work.touches.clear();
    const Placement pose_a = work.pose_of(pair.a), pose_b = work.pose_of(pair.b);
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
    const Piece& own = piece(colliders_[k]);
    const PlacedBody& body = work[own.body];
    work.half_step[k] = reaches_[k].of(body.velocity(u, body.centre()).norm(), body.angular_velocity(u).norm(), h);
    Box& box = work.boxes[k] = bounding_box(*own.shape, work.frame_of(own, 0));
    box.low.array() -= work.half_step[k];
    box.high.array() += work.half_step[k];
  }
}

void AssemblyContacts::find_between_shapes(Workspace& work, Contacts& contacts) const {
  for (const auto& [k, l] : work.broad_phase.pairs(work.boxes)) {
    if (work.still[static_cast<std::size_t>(k)] && work.still[static_cast<std::size_t>(l)]) {
      work.found.repeat({k, l}, contacts);
      continue;
    }
    const double reach = work.half_step[static_cast<std::size_t>(k)] + work.half_step[static_cast<std::size_t>(l)];
    const int i = colliders_[static_cast<std::size_t>(k)], j = colliders_[static_cast<std::size_t>(l)];
    const bool moves = work[piece(i).body].moves();
    const Piece &a = piece(moves ? i : j), &b = piece(moves ? j : i);
    if (!work[a.body].moves() || !can_meet(a, b)) continue;
    // Keys ascend with the pairs, so that nothing has to be sorted by them.
    const std::uint64_t pair = static_cast<std::uint64_t>(i) * pieces_.size() + static_cast<std::uint64_t>(j);
    const std::size_t begin = contacts.points.size();
    work.touches.clear();
    find_touches(*a.shape, work.frame_of(a, 0), *b.shape, work.frame_of(b, 1), planar_, reach, work.touches);
    for (const Touch& touch : work.touches) {
      const std::uint64_t found = pair * features_per_pair + static_cast<std::uint64_t>(touch.feature);
      add_contact(names_.size() + found, materials_(a.body, b.body), Vector3d::Zero(), work[a.body], work[b.body],
                  touch, planar_, contacts);
    }
    work.found.note({k, l}, begin, contacts);
  }
}

}  // namespace carom
