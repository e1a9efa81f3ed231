// A scene being read: bodies and what connects them as the file gives them, before bodies are placed and anchors
// resolved. Each part of a scene is read by one function; mistakes are recorded in the nodes' diagnostics.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/spec_reader.h"
#include "models/assembly.h"

namespace carom {

using Vec3 = Eigen::Vector3d;

// Where a part stands in the file, for messages that come after reading.
struct Origin {
  Place place;
  std::string path;
};

// Where the file gives each coefficient of a contact: at the contact itself, at its pair of materials or in the
// defaults; unknown where nothing does.
struct CoefficientPlaces {
  Place restitution, friction, tangential_restitution, stiffness;

  Place* find(const std::string& key);  // null for what is no coefficient
  bool any() const;                     // whether the file gives one of them
};

struct GivenCoefficients {
  ContactCoefficients values;
  CoefficientPlaces places;
  bool restitution_is_read = true;  // otherwise a mistake is told of it
};

struct BodyDraft {
  BodyDescription body;
  Origin origin;
  Origin position_at, attitude_at, velocity_at, rate_at;  // where each is given: at the body, or under `initial`
  bool has_position = false, has_attitude = false, has_velocity = false, has_rate = false;
  bool stands = false;         // where the initial coordinates put it
  bool rate_in_world = false;  // angular velocity is given in world axes
  // Polygons that were given clockwise: their vertices count the other way round. "" is the body's own, "PART." one of
  // its several shapes.
  std::set<std::string> reversed = {};
  bool shape_is_known = false;    // otherwise a mistake is told of it, and nothing follows from what it is not
  bool geometry_is_read = false;  // its lengths, and where it is, without mistakes

  // Where a coordinate or a velocity of it is given, a length or a turn; null if nowhere.
  const Origin* says(bool is_length, bool is_velocity) const;
};

// Two anchors as the file gives them; what is missing follows from where the bodies stand.
struct AnchorPair {
  int a = world, b = world;
  std::optional<Vec3> at_a, at_b;  // in the frames of the shapes
  std::optional<Vec3> point;       // in the world, initially
};

struct JointDraft {
  Joint joint;
  AnchorPair link;
  std::optional<Vec3> world_axis;  // as the bodies stand initially
  Origin origin;
};

struct ClutchDraft {
  ClutchDescription clutch;
  AnchorPair link;
  Origin origin;
  Place restitution;
};

struct SpringDraft {
  Spring spring;
  AnchorPair link;
  std::optional<Vec3> world_axis;  // torsion in space, as the bodies stand initially
  Origin origin;
};

struct LoadDraft {
  Load load;
  Origin origin;
};

struct ContactDraft {
  ContactDescription contact;
  Origin origin;
  CoefficientPlaces places;
  bool geometry_is_read = false;  // what meets what, without mistakes; its coefficients are there in any case
  bool restitution_is_read = true;
};

struct SceneDraft {
  bool planar = true;
  Vec3 gravity = Vec3::Zero();
  std::optional<Node> body_defaults;
  std::vector<BodyDraft> bodies;
  std::map<std::string, int> index;                // of a body by name
  std::map<std::string, std::vector<int>> groups;  // of repeated bodies by the name they share
  std::set<std::string> uncounted;                 // names of groups in whose repetition a mistake is told
  std::vector<JointDraft> joints;
  bool joints_are_read = true;  // without mistakes
  std::vector<ClutchDraft> clutches;
  std::vector<SpringDraft> springs;
  std::vector<LoadDraft> loads;
  std::vector<ContactDraft> contacts;
  bool contacts_are_counted = true;  // no mistake keeps repeated ones from being made
  std::vector<MaterialPair> materials;
  std::vector<CoefficientPlaces> material_places;  // one a pair
  ContactCoefficients default_coefficients;
  CoefficientPlaces default_places;
  std::optional<Collide> collide;
  Place collide_place;
  std::set<std::string> joint_names, clutch_names, contact_names;

