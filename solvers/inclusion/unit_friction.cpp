#include "solvers/inclusion/unit_friction.h"

#include <algorithm>
#include <cmath>

namespace carom {

UnitFriction::UnitFriction(const Inclusion& inclusion) {
  D = Vec::Zero(inclusion.c.size());  // rows in no set carry no impulse
  friction = D;
  for (std::size_t s = 0; s < inclusion.sets.size(); ++s) {
    const ForceSet& set = inclusion.sets[s];
    if (set.shape == ForceSet::Shape::unilateral) {
      D(set.row) = std::sqrt(inclusion.r(set.row));
      friction(set.row) = 1;
      sites.push_back({.normal_set = s, .normal = set.row});
      continue;
    }
    const double unit = std::sqrt(inclusion.r(set.normal_row));
    for (Index k = 0; k < set.size(); ++k) {
      D(set.row + k) = set.friction(k) * unit;
      friction(set.row + k) = D(set.row + k) / std::sqrt(inclusion.r(set.row + k));
    }
    Site& site = sites.back();
    site.friction_set = s;
    site.tangent = set.row;
    site.tangents = set.size();
    site.smallest_friction = friction.segment(set.row, set.size()).minCoeff();
    site.largest_friction = friction.segment(set.row, set.size()).maxCoeff();
    site.offset = std::max(0.0, set.offset) / unit;
  }
  G = D.asDiagonal() * inclusion.G->dense() * D.asDiagonal();
  c = D.cwiseProduct(inclusion.c);
}

}  // namespace carom
