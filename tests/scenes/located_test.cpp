// Impacts located inside the step: instants to rounding, second order across them, and the same catalogue as captured.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <string>
#include <vector>

#include "config/scene_run.h"
#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

Scene shipped(const std::string& name, std::vector<Setting> overrides = {}) {
  overrides.push_back("integrator.scheme=located");
  return read_scene(CAROM_SOURCE "/config/scenes/" + name + ".yaml", {overrides, false});
}

// A ball of radius 0.1 m whose gap to the floor is h₀.
SceneRunResult ball(double gap, double speed, double gravity, double restitution, double h, double duration) {
  return run_text(
      fmt::format("model: {{type: ball, radius: 0.1, position: {:.17g}, velocity: {}, gravity: {}, restitution: {}}}\n"
                  "law: newton\nintegrator: {{scheme: located, step: {}, duration: {}}}\n",
                  0.1 + gap, speed, gravity, restitution, h, duration));
}

Vec state_of(const SceneRunResult& run) {
  Vec all(run.end.q.size() + run.end.u.size());
  all << run.end.q, run.end.u;
  return all;
}

// Of the states at the end of a scene, from steps h, h/2 and h/4 over the same time.
double order_of(const std::string& name, std::vector<Setting> overrides, double h) {
  const auto end = [&](double step) {
    overrides.push_back(fmt::format("integrator.step={:.17g}", step));
    return run(shipped(name, overrides));
  };
  const SceneRunResult coarse = end(h), middle = end(h / 2), fine = end(h / 4);
  CAPTURE(name);
  CHECK(coarse.impacts.size() == fine.impacts.size());
  CHECK(fine.impacts.size() > 0);
  const double first = (state_of(coarse) - state_of(middle)).cwiseAbs().maxCoeff();
  const double second = (state_of(middle) - state_of(fine)).cwiseAbs().maxCoeff();
  MESSAGE(name, ": ", fine.impacts.size(), " impacts, differences ", first, " and ", second);
  return std::log2(first / second);
}

}  // namespace

TEST_CASE("located: an elastic ball ends where it should, and its end falls as its start rises, for any step") {
  for (const double h : {0.01, 0.0173, 0.1, 0.3}) {
    CAPTURE(h);
    const double duration = h * std::ceil(1 / h);
    double last = 0;
    for (int i = 0; i <= 40; ++i) {
      const double gap = 0.5 + 0.01 * i;
      const double height = ball(gap, -5, 0, 1, h, duration).end.q(0) - 0.1;
      CHECK(height == doctest::Approx(5 * duration - gap).epsilon(1e-13));
      if (i > 0) CHECK((height - last) / 0.01 == doctest::Approx(-1).epsilon(1e-9));
      last = height;
    }
  }
}

TEST_CASE("located: a thousand elastic bounces keep their times to 1e-10 and their energy to 1e-12") {
  const double g = 9.81, gap = 0.05, t1 = std::sqrt(2 * gap / g);
  const SceneRunResult r = ball(gap, 0, g, 1, 0.0123, 2000.5 * t1);
  REQUIRE(r.impacts.size() >= 1000);
  for (std::size_t n = 0; n < 1000; ++n) {
    const double exact = t1 * static_cast<double>(2 * n + 1);
    CHECK(std::abs(r.impacts[n].time - exact) <= 1e-10 * exact);
  }
  CHECK(std::abs(r.end.energy.total() - r.end.energy.initial) <= 1e-12 * r.end.energy.initial);
  CHECK(std::abs(r.end.energy.drift()) <= 1e-12 * r.end.energy.initial);
}

TEST_CASE("located: bounces accumulate, and the ball rests on the floor without a threshold") {
  const double g = 9.81, gap = 1, t1 = std::sqrt(2 * gap / g);
  for (const double e : {0.0, 0.5, 0.8, 0.95}) {
    CAPTURE(e);
    const double h = 1e-2, accumulated = t1 * (1 + e) / (1 - e);
    const SceneRunResult r = ball(gap, 0, g, e, h, accumulated + 20 * h);
    CHECK(std::abs(r.impacts.back().time - accumulated) <= (e < 0.9 ? 2 * h * h : h));  // the last ones are held
    CHECK(std::abs(r.end.q(0) - 0.1) < 1e-3 * g * h * h);
    CHECK(r.end.u(0) == 0);
    for (std::size_t n = 0; n < std::min<std::size_t>(r.impacts.size(), 20); ++n) {
      const double exact = t1 * (1 + 2 * e * (1 - std::pow(e, static_cast<double>(n))) / (1 - e));
      CHECK(r.impacts[n].time == doctest::Approx(exact).epsilon(1e-10));
    }
    CHECK(std::abs(r.end.energy.drift()) <= 1e-12 * r.end.energy.initial);
    CHECK(r.end.energy.total() == doctest::Approx(g * 0.1).epsilon(1e-5));
  }
}

