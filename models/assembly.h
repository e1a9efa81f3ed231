// A system assembled from bodies, joints, forces and contacts, in maximal coordinates: (x, y, angle) of each planar
// body; position, quaternion (w, x, y, z) and velocity, angular velocity in the body's frame of each spatial one.
// Coordinates are those of the centre of mass, so the mass matrix is constant and block-diagonal. A body without
// rotational inertia (a point) has no coordinates of rotation: it keeps its orientation, and joints leave it free.
//
// The description is plain data with defaults; `Assembly` is built from it once and then const.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/system.h"
#include "models/drawing.h"
#include "models/expression.h"
#include "models/shape.h"

namespace carom {

inline constexpr int world = -1;  // in place of a body's index

struct PointMass {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  // in the frame of the shape
  double mass = 0;
};

struct BodyDescription {
  std::string name;
  Shape shape;
  double mass = 1;  // of the shape, without attached point masses
  // About the shape's centre of mass: planar uses (2, 2) only. Not given: from the shape.
  std::optional<Eigen::Matrix3d> inertia = std::nullopt;
  std::vector<PointMass> point_masses = {};  // shift the centre of mass; `at` below stays in the frame of the shape
  bool fixed = false;                        // does not move: its shape is part of the world
  std::string material = {};

  // Initial pose of the shape's frame and velocity of its origin. Planar: angle about z, angular velocity (2).
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  double angle = 0;
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  // in the body's frame
};

// A point fixed to a body (in the frame of its shape) or to the world.
struct Anchor {
  int body = world;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
};

struct Joint {
  enum class Kind { revolute, ball, prismatic, weld, distance, knife_edge, motion };

  Kind kind = Kind::revolute;
  std::string name;
  Anchor a, b;
  // revolute in space: the axis; prismatic: the line of sliding; knife edge: the direction that is blocked at
  // anchor b. In the frame of the shape of body b, or of the world if b is the world.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  std::optional<double> length = std::nullopt;  // distance; not given: as in the initial pose
  // motion: a coordinate of body b follows an expression of time. 0 x, 1 y, 2 z, 3 angle (planar).
  int coordinate = 0;
  Expression motion = {};
};

// w·u ≥ 0: of the rotation of b relative to a (about `axis` in space), or of the velocity of the point b relative to
// a along a direction fixed in the world.
struct ClutchDescription {
  std::string name;
  Anchor a, b;
  bool rotation = true;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  // of translation, or axis of rotation (world frame)
  double sign = 1;                                       // −1: blocks the other sense
  double restitution = 0;
};

struct Spring {
  enum class Kind { points, coordinates, torsion };

  Kind kind = Kind::points;
  std::string name;
  Anchor a, b;         // points: a line spring; torsion: the angle of b relative to a
  int coordinate = 0;  // coordinates: x, y or z of the two bodies' reference points, as in Joint::coordinate
  // torsion in space: the axis that b turns about relative to a, in the frame of the shape of a or of the world. The
  // angle counts from the initial pose, through any number of turns.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  double stiffness = 0, damping = 0;
  std::optional<double> rest = std::nullopt;  // length, difference b − a, or angle; not given: as in the initial pose
};

// A load at a point (in world directions, or turning with the body) and a moment.
struct Load {
  std::string name;
  Anchor at;
  Expression force[3];
  Expression torque[3];  // planar: the last one
  bool follows_body = false;
};

// Between two bodies' shapes, or between a point of a body and a shape, or a plane in the world. If it can have several
// points, they are called NAME.1, NAME.2, …: the corners of what stands on a plane, two for an edge on an edge.
struct ContactDescription {
  std::string name;
  Anchor a;  // with `point_of_a`: only this point of body a, instead of its shape
  bool point_of_a = false;
  int b = world;  // a body, or the world's plane
  Eigen::Vector3d plane_point = Eigen::Vector3d::Zero();
  Eigen::Vector3d plane_normal = Eigen::Vector3d::UnitY();
  ContactCoefficients coefficients;
  Eigen::Vector3d friction_axis = Eigen::Vector3d::Zero();  // orthotropic: the first tangent, in the frame of b
};

// Contacts found between shapes: every pair of bodies that are both in `bodies` (empty: all), but those joined by a
// joint, those with a contact of their own and those excepted.
struct Collide {
  std::vector<int> bodies;
  std::vector<std::pair<int, int>> except;
  bool joined_too = false;
};

struct MaterialPair {
  std::string first, second;  // in any order; "*" stands for every material
  ContactCoefficients coefficients;
};

struct AssemblyDescription {
  bool planar = true;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<BodyDescription> bodies;
  std::vector<Joint> joints;
  std::vector<ClutchDescription> clutches;
  std::vector<Spring> springs;
  std::vector<Load> loads;
  std::vector<ContactDescription> contacts;
  std::optional<Collide> collide;
  std::vector<MaterialPair> materials;
};

class Assembly final : public System, public Drawn {
 public:
  // std::invalid_argument with a sentence if the description makes no system (no moving body, a mass that is not
  // positive, a pair of shapes that is not known). A loader checks what it can name by line before.
  explicit Assembly(AssemblyDescription description);
  ~Assembly() override;

  Vec initial_positions() const;
  Index positions_of_bodies() const;  // how many; those behind them follow from their motion
  Vec initial_velocities() const;
  const AssemblyDescription& description() const;
  // Of the bodies between whose shapes contacts are found, one pair for each two materials that can meet.
  std::vector<std::pair<int, int>> meeting_materials() const;

  std::vector<Coordinate> positions() const override;
  std::vector<Coordinate> velocities() const override;
  void move(const Vec& q, const Vec& displacement, Vec& result) const override;
  void mass(const Vec& q, MassMatrix& M) const override;
  bool mass_is_constant() const override { return true; }
  double potential(double t, const Vec& q) const override;
  void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const override;
  bool forces_are_constant() const override;
  void force_gradient(double t, const Vec& q, const Vec& u, ForceGradient& gradient) const override;
  Index geometric_joint_rows() const override;
  Index joint_rows() const override;
  void joint_gaps(double t, const Vec& q, Vec& g) const override;
  void joint_directions(double t, const Vec& q, Rows& B, Vec& b) const override;
  std::string joint_name(Index row) const override;
  void contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const override;
  bool finds_again(const Contacts& found, const Vec& q, const Vec& u, double h) const override;
  std::size_t named_contacts() const override;
  std::string contact_name(std::uint64_t key) const override;
  std::uint64_t contact_pair(std::uint64_t key) const override;
  double contact_width(std::uint64_t key) const override;
  double contact_half_thickness(std::uint64_t key) const override;
  void clutches(const Vec& q, Clutches& clutches) const override;
  std::string clutch_name(Index clutch) const override;
  double largest_body() const override;
  PoseLayout poses() const override;
  void pose(const Vec& q, Index body, double* out) const override;
  std::string body_of(Index velocity_coordinate) const override;
  Drawing drawing() const override;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace carom
