// Two point masses that collide on a line (Glocker 2004, sect. 2).

#include "models/closed_form/line_bodies.h"
#include "models/closed_form/parameter_values.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{list_of(positive("mass", "1", "of each, kg")),
                     list_of(any_number("position", "[0, 0]", "of each at the start, m")),
                     list_of(any_number("velocity", "[1, 0]", "of each at the start, m/s"))} +
      frictionless_parameters("0.5", false);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  LineData data;
  data.bodies = {"body-1", "body-2"};
  data.masses = values.list("mass", 2);
  data.contact_names = {"contact"};
  data.contacts = {{0, 1, 0}};
  return {std::make_shared<LineBodies>(std::move(data), values.coefficients(1)), values.list("position", 2),
          values.list("velocity", 2)};
}

}  // namespace

ModelEntry two_point_masses_model() {
  return {"two-point-masses",   "Two point masses colliding on a line.",
          "body-1.x, body-2.x", "Glocker 2004, sect. 2",
          parameters(),         make};
}

}  // namespace carom
