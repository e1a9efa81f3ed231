// Slider-crank with a translational clearance joint (Flores, Leine & Glocker 2010): a slider, twice a long and twice b
// high, turns freely about the end of the connecting rod between two rails at y = ±(b + c). Crank and rod are links of
// a planar chain; the slider is a third link of length 0 with its mass centre in its hinge. Nothing drives the crank.

#include "models/closed_form/parameter_values.h"
#include "models/closed_form/planar_chain.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{
          list_of(positive("length", "[0.153, 0.306]", "of crank and connecting rod, m")),
          list_of(positive("mass", "[0.038, 0.038, 0.076]", "of crank, connecting rod and slider, kg")),
          list_of(positive("inertia", "[7.4e-5, 5.9e-4, 2.7e-6]", "about their mass centres, kg m²")),
          positive("half_length", "0.05", "of the slider, m"),
          positive("half_height", "0.025", "of the slider, m"),
          positive("clearance", "0.001", "between the centred slider and each rail, m"),
          any_number("gravity", "9.81", "downwards, m/s²"),
          as_angle(list_of(any_number("position", "[0, 0, 0]", "angles at the start, rad"))),
          as_angle(list_of(any_number("velocity", "[150, -75, 0]", "angular velocities at the start, rad/s")))} +
      contact_parameters("0.4", "0.01", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const Vec l = values.list("length", 2), m = values.list("mass", 3), J = values.list("inertia", 3);
  const double a = values.number("half_length"), b = values.number("half_height");
  const double rail = b + values.number("clearance");
  const auto corner = [&](const char* name, double x, double y) {
    const double up = y > 0 ? 1 : -1;
    return LinkOnPlane{name, 2, {x, y}, {0, up * rail}, {0, -up}, {1, 0}};
  };
  auto chain = std::make_shared<PlanarChain>(
      std::vector<Link>{
          {"crank", l(0), m(0), l(0) / 2, J(0)}, {"rod", l(1), m(1), l(1) / 2, J(1)}, {"slider", 0, m(2), 0, J(2)}},
      Eigen::Vector2d::UnitX(), values.number("gravity"),
      std::vector<LinkOnPlane>{corner("top-left", -a, b), corner("top-right", a, b), corner("bottom-left", -a, -b),
                               corner("bottom-right", a, -b)},
      values.coefficients(4));
  return {std::move(chain), values.list("position", 3), values.list("velocity", 3)};
}

}  // namespace

ModelEntry slider_crank_model() {
  return {"slider-crank",
          "A slider-crank whose slider has clearance between its rails: four corners strike and slide.",
          "crank.angle, rod.angle, slider.angle, all from the x axis, along which the slider moves",
          "Flores, Leine & Glocker 2010",
          parameters(),
          make};
}

}  // namespace carom
