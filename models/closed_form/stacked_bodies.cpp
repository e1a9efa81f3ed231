// Body 1 falls on body 2, which rests on the ground (Glocker 2014, fig. 2). Elastic contact A above, plastic contact B
// below: what comes back up depends on whether a law lets B, which does not approach, take part.

#include <algorithm>

#include "models/closed_form/line_bodies.h"
#include "models/closed_form/parameter_values.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{list_of(positive("mass", "1", "of each, kg")),
                     list_of(not_negative("height", "0.2", "of each, m")),
                     any_number("gravity", "9.81", "downwards, m/s²"),
                     list_of(any_number("position", "on each other and on the ground", "of each at the start, m")),
                     list_of(any_number("velocity", "[-1, 0]", "of each at the start, m/s"))} +
      frictionless_parameters("[1, 0]", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const Vec height = values.list("height", 2);
  const double apart = (height(0) + height(1)) / 2, above = height(1) / 2;
  LineData data;
  data.axis = LineData::Axis::y;
  data.bodies = {"body-1", "body-2"};
  const double width = 1.5 * std::max(height(0), height(1));  // to be seen; the bodies only have heights
  data.shapes = {block_shape(width, height(0)), block_shape(width, height(1))};
  data.masses = values.list("mass", 2);
  data.acceleration = -values.number("gravity");
  data.contact_names = {"A", "B"};
  data.contacts = {{1, 0, apart}, {ground, 1, above}};
  const Vec q = values.has("position") ? values.list("position", 2) : Vec(Eigen::Vector2d(above + apart, above));
  return {std::make_shared<LineBodies>(std::move(data), values.coefficients(2)), q, values.list("velocity", 2)};
}

}  // namespace

ModelEntry stacked_bodies_model() {
  return {"stacked-bodies",
          "A body dropped on another that rests on the ground.",
          "body-1.y, body-2.y of the centres; body 1 is above",
          "Glocker 2014, fig. 2",
          parameters(),
          make};
}

}  // namespace carom