TEST_CASE("located: where two equal balls in a row end depends on their start as in closed form") {
  const double e = 0.6, T = 1.02;
  const auto ends = [&](const Vec& start) {  // x₁, x₂, v₁, v₂
    return run_text(fmt::format("model: {{type: two-point-masses, mass: 1, position: [{:.17g}, {:.17g}], velocity: "
                                "[{:.17g}, {:.17g}], restitution: {}}}\nlaw: newton\n"
                                "integrator: {{scheme: located, step: 0.03, duration: {}}}\n",
                                start(0), start(1), start(2), start(3), e, T))
        .end.q;
  };
  // They meet at t = (x₂ − x₁)/(v₁ − v₂) and go on with ½((1 − e)v₁ + (1 + e)v₂), ½((1 + e)v₁ + (1 − e)v₂).
  const auto exact = [&](const Vec& s) {
    const double t = (s(1) - s(0)) / (s(2) - s(3)), left = T - t;
    const double v1 = 0.5 * ((1 - e) * s(2) + (1 + e) * s(3)), v2 = 0.5 * ((1 + e) * s(2) + (1 - e) * s(3));
    return Eigen::Vector2d(s(0) + s(2) * t + v1 * left, s(1) + s(3) * t + v2 * left);
  };
  const Vec start = Eigen::Vector4d(0, 0.5, 1.1, -0.2);
  for (Index i = 0; i < 4; ++i) {
    const double d = 1e-4;
    Vec more = start, less = start;
    more(i) += d;
    less(i) -= d;
    const Vec derivative = (ends(more) - ends(less)) / (2 * d);
    const Vec by_closed_form = (exact(more) - exact(less)) / (2 * d);
    CHECK((derivative - by_closed_form).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("located: a contact that closes and opens again between two moments is met") {
  // A point thrown over a disk grazes it in the middle of a step, or passes just above.
  const auto impacts = [](double height) {
    return run_text(fmt::format(R"(
bodies:
  bar: {{shape: disk, radius: 0.01, fixed: true, position: [0, 0]}}
  ball: {{shape: disk, radius: 0.02, mass: 1, position: [-1, {}], velocity: [20, 0]}}
collide: all
law: newton
integrator: {{scheme: located, step: 0.02, duration: 0.1}}
)",
                                height))
        .impacts.size();
  };
  CHECK(impacts(0) == 1);
  CHECK(impacts(0.029) == 1);
  CHECK(impacts(0.0301) == 0);
}

TEST_CASE("located: impacts of first instants, several at once, and beside contacts that go on") {
  const SceneRunResult first = ball(0, -1, 0, 0.5, 0.1, 0.3);
  REQUIRE(first.impacts.size() == 1);
  CHECK(first.impacts[0].time == 0);
  CHECK(first.end.q(0) == doctest::Approx(0.1 + 0.5 * 0.3).epsilon(1e-14));
  // A block slides over a floor and strikes a wall, where friction has slowed it down: v² = v₀² − 2µgs.
  const SceneRunResult block = run_text(R"(
gravity: [0, -10]
bodies:
  floor: {shape: plane, normal: [0, 1], position: [0, 0]}
  wall: {shape: plane, normal: [-1, 0], position: [2, 0]}
  block: {shape: disk, radius: 0.5, mass: 1, position: [0, 0.5], velocity: [3, 0]}
contacts:
  below: {between: [block, floor], restitution: 0, friction: 0}
  beside: {between: [block, wall], restitution: 0.5, friction: 0}
law: newton
integrator: {scheme: located, step: 0.07, duration: 0.7}
)");
  REQUIRE(block.impacts.size() == 1);
  CHECK(block.impacts[0].time == doctest::Approx(0.5).epsilon(1e-13));
  CHECK(block.end.q(0) == doctest::Approx(1.5 - 1.5 * 0.2).epsilon(1e-12));
  CHECK(std::abs(block.end.q(1) - 0.5) < 1e-13);
}

TEST_CASE("located: second order across impacts") {
  const std::vector<Setting> none;
  CHECK(order_of("kane", {"integrator.duration=0.8"}, 4e-3) == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("located: a run that is resumed goes on bit by bit") {
  const Scene scene = shipped("kane", {"integrator.step=2e-3", "integrator.duration=1.6"});
  SceneRun whole(scene), half(scene), rest(scene);
  whole.start();
  half.start();
  while (!whole.simulation().finished()) whole.simulation().step(nullptr);
  for (int k = 0; k < 333; ++k) half.simulation().step(nullptr);
  rest.simulation().resume(half.simulation().state());
  while (!rest.simulation().finished()) rest.simulation().step(nullptr);
  CHECK(whole.simulation().counts().impacts > 1);
  CHECK(rest.simulation().state().q == whole.simulation().state().q);
  CHECK(rest.simulation().state().u == whole.simulation().state().u);
  CHECK(rest.simulation().state().energy.work_impacts == whole.simulation().state().energy.work_impacts);
}
