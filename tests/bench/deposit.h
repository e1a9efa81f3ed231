// A pile by geometry alone, so that large ones need not fall for minutes before they are at rest.

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom::bench {

// Centres of disks set down one after the other in a box on the floor y = 0 between the walls x = 0 and x = width, each
// in the lowest place where two of those that lie already, one and a wall, or one and the floor carry it (steepest
// descent to the end: Visscher & Bolsterli 1972, with the lowest of all ends). Radii have few different values.
std::vector<Eigen::Vector2d> deposited(const std::vector<double>& radii, double width);

}  // namespace carom::bench
