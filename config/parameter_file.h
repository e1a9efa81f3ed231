// Parameters of a law or a model, read from a map by their specifications.

#pragma once

#include <optional>
#include <vector>

#include "config/document.h"
#include "engine/parameters.h"

namespace carom {

// Checked for type, range and words; mistakes are recorded.
std::optional<ParameterValue> read_parameter(const ParameterSpec& spec, const Node& node);

// Those that the map gives. Nothing if one of them is wrong. The caller finishes the map.
std::optional<Parameters> read_parameters(const std::vector<ParameterSpec>& specs, MapReader& map);

}  // namespace carom
