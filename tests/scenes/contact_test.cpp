// Impacts and friction in time against closed forms.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "solvers/laws/list.h"
#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

constexpr double g = 9.81;

std::string dropped_disk(const std::string& law, double restitution, double step, double height = 1) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies: {{ball: {{shape: disk, radius: 0.1, mass: 2, position: [0, {}]}}}}
contacts: {{floor: {{body: ball, plane: {{point: [0, 0]}}, restitution: {}}}}}
law: {}
integrator: {{step: {}, duration: 4.5}})",
                     height + 0.1, restitution, law, step);
}

std::string chain(const std::string& law, const std::string& balls) {
  return fmt::format(
      "model: {{type: ball-chain, restitution: 1, {}}}\nlaw: {}\nintegrator: {{step: 1e-3, duration: 3}}", balls, law);
}

// The last moment at which something moves.
double time_of_rest(const Motion& motion) {
  const auto moving = std::find_if(motion.moments.rbegin(), motion.moments.rend(),
                                   [](const Moment& moment) { return moment.u.cwiseAbs().maxCoeff() > 1e-9; });
  return moving == motion.moments.rend() ? 0 : moving->time;
}

}  // namespace

TEST_CASE("a disk does not pass through a wall that its step ends within, however late it is seen to touch") {
  for (const char* law : {"newton", "moreau", "poisson", "stronge"}) {
    for (const double speed : {10.0, 15.0, 19.0}) {  // 30 mm of wall and disk, a step of 1 ms
      for (int start = 0; start < 10; ++start) {
        CAPTURE(law);
        CAPTURE(speed);
        CAPTURE(start);
        const SceneRunResult run = run_text(fmt::format(R"(
gravity: [0, 0]
defaults: {{contact: {{restitution: 0.5, friction: 0.3}}}}
bodies:
  wall: {{shape: block, size: [0.02, 1], mass: 1, fixed: true}}
  disk: {{shape: disk, radius: 0.005, mass: 0.1, position: [{}, 0.013], velocity: [{}, 0]}}
collide: all
law: {}
integrator: {{step: 1e-3, duration: 0.03}}
)",
                                                        -0.1 - 0.0001 * start * speed, speed, law));
        CHECK(run.end.u(0) == doctest::Approx(-0.5 * speed));
      }
    }
  }
}

TEST_CASE("bodies that pass through each other within a step are told of once, with the step that sees them") {
  const auto shot = [](double start, double step) {
    return run_text(fmt::format(R"(
gravity: [0, 0]
bodies:
  wall: {{shape: block, size: [0.01, 1], mass: 1, fixed: true}}
  disk: {{shape: disk, radius: 0.01, mass: 1, position: [{}, 0], velocity: [100, 0]}}
  far: {{shape: disk, radius: 0.01, mass: 1, position: [1.1, 0.002]}}
collide: all
integrator: {{step: {}, duration: 0.02}}
)",
                                start, step));
  };
  // 30 mm of wall and disk at 100 m/s: 0.3 ms, and 0.4 ms for the other disk. Steps of 0.1 m see some of them.
  const SceneRunResult through = shot(-0.1, 1e-3);
  CHECK(through.impacts.empty());
  REQUIRE(through.notes.size() == 1);
  CHECK(through.notes[0].find("'disk-wall' passed through each other") != std::string::npos);
  CHECK(through.notes[0].find("for 0.0003 s") != std::string::npos);
  for (int k = 0; k < 20; ++k) {
    CAPTURE(k);
    CHECK(shot(-0.1 - 0.001 * k, 2.9e-4).notes.empty());
    CHECK(shot(-0.1 - 0.001 * k, 2.9e-4).end.u(0) == doctest::Approx(0));
    const SceneRunResult run = shot(-0.1 - 0.005 * k, 1e-3);
    CHECK(run.notes.size() == (std::abs(run.end.u(0)) > 99.9 ? 1 : 0));
  }
}

