// The systems of the benchmark as carom sees them, and carom stepping them.

#pragma once

#include <memory>
#include <string>

#include "config/scene.h"
#include "engine/simulation.h"

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
  Simulation& simulation() { return *simulation_; }
  const Scene& scene() const { return scene_; }

 private:
  Scene scene_;
  std::unique_ptr<ImpactLaw> law_;
  std::unique_ptr<InclusionSolver> solver_;
  std::unique_ptr<Simulation> simulation_;
};

std::string ball_scene();
std::string kane_scene(const std::string& law);
std::string resting_chain_scene(int balls);  // a column on a floor, every contact closed
std::string struck_chain_scene(int balls);   // touching balls, the first one strikes, ε = 1
// Disks of two sizes, row by row, loosely in a box about as high as it is wide, with friction: they settle soon.
struct PileLayout {
  explicit PileLayout(int disks);
  int columns = 1, rows = 1;  // of the larger ones; a row of one fewer smaller ones lies on each
  double width = 1;
  std::size_t larger() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }

  static constexpr double larger_radius = 0.1, smaller_radius = 0.098, larger_mass = 1, smaller_mass = 0.96;
  static constexpr double friction = 0.3;
};
std::string pile_scene(int disks, double tolerance);

}  // namespace carom::bench
