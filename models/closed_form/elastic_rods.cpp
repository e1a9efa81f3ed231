// Thin elastic rods that collide end to end, each cut into pieces of equal length: every piece a mass ρAΔ, springs EA/Δ
// between neighbours, plastic contacts between the rods. Coordinates are displacements from the undeformed start.
// As the mesh is refined two rods tend to the rigid restitution l₁/l₂ (l₁ < l₂; Glocker 2004, sect. 3) and three equal
// ones to the outcome of the sequential law (Winandy & Leine 2016, sect. 4); one piece a rod is the rigid rod.
// thin_rods.h has the limit.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/closed_form/line_bodies.h"
#include "models/closed_form/parameter_values.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{
          list_of(positive("length", "[1, 2]", "of each rod, m; as many as there are rods")),
          list_of(any_number("velocity", "[1, 0]", "of each rod at the start, m/s")),
          list_of(not_negative("gap", "0", "between neighbours at the start, m; one per pair, or one for all")),
          whole_number("pieces", "20", "of the shortest rod; the others in proportion to their length", 1, 1e6),
          positive("density", "1", "ρ, kg/m³"),
          positive("modulus", "1", "E, N/m²"),
          positive("section", "1", "A, m²")} +
      frictionless_parameters("0", true);
  return specs;
}

struct Material {
  double mass_per_length, stiffness;  // ρA, EA
};

// Appends the pieces and springs of a rod whose left end is at `left`.
void add_rod(Index number, double length, Index pieces, double left, const Material& material, LineData& data,
             std::vector<double>& masses, std::vector<double>& places) {
  const double piece = length / static_cast<double>(pieces);
  for (Index k = 0; k < pieces; ++k) {
    const auto i = static_cast<Index>(masses.size());
    data.bodies.push_back(fmt::format("rod-{}-{}", number, k + 1));
    data.shapes.push_back(rod_shape(piece));
    masses.push_back(material.mass_per_length * piece);
    places.push_back(left + (static_cast<double>(k) + 0.5) * piece);
    if (k > 0) data.springs.push_back({i - 1, i, material.stiffness / piece});
  }
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const Vec length = values.list("length");
  const Index rods = length.size();
  const Vec velocity = values.list("velocity", rods), gap = rods > 1 ? values.list("gap", rods - 1) : Vec();
  const double piece = length.minCoeff() / values.number("pieces");
  if (!(length.sum() / piece < 1e7)) throw std::invalid_argument("elastic rods of more than 10 million pieces");
  const double section = values.number("section");
  const Material material{values.number("density") * section, values.number("modulus") * section};
  LineData data;
  std::vector<double> masses, places, velocities;
  double left = 0;
  for (Index r = 0; r < rods; ++r) {
    if (r > 0) {
      const auto first = static_cast<Index>(masses.size());
      left += length(r - 1) + gap(r - 1);
      data.contact_names.push_back(fmt::format("contact-{}", r));
      data.contacts.push_back({first - 1, first, -gap(r - 1)});
    }
    add_rod(r + 1, length(r), std::max<Index>(1, std::lround(length(r) / piece)), left, material, data, masses, places);
    velocities.resize(masses.size(), velocity(r));
  }
  const auto total = static_cast<Index>(masses.size());
  data.masses = Eigen::Map<const Vec>(masses.data(), total);
  data.places = Eigen::Map<const Vec>(places.data(), total);
  return {std::make_shared<LineBodies>(std::move(data), values.coefficients(rods - 1)), Vec::Zero(total),
          Eigen::Map<const Vec>(velocities.data(), total)};
}

}  // namespace

ModelEntry elastic_rods_model() {
  return {"elastic-rods",
          "Elastic rods colliding end to end, as masses and springs; one piece a rod makes them rigid.",
          "rod-1-1.x, rod-1-2.x, ..., rod-2-1.x, ...: displacements of the pieces from the start",
          "Glocker 2004, sect. 3; Winandy & Leine 2016, sect. 4",
          parameters(),
          make};
}

}  // namespace carom
