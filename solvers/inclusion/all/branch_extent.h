// How far apart the velocities of a branch can be.

#pragma once

#include <optional>
#include <vector>

#include "solvers/inclusion/all/branch_cone.h"

namespace carom {

// Impulses of a branch in which every site is decided, farthest to either side along every free velocity, and how far
// apart their velocities are, as √energy.
struct Extent {
  std::vector<Vec> corners;
  double size = 0;

  Vec centre() const;
};

class BranchExtent {
 public:
  BranchExtent(const Inclusion& inclusion, const UnitFriction& problem, const Mat& K, double rest)
      : inclusion_(inclusion), problem_(problem), K_(K), rest_(rest) {}

  // Nothing if no impulses are found, or velocities without bound. Counts the linear programmes.
  std::optional<Extent> of(const Branch& branch, int corners, int& programmes) const;

 private:
  Mat speeds() const;

  const Inclusion& inclusion_;
  const UnitFriction& problem_;
  const Mat& K_;  // G = KᵀK
  double rest_;
};

}  // namespace carom
