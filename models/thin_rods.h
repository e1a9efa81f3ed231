// Thin elastic rods on a line, colliding end to end: the wave equation solved exactly along its characteristics
// (Glocker 2004, sect. 3; Winandy & Leine 2016, sect. 4). All rods have the same section and material, so waves
// pass a closed contact unchanged; a contact transmits no tension and has no restitution of its own.
//
// In cells of length Δx = cΔt the right- and left-going parts f, g of the velocity v = f + g move one cell a
// step. Stress is g − f (in units of ρc, tension positive): a free end reflects f = g.

#pragma once

#include <functional>
#include <vector>

namespace carom {

struct ThinRodCollision {
  std::vector<double> mean_velocity;  // of each rod, after the last contact has opened
  std::vector<double> opens_at;       // when each contact opens for good; 0 if it never closed
};

// The rods at one time, one entry a cell of each.
struct ThinRodState {
  double time = 0;
  std::vector<std::vector<double>> velocity;
  std::vector<std::vector<double>> strain;  // u_x, in units of 1/c: negative where compressed
};

// Rods of whole numbers of cells with uniform velocities, all contacts touching; wave speed 1, cells of length 1. Where
// there is an observer it sees the beginning and every step.
ThinRodCollision collide_thin_rods(const std::vector<int>& lengths, const std::vector<double>& velocities,
                                   const std::function<void(const ThinRodState&)>& observe = {});

}  // namespace carom
