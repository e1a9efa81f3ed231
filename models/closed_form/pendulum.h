// The pendulums: open chains of rods or point masses hanging from the origin, angles from the downward vertical, whose
// tip may meet a floor or a wall. They differ in how many links there are and in what they start with.

#pragma once

#include "models/closed_form/parameter_values.h"
#include "models/closed_form/planar_chain.h"
#include "models/list.h"

namespace carom {

struct PendulumDefaults {
  std::string shape = "rod";
  std::string mass = "1", length = "1";
  std::string position = "0.5", velocity = "0";
  std::string contact = "none", restitution = "0.5", friction = "0";
};

ParameterSpecs pendulum_parameters(const PendulumDefaults& defaults, bool several_links);

// Links are named link-1, link-2, ... from the top.
Model hang_pendulum(const ParameterValues& values, Index links);

// The chain itself, the tip above a floor at the height `floor` with the papers' tangent, which points to −x.
PlanarChain pendulum_on_floor(std::vector<Link> links, double gravity, double floor, const ContactCoefficients& tip);

}  // namespace carom
