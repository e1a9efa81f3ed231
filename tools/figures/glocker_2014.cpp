// Glocker 2014: the characteristics of impact elements, in compression and in decompression.
//
// A graph y ∈ N_C(x) is drawn by its proximal points: for every s, x = prox_C(s) and y = s − x lie on it. The dots are
// impacts that the law has resolved.

#include <cmath>
#include <numbers>
#include <random>

#include "engine/force_set.h"
#include "tools/figures/figure.h"
#include "tools/figures/plot.h"

namespace carom {

namespace {

constexpr double epsilon = 0.5;  // of the figures

// The graph of N_C for one set, x from the set's own rows.
std::vector<Point> graph(const ForceSet& set, const Vec& Lambda, double shift = 0) {
  std::vector<Point> points;
  for (double s : spread(-3, 3, 601)) {
    const double x = project(set, {s, 0}, Lambda)(0);
    points.push_back({x - shift, s - x});
  }
  return points;
}

ForceSet line_of(double mu) {
  ForceSet set;
  set.shape = ForceSet::Shape::line;
  set.row = 1;
  set.normal_row = 0;
  set.friction = {mu, mu};
  return set;
}

Panel characteristic_panel(const std::string& title, const std::string& x, const std::string& y, double size = 1.6) {
  Panel panel(title, {-size, size}, {-size, size}, x, y);
  panel.axes_through_origin();
  return panel;
}

struct PhasePoint {
  Point compression, decompression;
};

// Contacts of random chains of balls, in units of their own Λ⁻ and G: what the law made of them.
std::vector<PhasePoint> chain_points() {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> mass(0.3, 3), speed(-1, 1);
  std::vector<PhasePoint> points;
  for (int trial = 0; trial < 40; ++trial) {
    Vec m(4), u(4);
    for (Index k = 0; k < 4; ++k) m(k) = mass(engine), u(k) = speed(engine);
    const ImpactProblem problem = balls(m, u, Vec::Constant(3, epsilon));
    const ImpactResult result = answer("poisson", problem);
    Vec compression(3);
    for (Index k = 0; k < 3; ++k) compression(k) = (*result.elements[static_cast<std::size_t>(k)].compression)(0);
    const Vec gamma_mid = problem.gamma_minus() + problem.G() * compression;
    for (Index k = 0; k < 3; ++k) {
      const ElementResult& element = result.elements[static_cast<std::size_t>(k)];
      const double unit = compression(k) > 1e-9 ? compression(k) : 1, G = problem.G()(k, k);
      points.push_back({{-compression(k), gamma_mid(k) / G},
                        {-(*element.decompression)(0) / unit, element.gamma_plus(0) / (G * unit)}});
      if (compression(k) <= 1e-9) points.back().decompression = {1e9, 1e9};  // nothing to be in units of
    }
  }
  return points;
}

std::string stacked_bodies() {
  const Mat M = Mat::Identity(2, 2);
  const ImpactProblem problem(M, Vec{{-1, 0}}, {contact("A", Vec{{1, -1}}, 1), contact("B", Vec{{0, 1}}, 0)});
  const ImpactResult result = answer("poisson", problem);
  const Vec compression{{(*result.elements[0].compression)(0), (*result.elements[1].compression)(0)}};
  const Vec gamma_mid = problem.gamma_minus() + problem.G() * compression;
  Panel drawing("the system", {-2, 2}, {-0.4, 3.2});
  drawing.line({{-1.6, 0}, {1.6, 0}}, {.ink = Ink::black, .width = 2.5});
  for (double y : {0.0, 1.2}) {
    drawing.area({{-0.7, y}, {0.7, y}, {0.7, y + 1}, {-0.7, y + 1}}, y == 0 ? Ink::shade : Ink::orange, 0.5);
    drawing.line({{-0.7, y}, {0.7, y}, {0.7, y + 1}, {-0.7, y + 1}, {-0.7, y}}, {.ink = Ink::black, .width = 1.2});
  }
  drawing.text({0, 0.5}, "body 2").text({0, 1.7}, "body 1");
  drawing.arrow({0, 3.1}, {0, 2.35}, {.ink = Ink::red});
  drawing.text({0.15, 2.8}, "v", Anchor::left);
  drawing.text({-0.85, 1.1}, "A, ε = 1", Anchor::right).text({-0.85, 0.12}, "B, ε = 0", Anchor::right);
  Panel phases("Poisson's law, m = v = 1", {-0.2, 2.2}, {-1.3, 1.3}, "0 before, 1 compressed, 2 after", "γ / m/s");
  phases.axes_through_origin();
  for (std::size_t k = 0; k < 2; ++k) {
    const auto i = static_cast<Index>(k);
    const Style style{.ink = k == 0 ? Ink::orange : Ink::blue, .legend = k == 0 ? "γ_A" : "γ_B"};
    const double after = result.elements[k].gamma_plus(0);
    phases.line({{0, problem.gamma_minus()(i)}, {1, gamma_mid(i)}, {2, after}}, style);
    for (const Point& p : {Point{0, problem.gamma_minus()(i)}, Point{1, gamma_mid(i)}, Point{2, after}})
      phases.dot(p, {.ink = style.ink});
  }
  Panel impulses("impulses by phases", {-0.2, 2.2}, {-0.1, 2.3}, "0 before, 1 compressed, 2 after", "Λ / N s");
  for (std::size_t k = 0; k < 2; ++k) {
    const Style style{.ink = k == 0 ? Ink::orange : Ink::blue,
                      .dashed = k == 1,
                      .legend = k == 0 ? "Λ_A" : "Λ_B: ε_B = 0, yet it decompresses, so that body 2 stays out"};
    impulses.line({{0, 0}, {1, compression(static_cast<Index>(k))}, {2, result.elements[k].Lambda(0)}}, style);
  }
  return svg_of({drawing, phases, impulses});
}

std::string unilateral() {
  ForceSet set;  // ℝ₀⁻
  const Vec none = Vec::Zero(1);
  Panel compression = characteristic_panel("compression (32)", "−Λ⁻", "γ° / G");
  Panel decompression = characteristic_panel("decompression (36), ε = 0.5, Λ⁻ = 1", "−Λ⁺/Λ⁻", "γ⁺ / (GΛ⁻)");
  for (const PhasePoint& point : chain_points()) {
    compression.ring(point.compression,
                     {.ink = Ink::orange, .width = 1.1, .legend = "contacts of chains of balls, by poisson"}, 3);
    decompression.ring(point.decompression,
                       {.ink = Ink::orange, .width = 1.1, .legend = "contacts of chains of balls, by poisson"}, 3);
  }
  compression.line(graph(set, none), {.legend = "γ° ∈ N_C(−Λ⁻), C = ℝ₀⁻"});
  decompression.line(graph(set, none, epsilon), {.legend = "γ⁺ ∈ N_C(−Λ⁺ + εΛ⁻): at least ε comes back"});
  decompression.text({-epsilon, -0.25}, "−ε");
  return svg_of({compression, decompression});
}

std::string bilateral() {
  ForceSet set;
  set.shape = ForceSet::Shape::bilateral;
  Panel compression = characteristic_panel("compression (32)", "−Λ⁻ / N s", "γ° / m/s"),
        decompression = characteristic_panel("decompression (36)", "−Λ⁺ / N s", "γ⁺ / m/s");
  std::mt19937_64 engine(9);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 25; ++trial) {
    const Vec a{{any(engine), any(engine), any(engine)}}, b{{any(engine), any(engine), any(engine)}};
    Vec u{{any(engine), any(engine), any(engine)}};
    u -= b * b.dot(u) / b.squaredNorm();
    if (a.dot(u) > 0) u = -u;
    const ImpactProblem problem(Mat::Identity(3, 3), u, {contact("contact", a, epsilon), {"joint", Bilateral{b}}});
    const ImpactResult result = answer("poisson", problem);
    const Style style{.ink = Ink::orange, .width = 1.1, .legend = "joints beside a contact, by poisson"};
    compression.ring({-(*result.elements[1].compression)(0), 0}, style, 3);
    decompression.ring({-(*result.elements[1].decompression)(0), b.dot(result.u_plus)}, style, 3);
  }
  compression.line(graph(set, Vec::Zero(1)), {.legend = "γ° = 0, Λ⁻ of any sign"});
  decompression.line(graph(set, Vec::Zero(1)), {.legend = "γ⁺ = 0, Λ⁺ of any sign: ε drops out"});
  return svg_of({compression, decompression});
}

// The tangential graphs of one planar contact with what the law did there.
struct Tangential {
  ImpactResult result;
  double gamma_mid = 0;  // γ_T°
  Vec compression, decompression;
};

Tangential kane_tangential(double e, double mu, double e_T) {
  const ImpactProblem problem = kane(e, mu, e_T);
  Tangential t;
  t.result = answer("poisson", problem);
  t.compression = *t.result.elements[0].compression;
  t.decompression = *t.result.elements[0].decompression;
  t.gamma_mid = (problem.gamma_minus() + problem.G() * t.compression)(1);
  return t;
}

Panel friction_decompression(const std::string& title, double e, double mu, double e_T, double size) {
  const Tangential t = kane_tangential(e, mu, e_T);
  Panel panel(title, {-size, size}, {-0.35, 0.35}, "−Λ_T⁺ / N s", "γ_T⁺ / m/s");
  panel.axes_through_origin();
  Vec Lambda(2);
  Lambda << t.decompression(0) - e_T * t.compression(0), 0;
  panel.line(graph(line_of(mu), Lambda, e_T * t.compression(1)),
             {.legend = "γ_T⁺ ∈ N_D(−Δ_T), D = μ(Λ_N⁺ − ε_TΛ_N⁻)[−1, 1]"});
  panel.dot({-t.decompression(1), t.result.elements[0].gamma_plus(1)},
            {.ink = Ink::red, .legend = "Kane's pendulum, by poisson"}, 4);
  return panel;
}

std::string coulomb() {
  constexpr double e = 0.7, mu = 0.5, e_T = 0.3;
  const Tangential t = kane_tangential(e, mu, e_T);
  Panel compression("compression (32), Kane's pendulum, μ = 0.5", {-0.5, 0.5}, {-0.35, 0.35}, "−Λ_T⁻ / N s",
                    "γ_T° / m/s");
  compression.axes_through_origin();
  Vec Lambda(2);
  Lambda << t.compression(0), 0;
  compression.line(graph(line_of(mu), Lambda), {.legend = "γ_T° ∈ N_C(−Λ_T⁻), C = μΛ_N⁻[−1, 1]"});
  compression.dot({-t.compression(1), t.gamma_mid}, {.ink = Ink::red, .legend = "Kane's pendulum, by poisson"}, 4);
  return svg_of({compression, friction_decompression("decompression (36), ε_N = 0.7, ε_T = 0.3", e, mu, e_T, 0.5)});
}

std::string special_cases() {
  return svg_of({friction_decompression("ε_T = 0: inelastic", 0.7, 0.5, 0, 0.5),
                 friction_decompression("ε_T = 0.35", 0.7, 0.5, 0.35, 0.5),
                 friction_decompression("ε_T = ε_N = 0.7: Λ_T⁺ = ε_TΛ_T⁻", 0.7, 0.5, 0.7, 0.5)});
}

// The sphere of config/impacts/sphere.yaml with other coefficients.
ImpactProblem sphere(const Vec& friction, double e, double e_T) {
  Vec mass(6), normal = Vec::Zero(6), u(6);
  mass << 1, 1, 1, 0.004, 0.004, 0.004;
  u << 1, 0.5, -2, 10, -20, 5;
  normal(2) = 1;
  Mat tangent = Mat::Zero(2, 6);
  tangent(0, 0) = tangent(1, 1) = 1;
  tangent(0, 4) = -0.1;
  tangent(1, 3) = 0.1;
  return ImpactProblem(Mat(mass.asDiagonal()), u, {rough_contact("plane", normal, tangent, friction, e, e_T)});
}

std::string discs(const Vec& friction, const std::string& kind) {
  constexpr double e = 0.8, e_T = 0.3;
  const ImpactProblem problem = sphere(friction, e, e_T);
  const ImpactResult result = answer("poisson", problem);
  const ElementResult& element = result.elements[0];
  const Vec minus = *element.compression, plus = *element.decompression;
  const Vec gamma_mid = problem.gamma_minus() + problem.G() * minus;
  const auto draw = [&](const std::string& title, const char* x, const char* y, const Vec& centre, double radius,
                        const Vec& at, const Vec& gamma, const std::string& set) {
    Panel panel(title, {-0.9, 0.9}, {-0.75, 0.75}, x, y);
    panel.same_scale().axes_through_origin();
    panel.ellipse({centre(0), centre(1)}, radius * friction(0), radius * friction(1), {.legend = set});
    panel.dot({centre(0), centre(1)}, {.ink = Ink::grey}, 2);
    panel.dot({at(0), at(1)}, {.ink = Ink::red, .legend = "the sphere, by poisson"}, 4);
    if (gamma.norm() > 1e-9) {
      const Vec end = at + 0.3 * gamma.normalized();
      panel.arrow({at(0), at(1)}, {end(0), end(1)},
                  {.ink = Ink::green, .legend = "direction of γ_T: normal to the set"});
    }
    return panel;
  };
  return svg_of(
      {draw("compression, " + kind, "−Λ_T1⁻ / N s", "−Λ_T2⁻ / N s", Vec::Zero(2), minus(0), -minus.tail(2),
            gamma_mid.tail(2), "C = Λ_N⁻ A"),
       draw("decompression, ε_N = 0.8, ε_T = 0.3", "−Λ_T1⁺ / N s", "−Λ_T2⁺ / N s", -e_T * minus.tail(2),
            plus(0) - e_T * minus(0), -plus.tail(2), Vec(element.gamma_plus).tail(2), "−ε_TΛ_T⁻ + (Λ_N⁺ − ε_TΛ_N⁻)A")});
}

std::string isotropic() { return discs(Vec{{0.3, 0.3}}, "μ = 0.3"); }
std::string orthotropic() { return discs(Vec{{0.4, 0.15}}, "μ = (0.4, 0.15)"); }

}  // namespace

