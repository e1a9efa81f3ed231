// Djerassi 2010: one planar contact marched through its normal impulse.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "tools/figures/figure.h"
#include "tools/figures/plot.h"
#include "tools/impact_details.h"

namespace carom {

namespace {

// In contact space: M = G⁻¹, so that u = (v_n, v_t).
ImpactProblem contact_space(double m_nn, double m_nt, double m_tt, double v_n, double v_t, double e, double mu) {
  const Mat G{{m_nn, m_nt}, {m_nt, m_tt}};
  return ImpactProblem(G.inverse(), Vec{{v_n, v_t}},
                       {rough_contact("contact", Vec{{1, 0}}, Mat{{0, 1}}, Vec::Constant(1, mu), e)});
}

// Velocities over the normal impulse, on the two straight pieces of the path: slip, then stick or slip the other way.
// The law tells its type and where it ends.
struct Course {
  std::vector<Point> v_n, v_t;
  double I_C = 0, I_2 = 0;
  int type = 0;
};

Course course(const ImpactProblem& problem) {
  Course found;
  const ImpactResult end = answer("stronge", problem);
  found.type = end.routh->type.value_or(0);
  found.I_C = (*end.elements[0].compression)(0);
  found.I_2 = end.elements[0].Lambda(0);
  const SlipFigures f = *slip_figures(problem);
  const double v_n1 = problem.gamma_minus()(0), v_t1 = problem.gamma_minus()(1);
  const double slide_stops = f.g > 0 ? v_t1 / f.g : 1e9;
  const bool sticks = f.p > 0;
  for (double I : spread(0, found.I_2, 200)) {
    const double slid = std::min(I, slide_stops), rest = I - slid;
    const double mu = problem.elements()[0].contact()->friction(0);
    const double f_T = sticks ? -f.m_nt / f.m_tt : mu;  // after the slip has stopped
    found.v_n.push_back({I, v_n1 + f.h * slid + (f.m_nn + f_T * f.m_nt) * rest});
    found.v_t.push_back({I, v_t1 - f.g * slid + (f.m_nt + f_T * f.m_tt) * rest});
  }
  return found;
}

std::string courses() {
  struct Case {
    double m_nt, mu, v_t;
  };
  const Case cases[] = {{0.3, 0.8, 0.25}, {0.3, 0.8, 0.75}, {-0.45, 0.2, 0.35}, {-0.45, 0.2, 0.8}};
  std::vector<Panel> panels;
  for (const Case& c : cases) {
    const ImpactProblem problem = contact_space(1, c.m_nt, 1, -1, c.v_t, 0.7, c.mu);
    const Course path = course(problem);
    Panel panel(fmt::format("type {}", path.type), {0, 2.6}, {-1.1, 1.1}, "I_n / N s", "velocity / m/s");
    panel.axes_through_origin();
    panel.line({{path.I_C, -1.1}, {path.I_C, 1.1}},
               {.ink = Ink::grey, .width = 1, .dashed = true, .legend = "end of compression"});
    panel.line(path.v_n, {.ink = Ink::blue, .legend = "v_n"}).line(path.v_t, {.ink = Ink::orange, .legend = "v_t"});
    const ImpactResult end = answer("stronge", problem);
    for (Index k = 0; k < 2; ++k)
      panel.ring({end.elements[0].Lambda(0), end.elements[0].gamma_plus(k)},
                 {.ink = Ink::red, .legend = "end by stronge, e = 0.7"});
    panels.push_back(panel);
  }
  return svg_of(panels, 2);
}

std::string pendulum() {
  constexpr double l = 2, degree = std::numbers::pi / 180;
  const Point O{0, 0}, A{l * std::sin(20 * degree), -l * std::cos(20 * degree)},
      B{A.x + l * std::sin(30 * degree), A.y - l * std::cos(30 * degree)};
  Panel drawing("the pendulum at its impact", {-1.2, 3}, {-4.2, 0.4});
  drawing.line({{-1, B.y}, {3, B.y}}, {.ink = Ink::black, .width = 2.5});
  drawing.line({O, {0, -1.6}}, {.ink = Ink::pale, .dashed = true})
      .line({A, {A.x, A.y - 1.3}}, {.ink = Ink::pale, .dashed = true});
  drawing.line({O, A, B}, {.ink = Ink::blue, .width = 4});
  drawing.dot(O, {.ink = Ink::black}, 4).dot(A, {.ink = Ink::black}, 4).dot(B, {.ink = Ink::red}, 4);
  drawing.text({0.17, -1.35}, "20°")
      .text({A.x + 0.28, A.y - 1.1}, "30°")
      .text({B.x + 0.2, B.y + 0.25}, "B̄", Anchor::left);
  Panel works("work by every law", {0, 1}, {-0.16, 0.9}, "restitution", "work / J");
  works.axes_through_origin();
  const std::pair<const char*, Ink> laws[] = {{"newton", Ink::red},
                                              {"newton-routh", Ink::orange},
                                              {"stronge", Ink::blue},
                                              {"poisson-routh", Ink::green},
                                              {"poisson", Ink::purple}};
  for (const auto& [law, ink] : laws) {
    std::vector<Point> curve;
    for (double e : spread(0, 1, 51)) curve.push_back({e, answer(law, kane(e, 0.5)).work});
    works.line(curve, {.ink = ink, .dashed = std::string(law) == "poisson", .legend = law});
  }
  return svg_of({drawing, works});
}

std::string equivalent_coefficients() {
  std::vector<Panel> panels;
  for (const auto& [m_nt, mu, title] :
       {std::tuple{0.3, 0.8, "m_nt > 0: types 1, 2, 5"}, std::tuple{-0.45, 0.2, "m_nt < 0: types 3, 4, 5"}}) {
    Panel panel(title, {0, 2.2}, {0.6, 1.6}, "α = v_t/|v_n|", "ratio");
    std::vector<Point> by_impulse, by_velocity;
    std::optional<SlipFigures> f;
    for (double alpha : spread(0.01, 2.2, 220)) {
      const ImpactProblem problem = contact_space(1, m_nt, 1, -1, alpha, 0.5, mu);
      f = slip_figures(problem);
      by_impulse.push_back({alpha, *equivalents(answer("poisson-routh", problem)).stronge / 0.5});
      by_velocity.push_back({alpha, *equivalents(answer("newton-routh", problem)).stronge / 0.5});
    }
    panel.line(by_impulse, {.ink = Ink::blue, .legend = "e_e/e_i, e_i = 0.5 (115)–(119)"});
    panel.line(by_velocity, {.ink = Ink::orange, .legend = "e_e/e_v, e_v = 0.5 (110)–(114)"});
    panel.line({{f->r_m, 0.6}, {f->r_m, 1.6}},
               {.ink = Ink::grey, .width = 1, .dashed = true, .legend = "α = r_m and (1 + e)r_m"});
    panel.line({{f->limit, 0.6}, {f->limit, 1.6}}, {.ink = Ink::grey, .width = 1, .dashed = true});
    panels.push_back(panel);
  }
  return svg_of(panels);
}

}  // namespace

std::vector<PaperFigure> djerassi_2010_figures() {
  const std::string paper = "djerassi-2010";
  return {
      {paper, "2", "Velocities over the normal impulse",
       "The slip stops and sticks (types 1, 2) or turns round (3, 4), in compression or in restitution; the ends are "
       "the law's.",
       "carom impact config/impacts/kane.yaml --law stronge --verbose", courses},
      {paper, "3", "The double pendulum",
       "The published configuration, and the work of its impact over the coefficient, μ = 0.5.",
       "carom sweep config/sweeps/kane-laws.yaml", pendulum},
      {paper, "4", "Equivalent coefficients",
       "What Stronge's coefficient is where Poisson's or Newton's is 0.5: extreme at α = r_m.",
       "carom impact config/impacts/kane.yaml --law poisson-routh,newton-routh --verbose", equivalent_coefficients},
  };
}

}  // namespace carom
