// A particle that flies into a corner (Brogliato 2012, Example 2): it reaches both walls at once, whatever its
// velocity. With the default velocity it approaches the wall and leaves the floor.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{positive("mass", "1", "kg"),
                     as_angle(positive("corner", "90 deg", "angle between floor and wall, rad; below π")),
                     any_number("gravity", "0", "downwards, m/s²"),
                     list_of(any_number("position", "[0, 0]", "x, y at the start, m")),
                     list_of(any_number("velocity", "[-1, 0.5]", "of x, y at the start, m/s"))} +
      contact_parameters("0.5", "0", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  PlanarBodyData particle{"particle", values.number("mass")};
  particle.acceleration = {0, -values.number("gravity")};
  particle.contacts = corner_walls(values.number("corner"), 0);
  return {std::make_shared<PlanarBody>(std::move(particle), values.coefficients(2)), values.list("position", 2),
          values.list("velocity", 2)};
}

}  // namespace

ModelEntry particle_in_corner_model() {
  return {"particle-in-corner",
          "A particle flying into the corner of two walls.",
          "particle.x, particle.y from the corner",
          "Brogliato 2012, Example 2",
          parameters(),
          make};
}

}  // namespace carom
