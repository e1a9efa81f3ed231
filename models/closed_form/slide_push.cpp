// The slide-push mechanism (Glocker 2014, sect. 9.1): body 1 strikes a wall elastically and pushes body 2 through a
// sprag clutch that lets the bodies move apart, not together. Newton's law doubles the energy, Poisson's loses half of
// it.

#include "models/closed_form/line_bodies.h"
#include "models/closed_form/parameter_values.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{list_of(positive("mass", "1", "of each, kg")),
                     list_of(any_number("position", "[0, 1]", "of each at the start, m")),
                     list_of(any_number("velocity", "[-1, 0]", "of each at the start, m/s")),
                     not_negative("clutch_restitution", "0", "impact coefficient of the clutch")} +
      frictionless_parameters("1", false);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  LineData data;
  data.bodies = {"body-1", "body-2"};
  data.masses = values.list("mass", 2);
  data.contact_names = {"wall"};
  data.contacts = {{ground, 0, 0}};
  data.clutches = {{"clutch", 0, 1, values.number("clutch_restitution")}};
  return {std::make_shared<LineBodies>(std::move(data), values.coefficients(1)), values.list("position", 2),
          values.list("velocity", 2)};
}

}  // namespace

ModelEntry slide_push_model() {
  return {"slide-push",
          "A body strikes a wall and pushes another through a sprag clutch.",
          "body-1.x from the wall, body-2.x",
          "Glocker 2014, sect. 9.1",
          parameters(),
          make};
}

}  // namespace carom
