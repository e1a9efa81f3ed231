// The greatest quotient xᵀSx/xᵀx on a polyhedral cone {x : Nx ≥ 0}, exactly.
//
// On a subspace a local maximum of the quotient is its greatest eigenvalue. So either the eigenvector v lies in the
// cone, or the maximum p is on a facet: if p·v ≥ 0, the quotient rises all the way from p to v, which leaves the cone
// through a facet that v is beyond; if p·v ≤ 0, through one that −v is beyond. Branching over the two sides and
// these facets ends at the maximum; what a subspace promises by its eigenvalue alone bounds all of its faces.
//
// Cones that are empty or flat are found by Gordan's theorem: Nx > 0 has no solution if and only if a combination
// y ≥ 0, y ≠ 0 of the rows vanishes, and then n·x = 0 for every row n with y > 0.

#pragma once

#include <cstdint>
#include <optional>

#include "engine/linear_algebra.h"

namespace carom {

struct ConeMaximum {
  double value = 0;
  Vec x;  // of unit length
};

// Over many cones of one space: the greatest so far is what the next has to exceed.
class ConeQuotient {
 public:
  ConeQuotient(double floor, std::int64_t most_faces) : floor_(floor), most_faces_(most_faces) {}

  bool visit(const Mat& S, const Mat& N);  // whether it has a greater one

  const std::optional<ConeMaximum>& greatest() const { return greatest_; }  // none above the floor
  double bar() const { return greatest_ ? greatest_->value : floor_; }
  bool complete() const { return faces_ <= most_faces_; }  // false: the faces were too many
  std::int64_t faces() const { return faces_; }

 private:
  struct Face;

  void visit_face(const Mat& S, Face face);
  void branch(const Mat& S, const Face& side, const Vec& violation);

  double floor_;
  std::int64_t most_faces_;
  std::int64_t faces_ = 0;
  std::optional<ConeMaximum> greatest_;
};

}  // namespace carom
