// The same systems in Siconos (MoreauJeanOSI, TimeStepping), through its C++ API. Where its packages are not installed
// every function returns nothing.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom::bench {

class Rival {
 public:
  virtual ~Rival() = default;
  virtual void step(int count) = 0;
  int failed_steps() const { return failed_; }  // whose solver did not converge

 protected:
  int failed_ = 0;
};

// Disks at rest in a box of three walls, with the pairs that are near each other: it need not look for contacts.
struct DiskPile {
  std::vector<double> radii, masses;
  std::vector<Eigen::Vector3d> poses, velocities;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  double width = 1, friction = 0.3, step = 2e-3;
};

bool has_siconos();
std::unique_ptr<Rival> siconos_ball();
std::unique_ptr<Rival> siconos_resting_chain(int balls);
std::unique_ptr<Rival> siconos_struck_chain(int balls);
std::unique_ptr<Rival> siconos_kane();
std::unique_ptr<Rival> siconos_pile(const DiskPile& pile, double tolerance);
// A step resolves one impact: ten Hertzian balls, the first strikes. dP is the step of its integration.
std::unique_ptr<Rival> siconos_multiple_impact(int balls, double dP);

}  // namespace carom::bench
