// Waves in thin rods that collide: the x–t diagram, and what the rods do on the whole.

#pragma once

#include <vector>

#include "models/thin_rods.h"
#include "tools/figures/plot.h"

namespace carom {

struct RodSample {
  double time = 0;
  std::vector<double> mean_velocity, kinetic, strain_energy;  // by rods; ρA = 1
};

struct RodMotion {
  std::vector<int> lengths;
  int cells = 0;  // a unit of length
  std::vector<ThinRodState> states;
  std::vector<RodSample> samples;
  std::vector<double> opens_at;
};

// Wave speed 1.
RodMotion rod_motion(const std::vector<int>& lengths, const std::vector<double>& velocities, int cells);

// Regions of equal velocity, each with its velocity and strain written into it where it is large enough.
Panel wave_panel(const RodMotion& motion, const std::string& title, double until);

}  // namespace carom
