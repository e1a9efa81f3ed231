// A planar rod over a rough floor, which either end can touch. As it stands it is the Painlevé rod of Glocker (1995):
// its leading end slides at 30 m/s under μ = 5/3, above the smallest critical friction 4/3 (Brogliato 2012, sect. 4),
// until contact forces cease to exist and an impact without a collision ends the slide.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs = ParameterSpecs{positive("mass", "1", "kg"), positive("length", "2", "m"),
                                                     positive("inertia", "of a uniform rod", "about the centre, kg m²"),
                                                     any_number("gravity", "10", "downwards, m/s²")} +
                                      start_on_floor_parameters("31 deg", "[-30, 0, 0]") +
                                      contact_parameters("0", "5/3", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double m = values.number("mass"), l = values.number("length") / 2;
  PlanarBodyData rod{"rod", m};
  rod.shape = rod_shape(2 * l);
  rod.inertia = values.has("inertia") ? values.number("inertia") : m * l * l / 3;
  rod.acceleration = {0, -values.number("gravity")};
  rod.contacts = {{"start", {-l, 0}}, {"end", {l, 0}}};
  return start_on_floor(std::move(rod), values);
}

}  // namespace

ModelEntry rod_on_plane_model() {
  return {"rod-on-plane",
          "A rod over a rough floor that either end can touch; as it stands the Painlevé rod.",
          "rod.x, rod.y of the centre, rod.angle of the rod against the floor",
          "Brogliato 2012, sect. 2.3.3; Glocker 1995",
          parameters(),
          make};
}

}  // namespace carom
