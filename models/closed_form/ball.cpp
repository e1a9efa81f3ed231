// A ball that bounces on a floor. Dropped from rest by h it strikes first at t₁ = √(2h/g), and its impacts accumulate
// at t₁(1+ε)/(1−ε).

#include "models/closed_form/line_bodies.h"
#include "models/closed_form/parameter_values.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{positive("mass", "1", "kg"), not_negative("radius", "0.1", "m"),
                     any_number("gravity", "9.81", "downwards, m/s²"),
                     any_number("position", "1.1", "height of the centre at the start, m"),
                     any_number("velocity", "0", "upwards at the start, m/s")} +
      frictionless_parameters("0.8", false);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  LineData data;
  data.axis = LineData::Axis::y;
  data.bodies = {"ball"};
  data.shapes = {disk_shape(values.number("radius"))};
  data.masses = values.list("mass", 1);
  data.acceleration = -values.number("gravity");
  data.contact_names = {"floor"};
  data.contacts = {{ground, 0, values.number("radius")}};
  return {std::make_shared<LineBodies>(std::move(data), values.coefficients(1)), values.list("position", 1),
          values.list("velocity", 1)};
}

}  // namespace

ModelEntry ball_model() {
  return {"ball", "A ball bouncing on a floor.", "ball.y of the centre", "elementary", parameters(), make};
}

}  // namespace carom
