// Winandy & Leine 2016: the sequential law of the three-ball cradle in the plane of contact velocities.

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cmath>

#include "tools/figures/figure.h"
#include "tools/figures/plot.h"
#include "tools/figures/wave_diagram.h"

namespace carom {

namespace {

// γ⁺ of the sequential law with ε = 1, equal masses.
Point after(Point gamma) {
  const ImpactProblem problem = balls(Vec::Ones(3), Vec{{0, gamma.x, gamma.x + gamma.y}}, Vec::Ones(2));
  const ImpactResult result = answer("sequential", problem);
  return {result.elements[0].gamma_plus(0), result.elements[1].gamma_plus(0)};
}

struct Cone {
  const char* name;
  Point first, second;  // edges
};
const std::array<Cone, 6> cones = {{{"I", {1, 0}, {0, 1}},
                                    {"IIa", {0, 1}, {-1, 1}},
                                    {"IIb", {-1, 1}, {-1, 0}},
                                    {"III", {-1, 0}, {0, -1}},
                                    {"IVa", {1, 0}, {1, -1}},
                                    {"IVb", {1, -1}, {0, -1}}}};

Point along(Point p, double length) { return {p.x * length, p.y * length}; }
Point middle(const Cone& cone) {
  const double a = std::hypot(cone.first.x, cone.first.y), b = std::hypot(cone.second.x, cone.second.y);
  return {cone.first.x / a + cone.second.x / b, cone.first.y / a + cone.second.y / b};
}

Panel velocity_panel(const std::string& title) {
  Panel panel(title, {-2.2, 2.2}, {-2.2, 2.2}, "γ₁ / v", "γ₂ / v");
  panel.same_scale().axes_through_origin();
  return panel;
}

void draw_cone(Panel& panel, const Cone& cone, Ink ink) {
  panel.area({{0, 0}, along(cone.first, 5), along(cone.second, 5)}, ink, 0.16);
  panel.line({{0, 0}, along(cone.first, 5)}, {.ink = Ink::grey, .width = 1.2});
  panel.line({{0, 0}, along(cone.second, 5)}, {.ink = Ink::grey, .width = 1.2});
  panel.text(along(middle(cone), 0.85), cone.name);
}

// Where a cone's edges go by the law.
std::string construction() {
  std::vector<Panel> panels;
  for (std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    Panel panel = velocity_panel(fmt::format("C_{} → its image", cones[k].name));
    draw_cone(panel, cones[k], Ink::blue);
    for (const Point& edge : {cones[k].first, cones[k].second}) {
      panel.arrow({0, 0}, along(edge, 1.5), {.ink = Ink::blue, .legend = "edges of the cone before the impact"});
      panel.arrow({0, 0}, along(after(edge), 1.5),
                  {.ink = Ink::red, .dashed = true, .legend = "after it, by sequential: in the first quadrant"});
    }
    panels.push_back(panel);
  }
  return svg_of(panels, 2);
}

std::string six_cones() {
  Panel left = velocity_panel("the six cones");
  const Ink inks[] = {Ink::grey, Ink::blue, Ink::green, Ink::orange, Ink::blue, Ink::green};
  for (std::size_t k = 0; k < cones.size(); ++k) draw_cone(left, cones[k], inks[k]);
  left.line({{-3, 3}, {3, -3}}, {.ink = Ink::black, .width = 1});
  left.line({{-3, -3}, {3, 3}}, {.ink = Ink::black, .width = 1, .dashed = true, .legend = "line of symmetry"});
  Panel right = velocity_panel("idealized observations");
  const Point before[] = {{-1, 0}, {0, -1}, {-1, -1}, {-1, 1}, {1, -1}};
  for (const Point& gamma : before) {
    const Point image = after(gamma);
    right.dot(gamma, {.ink = Ink::blue, .legend = "γ⁻"}, 4);
    right.dot(image, {.ink = Ink::red, .legend = "γ⁺ by sequential, ε = 1"}, 4);
    right.line({gamma, image}, {.ink = Ink::pale, .width = 1.2, .dashed = true});
  }
  return svg_of({left, right});
}

std::string characteristics() {
  const RodMotion two = rod_motion({1, 1}, {1, 0}, 40), three = rod_motion({1, 1, 1}, {2, 0, -1}, 40);
  Panel strain("strain of three rods at t = l/2c, l/c, 3l/2c", {0, 3}, {-1.8, 0.4}, "x / l", "u_x / (v/c)");
  const Ink inks[] = {Ink::blue, Ink::orange, Ink::green};
  const double times[] = {0.5, 1, 1.5};
  for (std::size_t k = 0; k < 3; ++k) {
    const ThinRodState& state = three.states[static_cast<std::size_t>(times[k] * 40)];
    std::vector<Point> curve;
    double x = 0;
    for (const auto& rod : state.strain) {
      for (std::size_t cell = 0; cell < rod.size(); ++cell) {
        curve.push_back({x + static_cast<double>(cell) / 40, rod[cell]});
        curve.push_back({x + static_cast<double>(cell + 1) / 40, rod[cell]});
      }
      x += 1;
    }
    strain.line(curve, {.ink = inks[k], .legend = fmt::format("t = {:g} l/c", times[k])});
  }
  return svg_of({wave_panel(two, "two rods, velocities (1, 0)", 3),
                 wave_panel(three, "three rods, velocities (2, 0, −1)", 3), strain});
}

std::string proofs() {
  Panel left = velocity_panel("a path through the cones, and its image");
  for (const Cone& cone : cones)
    left.line({{0, 0}, along(cone.first, 5)}, {.ink = Ink::pale, .width = 1.1})
        .line({{0, 0}, along(cone.second, 5)}, {.ink = Ink::pale, .width = 1.1});
  const Point A{-1.8, 1.2}, B{1.1, -1.7};
  std::vector<Point> path, image;
  for (double s : spread(0, 1, 241)) {
    path.push_back({A.x + s * (B.x - A.x), A.y + s * (B.y - A.y)});
    image.push_back(after(path.back()));
  }
  left.line(path, {.ink = Ink::blue, .legend = "from γ_A⁻ to γ_B⁻"});
  left.line(image, {.ink = Ink::red, .legend = "its image: pieces of the same length in the metric of G⁻¹"});
  left.text(A, "A", Anchor::left, 10).text(B, "B", Anchor::right, 10);
  Panel right = velocity_panel("the cycle ABC (45)–(49)");
  for (const Cone& cone : cones)
    right.line({{0, 0}, along(cone.first, 5)}, {.ink = Ink::pale, .width = 1.1})
        .line({{0, 0}, along(cone.second, 5)}, {.ink = Ink::pale, .width = 1.1});
  const Point cycle[] = {{-2, 1}, {-1, 0}, {0, 0}};
  const char* names[] = {"A", "B", "C"};
  for (std::size_t k = 0; k < 3; ++k) {
    right.arrow(cycle[k], cycle[(k + 1) % 3], {.ink = Ink::blue, .legend = "γ⁻ of the cycle"});
    right.dot(after(cycle[k]), {.ink = Ink::red, .legend = "γ⁺ by sequential"}, 4);
    right.text(cycle[k], names[k], Anchor::right, 12);
  }
  return svg_of({left, right});
}

}  // namespace

std::vector<PaperFigure> winandy_leine_2016_figures() {
  const std::string paper = "winandy-leine-2016";
  return {
      {paper, "3", "Construction of the impact mapping",
       "Cone by cone: the image of every cone is the first quadrant or lies in it, and edges that two cones share have "
       "one image.",
       "carom impact config/impacts/cradle.yaml --law sequential --set \"impact.velocity=[0, -1, 2]\"", construction},
      {paper, "4", "The six cones", "Left the cones of (23), right outcomes of simple velocities.",
       "carom impact config/impacts/cradle.yaml --law sequential", six_cones},
      {paper, "6", "Characteristics of colliding rods",
       "Regions of constant velocity, told in units of v, and the strains of (35) at three times.", "carom verify",
       characteristics},
      {paper, "7", "Non-expansive, but no dissipation function",
       "Left a segment and its image, which is no longer; right the cycle whose sum is −mv²/2.",
       "carom check config/impacts/cradle.yaml --law sequential --verbose", proofs},
  };
}

}  // namespace carom
