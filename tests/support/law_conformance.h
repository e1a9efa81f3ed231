// What every impact law has to keep, tried on seeded random problems: one suite for carom's own laws, in the tests, and
// for those of others, in the program carom-conformance.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"

namespace carom::testing {

// A problem on which it does not hold, and by how much. Without a seed: in the law's entry, or on a problem of its own.
struct Breach {
  std::uint64_t seed = 0;
  ProblemParts parts;
  std::string what;
};

struct ConformanceResult {
  std::string claim;
  int tried = 0;
  int least = 0;  // tried on fewer problems it would mean little
  std::vector<Breach> breaches;

  bool holds() const { return breaches.empty() && tried >= least; }
};

std::vector<ConformanceResult> conformance(const LawEntry& law);

}  // namespace carom::testing
