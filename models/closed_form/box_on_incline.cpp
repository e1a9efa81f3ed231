// A box on a rough incline, x down the slope and y normal to it (Brogliato 2012, sect. 2.3.4). Sliding down at v it
// stops after v²/(2g(μ cos β − sin β)) if μ > tan β.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{as_angle(any_number("incline", "0.3", "angle β of the slope, rad")),
                     positive("mass", "1", "kg"),
                     positive("width", "0.2", "m"),
                     positive("height", "0.1", "m"),
                     positive("inertia", "of a uniform block", "about the centre, kg m²"),
                     whole_number("corners", "2", "that can touch: the two at the bottom, or all four", 2, 4),
                     any_number("gravity", "9.81", "downwards, m/s²")} +
      start_on_floor_parameters("0", "[1, 0, 0]") + contact_parameters("0", "0.5", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double incline = values.number("incline"), g = values.number("gravity");
  const double m = values.number("mass"), width = values.number("width"), height = values.number("height");
  const Index corners = values.whole("corners");
  if (corners == 3) throw std::invalid_argument("corners must be 2 or 4");
  PlanarBodyData block{"box", m};
  block.shape = block_shape(width, height);
  block.inertia = values.has("inertia") ? values.number("inertia") : m * (width * width + height * height) / 12;
  block.contacts = block_corners(width, height, corners);
  block.acceleration = g * Eigen::Vector2d(std::sin(incline), -std::cos(incline));
  block.tilt = -incline;
  return start_on_floor(std::move(block), values);
}

}  // namespace

ModelEntry box_on_incline_model() {
  return {"box-on-incline",
          "A box sliding, tipping or bouncing on a rough incline.",
          "box.x down the slope, box.y normal to it (both of the centre), box.angle against the slope",
          "Brogliato 2012, sect. 2.3.4",
          parameters(),
          make};
}

}  // namespace carom
