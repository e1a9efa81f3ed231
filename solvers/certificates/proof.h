// Whether a law can create energy in a given system, as far as theorems tell.

#pragma once

#include <optional>
#include <string>

#include "engine/linear_algebra.h"

namespace carom {

// For every velocity before the impact, and every solution where there are several.
struct Proof {
  bool proven = false;
  std::string theorem;          // "one frictional contact (Glocker 2014, sect. 7)"; empty if nothing is proven
  std::string obstacle;         // in plain words, why no theorem applies
  std::optional<Vec> velocity;  // a u⁻ from which the law gains, where the theorem that fails is sharp

  static Proof by(std::string theorem) { return {true, std::move(theorem), {}, {}}; }
  static Proof none(std::string obstacle) { return {false, {}, std::move(obstacle), {}}; }
};

}  // namespace carom