TEST_CASE("a body that a step leaves under what it falls on is told of once, with the step that sees it come") {
  const auto dropped = [](const char* body, double step) {
    return run_text(fmt::format("{}\nintegrator: {{step: {}, duration: 20}}", body, step));
  };
  const char* disk =
      "gravity: [0, -9.81]\nbodies: {ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1.1]}}\n"
      "contacts: {floor: {body: ball, plane: {}, restitution: 0.5}}";
  const char* found =
      "gravity: [0, -9.81]\nbodies: {ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1.1]},\n"
      "  floor: {shape: plane}}\ncollide: all";
  for (const char* body : {disk, found, "model: {type: ball}"}) {
    CAPTURE(body);
    const SceneRunResult deep = dropped(body, 10);
    REQUIRE(deep.notes.size() == 1);
    CHECK(deep.notes[0].find("m deep after a step of 10 s") != std::string::npos);
    CHECK(dropped(body, 2e-3).notes.empty());
  }
  CHECK(dropped(disk, 10).notes[0].find("'floor' is 490 m deep") != std::string::npos);
  CHECK(dropped(disk, 10).notes[0].find("(0.2 m); it went that far in 0.0041 s") != std::string::npos);
}

TEST_CASE("how deep a body is counts by the smaller of the two that touch, not by the largest of the scene") {
  const auto dropped = [](double step) {
    return run_text(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  ball: {{shape: disk, radius: 0.1, mass: 1, position: [0, 10]}}
  plate: {{shape: block, size: [30, 0.1], mass: 1, position: [100, 0]}}
  floor: {{shape: plane}}
collide: {{bodies: [ball, floor]}}
integrator: {{step: {}, duration: 3}})",
                                step));
  };
  const SceneRunResult deep = dropped(0.4);
  CHECK(deep.end.q(1) < -1);
  REQUIRE(deep.notes.size() == 1);
  CHECK(deep.notes[0].find("further than the smaller of its bodies reaches (0.2 m)") != std::string::npos);
  CHECK(dropped(5e-3).notes.empty());
}

TEST_CASE(
    "disks that pass each other within a step transmit nothing by laws that are split off it, and do not impact") {
  for (const char* law : {"poisson", "stronge", "compliant", "sequential"}) {
    for (int start = 0; start < 24; ++start) {
      CAPTURE(law);
      CAPTURE(start);
      const SceneRunResult run = run_text(fmt::format(R"(
gravity: [0, 0]
bodies:
  a: {{shape: disk, radius: 0.1, mass: 1, position: [{}, 0], velocity: [1, 0]}}
  b: {{shape: disk, radius: 0.1, mass: 1, position: [0.5, 0.201], velocity: [-1, 0]}}
collide: all
law: {}
integrator: {{step: 0.05, duration: 1.5}}
)",
                                                      -0.5 - 0.004 * start, law));
      CHECK(run.impacts.empty());
      CHECK(run.end.u(0) == 1);
    }
  }
}

TEST_CASE("bodies that fly past each other, rock or bounce do not pass through each other") {
  for (const char* scene : {
           "bodies: {a: {shape: disk, radius: 0.01, mass: 1, position: [-0.06, 0], velocity: [100, 0]},\n"
           "  b: {shape: disk, radius: 0.01, mass: 1, position: [0, 0.0201]}}",
           "bodies: {a: {shape: rod, length: 1, thickness: 0.02, mass: 1, angular_velocity: 60},\n"
           "  b: {shape: disk, radius: 0.1, mass: 1, position: [0.7, 0], velocity: [-1, 0]}}",
           "bodies: {a: {shape: block, size: [2, 0.1], mass: 1, position: [0, 0.5], angle: 0.3, velocity: [0, -9]},\n"
           "  floor: {shape: plane}}\ndefaults: {contact: {restitution: 0.9}}",
       }) {
    CAPTURE(scene);
    CHECK(run_text(std::string("gravity: [0, 0]\ncollide: all\nintegrator: {step: 1e-3, duration: 1}\n") + scene)
              .notes.empty());
  }
}

