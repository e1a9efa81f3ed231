// Kane's double pendulum by default: two uniform rods whose tip strikes a rough floor, in the published state (Kane &
// Levinson 1985; Glocker 2014, sect. 9.2), where Newton's law creates energy.

#include "models/closed_form/pendulum.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs = [] {
    PendulumDefaults kane;
    kane.mass = "3";
    kane.length = "2";
    kane.position = "[20 deg, 30 deg]";
    kane.velocity = "[-0.1, -0.2]";
    kane.contact = "floor";
    kane.friction = "0.5";
    return pendulum_parameters(kane, true);
  }();
  return specs;
}

}  // namespace

ModelEntry double_pendulum_model() {
  return {"double-pendulum",
          "Two rods or point masses, one hanging from the other; as it stands Kane's pendulum, whose tip strikes a "
          "rough floor.",
          "link-1.angle, link-2.angle, both from the downward vertical",
          "Kane & Levinson 1985; Glocker 2014, sect. 9.2",
          parameters(),
          [](const Parameters& given) {
            return hang_pendulum({given, parameters()}, 2);
          }};
}

}  // namespace carom
