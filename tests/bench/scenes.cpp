#include "tests/bench/scenes.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "tests/bench/contest.h"
#include "tests/bench/deposit.h"

namespace carom::bench {

Stepper::Stepper(const std::string& yaml) : Stepper(read_scene_text(yaml, "benchmark")) {}

Stepper::Stepper(Scene scene) : run_(std::make_unique<SceneRun>(std::move(scene))) { run_->start(); }

void Stepper::restart() {
  run_ = std::make_unique<SceneRun>(run_->scene());
  run_->start();
}

void Stepper::resume(const SimulationState& state) { simulation().resume(state); }

void Stepper::step(int count) {
  for (int k = 0; k < count; ++k) simulation().step(nullptr);
}

double Stepper::seconds_a_step(int count) {
  return seconds_of([&] { step(count); }) / count;
}

std::string ball_scene() {
  return R"(
model: {type: ball, mass: 1, radius: 0.1, position: 1.1, restitution: 0.8}
law: newton
integrator: {step: 1e-3, duration: 5}
)";
}

std::string kane_scene(const std::string& law) {
  return fmt::format(R"(
model: {{type: double-pendulum, mass: 3, length: 2, position: [20 deg, 30 deg], velocity: [-0.1, -0.2],
        contact: floor, restitution: 0.5, friction: 0.5}}
law: {}
integrator: {{step: 1e-4, duration: 2}}
)",
                     law);
}

std::string resting_chain_scene(int balls) {
  return fmt::format(R"(
model: {{type: ball-chain, balls: {}, radius: 0.01, velocity: 0, gravity: 9.81, wall: left, restitution: 0.5}}
law: newton
integrator: {{step: 1e-3, duration: 100}}
)",
                     balls);
}

std::string struck_chain_scene(int balls) {
  return fmt::format(R"(
model: {{type: ball-chain, balls: {}, radius: 0.01, speed: 1, restitution: 1}}
law: newton
integrator: {{step: 1e-3, duration: 100}}
)",
                     balls);
}

PileLayout::PileLayout(int disks, double radius_of_smaller, double mass_of_smaller, double friction_between)
    : columns(std::max(2, static_cast<int>(std::lround(std::sqrt(disks * 0.87))))),
      rows(std::max(1, static_cast<int>(std::lround(disks / (2.0 * columns - 1))))),
      width(0.2006 * columns),
      smaller_radius(radius_of_smaller),
      smaller_mass(mass_of_smaller),
      friction(friction_between) {}

PileLayout falling_pile(int disks) { return {disks, 0.098, 0.96, 0.3}; }

PileLayout deposited_pile(int disks) { return {disks, 0.09, 0.81, 0.5}; }

std::string pile_scene(const PileLayout& pile, double tolerance) {
  return fmt::format(R"(
gravity: [0, -9.81]
defaults:
  contact: {{friction: {friction}, restitution: 0}}
bodies:
  floor: {{shape: plane, normal: [0, 1], position: [0, 0]}}
  left: {{shape: plane, normal: [1, 0], position: [0, 0]}}
  right: {{shape: plane, normal: [-1, 0], position: [{width}, 0]}}
  larger: {{shape: disk, radius: {r1}, mass: {m1}, position: [0.1003, 0.1001], repeat: {{count: [{columns}, {rows}], spacing: [0.2006, 0.3476]}}}}
  smaller: {{shape: disk, radius: {r2}, mass: {m2}, position: [0.2006, 0.2739], repeat: {{count: [{fewer}, {rows}], spacing: [0.2006, 0.3476]}}}}
collide: all
law: newton
integrator: {{step: 2e-3, theta: 1, duration: 100, accuracy: {tolerance}, tolerance: {tolerance}, directions: classical}}
)",
                     fmt::arg("friction", pile.friction), fmt::arg("width", pile.width),
                     fmt::arg("r1", PileLayout::larger_radius), fmt::arg("m1", PileLayout::larger_mass),
                     fmt::arg("r2", pile.smaller_radius), fmt::arg("m2", pile.smaller_mass),
                     fmt::arg("columns", pile.columns), fmt::arg("fewer", pile.columns - 1),
                     fmt::arg("rows", pile.rows), fmt::arg("tolerance", tolerance));
}

Scene deposited_scene(const PileLayout& pile, double tolerance) {
  Scene scene = read_scene_text(pile_scene(pile, tolerance), "pile");
  std::vector<std::size_t> order(static_cast<std::size_t>(scene.q.size() / 3));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 lot(1);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[lot() % (i + 1)]);
  std::vector<double> radii;
  for (const std::size_t disk : order) radii.push_back(pile.radius(disk));
  const std::vector<Eigen::Vector2d> centres = deposited(radii, pile.width);
  for (std::size_t k = 0; k < order.size(); ++k) scene.q.segment<2>(static_cast<Index>(3 * order[k])) = centres[k];
  return scene;
}

}  // namespace carom::bench
