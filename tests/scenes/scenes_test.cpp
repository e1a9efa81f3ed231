// Time stepping against closed forms, orders of convergence and balances.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <filesystem>

#include "tests/scenes/run_scene.h"

using namespace carom;
using testing::run;
using testing::run_text;
using testing::SceneRunResult;

namespace {

Scene shipped(const std::string& name, const std::vector<Setting>& overrides = {}) {
  return read_scene(CAROM_SOURCE "/config/scenes/" + name + ".yaml", {overrides, false});
}

double joint_drift(const System& system, const Sample& sample) {
  Vec gap(system.geometric_joint_rows());
  system.joint_gaps(sample.time, *sample.q, gap);
  return largest(gap);
}

constexpr const char* hinged_rods = R"(
gravity: [0, -9.81]
defaults:
  body: {{shape: rod, length: 2, mass: 3}}
bodies:
  upper: {{angle: {0}}}
  lower: {{angle: {1}}}
joints:
  - {{revolute: [world, upper], at: start, point: [0, 0]}}
  - {{revolute: [upper, lower], at: {{upper: end, lower: start}}}}
law: newton
integrator: {{step: {2}, duration: {3}}}
)";

constexpr double right_angle = 1.5707963267948966;

// Angles from the downward vertical, of both forms of the double pendulum.
std::pair<double, double> angles_after(bool rods, double step, double duration) {
  if (!rods) {
    const SceneRunResult r =
        run_text(fmt::format("model: {{type: double-pendulum, contact: none, position: [0.8, 1.1], "
                             "velocity: [0, 0]}}\nlaw: newton\nintegrator: {{step: {}, duration: {}}}\n",
                             step, duration));
    return {r.end.q(0), r.end.q(1)};
  }
  const SceneRunResult r = run_text(fmt::format(hinged_rods, 0.8 - right_angle, 1.1 - right_angle, step, duration));
  return {r.end.q(2) + right_angle, r.end.q(5) + right_angle};
}

}  // namespace

TEST_CASE("bouncing ball: impact times, accumulation and rest, by every law that rebounds") {
  const double t1 = std::sqrt(2 / 9.81), e = 0.5, h = 1e-4;
  for (const char* law : {"newton", "moreau", "poisson", "stronge", "poisson-routh", "newton-routh", "sequential",
                          "restitution-matrix", "compliant"}) {
    CAPTURE(law);
    const SceneRunResult r = run_text(fmt::format(
        "model: {{type: ball, restitution: {}}}\nlaw: {}\nintegrator: {{step: {}, duration: 1.5}}\n", e, law, h));
    REQUIRE(r.impacts.size() > 6);
    double t = t1;
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(std::abs(r.impacts[i].time - t) < 3 * h * static_cast<double>(i + 1));
      t += 2 * t1 * std::pow(e, static_cast<double>(i + 1));
    }
    CHECK(std::abs(r.impacts.back().time - t1 * (1 + e) / (1 - e)) < 1e-2);
    CHECK(std::abs(r.end.u(0)) < 1e-9);
    CHECK(std::abs(r.end.q(0) - 0.1) < 1e-3);
    CHECK(std::abs(r.end.energy.drift()) < 1e-9);
    CHECK(r.counts.inconsistent == 0);
  }
}

TEST_CASE("an elastic ball keeps its height under every law") {
  for (const char* law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const SceneRunResult r = run_text(
        fmt::format("model: {{type: ball, restitution: 1}}\nlaw: {}\nintegrator: {{step: 1e-3, duration: 20}}\n", law));
    CHECK(r.counts.impacts > 20);
    CHECK(std::abs(r.end.energy.total() - r.end.energy.initial) < 2e-3 * r.end.energy.initial);
  }
}

TEST_CASE("a sliding box stops after v²/2a and stays") {
  const SceneRunResult r = run(shipped("box-on-incline"));
  const double a = 9.81 * (0.5 * std::cos(0.3) - std::sin(0.3));
  CHECK(std::abs(std::abs(r.end.q(0)) - 1 / (2 * a)) < 2e-3);
  CHECK(largest(r.end.u) < 1e-9);
}

