// Forces of an assembly: gravity, springs with dampers, loads, and the gyroscopic moment of spatial bodies.
//
//   potential   V = −Σ m g·C + Σ ½k(δ − δ₀)²      δ the length of a line spring, a difference of coordinates, an angle
//   inner       −∂V/∂q, and −ω × Jω in the frame of each spatial body
//   applied     −c δ̇ of the dampers, and the loads
//
// Quaternions do not tell how often a body has turned about another one. The angle of a torsion spring in space is a
// position of its own, behind those of the bodies: it goes along with them and has no velocity.

#pragma once

#include <vector>

#include "models/bodies.h"

namespace carom {

struct AssembledSpring : Spring {
  Index twist = -1;                                     // its angle in q, where that does not follow from the bodies
  Eigen::Matrix3d start = Eigen::Matrix3d::Identity();  // R_aᵀR_b where that angle is zero
};

class Forces {
 public:
  // std::invalid_argument with a sentence where a spring or load has nothing to act on.
  Forces(const AssemblyDescription& description, const Bodies& bodies);

  const std::vector<Coordinate>& twists() const { return twists_; }  // all zero in the initial pose
  // The twists of q still are where the bodies were before this displacement: brings them to where the bodies are.
  void follow(const Bodies& bodies, const Vec& displacement, Vec& q) const;

  double potential(const Bodies& bodies, const Vec& q) const;
  void add(const Bodies& bodies, double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const;
  bool are_constant() const { return constant_; }  // in time, position and velocity
  void gradient(const Bodies& bodies, const Vec& q, const Vec& u, ForceGradient& gradient) const;

 private:
  void add_spring(const Spring& spring, const std::string& who, const Bodies& bodies);
  void set_twist(const std::string& who, const Bodies& bodies, AssembledSpring& spring);
  void add_load(const Load& load, const std::string& who, const Bodies& bodies);
  void add_weight_and_gyroscopic(const Bodies& bodies, const Vec& u, Vec& inner) const;

  Eigen::Vector3d gravity_;
  std::vector<AssembledSpring> springs_;  // with their rest lengths
  std::vector<Coordinate> twists_;
  std::vector<Load> loads_;
  std::vector<int> gyroscopic_;  // spatial bodies whose inertia is not that of a sphere
  bool constant_ = true;
};

}  // namespace carom
