// The bodies of an assembly: which coordinates are theirs, and how points fixed to them move.
//
// Coordinates belong to the centre of mass C, a `Placement` to the frame of the shape. The point of a body at P moves
// with v_P = v_C + ω × r, r = P − C, so that a direction d there (a unit force, a row of W) has the coefficients
//
//   d          in the velocity of C,
//   r × d      in the rotation: its z component in the plane; in space Rᵀ(r × d), for ω is taken in the body's frame.
//
// A body without rotational inertia has no coordinates of rotation: it keeps the orientation it starts with.

#pragma once

#include <string>
#include <vector>

#include "engine/linear_algebra.h"
#include "models/assembly.h"
#include "models/contact_geometry.h"

namespace carom {

struct Body {
  bool moves = false;
  bool rotates = false;
  bool planar = true;
  Index q = 0, u = 0;  // its first position and velocity coordinates
  double mass = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about C, along the axes of the shape; planar: (2, 2)
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // C in the frame of the shape
  Placement initial;
  double initial_angle = 0;

  Index dimension() const { return planar ? 2 : 3; }
  Index position_count() const { return !moves ? 0 : !rotates ? dimension() : planar ? 3 : 7; }
  Index velocity_count() const { return !moves ? 0 : !rotates ? dimension() : planar ? 3 : 6; }
};

// A body where a state q puts it.
class PlacedBody {
 public:
  PlacedBody(const Body& body, const Vec& q);

  const Body& body() const { return *body_; }
  bool moves() const { return moves_; }
  const Placement& frame() const { return frame_; }
  const Eigen::Matrix3d& rotation() const { return frame_.rotation; }
  const Eigen::Vector3d& centre() const { return centre_; }  // of mass
  double angle() const { return angle_; }                    // planar
  Eigen::Vector3d at(const Eigen::Vector3d& local) const { return frame_.at(local); }

  Eigen::Vector3d angular_velocity(const Vec& u) const;  // in the world's frame
  Eigen::Vector3d velocity(const Vec& u, const Eigen::Vector3d& point) const;

  // Adds the coefficients of direction·v_P, or of axis·ω, to a row: anything with add(coordinate, value). What does
  // not move adds nothing.
  template <class Row>
  void add_velocity(const Eigen::Vector3d& direction, const Eigen::Vector3d& point, Row& row) const {
    if (!moves_) return;
    const Index dimension = planar_ ? 2 : 3;
    for (Index k = 0; k < dimension; ++k) add_nonzero(u_ + k, direction(k), row);
    add_rotation((point - centre_).cross(direction), row);
  }
  template <class Row>
  void add_rotation(const Eigen::Vector3d& axis, Row& row) const {
    if (!rotates_) return;
    if (planar_) {
      add_nonzero(u_ + 2, axis.z(), row);
    } else {
      for (Index k = 0; k < 3; ++k) add_nonzero(u_ + 3 + k, rotation().col(k).dot(axis), row);
    }
  }

 private:
  template <class Row>
  static void add_nonzero(Index coordinate, double value, Row& row) {
    if (value != 0) row.add(coordinate, value);
  }

  // What rows of contacts need of the body stands beside its centre: neighbours in a large pile are far apart in
  // memory.
  bool moves_, rotates_, planar_;
  Index u_;
  Eigen::Vector3d centre_;
  double angle_;
  const Body* body_;
  Placement frame_;
};

// A row that is a force: adds itself to a vector of generalised forces.
struct GeneralisedForce {
  Vec& F;
  void add(Index coordinate, double value) { F(coordinate) += value; }
};

class Bodies {
 public:
  // std::invalid_argument with a sentence where a description makes no body.
  explicit Bodies(const AssemblyDescription& description);

  int count() const { return static_cast<int>(bodies_.size()); }
  Index position_count() const { return position_count_; }
  Index velocity_count() const { return static_cast<Index>(body_of_velocity_.size()); }
  const Body& operator[](int body) const { return body == world ? world_ : bodies_[static_cast<std::size_t>(body)]; }
  PlacedBody place(int body, const Vec& q) const { return {(*this)[body], q}; }
  Eigen::Quaterniond orientation(int body, const Vec& q) const;  // in space
  int body_of(Index velocity_coordinate) const {
    return body_of_velocity_[static_cast<std::size_t>(velocity_coordinate)];
  }

  const Vec& initial_positions() const { return initial_positions_; }
  const Vec& initial_velocities() const { return initial_velocities_; }
  void move(const Vec& q, const Vec& displacement, Vec& result) const;  // what q has behind the bodies' stays
  void mass(MassMatrix& M) const;

  // Whether an anchor is a point there is; `who` names the joint, spring, … that asks in the sentence thrown otherwise.
  void check(const Anchor& anchor, const std::string& who) const;
  // Whether two anchors are on different bodies of which one can move.
  void check_pair(const Anchor& a, const Anchor& b, const std::string& who) const;

 private:
  void add(const BodyDescription& description, bool planar);
  void set_initial_state(const AssemblyDescription& description);

  std::vector<Body> bodies_;
  std::vector<std::string> names_;
  std::vector<bool> is_point_;
  Body world_;
  Index position_count_ = 0;
  std::vector<int> body_of_velocity_;
  Vec initial_positions_, initial_velocities_;
};

// "joint 'elbow'", or "joint 3" where it has no name: how a part of an assembly is called in a sentence.
std::string part_name(const std::string& what, const std::string& name, std::size_t index);

}  // namespace carom
