// A run as a trace: for every quantity a chained hash, of which one character a mark is kept. Once a quantity differs
// in one bit, all its marks from there on are others.

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "config/scene.h"

namespace carom::testing {

enum Quantity : std::size_t { positions, velocities, ledger, impulses, impacts, notes };
constexpr std::array<const char*, 6> quantity_names = {"q", "u", "ledger", "impulses", "impacts", "notes"};

struct TraceLength {
  std::int64_t steps = 300;
  std::int64_t every = 1;  // steps a mark
};

// Some figures of a step, for machines that compute other bits.
struct KeptValues {
  std::int64_t step = 0;
  std::array<std::vector<double>, 3> values;  // of q and u a few spread ones, of the ledger all
};

struct Trace {
  TraceLength length;
  std::array<std::string, quantity_names.size()> marks;  // '.' where a quantity has nothing to tell since the last one
  std::vector<KeptValues> kept;

  bool operator==(const Trace& other) const { return marks == other.marks; }
};

// Ends early where the run does, and at the first mark after `seconds` of processor time.
Trace trace_of(const Scene& scene, const TraceLength& length, double seconds = std::numeric_limits<double>::infinity());

// The first step at which they differ and in what; nothing if they do not.
std::optional<std::string> difference_of_bits(const Trace& golden, const Trace& found);
std::optional<std::string> difference_of_values(const Trace& golden, const Trace& found, double tolerance);

}  // namespace carom::testing