  const BodyDescription& body(int i) const { return bodies[static_cast<std::size_t>(i)].body; }
  bool moves(int i) const { return i != world && !body(i).fixed; }
};

// The most bodies, joints or contacts that repetition may make.
inline constexpr std::int64_t most_parts = 1000000;

void read_bodies(const Node& node, SceneDraft& draft);
void read_pose(SpecReader& map, BodyDraft& body, bool planar);  // position, angle, velocity, ... where given

// A shape, about its centre.
struct ShapeDraft {
  Shape shape;
  Vec3 centroid = Vec3::Zero();  // of the corners or points as they are given
  bool is_known = false;         // otherwise a mistake is told of it
  bool lengths_are_read = true;  // without mistakes
  bool reversed = false;         // a polygon that was given clockwise
};
ShapeDraft read_shape(SpecReader& map, bool planar);

// Whether a key is given. In a scene of the other kind it is a mistake, which says what is there instead.
bool is_given(SpecReader& map, const char* key, bool fits, bool planar, const char* instead);
std::optional<Vec3> read_turn(const Node& node);  // axis times angle
// How a body or one of its shapes is turned: `angle` in the plane, `orientation` in space. Nothing where
// nothing is given.
std::optional<double> read_angle(SpecReader& map, bool planar);
std::optional<Eigen::Quaterniond> read_orientation(SpecReader& map, bool planar);

// The `shapes` of a body. Their shares are of a mass of 1 until their masses are known.
struct PartsDraft {
  std::vector<ShapePart> parts;
  std::vector<std::optional<double>> masses;  // those that are given, by themselves or by densities
  std::vector<double> contents;
  std::set<std::string> reversed;
  bool are_known = true;
  bool lengths_are_read = true;

  bool give_masses() const;
};
PartsDraft read_parts(const Node& shapes, bool planar);
void read_joints(const Node& node, SceneDraft& draft);
void read_clutches(const Node& node, SceneDraft& draft);
void read_forces(const Node& node, SceneDraft& draft);
GivenCoefficients read_coefficients(SpecReader& map, const GivenCoefficients& otherwise, bool planar);
void read_materials(const Node& node, SceneDraft& draft);
std::string read_material(SpecReader& map, const SceneDraft& draft);  // of a body or plane; empty if it has none
// Those of two materials: of the pair with the fewest stars, the last of them in the file; else the defaults.
GivenCoefficients coefficients_between(const SceneDraft& draft, const std::string& a, const std::string& b);
void read_contacts(const Node& node, SceneDraft& draft);
void read_collide(const Node& node, SceneDraft& draft);
// Of a scene in which no contact is named or found: shapes that nothing keeps apart.
void tell_of_shapes_that_pass(const Node& bodies, const SceneDraft& draft);

// Bodies without a position hang on their joints, walked from the world; velocities likewise. Then every anchor and
// axis is known, and the description complete.
AssemblyDescription placed(SceneDraft draft);

// Values in the plane or in space.
std::optional<Vec3> read_point(const Node& node, bool planar, Unit unit = Unit::plain);
std::optional<Vec3> read_direction(const Node& node, bool planar);  // a unit vector
// "; ..." if two numbers in a list look like one with a decimal comma: where that would explain that there are too
// many.
std::string hint_at_comma(const Node& list);
// A point of a body by name, or also by coordinates in the frame of its shape.
std::optional<Vec3> find_place_on_body(const Node& node, const std::string& name, int body, const SceneDraft& draft);
std::optional<Vec3> read_place_on_body(const Node& node, int body, const SceneDraft& draft);

// A body's index by name, or `world`; a mistake with a suggestion if there is none.
std::optional<int> find_body(const Node& node, const std::string& name, const SceneDraft& draft);
// Bodies by name, or by the name that repeated ones share.
std::vector<int> find_bodies(const Node& node, const std::string& name, const SceneDraft& draft);

// Names may not hold what paths, files and repetition use.
bool is_good_name(const Node& node, const std::string& name);

// {i}, {i+1}, {i-1}, ... in a text, for the i-th of repeated parts.
std::string numbered(const std::string& text, std::int64_t i);
// The name of the i-th of several: by {i}, or with the number behind it.
std::string numbered_name(const std::string& name, std::int64_t i);

// Calls read(i) for i = 1 … repeat, or once with 0. Stops at the first that has mistakes.
void for_each_repetition(SpecReader& map, std::size_t made_already, const std::function<void(std::int64_t)>& read);

// The one key that says what a part is; a mistake if there is none or more.
std::optional<std::string> kind_of(SpecReader& map, const std::vector<std::string>& kinds);

}  // namespace carom
