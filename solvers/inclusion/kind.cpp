#include "solvers/inclusion/kind.h"

#include <algorithm>

namespace carom {

Kind kind_of(const Inclusion& inclusion) {
  Kind kind;
  kind.rows = inclusion.c.size();
  kind.directions = inclusion.G->has_white_rows();
  if (inclusion.unilateral) return kind;
  for (const ForceSet& set : inclusion.sets) {
    kind.planar = kind.planar && set.shape != ForceSet::Shape::ellipse;
    kind.frictionless = kind.frictionless && !set.is_friction();
    kind.joints = kind.joints || set.shape == ForceSet::Shape::bilateral;
  }
  return kind;
}

bool is_frictionless(const Inclusion& inclusion) {
  return inclusion.frictionless || std::none_of(inclusion.sets.begin(), inclusion.sets.end(),
                                                [](const ForceSet& set) { return set.is_friction(); });
}

}  // namespace carom
