// Impacts located inside the step: instants to rounding, second order across them, and the same catalogue as captured.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
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
  struct Measured {
    std::string scene;
    double duration, h;
  };
  for (const Measured& m :
       {Measured{"kane", 0.8, 4e-3}, Measured{"kane-rods", 0.8, 4e-3}, Measured{"slider-crank", 0.02, 8e-5},
        Measured{"tumbling-box", 0.3, 1e-3}, Measured{"cradle-5", 3.2, 4e-3}, Measured{"two-sleds", 0.8, 8e-3},
        Measured{"rod-on-plane", 1, 4e-3}})
    CHECK(order_of(m.scene, {fmt::format("integrator.duration={}", m.duration)}, m.h) ==
          doctest::Approx(2).epsilon(0.05));
}

// Where an impact is followed by contact that goes on, what is left of the step decides about the error, too: the worst
// over several steps is what falls with h².
TEST_CASE("located: second order across impacts that contacts go on from") {
  struct Measured {
    std::string scene;
    std::size_t impact;  // from 0
    double duration, h;
  };
  for (const Measured& m : {Measured{"rocking-block", 1, 1, 4e-3}, Measured{"woodpecker", 3, 0.12, 2e-4}}) {
    CAPTURE(m.scene);
    const auto time = [&](double h) {
      const SceneRunResult r = run(shipped(
          m.scene, {fmt::format("integrator.duration={}", m.duration), fmt::format("integrator.step={:.17g}", h)}));
      REQUIRE(r.impacts.size() > m.impact);
      return r.impacts[m.impact].time;
    };
    const double exact = time(m.h / 64);
    const auto worst = [&](double h) {
      double most = 0;
      for (int k = 0; k < 12; ++k) most = std::max(most, std::abs(time(h * (1 - 0.013 * k)) - exact));
      return most;
    };
    const double order = std::log2(worst(m.h) / worst(m.h / 4)) / 2;
    MESSAGE(m.scene, ": order ", order);
    CHECK(order > 1.7);
    CHECK(order < 2.4);
  }
}

TEST_CASE("located: second order where a contact begins to slip, halts or lets go within a step") {
  // A point on a spring and a rough belt that runs with w: it slips until it is as fast, sticks until the spring is
  // stronger than friction, at x = µg/ω², and slips back.
  const auto on_belt = [](double h, double T) {
    return run_text(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  belt: {{shape: block, size: [60, 0.1], mass: 1, position: [0, -0.05]}}
  a: {{shape: point, mass: 1, position: [0, 0]}}
forces:
  - {{spring: [world, a], stiffness: 4, rest: 0, point: [0, 0]}}
joints:
  - {{motion: belt.x, as: "0.2*t"}}
  - {{motion: belt.y, as: "-0.05"}}
  - {{motion: belt.angle, as: "0"}}
contacts:
  foot: {{between: [a, belt], friction: 0.3, restitution: 0}}
law: newton
integrator: {{scheme: located, step: {:.17g}, duration: {}}}
)",
                                h, T))
        .end.q(3);
  };
  const double omega = 2, w = 0.2, slips = 0.3 * 9.81 / 4;
  const double sticks_at = std::asin(w / (slips * omega)) / omega;
  const double stuck = slips * (1 - std::cos(omega * sticks_at)), slips_at = sticks_at + (slips - stuck) / w;
  const auto exact = [&](double T) {
    if (T < slips_at) return stuck + w * (T - sticks_at);
    return slips + w / omega * std::sin(omega * (T - slips_at));
  };
  for (const double T : {1.0, 5.0}) {
    CAPTURE(T);
    const double coarse = std::abs(on_belt(0.02, T) - exact(T)), fine = std::abs(on_belt(0.005, T) - exact(T));
    MESSAGE("errors ", coarse, " and ", fine);
    CHECK(std::log2(coarse / fine) / 2 == doctest::Approx(2).epsilon(0.1));
  }
}

TEST_CASE("located: an impact oscillator as in closed form between its impacts") {
  // x = a sin ωt about the spring's rest; the stop returns ε of the speed.
  const auto times = [](double h) {
    std::vector<double> list;
    for (const ImpactRecord& impact : run_text(fmt::format(R"(
bodies:
  a: {{shape: point, mass: 1, position: [0.5, 0], velocity: [2, 0]}}
forces:
  - {{spring: [world, a], stiffness: 30, rest: 0.5, point: [0, 0]}}
contacts:
  stop: {{point: a, plane: {{point: [0.6, 0], normal: [-1, 0]}}, restitution: 0.8}}
law: newton
integrator: {{scheme: located, step: {}, duration: 4}}
)",
                                                           h))
                                          .impacts)
      list.push_back(impact.time);
    return list;
  };
  const double omega = std::sqrt(30), stop = 0.1, e = 0.8;
  std::vector<double> exact;
  double speed = 2, x = 0, t = 0;
  for (int n = 0; n < 6; ++n) {  // from (x, speed) to the next x = stop with a velocity towards it
    const double amplitude = std::hypot(x, speed / omega), phase = std::atan2(x * omega, speed);
    double next = std::asin(stop / amplitude) - phase;
    if (next <= 1e-12) next += 2 * std::acos(-1.0);
    t += next / omega;
    exact.push_back(t);
    x = stop;
    speed = -e * omega * std::sqrt(amplitude * amplitude - stop * stop);
  }
  const std::vector<double> coarse = times(4e-3), fine = times(1e-3);
  REQUIRE(coarse.size() == exact.size());
  REQUIRE(fine.size() == exact.size());
  for (std::size_t n = 0; n < exact.size(); ++n) {
    const double order = std::log2(std::abs(coarse[n] - exact[n]) / std::abs(fine[n] - exact[n])) / 2;
    CHECK(order == doctest::Approx(2).epsilon(0.05));
    CHECK(std::abs(fine[n] - exact[n]) < 2e-5);
  }
}

