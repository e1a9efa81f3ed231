// What a run steps, and how; the same from its first step to its last.

#pragma once

#include "engine/length_scale.h"
#include "engine/simulation.h"

namespace carom {

struct StepSetting {
  StepSetting(const System& of, const IntegratorOptions& by)
      : system(of),
        options(by),
        lengths(of, by.size),
        h(by.step),
        theta(by.theta),
        n(static_cast<Index>(of.velocities().size())),
        joints(of.joint_rows()),
        geometric_joints(of.geometric_joint_rows()),
        mass_is_constant(of.mass_is_constant()),
        constant(mass_is_constant && of.forces_are_constant()),
        steady(constant && joints == 0),
        fixed_directions(of.directions_are_constant()),
        same_everywhere(steady && fixed_directions) {}

  const System& system;
  const IntegratorOptions options;
  const LengthScale lengths;
  const double h, theta;
  const Index n, joints, geometric_joints;  // velocities; rows of joints
  const bool mass_is_constant;
  const bool constant;          // mass and forces: one pass solves the step
  const bool steady;            // and no joints: every flight changes the velocity by the same
  const bool fixed_directions;  // of contacts and clutches
  const bool same_everywhere;   // mass, joints and clutches: only gaps tell one place from another

  double end_of(const SimulationState& state) const { return static_cast<double>(state.step + 1) * h; }
};

}  // namespace carom
