// JSON as carom prints it: keys in their order, numbers with 17 significant digits, so that they read back
// to the same bits.

#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/linear_algebra.h"

namespace carom {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json);
Json to_json(const Vec& v);
Json number_or_null(const std::optional<double>& value);  // null also where it is not finite

}  // namespace carom
