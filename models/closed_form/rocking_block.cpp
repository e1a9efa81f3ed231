// A block that rocks from one lower corner to the other (Brogliato 2012, eqs. 30–33). Where a slender one does not slip
// or bounce, each change of corner keeps the angular momentum about the new one: ω⁺/ω⁻ = 1 − 3/2 sin²α, tan α =
// width/height (Housner 1963).

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{positive("mass", "1", "kg"),
                     positive("width", "0.2", "m"),
                     positive("height", "1", "m"),
                     positive("inertia", "of a uniform block", "about the centre, kg m²"),
                     whole_number("corners", "2", "that can touch: the two at the bottom, or all four", 2, 4),
                     any_number("gravity", "9.81", "downwards, m/s²")} +
      start_on_floor_parameters("0.1", "[0, 0, 0]") + contact_parameters("0", "1", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double m = values.number("mass"), width = values.number("width"), height = values.number("height");
  const Index corners = values.whole("corners");
  if (corners == 3) throw std::invalid_argument("corners must be 2 or 4");
  PlanarBodyData block{"block", m};
  block.shape = block_shape(width, height);
  block.inertia = values.has("inertia") ? values.number("inertia") : m * (width * width + height * height) / 12;
  block.contacts = block_corners(width, height, corners);
  block.acceleration = {0, -values.number("gravity")};
  return start_on_floor(std::move(block), values);
}

}  // namespace

ModelEntry rocking_block_model() {
  return {"rocking-block",
          "A block rocking on a rough floor, on its two lower corners or on any of four.",
          "block.x, block.y of the centre, block.angle",
          "Brogliato 2012, sect. 2.3.2; Housner 1963",
          parameters(),
          make};
}

}  // namespace carom
