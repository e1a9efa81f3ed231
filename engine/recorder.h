// What the time stepper tells an observer: samples of the motion and every impact. Recording is an observer, so
// that stepping knows no file format.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/energy_ledger.h"
#include "engine/impact_result.h"
#include "engine/linear_algebra.h"

namespace carom {

// A named contact at the end of a step. Vectors are [normal, tangential...]; impulse over the step, never NaN.
struct ContactSample {
  double gap = 0;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  State state = State::open;
};

struct Sample {
  std::int64_t step = 0;
  double time = 0;
  const Vec* q = nullptr;
  const Vec* u = nullptr;
  EnergyLedger energy;
  std::span<const ContactSample> contacts;  // one a named contact, in the system's order
};

struct ImpactElementRecord {
  std::string name;
  State state = State::open;
  Eigen::Vector3d velocity_before = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity_after = Eigen::Vector3d::Zero();
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  Eigen::Vector3d compression = Eigen::Vector3d::Zero();  // NaN where the law has no phases
  Eigen::Vector3d decompression = Eigen::Vector3d::Zero();
};

struct ImpactRecord {
  std::int64_t step = 0;
  double time = 0;
  const Vec* q = nullptr;  // the state before it: the impact can be posed again
  const Vec* u = nullptr;
  double kinetic_before = 0, kinetic_after = 0, work = 0;
  bool kinematic = true, kinetic = true, energetic = true;
  int solutions = 1;
  int iterations = 0;
  double residual = 0;
  std::vector<ImpactElementRecord> elements;
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void sample(const Sample& sample) = 0;
  virtual void impact(const ImpactRecord& impact) = 0;
};

}  // namespace carom
