// How a step ends a run that cannot go on.

#pragma once

#include <spdlog/fmt/fmt.h>

#include <string>

#include "engine/simulation.h"

namespace carom {

[[noreturn]] inline void fail(double t, const std::string& why) {
  throw SimulationFailure(fmt::format("at t = {:.9g} s: {}", t, why));
}

}  // namespace carom
