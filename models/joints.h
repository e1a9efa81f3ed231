// Joints and clutches of an assembly as rows of velocities. A joint is a list of scalar relations between a pair of
// bodies; each knows its gap g and the exact derivative of g as a row.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "models/bodies.h"

namespace carom {

// The bodies of a joint where they are, with its two anchor points in the world.
struct JointedPair {
  PlacedBody a, b;
  Eigen::Vector3d point_a, point_b;
};

// d·(P_b − P_a) = f(t), d fixed in the world.
struct AlongDirection {
  Eigen::Vector3d direction;
  Expression target = {};
};

// φ_b − φ_a = rest + f(t), in the plane.
struct RelativeAngle {
  double rest = 0;
  Expression target = {};
};

// n·(P_b − P_a) = 0, n fixed in b.
struct AcrossAxis {
  Eigen::Vector3d normal;
};

// t·s = 0, t fixed in a and s in b: two of them keep two axes parallel.
struct Perpendicular {
  Eigen::Vector3d in_a, in_b;
};

// One of the three components of the rotation of b against a, from what it is in the initial pose.
struct RelativeRotation {
  Eigen::Matrix3d initial;  // R_aᵀR_b
  int component;
};

// |P_b − P_a| = length.
struct Distance {
  double length;
};

// s·v = 0, s fixed in b: v the velocity of P_b against the point of a that is there. Not the derivative of a gap.
struct BlockedDirection {
  Eigen::Vector3d in_b;
};

using JointRelation = std::variant<AlongDirection, RelativeAngle, AcrossAxis, Perpendicular, RelativeRotation, Distance,
                                   BlockedDirection>;

class JointRows {
 public:
  // std::invalid_argument with a sentence where a joint joins nothing or is not known in this dimension.
  JointRows(const AssemblyDescription& description, const Bodies& bodies);

  Index geometric_count() const { return geometric_count_; }
  Index count() const { return static_cast<Index>(names_.size()); }
  void gaps(const Bodies& bodies, double t, const Vec& q, Vec& g) const;
  void directions(const Bodies& bodies, double t, const Vec& q, Rows& B, Vec& b) const;
  const std::string& name(Index row) const { return names_[static_cast<std::size_t>(row)]; }

 private:
  struct Relations {
    Anchor a, b;
    std::vector<JointRelation> list;
  };

  void add(const Joint& joint, const std::string& who, const Bodies& bodies);

  std::vector<Relations> joints_;   // geometric ones first
  std::vector<std::string> names_;  // of the rows
  Index geometric_count_ = 0;
};

class ClutchRows {
 public:
  ClutchRows(const AssemblyDescription& description, const Bodies& bodies);

  void rows(const Bodies& bodies, const Vec& q, Clutches& clutches) const;
  std::string name(Index clutch) const { return clutches_[static_cast<std::size_t>(clutch)].name; }

 private:
  std::vector<ClutchDescription> clutches_;  // directions of unit length, with their sign
};

}  // namespace carom
