// A failing random problem as a file that `carom impact` takes.

#pragma once

#include <cstdint>
#include <string>

#include "tests/support/random_problem.h"

namespace carom::testing {

std::string problem_yaml(const ProblemParts& parts, const std::string& law);

// Writes the problem beside the tests and returns what to say: seed, file and how to replay it.
std::string replay(const ProblemParts& parts, const std::string& law, std::uint64_t seed);

}  // namespace carom::testing

// A check on a random problem: on failure says how to see it again.
#define CHECK_REPLAY(condition, parts, law, seed)                     \
  do {                                                                \
    const bool carom_ok = static_cast<bool>(condition);               \
    if (!carom_ok) MESSAGE(carom::testing::replay(parts, law, seed)); \
    CHECK_MESSAGE(carom_ok, #condition);                              \
  } while (false)
