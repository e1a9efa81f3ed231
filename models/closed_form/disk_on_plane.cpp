// A disk on a rough floor (Brogliato 2012, eq. 36). Started without spin at v it slides, then rolls at v/(1 + J/(mR²)):
// two thirds of v for a full disk, five sevenths with a sphere's inertia.

#include "models/closed_form/planar_body.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs = ParameterSpecs{positive("mass", "1", "kg"), positive("radius", "0.1", "m"),
                                                     positive("inertia", "of a full disk", "about the centre, kg m²"),
                                                     any_number("gravity", "9.81", "downwards, m/s²")} +
                                      start_on_floor_parameters("0", "[1, 0, 0]") +
                                      contact_parameters("0", "0.2", false);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const double m = values.number("mass"), R = values.number("radius");
  PlanarBodyData disk{"disk", m};
  disk.shape = disk_shape(R);
  disk.inertia = values.has("inertia") ? values.number("inertia") : m * R * R / 2;
  disk.acceleration = {0, -values.number("gravity")};
  disk.contacts = {{"floor", {0, 0}, R}};
  return start_on_floor(std::move(disk), values);
}

}  // namespace

ModelEntry disk_on_plane_model() {
  return {"disk-on-plane",
          "A disk sliding on a rough floor until it rolls.",
          "disk.x, disk.y of the centre, disk.angle",
          "Brogliato 2012, sect. 2.3.5",
          parameters(),
          make};
}

}  // namespace carom