TEST_CASE("located: elastic bodies keep their energy and their places however often they meet in a step") {
  // A small disk between a wall and a heavy one that comes near: three hundred impacts, most of them in two steps.
  const SceneRunResult squeezed = run_text(R"(
bodies:
  wall: {shape: plane, normal: [1, 0], position: [0, 0]}
  small: {shape: disk, radius: 0.01, mass: 0.001, position: [0.3, 0]}
  heavy: {shape: disk, radius: 0.3, mass: 10, position: [1, 0], velocity: [-2, 0]}
defaults:
  contact: {restitution: 1, friction: 0}
collide: all
law: newton
integrator: {scheme: located, step: 0.01, duration: 1}
)");
  CHECK(squeezed.impacts.size() > 300);
  CHECK(squeezed.end.energy.total() == doctest::Approx(20).epsilon(1e-12));
  CHECK(squeezed.end.q(0) - 0.01 > 0);                      // small, before the wall
  CHECK(squeezed.end.q(3) - squeezed.end.q(0) - 0.31 > 0);  // heavy, before the small one
  CHECK(std::any_of(squeezed.notes.begin(), squeezed.notes.end(),
                    [](const std::string& note) { return note.find("divided more than") != std::string::npos; }));
  // A ball between two plates, a step as long as sixty flights.
  const SceneRunResult between = run_text(R"(
model: {type: two-point-masses, mass: 1, position: [0, 0.01], velocity: [0, 1], restitution: 1}
law: newton
integrator: {scheme: located, step: 0.1, duration: 1}
)");
  CHECK(between.end.energy.total() == doctest::Approx(between.end.energy.initial).epsilon(1e-12));
}

namespace {

struct Impacts final : Recorder {
  struct Seen {
    double time;
    std::vector<std::string> contacts;  // that carry an impulse
  };
  std::vector<Seen> seen;

  void sample(const Sample&) override {}
  void impact(const ImpactRecord& impact) override {
    seen.push_back({impact.time, {}});
    for (const ImpactElementRecord& element : impact.elements)
      if (element.impulse(0) > 0) seen.back().contacts.push_back(element.name);
  }
  bool has(const Seen& other, double within) const {
    return std::any_of(seen.begin(), seen.end(), [&](const Seen& own) {
      const auto shared = [&](const std::string& name) {
        return std::find(own.contacts.begin(), own.contacts.end(), name) != own.contacts.end();
      };
      return std::abs(own.time - other.time) <= within &&
             std::any_of(other.contacts.begin(), other.contacts.end(), shared);
    });
  }
};

}  // namespace

// Later ones differ by more than a step: each captured impact is early or late by up to h/2, and the motion behind it
// with it. Slow ones, that captured steps make no impacts of, are located before.
TEST_CASE("located: the catalogue runs, and the first captured impact is located within a step of it") {
  for (const auto& entry : std::filesystem::directory_iterator(CAROM_SOURCE "/config/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const bool takes_long = name == "box-stack" || name == "brick-wall" || name == "dominoes-on-a-curve";
    const auto scene = [&](const std::string& scheme) {
      return read_scene(entry.path().string(), {{"integrator.scheme=" + scheme}, false});
    };
    SceneRun captured(scene("moreau-jean")), located(scene("located"));
    const double h = captured.scene().integrator.step;
    Impacts of_captured, of_located;
    captured.start();
    while (!captured.simulation().finished() && captured.simulation().state().step < 1000 && of_captured.seen.empty())
      captured.simulation().step(&of_captured);
    const bool compares = !of_captured.seen.empty() && !(takes_long && captured.simulation().state().step > 50);
    const std::int64_t steps = (compares ? captured.simulation().state().step : 0) + (takes_long ? 2 : 20);
    located.start();
    while (!located.simulation().finished() && located.simulation().state().step < steps)
      located.simulation().step(&of_located);
    if (compares) CHECK(of_located.has(of_captured.seen.front(), 1.01 * h));
  }
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
