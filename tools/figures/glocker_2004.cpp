// Glocker 2004: impacts without friction in the kinetic metric, where kinetic energy is half the square of a length.
//
// Velocities are drawn in white coordinates, which make the metric Euclidean. Of balls in a row only the relative
// motion is drawn: the momentum does not change.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/thin_rods.h"
#include "tools/figures/figure.h"
#include "tools/figures/plot.h"
#include "tools/figures/wave_diagram.h"

namespace carom {

namespace {

LawChoice moreau(double epsilon) {
  LawChoice law{"moreau", {}};
  law.parameters.set("restitution", epsilon);
  return law;
}

// A plane of velocities: coordinates of u in an orthonormal basis of white directions.
class KineticPlane {
 public:
  KineticPlane(const ImpactProblem& problem, Mat basis) : problem_(problem), basis_(std::move(basis)) {}
  Point operator()(const Vec& u) const {
    const Vec y = basis_.transpose() * problem_.to_white(u);
    return {y(0), y(1)};
  }

 private:
  const ImpactProblem& problem_;
  Mat basis_;
};

// The plane of the normals of two contacts, the first of them along −45° or so: the cone then opens upwards.
Mat plane_of_contacts(const ImpactProblem& problem) {
  const Mat W = problem.white_directions();
  const Vec a = W.col(0).normalized(), b = W.col(1).normalized();
  const Vec up = (a + b).normalized(), across = (b - a).normalized();
  Mat basis(a.size(), 2);
  basis << across, up;
  return basis;
}

Point scaled(Point p, double factor) { return {p.x * factor, p.y * factor}; }
Point sum(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
double length(Point p) { return std::hypot(p.x, p.y); }

std::string rods() {
  const RodMotion motion = rod_motion({2, 5}, {1, 0}, 20);
  Panel waves = wave_panel(motion, "l₁ = 2, l₂ = 5, c = v = 1", 12);
  Panel speeds("mean velocities", {0, 12}, {-0.1, 1.1}, "t / s", "velocity / m/s");
  Panel energies("energies", {0, 12}, {-0.05, 1.1}, "t / s", "energy / (ρA v² l₁/2)");
  const char* names[] = {"short rod", "long rod"};
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<Point> v, T, U;
    for (const RodSample& sample : motion.samples) {
      if (sample.time > 12) continue;
      v.push_back({sample.time, sample.mean_velocity[k]});
      T.push_back({sample.time, sample.kinetic[k] / motion.samples.front().kinetic[0]});
      U.push_back({sample.time, sample.strain_energy[k] / motion.samples.front().kinetic[0]});
    }
    const Ink ink = k == 0 ? Ink::orange : Ink::blue;
    speeds.line(v, {.ink = ink, .legend = names[k]});
    energies.line(T, {.ink = ink, .legend = std::string("kinetic, ") + names[k]});
    energies.line(U, {.ink = ink, .dashed = true, .legend = std::string("strain, ") + names[k]});
  }
  speeds.line({{motion.opens_at[0], -0.1}, {motion.opens_at[0], 1.1}},
              {.ink = Ink::red, .width = 1, .dashed = true, .legend = "the contact opens, t = 2 l₂/c"});
  return svg_of({waves, speeds, energies});
}

ImpactProblem two_masses() { return balls(Vec{{1, 2}}, Vec{{1, -0.4}}, Vec::Zero(1)); }

std::string single_contact() {
  const ImpactProblem problem = two_masses();
  const Mat W = problem.white_directions();
  const Vec n = W.col(0).normalized(), t = Vec{{n(1), -n(0)}};
  Mat basis(2, 2);
  basis << t, n;
  const KineticPlane plane(problem, basis);
  const Point u = plane(problem.u_minus());
  const double radius = length(u);
  Panel panel("m = (1, 2), u⁻ = (1, −0.4) m/s", {-1.6, 1.6}, {-1.4, 1.6}, "along the boundary / √J", "along ∇g / √J");
  panel.same_scale().axes_through_origin();
  panel.area({{-3, 0}, {3, 0}, {3, 3}, {-3, 3}}, Ink::shade, 0.25, "tangent cone 𝒯 = half-space of (37)");
  panel.circle({0, 0}, radius, {.ink = Ink::grey, .width = 1.2, .dashed = true, .legend = "‖u‖ = ‖u⁻‖: no loss (38)"});
  panel.arrow({0, 0}, u, {.ink = Ink::black, .legend = "u⁻"});
  std::vector<Point> segment;
  for (double e : spread(0, 1, 21)) segment.push_back(plane(answer(moreau(e), problem).u_plus));
  panel.line(segment, {.ink = Ink::red, .width = 3, .legend = "u⁺ by moreau, ε = 0 … 1"});
  panel.arrow({0, 0}, segment.front(), {.ink = Ink::orange, .legend = "ε = 0: the nearest point (41)"});
  panel.arrow({0, 0}, segment.back(), {.ink = Ink::blue, .legend = "ε = 1: the reflection"});
  return svg_of({panel});
}

// A sharp edge: two half-planes that meet under an angle, seen along the edge and unfolded.
std::string edge() {
  // One contact without loss is the edge bent by 180°: the component along the normal turns round.
  const ImpactProblem problem(Mat::Identity(2, 2), Vec{{0.8, -0.6}}, {contact("edge", Vec{{0, 1}})});
  const Vec after = answer(moreau(1), problem).u_plus;
  Panel flat("unfolded: straight on", {-1.6, 1.6}, {-1.3, 1.3});
  flat.line({{-1.5, 0}, {1.5, 0}}, {.ink = Ink::black, .width = 2.5, .legend = "the edge"});
  flat.area({{-1.5, 0}, {1.5, 0}, {1.5, 1.2}, {-1.5, 1.2}}, Ink::shade, 0.3, "first face");
  flat.area({{-1.5, 0}, {1.5, 0}, {1.5, -1.2}, {-1.5, -1.2}}, Ink::orange, 0.2, "second face");
  flat.arrow({-1.2, 0.9}, {0, 0}, {.ink = Ink::blue, .legend = "arrives with u⁻"});
  flat.arrow({0, 0}, {1.2, -0.9}, {.ink = Ink::red, .legend = "goes straight on"});
  Panel folded("bent by 180°: an impact without loss", {-1.6, 1.6}, {-1.3, 1.3});
  folded.line({{-1.5, 0}, {1.5, 0}}, {.ink = Ink::black, .width = 2.5, .legend = "the edge"});
  folded.area({{-1.5, 0}, {1.5, 0}, {1.5, 1.2}, {-1.5, 1.2}}, Ink::shade, 0.3, "both faces");
  folded.arrow({-1.2, 0.9}, {0, 0}, {.ink = Ink::blue, .legend = "arrives with u⁻"});
  folded.arrow({0, 0}, {1.5 * after(0), 1.5 * after(1)}, {.ink = Ink::red, .legend = "u⁺ by moreau, ε = 1"});
  folded.line({{0, 0}, {1.2, -0.9}},
              {.ink = Ink::grey, .width = 1, .dashed = true, .legend = "the way straight on, folded up"});
  return svg_of({flat, folded});
}

const Vec cradle_velocity = Vec{{1, 0, 0}};

ImpactProblem cradle(double epsilon) { return balls(Vec::Ones(3), cradle_velocity, Vec::Constant(2, epsilon)); }

// Tangent cone and what of the energy ball can be reached, of two contacts.
void draw_cones(const ImpactProblem& problem, const KineticPlane& plane, Panel& panel) {
  const Mat W = problem.white_directions();
  const Mat basis = plane_of_contacts(problem);
  const Mat N = basis.transpose() * W;  // 2×2, a normal each column
  // Edges of the tangent cone: along each boundary, on the side of the other normal.
  std::vector<Point> cone = {{0, 0}};
  for (Index k = 0; k < 2; ++k) {
    Eigen::Vector2d edge(-N(1, k), N(0, k));
    if (edge.dot(N.col(1 - k)) < 0) edge = -edge;
    edge *= 4 / edge.norm();
    cone.push_back({edge(0), edge(1)});
  }
  panel.area(cone, Ink::shade, 0.3, "tangent cone 𝒯: nothing approaches");
  const Point u = plane(problem.u_minus());
  std::vector<Point> reach = {u};
  for (Index k = 0; k < 2; ++k) {
    const Eigen::Vector2d ray = 4 * N.col(k).normalized();
    reach.push_back({u.x + ray(0), u.y + ray(1)});
  }
  panel.area(reach, Ink::green, 0.16, "u⁻ − 𝒯⊥: what impulses can reach");
  panel.circle({0, 0}, length(u), {.ink = Ink::grey, .width = 1.2, .dashed = true, .legend = "energy sphere"});
  panel.arrow({0, 0}, u, {.ink = Ink::black, .legend = "u⁻ (relative motion)"});
}

std::string multi_contact() {
  const ImpactProblem problem = cradle(1);
  const KineticPlane plane(problem, plane_of_contacts(problem));
  Panel panel("three balls, the first hits two at rest", {-1.3, 1.3}, {-1.1, 1.2}, "across / √J",
              "along the bisector / √J");
  panel.same_scale();
  draw_cones(problem, plane, panel);
  std::vector<Point> segment;
  for (double e : spread(0, 1, 21)) segment.push_back(plane(answer(moreau(e), problem).u_plus));
  panel.line(segment, {.ink = Ink::red, .width = 2.5, .legend = "moreau, ε = 0 … 1"});
  panel.dot(plane(answer("inelastic", problem).u_plus), {.ink = Ink::orange, .legend = "maximum dissipation (53)"},
            4.5);
  panel.dot(plane(answer("sequential", problem).u_plus), {.ink = Ink::blue, .legend = "sequential: the cradle's"}, 4.5);
  panel.ring(plane(answer("poisson", problem).u_plus), {.ink = Ink::purple, .legend = "poisson and newton, ε = 1"}, 6);
  return svg_of({panel});
}

// A point in a corner of 60°, arriving on two neighbouring lines: the walls it meets first decide where it goes.
std::string corner() {
  constexpr double half = std::numbers::pi / 5;                                                // of the corner's angle
  const Vec left{{std::cos(half), std::sin(half)}}, right{{-std::cos(half), std::sin(half)}};  // normals of the walls
  const Vec u{{0.25, -1}};
  Panel panel("a corner of 72°: two neighbours part", {-1.4, 1.4}, {-0.15, 2.1});
  const Point wall_left{-2.2 * std::sin(half), 2.2 * std::cos(half)},
      wall_right{2.2 * std::sin(half), 2.2 * std::cos(half)};
  panel.area({{0, 0}, wall_right, wall_left}, Ink::shade, 0.25, "admissible");
  panel.line({wall_left, {0, 0}, wall_right}, {.ink = Ink::black, .width = 2.5});
  for (int side : {-1, 1}) {
    Vec q{{0.04 * side, 0.0}}, v = u;
    q -= 1.7 * u;
    std::vector<Point> path = {{q(0), q(1)}};
    for (int bounce = 0; bounce < 8; ++bounce) {
      double next = 3;
      const Vec* hit = nullptr;
      for (const Vec* wall : {&left, &right}) {
        const double approach = v.dot(*wall), time = approach < -1e-12 ? -q.dot(*wall) / approach : 3;
        if (time > 1e-9 && time < next) next = time, hit = wall;
      }
      q += next * v;
      path.push_back({q(0), q(1)});
      if (!hit) break;
      v = answer(moreau(1), ImpactProblem(Mat::Identity(2, 2), v, {contact("wall", *hit)})).u_plus;
    }
    panel.line(path, {.ink = side < 0 ? Ink::blue : Ink::orange,
                      .width = 1.6,
                      .legend = side < 0 ? "a little to the left, ε = 1 at every wall" : "a little to the right"});
  }
  const ImpactProblem both(Mat::Identity(2, 2), u, {contact("left", left), contact("right", right)});
  const Vec at_once = answer(moreau(1), both).u_plus;
  panel.arrow({0, 0}, {1.2 * at_once(0), 1.2 * at_once(1)},
              {.ink = Ink::red, .dashed = true, .legend = "into the corner, moreau ε = 1"});
  return svg_of({panel});
}

std::string decomposition() {
  const ImpactProblem problem = cradle(1);
  const KineticPlane plane(problem, plane_of_contacts(problem));
  const Point u = plane(problem.u_minus());
  const Point v = plane(answer("inelastic", problem).u_plus);
  const Point normal{u.x - v.x, u.y - v.y};
  // A velocity with a tangential part of its own: both contacts approach in the cradle, so another one is shown beside.
  const ImpactProblem skew = balls(Vec{{1, 2, 0.5}}, Vec{{1, 0.1, 0.9}}, Vec::Ones(2));
  const KineticPlane skew_plane(skew, plane_of_contacts(skew));
  const Point su = skew_plane(skew.u_minus()), sv = skew_plane(answer("inelastic", skew).u_plus);
  const Point sn{su.x - sv.x, su.y - sv.y};
  const auto draw = [&](Panel& panel, const ImpactProblem& p, const KineticPlane& map, Point before, Point tangential,
                        Point perpendicular) {
    draw_cones(p, map, panel);
    panel.arrow({0, 0}, tangential, {.ink = Ink::blue, .legend = "v = prox_𝒯(u⁻)"});
    panel.arrow(tangential, before, {.ink = Ink::purple, .legend = "v⊥ = u⁻ − v"});
    for (double e : {0.5, 1.0}) {
      const Point after = map(answer(moreau(e), p).u_plus);
      panel.dot(after, {.ink = Ink::red, .legend = "u⁺ = v − εv⊥, ε = ½ and 1"}, 4);
      panel.ring(sum(tangential, scaled(perpendicular, -e)), {.ink = Ink::black, .width = 1.1, .legend = "by hand"}, 6);
    }
  };
  Panel three("three equal balls: v = 0", {-1.3, 1.3}, {-1.1, 1.2}, "across / √J", "along the bisector / √J");
  three.same_scale();
  draw(three, problem, plane, u, v, normal);
  Panel other("balls (1, 2, ½), u⁻ = (1, 0.1, 0.9)", {-1.3, 1.3}, {-1.1, 1.2}, "across / √J",
              "along the bisector / √J");
  other.same_scale();
  draw(other, skew, skew_plane, su, sv, sn);
  return svg_of({three, other});
}

// Any number of balls: along −v⊥, and what is left of the length across it. Spheres of equal energy are circles.
Panel spheres(Index count) {
  const Vec masses = Vec::Ones(count);
  Vec u = Vec::Zero(count);
  u(0) = 1;
  const ImpactProblem problem = balls(masses, u, Vec::Ones(count - 1));
  const Vec v = problem.to_white(answer("inelastic", problem).u_plus), before = problem.to_white(u),
            normal = before - v;
  const Vec e = -normal.normalized();
  const auto place = [&](const Vec& white) {
    const double along = white.dot(e);
    return Point{along, std::sqrt(std::max(0.0, white.squaredNorm() - along * along))};
  };
  Panel panel(std::to_string(count) + " equal balls", {-1.15, 1.15}, {-0.1, 1.15}, "component along −v⊥ / √J",
              "across it / √J");
  panel.same_scale();
  for (double epsilon : {0.0, 0.5, 1.0}) {
    const double radius = std::sqrt(v.squaredNorm() + epsilon * epsilon * normal.squaredNorm());
    panel.circle({0, 0}, radius,
                 {.ink = epsilon == 0   ? Ink::orange
                         : epsilon == 1 ? Ink::grey
                                        : Ink::green,
                  .width = 1.3,
                  .dashed = true,
                  .legend = epsilon == 0   ? "sphere of ε = 0"
                            : epsilon == 1 ? "sphere of ε = 1"
                                           : "sphere of ε = ½"});
  }
  panel.arrow({0, 0}, place(before), {.ink = Ink::black, .legend = "u⁻"});
  std::vector<Point> segment;
  for (double epsilon : spread(0, 1, 21))
    segment.push_back(place(problem.to_white(answer(moreau(epsilon), problem).u_plus)));
  panel.line(segment, {.ink = Ink::red, .width = 3, .legend = "moreau: ε = 0 … 1, (b) at its end"});
  panel.dot(place(problem.to_white(answer("sequential", problem).u_plus)),
            {.ink = Ink::blue, .legend = "(a) the cradle's, by sequential: not on the segment"}, 4.5);
  panel.text(segment.back(), "b", Anchor::left, 12);
  panel.text(place(problem.to_white(answer("sequential", problem).u_plus)), "a", Anchor::right, 12);
  return panel;
}

std::string epsilon_spheres() { return svg_of({spheres(3), spheres(5)}); }

std::string local_law() {
  constexpr double epsilon = 0.5;
  Panel panel("(61): ξ = γ⁺ + εγ⁻ and Λ, ε = 0.5", {-0.2, 2.2}, {-0.2, 2.2}, "Λ_i / N s", "γ_i⁺ + εγ_i⁻ / m/s");
  panel.axes_through_origin();
  unsigned seed = 1;
  const auto random = [&] {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<double>(seed >> 8) / static_cast<double>(1u << 24);
  };
  for (int trial = 0; trial < 50; ++trial) {
    Vec m(4), u(4);
    for (Index k = 0; k < 4; ++k) m(k) = 0.3 + 2 * random(), u(k) = 2 * random() - 1;
    const ImpactResult result = answer(moreau(epsilon), balls(m, u, Vec::Constant(3, epsilon)));
    for (const ElementResult& element : result.elements)
      panel.ring({element.Lambda(0), element.gamma_plus(0) + epsilon * element.gamma_minus(0)},
                 {.ink = Ink::orange, .width = 1.1, .legend = "contacts of chains of balls, by moreau"}, 3);
  }
  panel.line({{0, 2.2}, {0, 0}, {2.2, 0}}, {.ink = Ink::blue, .width = 2, .legend = "complementarity"});
  return svg_of({panel});
}

}  // namespace

std::vector<PaperFigure> glocker_2004_figures() {
  const std::string paper = "glocker-2004";
  return {
      {paper, "2", "Wave propagation in two elastic rods",
       "The short rod comes to rest at 2 l₁/c, the contact opens at 2 l₂/c; the long rod leaves with l₁/l₂ of the "
       "velocity on "
       "average and the rest of the energy as a wave.",
       "carom simulate config/scenes/two-rods.yaml", rods},
      {paper, "5", "Geometry of a single-contact collision",
       "Impact equation, kinematics and energy leave a segment, from the nearest point of the tangent cone to the "
       "reflection.",
       "carom compare config/scenes/bouncing-ball.yaml --laws moreau,inelastic --impact-only", single_contact},
      {paper, "6", "A geodesic at a sharp edge",
       "Straight on over the unfolded edge; bent by 180° that is an impact without loss.",
       "carom impact config/scenes/particle-in-corner.yaml --law moreau --set law.restitution=1", edge},
      {paper, "8", "Geometry of a collision with two contacts",
       "What is admissible is no longer a segment but all of the overlap of both cones within the energy sphere.",
       "carom impact config/impacts/cradle.yaml --law moreau,poisson,newton,sequential,inelastic", multi_contact},
      {paper, "9", "A geodesic at a corner",
       "Two neighbouring paths meet the walls in another order and leave in other directions: the way on from the "
       "corner "
       "itself is not determined.",
       "carom simulate config/scenes/particle-in-corner.yaml", corner},
      {paper, "10", "Construction of Moreau's law",
       "u⁻ = v + v⊥ by the two cones, u⁺ = v − εv⊥; for three equal balls v = 0 in the relative motion.",
       "carom impact config/impacts/cradle.yaml --law inelastic,moreau --json", decomposition},
      {paper, "11", "Spheres of ε",
       "The law spans the segment; Newton's cradle (a) is on the sphere of ε = 1 but away from (b).",
       "carom impact config/impacts/cradle.yaml --law moreau,sequential", epsilon_spheres},
      {paper, "12", "The law in local coordinates",
       "Either an impulse and γ⁺ = −εγ⁻, or none and γ⁺ beyond it: 150 contacts of random chains.",
       "carom impact config/impacts/cradle.yaml --law moreau --json", local_law},
  };
}

}  // namespace carom
