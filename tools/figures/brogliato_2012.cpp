// Brogliato 2012: restitution matrices that are admissible, and friction that locks.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <numbers>

#include "tools/figures/figure.h"
#include "tools/figures/plot.h"

namespace carom {

namespace {

std::string conserving_ellipse() {
  Panel panel("three equal balls, one hits two at rest", {-0.1, 1.3}, {-0.1, 1.3}, "e₁₁", "e₂₁");
  panel.same_scale().axes_through_origin();
  std::vector<Point> curve;
  // e₁₁² + e₂₁² + e₁₁e₂₁ = 1 in the first quadrant; every point is resolved, and keeps its energy.
  for (double e : spread(0, 1, 41)) {
    const double e21 = 0.5 * (-e + std::sqrt(4 - 3 * e * e));
    LawChoice law{"restitution-matrix", {}};
    law.parameters.set("nn", Mat(Mat{{e, 0}, {e21, 0}}));
    const ImpactResult result = answer(law, balls(Vec::Ones(3), Vec{{1, 0, 0}}, Vec::Ones(2)));
    curve.push_back({result.elements[0].gamma_plus(0), result.elements[1].gamma_plus(0)});
    if (std::abs(result.work) > 1e-12) panel.dot(curve.back(), {.ink = Ink::red, .legend = "does not conserve energy"});
  }
  panel.line(curve, {.legend = "γ⁺ by matrices that conserve energy, (52) with its sign corrected"});
  panel.dot({1.0, 0.0}, {.ink = Ink::orange, .legend = "newton, poisson, moreau with ε = 1"}, 4.5);
  panel.dot({0.0, 1.0}, {.ink = Ink::blue, .legend = "sequential"}, 4.5);
  std::vector<Point> printed;
  for (double e : spread(0, 1.2, 60)) {
    const double root = 4 - 3 * e * e;
    if (root >= 0) printed.push_back({e, 0.5 * (e + std::sqrt(root))});
  }
  panel.line(printed, {.ink = Ink::grey, .width = 1.2, .dashed = true, .legend = "(52) as printed"});
  return svg_of({panel});
}

std::string remark_6() {
  std::vector<Panel> panels;
  for (double a : {-0.5, 0.0, 0.5}) {
    Panel panel(fmt::format("coupling a = {:g}", a), {0, 1.2}, {0, 1.2}, "e₁", "e₂");
    panel.same_scale();
    const double bound = std::sqrt((1 - a * a) / (2 * (1 + a * a)));
    std::vector<Point> arc = {{0, 0}}, limit;
    for (double phi : spread(0, std::numbers::pi / 2, 40))
      arc.push_back({bound * std::cos(phi), bound * std::sin(phi)});
    panel.area(arc, Ink::orange, 0.3, "Proposition 7");
    for (double e1 : spread(0, 1, 101)) {
      double e2 = 0;
      for (double trial : spread(0, 1, 401))
        if (-a * (1 - e1 * trial) + std::sqrt((1 - e1 * e1) * (1 - trial * trial)) >= -1e-9) e2 = trial;
      const bool any = -a + std::sqrt(1 - e1 * e1) >= -1e-9 || e2 > 0;
      if (any) limit.push_back({e1, e2});
    }
    std::vector<Point> region = limit;
    if (!limit.empty()) region.push_back({limit.back().x, 0});
    region.insert(region.begin(), {0, 0});
    panel.area(region, Ink::blue, 0.18, "Proposition 2: no approaching velocity gains");
    panels.push_back(panel);
  }
  return svg_of(panels);
}

// G_NN/|G_NT| of the rod, mass 1, half length 1, J = 1/3, at an angle.
double critical_friction_of_rod(double theta) {
  const Vec normal{{0, 1, -std::cos(theta)}};
  const Mat tangent{{1, 0, std::sin(theta)}};
  const ImpactProblem problem(Mat(Vec{{1, 1, 1.0 / 3}}.asDiagonal()), Vec{{1, -1, 0}},
                              {rough_contact("tip", normal, tangent, Vec::Constant(1, 1.0), 0)});
  return problem.G()(0, 0) / std::abs(problem.G()(0, 1));
}

// The frictional impact oscillator: a bar of mass m₂ that turns about a slider of mass m₁, with its tip on the belt. In
// coordinates of the tip G_NN/|G_NT| = tan θ + m₁/m₂ /tan θ.
std::string critical_friction_figure() {
  Panel panel("critical friction over the angle", {0, 90}, {0, 6}, "θ / degrees", "μ_c");
  std::vector<Point> rod;
  for (double degrees : spread(5, 85, 161))
    rod.push_back({degrees, critical_friction_of_rod(degrees * std::numbers::pi / 180)});
  panel.line(rod, {.legend = "rod on a plane, G_NN/|G_NT| of the contact"});
  panel.line({{0, 4.0 / 3}, {90, 4.0 / 3}},
             {.ink = Ink::grey, .width = 1, .dashed = true, .legend = "least: 4/3, at tan θ = 2"});
  const Ink inks[] = {Ink::orange, Ink::green};
  const double ratios[] = {1.0, 0.1};
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<Point> curve;
    for (double degrees : spread(3, 87, 169)) {
      const double t = std::tan(degrees * std::numbers::pi / 180);
      curve.push_back({degrees, t + ratios[k] / t});
    }
    panel.line(curve,
               {.ink = inks[k], .legend = fmt::format("impact oscillator, m₁/m₂ = {:g}: least 2√(m₁/m₂)", ratios[k])});
  }
  return svg_of({panel});
}

std::string rocking() {
  Panel panel("rocking block, Remark 7", {0.02, 1}, {0, 1}, "width over height", "ω⁺/ω⁻");
  std::vector<Point> matrix, poisson;
  for (double L : spread(0.05, 1, 39)) {
    const double J = (L * L + 1) / 12, eta = 1 - 1.5 * L * L / (L * L + 1);
    const auto corner = [&](double side) {
      return rough_contact(side > 0 ? "corner 1" : "corner 2", Vec{{0, 1, side * L / 2}}, Mat{{1, 0, 0.5}},
                           Vec::Constant(1, 2.0), 0);
    };
    const ImpactProblem problem(Mat(Vec{{1, 1, J}}.asDiagonal()), Vec{{0.5, -L / 2, -1}}, {corner(1), corner(-1)});
    LawChoice law{"restitution-matrix", {}};
    law.parameters.set("nn", Mat(Mat{{0, eta}, {eta, 0}}));
    law.parameters.set("tt", Mat(Mat::Constant(1, 1, -eta)));
    matrix.push_back({L, -answer(law, problem).u_plus(2)});
    poisson.push_back({L, -answer("poisson", problem).u_plus(2)});
  }
  panel.line(matrix, {.legend = "ℰ_nn exchanges the corners, ℰ_tt = −η: η = 1 − 3/2 sin²α"});
  panel.line(poisson, {.ink = Ink::orange, .dashed = true, .legend = "poisson, ε = 0, μ = 2"});
  return svg_of({panel});
}

}  // namespace

std::vector<PaperFigure> brogliato_2012_figures() {
  const std::string paper = "brogliato-2012";
  return {
      {paper, "eq52", "Matrices that conserve energy",
       "Infinitely many elastic outcomes of one impact: all on an ellipse.",
       "carom impact config/impacts/cradle.yaml --law restitution-matrix --set \"law={type: restitution-matrix, nn: "
       "[[0, 1], [1, 0]]}\"",
       conserving_ellipse},
      {paper, "remark6", "Propositions 2 and 7 for two contacts",
       "How much a bound by norms gives away. Without coupling Proposition 2 admits all e ≤ 1.",
       "carom check config/impacts/cradle.yaml --law restitution-matrix --verbose", remark_6},
      {paper, "remark7", "Rocking by quasi-tangential restitution",
       "The angular velocity that rocking leaves, by a matrix and by Poisson's law with friction.",
       "carom simulate config/scenes/rocking-block.yaml --law restitution-matrix", rocking},
      {paper, "sect4", "Critical friction",
       "Below the curve a sliding contact cannot lock (Proposition 12). With a light slider the impact oscillator "
       "locks at any small friction.",
       "carom check config/scenes/painleve-rod.yaml --verbose", critical_friction_figure},
  };
}

}  // namespace carom
