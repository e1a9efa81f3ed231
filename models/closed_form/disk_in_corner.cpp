// A disk between a floor and a wall, both rough (Brogliato 2012, eq. 37, there for a right angle). Contact forces exist
// and are unique for every load only if friction is not too large (Example 6).

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{
          positive("mass", "1", "kg"),
          positive("radius", "0.1", "m"),
          positive("inertia", "of a full disk", "about the centre, kg m²"),
          as_angle(positive("corner", "90 deg", "angle between floor and wall, rad; below π")),
          any_number("gravity", "9.81", "downwards, m/s²"),
          as_angle(list_of(any_number("position", "touching floor and wall", "x, y (m), angle (rad) at the start")), 2),
          as_angle(list_of(any_number("velocity", "[-1, -0.5, 2]", "of x, y (m/s), angle (rad/s) at the start")), 2)} +
      contact_parameters("0.5", "0.3", true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double m = values.number("mass"), R = values.number("radius"), corner = values.number("corner");
  PlanarBodyData disk{"disk", m};
  disk.shape = disk_shape(R);
  disk.inertia = values.has("inertia") ? values.number("inertia") : m * R * R / 2;
  disk.acceleration = {0, -values.number("gravity")};
  disk.contacts = corner_walls(corner, R);
  const Vec q = values.has("position") ? values.list("position", 3)
                                       : Vec(Eigen::Vector3d(R * (1 + std::cos(corner)) / std::sin(corner), R, 0));
  return {std::make_shared<PlanarBody>(std::move(disk), values.coefficients(2)), q, values.list("velocity", 3)};
}

}  // namespace

ModelEntry disk_in_corner_model() {
  return {"disk-in-corner",
          "A disk falling into a corner between a rough floor and a rough wall.",
          "disk.x, disk.y of the centre from the corner, disk.angle",
          "Brogliato 2012, sect. 2.3.6",
          parameters(),
          make};
}

}  // namespace carom
