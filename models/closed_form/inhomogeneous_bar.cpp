// A bar with a heavy middle (J = m l²/α, half length l) whose left end strikes a rough wall while its right end slides
// on a smooth floor (Glocker 2014, sect. 10.2, fig. 15): for α > 3 + 2√2 the impact in which Poisson's law gains
// energy. The floor carries the right end only. The angle counts from the horizontal; the paper's is π/2 more.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{
          positive("mass", "1", "m, kg"),
          positive("half_length", "1", "l, m"),
          positive("alpha", "10", "m l² over the inertia; 3 for a uniform bar"),
          any_number("gravity", "0", "downwards, m/s²"),
          as_angle(
              list_of(any_number("position", "at the wall, flat on the floor", "x, y (m), angle (rad) at the start")),
              2),
          as_angle(list_of(any_number("velocity", "[-0.5, -1, 1]", "of x, y (m/s), angle (rad/s) at the start")), 2)} +
      contact_parameters("[0, 1]", "[2, 0]", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double m = values.number("mass"), l = values.number("half_length");
  PlanarBodyData bar{"bar", m};
  bar.shape = rod_shape(2 * l);
  bar.inertia = m * l * l / values.number("alpha");
  bar.acceleration = {0, -values.number("gravity")};
  bar.contacts = {{"wall", {-l, 0}, 0, {0, 0}, {1, 0}, {0, 1}}, {"floor", {l, 0}}};
  const Vec q = values.has("position") ? values.list("position", 3) : Vec(Eigen::Vector3d(l, 0, 0));
  return {std::make_shared<PlanarBody>(std::move(bar), values.coefficients(2)), q, values.list("velocity", 3)};
}

}  // namespace

ModelEntry inhomogeneous_bar_model() {
  return {"inhomogeneous-bar",
          "A bar of small inertia between a rough wall and a smooth floor: Poisson's law gains energy.",
          "bar.x, bar.y of the centre, bar.angle from the horizontal",
          "Glocker 2014, sect. 10.2",
          parameters(),
          make};
}

}  // namespace carom