TEST_CASE("a contact whose gap jumps as another feature meets is not pushed back to the gap it had") {
  // A block wedged between floor, wall and a rod: at 0.608 s the rod's gap falls by 0.7 mm, which no velocity explains.
  const SceneRunResult run = run_text(R"(gravity: [0, -9.8100000000000005]
defaults:
  contact: {restitution: 0.3, friction: 0}
bodies:
  floor: {shape: plane, position: [0, 0], normal: [0, 1]}
  lw: {shape: plane, position: [-1.2, 0], normal: [1, 0]}
  rw: {shape: plane, position: [1.2, 0], normal: [-1, 0]}
  x0: {shape: block, size: [0.22114906808477605, 0.24126719580745432], mass: 0.32758291340361673, position: [-0.90000000000000002, 0.85061471382392129], angle: 0.34451453277134036, velocity: [-0.78723155442674519, -1.9352205156013309], angular_velocity: -0.31488165094906506}
  x1: {shape: rod, length: 0.39777462001460029, thickness: 0.02, mass: 6.2842845328435946, position: [-0.45000000000000001, 0.98958244190702893], angle: 0.46236947650485394, velocity: [-1.7334680517014518, -1.1852438570170576], angular_velocity: 7.9217078889858143}
  x2: {shape: disk, radius: 0.15877891998291646, mass: 0.19302384145818169, position: [0, 0.9677506122356565], angle: 1.0696155751144809, velocity: [-1.7712256335330534, -1.9034961945069315], angular_velocity: -3.5866619271244122}
  x3: {shape: block, size: [0.21186992734369747, 0.18214319726358535], mass: 0.15123647648876651, position: [0.45000000000000007, 0.65625276451436909], angle: 2.62899622175475, velocity: [1.0047175386102651, -1.0490320522214798], angular_velocity: -2.2644705028559535}
  x4: {shape: rod, length: 0.37352931099311037, thickness: 0.02, mass: 4.1734745895797873, position: [0.90000000000000002, 1.0392262978297557], angle: 2.7288348236757538, velocity: [0.57300282282479165, -0.2205251381567277], angular_velocity: -8.8026989262282491}
collide: all
law: sequential
integrator: {step: 0.001, duration: 1}
)");
  CHECK(run.end.energy.work_contact < 0.01);
  CHECK(std::none_of(run.impacts.begin(), run.impacts.end(), [](const auto& impact) { return !impact.energetic; }));
}

TEST_CASE("a contact between a block and a disk is recorded under its name, whichever comes first") {
  for (const char* pair : {"[table, ball]", "[ball, table]"}) {
    double closest = HUGE_VAL, pushed = 0;
    run_text(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  table: {{shape: block, size: [1, 0.1], mass: 10, position: [0, -0.05], fixed: true}}
  ball: {{shape: disk, radius: 0.05, mass: 0.1, position: [0, 0.06]}}
contacts:
  landing: {{between: {}, restitution: 0, friction: 0.3}}
law: newton
integrator: {{step: 1e-3, duration: 0.1}}
)",
                         pair),
             [&](const Sample& sample) {
               REQUIRE(sample.contacts.size() == 1);
               closest = std::min(closest, sample.contacts[0].gap);
               pushed = sample.contacts[0].impulse(0);
             });
    CHECK(std::abs(closest) < 1e-3);
    CHECK(pushed == doctest::Approx(0.1 * 9.81 * 1e-3));
  }
}

