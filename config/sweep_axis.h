// One entry of a sweep's `vary`: a list, a range or a distribution.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/random_draw.h"
#include "config/spec_reader.h"
#include "config/sweep_file.h"

namespace carom {

// A distribution, and its i-th number.
struct Draws {
  enum class Kind { uniform, log_uniform, normal };
  Kind kind = Kind::uniform;
  double first = 0, second = 1;

  double operator()(const RandomStream& stream, std::uint64_t i) const;
};

// An axis as the file gives it: its values, or what they are drawn from.
struct AxisDraft {
  VariedAxis axis;
  std::optional<Draws> draws;
  std::optional<Index> count;  // of draws
  bool is_range = false;
};

// Nothing if there are mistakes, which the node's document then has.
std::optional<AxisDraft> read_axis(const std::string& name, const Node& node);

}  // namespace carom
