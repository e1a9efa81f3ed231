// A particle that strikes a rough line (Brogliato 2012, Example 5): the smallest impact with friction. In sliding,
// ẋ⁺ = ẋ⁻ − μ(1 + ε)|ẏ⁻| sgn ẋ⁻.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{positive("mass", "1", "kg"), any_number("gravity", "9.81", "downwards, m/s²"),
                     list_of(any_number("position", "[0, 0]", "x, y at the start, m")),
                     list_of(any_number("velocity", "[1, -1]", "of x, y at the start, m/s"))} +
      contact_parameters("0.5", "0.2", false);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  PlanarBodyData particle{"particle", values.number("mass")};
  particle.acceleration = {0, -values.number("gravity")};
  particle.contacts = {{"line"}};
  return {std::make_shared<PlanarBody>(std::move(particle), values.coefficients(1)), values.list("position", 2),
          values.list("velocity", 2)};
}

}  // namespace

ModelEntry particle_on_rough_line_model() {
  return {"particle-on-rough-line",
          "A particle thrown onto a rough line.",
          "particle.x along the line, particle.y above it",
          "Brogliato 2012, Example 5",
          parameters(),
          make};
}

}  // namespace carom