TEST_CASE("an impact of a run that has no solution is told, under laws in phases too") {
  // A body between two walls that close on it.
  const std::string squeezed = R"(
gravity: [0, 0]
bodies:
  a: {shape: block, size: [0.1, 1], mass: 1, position: [-0.1, 0]}
  b: {shape: block, size: [0.1, 1], mass: 1, position: [0.1, 0]}
  m: {shape: disk, radius: 0.05, mass: 1, position: [0, 0]}
joints:
  - {prismatic: [world, a], axis: [1, 0], at: centre, point: [-0.1, 0]}
  - {prismatic: [world, b], axis: [1, 0], at: centre, point: [0.1, 0]}
  - {motion: a.x, as: "-0.1+t"}
  - {motion: b.x, as: "0.1-t"}
contacts:
  l: {between: [a, m], restitution: 0.3, friction: 0.3}
  r: {between: [b, m], restitution: 0.3, friction: 0.3}
integrator: {step: 5e-4, duration: 0.01}
law: )";
  for (const char* law : {"newton", "poisson"})
    CHECK_THROWS_WITH_AS(run_text(squeezed + law), doctest::Contains("no solution"), SimulationFailure);
}

TEST_CASE("disks that meet along an axis and leave it within the step collide as those beside it") {
  const auto after = [](const std::string& offset) {
    return run_text(R"(
gravity: [0, 0]
defaults: {body: {shape: disk, radius: 0.05, mass: 1}}
bodies:
  a: {position: [0, 0]}
  b: {position: [0.1002, )" +
                    offset + R"(], velocity: [-1, 1]}
contacts:
  touch: {between: [a, b], restitution: 1}
law: poisson
integrator: {step: 1e-3, duration: 2e-3}
)")
        .end.u;
  };
  CHECK((after("0") - after("1e-9")).norm() < 1e-6);
}

TEST_CASE("A bouncing ball at a coarse step, by every law of the list: impact times, accumulation, rest") {
  const double epsilon = 0.8, h = 1e-3;
  const double first = std::sqrt(2 / g);
  for (const LawEntry& law : impact_laws()) {
    if (!law.uses_restitution) continue;
    CAPTURE(law.name);
    const Motion motion = motion_of(dropped_disk(law.name, epsilon, h));
    REQUIRE(motion.impacts.size() > 6);
    double expected = first, flight = 2 * first;
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(std::abs(motion.impacts[k].time - expected) < 3 * h);
      expected += flight *= epsilon;
    }
    // The last flights are shorter than a step: the scheme leaves them out, or makes one of several.
    CHECK(time_of_rest(motion) == doctest::Approx(first * (1 + epsilon) / (1 - epsilon)).epsilon(0.02));
    CHECK(motion.end().u.cwiseAbs().maxCoeff() < 1e-12);
    CHECK(std::abs(motion.end().contacts[0].gap) < 1e-4);
    CHECK(motion.end().contacts[0].impulse(0) == doctest::Approx(2 * g * h));
    CHECK(std::abs(motion.end().energy.drift()) < 1e-9);
  }
}

TEST_CASE("A plastic ball stays where it lands") {
  const Motion motion = motion_of(dropped_disk("inelastic", 0.8, 1e-3));
  CHECK(motion.impacts.size() == 1);
  CHECK(time_of_rest(motion) == doctest::Approx(std::sqrt(2 / g)).epsilon(0.005));
}

// Between impacts nothing is in error here (gravity is uniform), so what is measured is the capture of impacts in
// steps.
TEST_CASE("First order across impacts, classical and split step") {
  for (const std::string law : {"newton", "poisson"}) {
    CAPTURE(law);
    std::vector<double> errors;
    for (const double h : {4e-3, 1e-3, 2.5e-4}) {
      double sum = 0;
      const int heights = 24;
      for (int i = 0; i < heights; ++i) {
        const double height = 0.8 + 0.4 * i / heights;
        const Motion motion = motion_of(dropped_disk(law, 0.7, h, height), {"integrator.duration=1"});
        const double v = std::sqrt(2 * g * height), fall = v / g;
        double t = 1 - fall, speed = 0.7 * v;  // since the first impact
        for (; t > 2 * speed / g; speed *= 0.7) t -= 2 * speed / g;
        sum += std::abs(motion.end().q(1) - 0.1 - (speed * t - 0.5 * g * t * t));
      }
      errors.push_back(sum / heights);
    }
    CAPTURE(errors[0]);
    CAPTURE(errors[1]);
    CAPTURE(errors[2]);
    const double order = std::log(errors.front() / errors.back()) / std::log(16.0);
    CHECK(order > 0.8);
    CHECK(order < 1.3);
    CHECK(errors.back() < 10 * 2.5e-4);
  }
}

