// How deep bodies were in each other: of every pair of shapes, found or named, the deepest and when, and how long it
// stayed deep.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/system.h"

namespace carom {

struct SimulationState;

struct Penetration {
  std::uint64_t key = 0;  // of the point that was deepest
  double depth = 0;       // there, at the end of a step
  double time = 0;
  double size = 0;    // of the thinner of the two bodies, half of its least thickness; 0 if none has one
  double lasted = 0;  // the longest time on end for which it was deep
  double deep_since = 0;
  std::int64_t deep_at = -1;  // the last step at whose end it was

  bool is_deep(double by) const { return size > 0 && by > deep_part * size; }
  // An impact is captured up to a step late, and leaves what it is late by until the bodies have gone apart or it is
  // taken back. What stays longer is no impact: they sink.
  bool stays_deep(double h) const { return lasted > 20 * h; }
  double step_for(double h) const { return h * deep_part * size / depth; }  // in which v·h is no longer deep

  static constexpr double deep_part = 1e-2;  // of the size
};

// Looks at the gaps at the end of each step. Allocates where a pair penetrates for the first time.
class PenetrationWatch {
 public:
  PenetrationWatch(const System& system, double size) : system_(system), rounded_depth_(1e-8 * size) {}

  void begin(const SimulationState& state);
  void look(std::span<const ContactPoint> points, SimulationState& state);

 private:
  // Where a contact's pair is in the list: the points of a step are mostly those of the step before, in their order.
  struct Place {
    std::uint64_t key = 0;
    std::size_t row = none;
  };
  static constexpr auto none = static_cast<std::size_t>(-1);

  std::size_t row_of(std::uint64_t key, SimulationState& state);

  const System& system_;
  const double rounded_depth_;                           // what rounding and contacts that keep their gap leave is none
  std::unordered_map<std::uint64_t, std::size_t> rows_;  // by pair
  std::vector<Place> places_;
};

}  // namespace carom
