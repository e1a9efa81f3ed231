#include "tools/json.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace carom {

namespace {

void write(const Json& json, const std::string& indent, std::string& out) {
  if (json.is_number_float()) {
    const double value = json.get<double>();
    out += std::isfinite(value) ? fmt::format("{:.17g}", value + 0.0) : "null";  // + 0: no zero has a sign
  } else if (json.is_array()) {
    const bool flat = json.empty() || !(json.front().is_object() || json.front().is_array());
    out += "[";
    bool first = true;
    for (const Json& item : json) {
      if (!first) out += flat ? ", " : ",";
      if (!flat) out += "\n" + indent + "  ";
      write(item, indent + "  ", out);
      first = false;
    }
    out += flat ? "]" : "\n" + indent + "]";
  } else if (json.is_object()) {
    out += "{";
    bool first = true;
    for (const auto& [key, value] : json.items()) {
      out += (first ? "\n" : ",\n") + indent + "  " + Json(key).dump() + ": ";
      write(value, indent + "  ", out);
      first = false;
    }
    out += first ? "}" : "\n" + indent + "}";
  } else {
    out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

}  // namespace

std::string dump(const Json& json) {
  std::string out;
  write(json, "", out);
  return out + "\n";
}

Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json to_json(const Vec& v) {
  Json array = Json::array();
  for (double x : v) array.push_back(x);
  return array;
}

}  // namespace carom
