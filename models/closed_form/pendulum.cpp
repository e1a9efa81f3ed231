#include "models/closed_form/pendulum.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace carom {

namespace {

const Eigen::Vector2d downward(0, -1);

std::vector<Link> links_of(const ParameterValues& values, Index count) {
  const Vec mass = values.list("mass", count), length = values.list("length", count);
  const bool rods = values.word("shape") == "rod";
  std::vector<Link> links;
  for (Index i = 0; i < count; ++i) {
    const std::string name = count == 1 ? "pendulum" : fmt::format("link-{}", i + 1);
    links.push_back(rods ? Link::rod(name, length(i), mass(i)) : Link{name, length(i), mass(i), length(i), 0});
  }
  if (values.has("centre")) {
    const Vec centre = values.list("centre", count);
    for (Index i = 0; i < count; ++i) links[static_cast<std::size_t>(i)].centre = centre(i);
  }
  if (values.has("inertia")) {
    const Vec inertia = values.list("inertia", count);
    for (Index i = 0; i < count; ++i) links[static_cast<std::size_t>(i)].inertia = inertia(i);
  }
  return links;
}

void refuse_massless_turning(const std::vector<Link>& links) {
  const Link& last = links.back();
  if (last.inertia == 0 && last.centre == 0)
    throw std::invalid_argument("the last link has neither inertia nor a distance of its mass from the hinge");
}

LinkOnPlane tip_on_floor(const std::vector<Link>& links, double floor) {
  return {"tip", static_cast<Index>(links.size()) - 1, {links.back().length, 0}, {0, floor}, {0, 1}, {-1, 0}};
}

LinkOnPlane tip_on_wall(const std::vector<Link>& links, double wall) {
  return {"tip", static_cast<Index>(links.size()) - 1, {links.back().length, 0}, {wall, 0}, {-1, 0}, {0, 1}};
}

Eigen::Vector2d tip_of(const std::vector<Link>& links, const Vec& q) {
  const PlanarChain chain(links, downward, 0, {}, {ContactCoefficients{}});
  return chain.point(q, q.size() - 1, {links.back().length, 0});
}

}  // namespace

PlanarChain pendulum_on_floor(std::vector<Link> links, double gravity, double floor, const ContactCoefficients& tip) {
  const LinkOnPlane contact = tip_on_floor(links, floor);
  return PlanarChain(std::move(links), downward, gravity, {contact}, {tip});
}

ParameterSpecs pendulum_parameters(const PendulumDefaults& defaults, bool several_links) {
  ParameterSpecs links = {
      positive("mass", defaults.mass, "of a link, kg"),
      positive("length", defaults.length, "of a link, m"),
      not_negative("centre", "of the shape", "distance of a link's mass centre from its hinge, m"),
      not_negative("inertia", "of the shape", "of a link about its mass centre, kg m²"),
      as_angle(any_number("position", defaults.position, "angles at the start, rad")),
      as_angle(any_number("velocity", defaults.velocity, "angular velocities at the start, rad/s"))};
  for (ParameterSpec& spec : links) {
    if (!several_links) continue;
    spec = list_of(spec);
    spec.meaning += "; one per link, or one for all";
  }
  return links +
         ParameterSpecs{one_of("shape", defaults.shape, "uniform rods, or point masses at the ends of massless ones",
                               {"rod", "point"}),
                        any_number("gravity", "9.81", "downwards, m/s²"),
                        one_of("contact", defaults.contact,
                               "what the tip may meet: nothing, a floor below it, a wall to the right of it",
                               {"none", "floor", "wall"}),
                        any_number("at", "where the tip is at the start", "height of the floor or x of the wall, m")} +
         contact_parameters(defaults.restitution, defaults.friction, false);
}

Model hang_pendulum(const ParameterValues& values, Index count) {
  const Vec q = values.list("position", count), u = values.list("velocity", count);
  std::vector<Link> links = links_of(values, count);
  refuse_massless_turning(links);
  const std::string contact = values.word("contact");
  const Eigen::Vector2d tip = tip_of(links, q);
  std::vector<LinkOnPlane> contacts;
  if (contact == "floor") contacts.push_back(tip_on_floor(links, values.has("at") ? values.number("at") : tip.y()));
  if (contact == "wall") contacts.push_back(tip_on_wall(links, values.has("at") ? values.number("at") : tip.x()));
  return {std::make_shared<PlanarChain>(std::move(links), downward, values.number("gravity"), std::move(contacts),
                                        values.coefficients(1)),
          q, u};
}

namespace {

PendulumDefaults simple_defaults() {
  PendulumDefaults defaults;
  defaults.shape = "point";
  return defaults;
}

const ParameterSpecs& simple_parameters() {
  static const ParameterSpecs specs = pendulum_parameters(simple_defaults(), false);
  return specs;
}

}  // namespace

ModelEntry pendulum_model() {
  return {"pendulum",
          "A point mass or rod swinging about a fixed point; its end may meet a floor or a wall.",
          "pendulum.angle, from the downward vertical",
          "elementary",
          simple_parameters(),
          [](const Parameters& given) {
            return hang_pendulum({given, simple_parameters()}, 1);
          }};
}

}  // namespace carom
