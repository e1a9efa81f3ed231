// Kane's double pendulum: two uniform rods, hinged at a ceiling and to each other, whose tip strikes a rough
// floor (Kane & Levinson 1985; Glocker 2014, sect. 9.2). The same impact in minimal coordinates (two angles
// from the downward vertical) and in maximal ones (x, y, angle of each rod, four hinge rows as bilateral
// elements), so that one can be checked against the other.

#pragma once

#include "engine/impact_problem.h"

namespace carom::testing {

struct KanePendulum {
  double mass = 3;                     // of each rod, kg
  double length = 2;                   // of each rod, m
  double angle1 = 0.3490658503988659;  // 20°
  double angle2 = 0.5235987755982988;  // 30°
  double speed1 = -0.1;                // rad/s
  double speed2 = -0.2;
  double restitution = 0.5;
  double friction = 0.5;

  ImpactProblem in_angles() const;
  ImpactProblem as_hinged_rods() const;

  // Velocities of the two rods (x, y, angle each) from the two angular velocities.
  Vec rod_velocities(double u1, double u2) const;
};

}  // namespace carom::testing
