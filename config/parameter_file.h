// Parameters of a law or a model, read from a map by their specifications.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/document.h"
#include "engine/parameters.h"

namespace carom {

// Checked for type, range and words; mistakes are recorded.
std::optional<ParameterValue> read_parameter(const ParameterSpec& spec, const Node& node);

// Those that the map gives, without the ones that are wrong.
struct ReadParameters {
  Parameters values;
  std::vector<const ParameterSpec*> misread;

  bool good() const { return misread.empty(); }
};

// Reads all but those that are to be left out. The caller finishes the map.
ReadParameters read_parameters(const std::vector<ParameterSpec>& specs, MapReader& map,
                               const std::set<std::string>& left_out = {});

}  // namespace carom
