// The systems of the benchmark as carom sees them, and carom stepping them.

#pragma once

#include <memory>
#include <string>

#include "config/scene_run.h"

namespace carom::bench {

// A scene with its law and solver, ready to step.
class Stepper {
 public:
  explicit Stepper(const std::string& yaml);
  explicit Stepper(Scene scene);

  void restart();                             // from the scene's initial state
  void resume(const SimulationState& state);  // from another one
  void step(int count);                       // without output
  double seconds_a_step(int count);           // from where it is
  Simulation& simulation() { return run_->simulation(); }
  const Scene& scene() const { return run_->scene(); }

 private:
  std::unique_ptr<SceneRun> run_;
};

std::string ball_scene();
std::string kane_scene(const std::string& law);
std::string resting_chain_scene(int balls);  // a column on a floor, every contact closed
std::string struck_chain_scene(int balls);   // touching balls, the first one strikes, ε = 1

// Disks of two sizes with friction in a box about as high as the pile is wide: a larger one of radius 0.1 and mass 1,
// and a smaller one, about as many of each.
struct PileLayout {
  PileLayout(int disks, double smaller_radius, double smaller_mass, double friction);
  int columns = 1, rows = 1;  // of the larger ones; a row of one fewer smaller ones lies on each
  double width = 1;
  double smaller_radius, smaller_mass, friction;
  std::size_t larger() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
  double radius(std::size_t disk) const { return disk < larger() ? larger_radius : smaller_radius; }
  double mass(std::size_t disk) const { return disk < larger() ? larger_mass : smaller_mass; }

  static constexpr double larger_radius = 0.1, larger_mass = 1;
};
// Nearly a lattice, row by row and loosely: it falls a little and settles soon, with most disks held by more contacts
// than they need.
PileLayout falling_pile(int disks);
// Sizes that differ enough for a disorderly pile, and friction by which it stays as it is set down (deposit.h).
PileLayout deposited_pile(int disks);
std::string pile_scene(const PileLayout& pile, double tolerance);
Scene deposited_scene(const PileLayout& pile, double tolerance);  // set down in an order drawn by lot

}  // namespace carom::bench