TEST_CASE("A sliding block stops after v²/2μg") {
  for (const std::string law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const Motion motion = motion_of(R"(
gravity: [0, -9.81]
bodies:
  block: {shape: block, size: [0.4, 0.1], mass: 2, position: [0, 0.05], velocity: [2, 0]}
  floor: {shape: plane}
contacts: {base: {body: block, on: floor, friction: 0.3}}
integrator: {step: 1e-3, duration: 1}
law: )" + law);
    CHECK(motion.end().q(0) == doctest::Approx(4 / (2 * 0.3 * g)).epsilon(1e-5));
    CHECK(motion.end().u.cwiseAbs().maxCoeff() < 1e-12);
    CHECK(motion.end().energy.work_contact == doctest::Approx(-4));
    CHECK(motion.impacts.empty());
  }
}

TEST_CASE("From sliding to rolling: 2/3 v0 for a disk, 5/7 v0 for a sphere") {
  for (const std::string law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const Motion disk = motion_of(R"(
gravity: [0, -9.81]
bodies: {disk: {shape: disk, radius: 0.2, mass: 2, position: [0, 0.2], velocity: [3, 0]}}
contacts: {floor: {body: disk, plane: {point: [0, 0]}, friction: 0.25}}
integrator: {step: 1e-3, duration: 1}
law: )" + law);
    CHECK(disk.end().u(0) == doctest::Approx(2).epsilon(1e-10));
    CHECK(disk.end().u(2) == doctest::Approx(-10).epsilon(1e-10));
    CHECK(disk.end().contacts[0].state == State::stick);
    const Motion sphere = motion_of(R"(
gravity: [0, 0, -9.81]
bodies: {ball: {shape: sphere, radius: 0.2, mass: 2, position: [0, 0, 0.2], velocity: [3, 0.7, 0]}}
contacts: {floor: {body: ball, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.25}}
integrator: {step: 1e-3, duration: 1}
law: )" + law);
    CHECK(sphere.end().u(0) == doctest::Approx(15.0 / 7).epsilon(1e-10));
    CHECK(sphere.end().u(1) == doctest::Approx(0.5).epsilon(1e-10));
    CHECK(sphere.end().u(4) == doctest::Approx(75.0 / 7).epsilon(1e-10));
  }
}

