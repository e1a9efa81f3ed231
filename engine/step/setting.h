// What a run steps, and how: the same from its first step to its last, but for the span of the step being taken.

#pragma once

#include "engine/length_scale.h"
#include "engine/simulation.h"

namespace carom {

struct StepSetting {
  // Contacts are found as far as `reach` steps lead.
  StepSetting(const System& of, const IntegratorOptions& by, double reach)
      : system(of),
        options(by),
        lengths(of, by.size),
        theta(by.theta),
        search_time(reach * by.step),
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
  const double theta;
  const double search_time;                 // in which contacts that are found may be met
  const Index n, joints, geometric_joints;  // velocities; rows of joints
  const bool mass_is_constant;
  const bool constant;          // mass and forces: one pass solves the step
  const bool steady;            // and no joints: every flight changes the velocity by the same
  const bool fixed_directions;  // of contacts and clutches
  const bool same_everywhere;   // mass, joints and clutches: only gaps tell one place from another

  // Of the step being taken: as long as those of the run, or a part of one.
  double h = options.step;
  double t_end = 0;

  double grid_end(const SimulationState& state) const { return static_cast<double>(state.step + 1) * options.step; }
  void take_whole(const SimulationState& state) {
    h = options.step;
    t_end = grid_end(state);
  }
  void take_part(double from, double to) {
    h = to - from;
    t_end = to;
  }
};

}  // namespace carom
