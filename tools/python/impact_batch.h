// Many impacts of one form by one law: velocities, and where they are given masses, directions and coefficients, vary
// from one to the next.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/impact_file.h"
#include "engine/impact_result.h"

namespace carom {

// Numbers of every impact, one row each.
struct VariedNumbers {
  const double* first = nullptr;
  std::size_t row = 0;  // numbers

  const double* at(std::size_t impact) const { return first + impact * row; }
  explicit operator bool() const { return first != nullptr; }
};

// What varies of an element, by its key in a file.
using VariedElement = std::map<std::string, VariedNumbers>;

struct ImpactBatch {
  ImpactFile base;  // the form, and what does not vary
  std::size_t count = 0;
  VariedNumbers velocity, mass;
  std::vector<VariedElement> elements;  // one an element
};

struct ElementColumn {
  std::size_t rows = 0;
  std::vector<double> velocity_before, velocity_after, impulse, work;
  std::vector<std::uint8_t> state;
};

struct BatchResult {
  std::vector<double> velocity_after, kinetic_energy_before, kinetic_energy_after, work, residual;
  std::vector<std::uint8_t> kinematic, kinetic, energetic;
  std::vector<std::int64_t> solutions;
  std::vector<std::uint8_t> status;  // 0: resolved, 1: refused, 2: failed; then all numbers are NaN
  std::map<std::size_t, std::string> reasons;
  std::vector<ElementColumn> elements;
};

// `watch` is called now and then, and may throw.
BatchResult resolve_batch(const ImpactBatch& batch, const InclusionSolver& solver, const std::function<void()>& watch);

}  // namespace carom
