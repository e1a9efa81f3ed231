// A slender rod that comes down flat on two supports: turning about one, it strikes with the other (Glocker 2004, fig.
// 7). Two closed contacts that G couples: what the resting one does is the question to the impact law.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{positive("mass", "1", "kg"), positive("length", "1", "m"),
                     positive("inertia", "of a uniform rod", "about the centre, kg m²"),
                     positive("support", "half the length", "distance of each support from the centre, m"),
                     any_number("gravity", "9.81", "downwards, m/s²")} +
      start_on_floor_parameters("0", "[0, -0.5, -1]") + contact_parameters("0.5", "0", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double m = values.number("mass"), length = values.number("length");
  const double support = values.has("support") ? values.number("support") : length / 2;
  PlanarBodyData rod{"rod", m};
  rod.shape = rod_shape(length);
  rod.inertia = values.has("inertia") ? values.number("inertia") : m * length * length / 12;
  rod.acceleration = {0, -values.number("gravity")};
  rod.contacts = {{"left", {-support, 0}}, {"right", {support, 0}}};
  return start_on_floor(std::move(rod), values);
}

}  // namespace

ModelEntry rocking_rod_model() {
  return {"rocking-rod",
          "A rod on two supports, rocking: it turns about one and strikes with the other.",
          "rod.x, rod.y of the centre, rod.angle",
          "Glocker 2004, sect. 5",
          parameters(),
          make};
}

}  // namespace carom