TEST_CASE("from sliding to rolling: two thirds of the speed for a disk, five sevenths for a sphere") {
  const SceneRunResult disk = run(shipped("disk-on-plane"));
  CHECK(std::abs(disk.end.u(0) - 2.0 / 3) < 1e-3);
  CHECK(std::abs(disk.end.u(2) + 20.0 / 3) < 1e-2);
  const SceneRunResult sphere = run(shipped("sphere-rolling"));
  CHECK(std::abs(sphere.end.u(0) - 5.0 / 7) < 2e-3);
}

TEST_CASE("a slender block rocks on without slip: the impact leaves 1 − 3/2 sin²α of the angular velocity") {
  const SceneRunResult r = run(shipped("rocking-block"));
  const double ratio = 1 - 1.5 * (0.04 / 1.04);
  REQUIRE(r.impacts.size() >= 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::sqrt(r.impacts[i].kinetic_after / r.impacts[i].kinetic_before) == doctest::Approx(ratio).epsilon(0.01));
}

TEST_CASE("the period of a pendulum at large angles") {
  // T = 4√(l/g) K(sin ½θ₀) for a point mass; by the arithmetic-geometric mean.
  double a = 1, b = std::cos(0.5);
  while (std::abs(a - b) > 1e-15) std::tie(a, b) = std::pair((a + b) / 2, std::sqrt(a * b));
  const double period = 2 * 3.14159265358979323846 * std::sqrt(1 / 9.81) / a;
  double last = 1, crossing = 0;
  int crossings = 0;
  run_text(
      "model: {type: pendulum, shape: point, length: 1, position: 1, velocity: 0, contact: none}\nlaw: newton\n"
      "integrator: {step: 1e-3, duration: 21}\n",
      [&](const Sample& s) {
        const double angle = (*s.q)(0);
        if (last < 0 && angle >= 0 && crossings < 9) {
          crossing = s.time - 1e-3 * angle / (angle - last);
          ++crossings;
        }
        last = angle;
      });
  REQUIRE(crossings == 9);
  CHECK(crossing / (8 + 0.75) == doctest::Approx(period).epsilon(1e-5));
}

TEST_CASE("second order without contact at θ = ½, in angles and as hinged rods") {
  for (bool rods : {false, true}) {
    CAPTURE(rods);
    const auto exact = angles_after(rods, 1e-4, 1);
    const auto error = [&](double h) {
      const auto [first, second] = angles_after(rods, h, 1);
      return std::hypot(first - exact.first, second - exact.second);
    };
    const double ratio = error(0.01) / error(0.005);
    CHECK(ratio > 3.8);
    CHECK(ratio < 4.2);
  }
  CHECK(std::abs(angles_after(false, 1e-4, 1).first - angles_after(true, 1e-4, 1).first) < 1e-6);
}

TEST_CASE("a free double pendulum keeps its energy over 100 s, in angles and as hinged rods, and its joints closed") {
  const double first = 0.7853981633974483, second = 1.0471975511965976;
  for (bool rods : {false, true}) {
    CAPTURE(rods);
    const Scene scene = read_scene_text(
        rods
            ? fmt::format(hinged_rods, first - right_angle, second - right_angle, 1e-3, 100)
            : fmt::format("model: {{type: double-pendulum, contact: none, position: [{}, {}], velocity: [0, 0]}}\nlaw: "
                          "newton\nintegrator: {{step: 1e-3, duration: 100}}\n",
                          first, second),
        "scene");
    double worst = 0, joints = 0;
    const SceneRunResult r = run(scene, [&](const Sample& s) {
      worst = std::max(worst, std::abs(s.energy.total() / s.energy.initial - 1));
      joints = std::max(joints, joint_drift(*scene.system, s));
    });
    CHECK(worst < 1e-5);
    CHECK(std::abs(r.end.energy.drift() / r.end.energy.initial) < 1e-6);
    CHECK(joints < 1e-10);
  }
}

TEST_CASE("Kane's pendulum in angles and as hinged rods: the same motion through its impacts, joints closed") {
  const Scene rods = shipped("kane-rods");
  double joints = 0;
  const SceneRunResult a = run(shipped("kane"));
  const SceneRunResult b = run(rods, [&](const Sample& s) { joints = std::max(joints, joint_drift(*rods.system, s)); });
  CHECK(joints < 1e-10);
  CHECK(std::abs(a.end.q(0) - (b.end.q(2) + right_angle)) < 1e-4);
  CHECK(std::abs(a.end.q(1) - (b.end.q(5) + right_angle)) < 1e-4);
  CHECK(a.impacts.front().work == doctest::Approx(b.impacts.front().work).epsilon(1e-3));
  CHECK(a.impacts.front().work == doctest::Approx(-0.1266).epsilon(3e-3));
  CHECK(std::abs(a.end.energy.drift()) < 3e-4);
}