TEST_CASE("Equal balls sort their velocities, one contact at a time") {
  Vec v(8);
  v << 0.9, -0.3, 0.55, -1.1, 0.2, 0.1, -0.7, -0.2;
  for (const std::string gap : {"0.02", "0"}) {
    CAPTURE(gap);
    const Motion motion =
        motion_of(chain("{type: sequential, each: newton}",
                        "balls: 8, gap: " + gap + ", velocity: [0.9, -0.3, 0.55, -1.1, 0.2, 0.1, -0.7, -0.2]"));
    Vec sorted = v;
    std::sort(sorted.begin(), sorted.end());
    CHECK((motion.end().u - sorted).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("A stack at rest does not flicker") {
  for (const std::string law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const Motion motion = motion_of(R"(
gravity: [0, -9.81]
defaults: {body: {shape: block, size: [0.4, 0.2], mass: 1}, contact: {restitution: 0.5, friction: 0.4}}
bodies:
  floor: {shape: plane}
  block: {position: [0, 0.1], repeat: {count: 4, offset: [0.03, 0.2]}}
contacts:
  foot: {body: block1, on: floor}
  "joint{i}": {between: ["block{i}", "block{i+1}"], repeat: 3}
integrator: {step: 2e-3, duration: 1}
law: )" + law);
    CHECK(motion.impacts.empty());
    CHECK((motion.end().q - motion.start().q).cwiseAbs().maxCoeff() < 1e-9);
    for (std::size_t k = 1; k < motion.moments.size(); ++k) {
      double foot = 0;
      for (int corner = 0; corner < 4; ++corner)
        foot += motion.moments[k].contacts[static_cast<std::size_t>(corner)].impulse(0);
      if (std::abs(foot - 4 * g * 2e-3) > 1e-9) {
        CAPTURE(motion.moments[k].time);
        CHECK(foot == doctest::Approx(4 * g * 2e-3));
        break;
      }
    }
  }
}

TEST_CASE("Masses that hide contacts from each other are named as the cause in a run as in one impact") {
  for (const char* law : {"newton", "inelastic", "poisson"}) {
    CAPTURE(law);
    std::string why;
    try {
      run_text(std::string("gravity: [0, 0]\n"
                           "defaults: {body: {shape: disk, radius: 0.1}, contact: {restitution: 0.5, friction: 0.3}}\n"
                           "bodies:\n"
                           "  light: {mass: 1, position: [0, 0.1], velocity: [0, -1]}\n"
                           "  heavy: {mass: 1e16, position: [0, 0.3], velocity: [0, -2]}\n"
                           "  floor: {shape: plane}\n"
                           "collide: all\n"
                           "integrator: {step: 1e-3, duration: 0.01}\n"
                           "law: ") +
               law);
    } catch (const SimulationFailure& failure) {
      why = failure.what();
    }
    CHECK(why.find("the masses differ so much") != std::string::npos);
  }
}

TEST_CASE("an approach slower than the capture speed ends at rest") {
  const auto bounces = [](const char* capture_speed) {
    return run_text(fmt::format(R"(
model: {{type: ball, radius: 0.1, position: 1.1, restitution: 0.8}}
law: poisson
integrator: {{step: 1e-3, duration: 4.5, capture_speed: {}}})",
                                capture_speed))
        .impacts;
  };
  const std::vector<ImpactRecord> all = bounces("0"), fast = bounces("0.5");
  REQUIRE(fast.size() > 2);
  CHECK(fast.size() < all.size());
  const auto approach = [](const ImpactRecord& impact) { return -impact.elements.at(0).velocity_before(0); };
  for (std::size_t k = 0; k + 1 < fast.size(); ++k) {
    CHECK(approach(fast[k]) > 0.5);
    CHECK(fast[k].elements[0].velocity_after(0) == doctest::Approx(0.8 * approach(fast[k])).epsilon(1e-9));
  }
  CHECK(approach(fast.back()) <= 0.5);
  CHECK(std::abs(fast.back().elements[0].velocity_after(0)) < 1e-9);
}

// A disk in a V that is steeper than its friction cone: what holds it there cannot let it go at ε of its approach.
TEST_CASE("a disk that friction wedges in a V: moreau goes on, newton stops and says what helps, and that helps") {
  const std::string disk_in_a_V = R"yaml(
gravity: [0, -9.81]
defaults: {contact: {friction: 0.8, restitution: 0.3}}
bodies:
  left: {shape: plane, normal: ["cos(20*pi/180)", "sin(20*pi/180)"]}
  right: {shape: plane, normal: ["-cos(20*pi/180)", "sin(20*pi/180)"]}
  disk: {shape: disk, radius: 0.05, mass: 1, position: [0.001, 0.2], velocity: [0.1, 0]}
collide: all
integrator: {step: 1e-3, duration: 0.5}
law: )yaml";
  CHECK_THROWS_WITH(testing::run_text(disk_in_a_V + "newton"),
                    doctest::Contains("with restitution 0, or by a law that"));
  CHECK(testing::run_text(disk_in_a_V + "poisson").end.step == 500);
  CHECK(testing::run_text(disk_in_a_V + "moreau").end.step == 500);  // one ε in all rows of an impact
  CHECK(testing::run_text(disk_in_a_V + "{type: moreau, restitution: 0}").end.step == 500);
}