std::vector<PaperFigure> glocker_2014_figures() {
  const std::string paper = "glocker-2014";
  return {
      {paper, "2", "Body 1 dropped on body 2",
       "Why decompression needs an inequality: with ε_B = 0 the ground still gives back an impulse, Λ_B⁺ = 1, or body "
       "2 "
       "would be driven into it.",
       "carom impact config/scenes/stacked-bodies.yaml --law poisson", stacked_bodies},
      {paper, "3", "Unilateral constraints, geometric and kinematic",
       "The corner of (32) and the same corner moved to −ε: at least the part ε of every compression impulse comes "
       "back. "
       "The rings are 120 contacts of random chains of four balls, in units of their own Λ⁻ and G.",
       "carom impact config/impacts/cradle.yaml --law poisson --json", unilateral},
      {paper, "4", "Bilateral constraints, geometric and kinematic",
       "γ = 0 in both phases and an impulse of either sign. The rings are joints beside a contact.",
       "carom impact config/impacts/kane-hinged.yaml --law poisson --json", bilateral},
      {paper, "5", "Coulomb friction along a line",
       "The width of the inverted sign follows the normal impulse; in decompression it shrinks to "
       "μ(Λ_N⁺ − ε_TΛ_N⁻) and moves by −ε_TΛ_T⁻.",
       "carom impact config/impacts/kane.yaml --law poisson --set impact.elements.tip.restitution=0.7 --set "
       "impact.elements.tip.tangential_restitution=0.3 --json",
       coulomb},
      {paper, "6", "Special cases of decompression",
       "From pure Coulomb friction (ε_T = 0) to Poisson's tangential law (ε_T = ε_N), where no stick region is left.",
       "carom impact config/impacts/kane.yaml --law poisson --set impact.elements.tip.restitution=0.7 --set "
       "impact.elements.tip.tangential_restitution=0.7 --json",
       special_cases},
      {paper, "7", "Isotropic Coulomb friction",
       "Discs of friction in both phases for a sphere that slides and spins; the slip is normal to the disc where the "
       "impulse is on its edge.",
       "carom impact config/impacts/sphere.yaml --law poisson --set impact.elements.plane.restitution=0.8 --set "
       "impact.elements.plane.tangential_restitution=0.3 --json",
       isotropic},
      {paper, "8", "Orthotropic Coulomb friction",
       "The same with ellipses: the slip is normal to the ellipse, not along the impulse.",
       "carom impact config/impacts/sphere.yaml --law poisson --set impact.elements.plane.restitution=0.8 --set "
       "impact.elements.plane.tangential_restitution=0.3 --set "
       "\"impact.elements.plane.friction=[0.4, 0.15]\" --json",
       orthotropic},
  };
}

}  // namespace carom