TEST_CASE("one tiny step from the published state gives Newton's published figures") {
  Scene scene = shipped("kane");
  scene.law = {"newton", {}};
  scene.integrator.step = 1e-9;
  scene.integrator.duration = 1e-9;
  const SceneRunResult r = run(scene);
  REQUIRE(r.impacts.size() == 1);
  CHECK(std::abs(r.impacts[0].work - 0.1634) < 5e-5);
  CHECK(std::abs(r.impacts[0].elements[0].impulse(0) - 3.4079) < 5e-5);
  CHECK(std::abs(r.end.u(0) + 0.3346) < 5e-5);
  CHECK(std::abs(r.end.u(1) - 0.3631) < 5e-5);
  CHECK(!r.impacts[0].energetic);
  CHECK(r.counts.inconsistent == 1);
}

TEST_CASE("under Moreau's law a clutch has the ε of the impact, in a run as at one impact") {
  Scene scene = shipped("slide-push");
  scene.law = {"moreau", {}};
  const SceneRunResult r = run(scene);
  REQUIRE(r.impacts.size() == 1);
  CHECK(std::abs(r.impacts[0].work) < 1e-12);  // ε = 1 in every row: nothing is lost or gained
  CHECK(r.counts.inconsistent == 0);
}

TEST_CASE("cradle: the outcome of each law, and a chain that sorts its velocities one collision after the other") {
  const auto after = [](const std::string& law) {
    return run_text("model: {type: ball-chain, balls: 3, speed: 1, restitution: 1}\nlaw: " + law +
                    "\nintegrator: {step: 1e-3, duration: 0.05}\n")
        .end.u;
  };
  CHECK((after("sequential") - Vec(Eigen::Vector3d(0, 0, 1))).norm() < 1e-9);
  CHECK((after("newton") - Vec(Eigen::Vector3d(-1.0 / 3, 2.0 / 3, 2.0 / 3))).norm() < 1e-9);
  CHECK((after("poisson") - Vec(Eigen::Vector3d(-1.0 / 3, 2.0 / 3, 2.0 / 3))).norm() < 1e-9);
  CHECK((after("inelastic") - Vec(Eigen::Vector3d::Constant(1.0 / 3))).norm() < 1e-9);
  const Vec sorted =
      run_text(
          "model: {type: ball-chain, balls: 6, gap: 0.01, velocity: [5, 1, 4, 2, 3, 0], restitution: 1}\n"
          "law: sequential\nintegrator: {step: 1e-4, duration: 0.5}\n")
          .end.u;
  for (Index i = 0; i < 6; ++i) CHECK(sorted(i) == doctest::Approx(static_cast<double>(i)));
}

TEST_CASE("long chains under laws that are split off the step") {
  const auto after = [](const std::string& law) {
    return run_text("model: {type: ball-chain, balls: 4000, speed: 1, restitution: 1}\nlaw: " + law +
                    "\nintegrator: {step: 1e-3, duration: 1e-3}\n")
        .end.u;
  };
  // Equal coefficients without friction: Poisson's law is Newton's (Glocker 2014, sect. 8).
  CHECK((after("poisson") - after("newton")).norm() < 1e-9);
  const Vec sorted = after("sequential");
  CHECK(sorted(sorted.size() - 1) == doctest::Approx(1));
  CHECK(sorted.head(sorted.size() - 1).norm() < 1e-9);
}

TEST_CASE("first order across impacts") {
  // Where an elastic ball is after some bounces; the error of the step's phase is averaged over neighbouring steps.
  const auto error = [](double h) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
      const double step = h * (1 + 0.013 * k);
      const double T = 1.8;
      const SceneRunResult r = run_text(fmt::format(
          "model: {{type: ball, restitution: 0.9}}\nlaw: newton\nintegrator: {{step: {}, duration: {}}}\n", step, T));
      const double t1 = std::sqrt(2 / 9.81), v1 = 0.9 * 9.81 * t1, second = t1 + 2 * v1 / 9.81, v2 = 0.9 * v1;
      const double t = r.end.time - second;
      sum += std::abs(r.end.q(0) - 0.1 - (v2 * t - 0.5 * 9.81 * t * t));
    }
    return sum / 8;
  };
  const double ratio = error(4e-3) / error(4e-4);
  CHECK(ratio > 4);
  CHECK(ratio < 25);
}

