// Any number of balls on a line: Newton's cradle, tapered chains, columns under gravity (Brogliato 2012, sect. 2.3.1;
// Winandy & Leine 2016). A wall may stand at either end, the left one at x = 0.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/closed_form/line_bodies.h"
#include "models/closed_form/parameter_values.h"
#include "models/list.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{
          whole_number("balls", "3", "how many", 1, 1e7),
          list_of(positive("mass", "1", "of a ball, kg; one per ball, or one for all")),
          positive("mass_ratio", "1", "of a ball to the one before, where mass is one number"),
          list_of(not_negative("radius", "0.05", "of a ball, m; one per ball, or one for all")),
          list_of(not_negative("gap", "0", "between neighbours at the start, m; one per pair, or one for all")),
          any_number("speed", "1", "of the first ball at the start, m/s, where velocity is not given"),
          list_of(any_number("velocity", "speed for the first ball, 0 for the others",
                             "at the start, m/s; one per ball, or one for all")),
          any_number("gravity", "0", "along the line, towards the first ball, m/s²"),
          one_of("wall", "none", "where walls stand", {"none", "left", "right", "both"}),
          not_negative("wall_gap", "0", "between a wall and its ball at the start, m")} +
      frictionless_parameters("1", true);
  return specs;
}

Vec masses_of(const ParameterValues& values, Index balls) {
  const double ratio = values.number("mass_ratio");
  Vec masses = values.list("mass", balls);
  if (ratio == 1) return masses;
  if (values.list("mass").size() != 1)
    throw std::invalid_argument("mass_ratio goes with one mass, that of the first ball, not with a list");
  for (Index i = 1; i < balls; ++i) masses(i) = masses(i - 1) * ratio;
  if (!(masses.minCoeff() > std::numeric_limits<double>::min()) || !std::isfinite(masses.maxCoeff()))
    throw std::invalid_argument(
        fmt::format("mass_ratio {:g} leaves the range of numbers along {} balls", ratio, balls));
  return masses;
}

Vec velocities_of(const ParameterValues& values, Index balls) {
  if (values.has("velocity")) return values.list("velocity", balls);
  Vec velocities = Vec::Zero(balls);
  velocities(0) = values.number("speed");
  return velocities;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  const Index balls = values.whole("balls");
  const std::string wall = values.word("wall");
  const bool left = wall == "left" || wall == "both", right = wall == "right" || wall == "both";
  const double wall_gap = values.number("wall_gap");
  const Vec radius = values.list("radius", balls), gap = balls > 1 ? values.list("gap", balls - 1) : Vec();
  const bool alike = (radius.array() == radius(0)).all();
  LineData data;
  data.masses = masses_of(values, balls);
  data.acceleration = -values.number("gravity");
  data.bodies.reserve(static_cast<std::size_t>(balls));
  data.contact_names.reserve(static_cast<std::size_t>(balls) + 1);
  data.contacts.reserve(static_cast<std::size_t>(balls) + 1);
  Vec q(balls);
  q(0) = left ? radius(0) + wall_gap : 0;
  if (left) {
    data.contact_names.push_back("left-wall");
    data.contacts.push_back({ground, 0, radius(0)});
  }
  for (Index i = 0; i < balls; ++i) {
    data.bodies.push_back(fmt::format("ball-{}", i + 1));
    if (i == 0 || !alike) data.shapes.push_back(disk_shape(radius(i)));
    if (i == 0) continue;
    const double apart = radius(i - 1) + radius(i);
    q(i) = q(i - 1) + (apart + gap(i - 1));
    data.contact_names.push_back(fmt::format("contact-{}", i));
    data.contacts.push_back({i - 1, i, apart});
  }
  if (right) {
    data.contact_names.push_back("right-wall");
    data.contacts.push_back({balls - 1, ground, -(q(balls - 1) + wall_gap)});
  }
  const auto contacts = static_cast<Index>(data.contacts.size());
  return {std::make_shared<LineBodies>(std::move(data), values.coefficients(contacts)), q,
          velocities_of(values, balls)};
}

}  // namespace

ModelEntry ball_chain_model() {
  return {"ball-chain",
          "Balls on a line, between walls if wanted: cradles, tapered chains, columns.",
          "ball-1.x, ball-2.x, ... of the centres, from left to right",
          "Brogliato 2012, sect. 2.3.1; Winandy & Leine 2016",
          parameters(),
          make};
}

}  // namespace carom