TEST_CASE("a stack at rest does not flicker: every contact closed in every step, nothing booked as impact") {
  int open = 0;
  const SceneRunResult r = run_text(
      "model: {type: ball-chain, balls: 10, speed: 0, gravity: 9.81, wall: left, restitution: 0.5}\nlaw: newton\n"
      "integrator: {step: 1e-3, duration: 2}\n",
      [&](const Sample& s) {
        for (const ContactSample& contact : s.contacts) open += contact.state == State::open ? 1 : 0;
      });
  CHECK(open == 0);
  CHECK(r.counts.impacts == 0);
  CHECK(largest(r.end.u) < 1e-9);
}

TEST_CASE("prescribed motion: the ledger closes, its work is booked as applied") {
  const SceneRunResult r = run(shipped("shaker"));
  CHECK(std::abs(r.end.energy.work_applied) > 0.1);
  CHECK(std::abs(r.end.energy.drift()) < 1e-4 * std::abs(r.end.energy.work_applied));
}

TEST_CASE("closed loops with a redundant bar keep energy and joints") {
  const Scene scene = shipped("four-bar");
  double joints = 0;
  const SceneRunResult r =
      run(scene, [&](const Sample& s) { joints = std::max(joints, joint_drift(*scene.system, s)); });
  CHECK(joints < 1e-10);
  CHECK(std::abs(r.end.energy.drift()) < 1e-5 * std::abs(r.end.energy.initial));
}

TEST_CASE("the woodpecker's motion is periodic, T = 0.146 s") {
  Scene scene = shipped("woodpecker");
  scene.integrator.step = 1e-4;
  scene.integrator.duration = 2;
  std::vector<double> beaks;
  const SceneRunResult r = run(scene);
  for (const ImpactRecord& impact : r.impacts)
    for (const ImpactElementRecord& element : impact.elements)
      if (element.name == "beak" && (beaks.empty() || impact.time > beaks.back() + 0.05)) beaks.push_back(impact.time);
  REQUIRE(beaks.size() > 8);
  const std::size_t n = beaks.size();
  CHECK((beaks[n - 1] - beaks[n - 5]) / 4 == doctest::Approx(0.1457).epsilon(0.01));
}

// Integrated from event to event by an independent program with Routh's path at every impact.
TEST_CASE("the woodpecker by Stronge's law: another motion, of another period, as from event to event") {
  Scene scene = shipped("woodpecker", {"law=stronge", "integrator.step=1e-5", "integrator.duration=0.5"});
  const SceneRunResult r = run(scene);
  const double expected[] = {0.07788, 0.08099, 0.08151, 0.13556, 0.14074, 0.25689, 0.25999, 0.26056,
                             0.31193, 0.31384, 0.42812, 0.43130, 0.43187, 0.48531, 0.49024};
  REQUIRE(r.impacts.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) CHECK(std::abs(r.impacts[i].time - expected[i]) < 2e-4);
}

TEST_CASE("the inhomogeneous bar impacts once, also by a restitution matrix that leaves it on a curved path") {
  for (const char* law : {"law=poisson", "law=restitution-matrix"}) {
    CAPTURE(law);
    CHECK(run(shipped("inhomogeneous-bar", {law})).impacts.size() == 1);
  }
}

TEST_CASE("every shipped scene runs, energy accounted for") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CAROM_SOURCE "/config/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().filename().string());
    Scene scene = read_scene(entry.path().string());
    CHECK(!scene.about.empty());
    const std::int64_t steps = std::min<std::int64_t>(scene.integrator.step_count(), 1500);
    scene.integrator.duration = static_cast<double>(steps) * scene.integrator.step;
    const SceneRunResult r = run(scene);
    CHECK(r.end.step == steps);
    CHECK(r.end.q.allFinite());
    const double scale = std::abs(r.end.energy.initial) + std::abs(r.end.energy.work_impacts) + r.end.energy.kinetic;
    CHECK(std::abs(r.end.energy.drift()) <= 0.02 * scale);
    ++count;
  }
  CHECK(count >= 25);
}
