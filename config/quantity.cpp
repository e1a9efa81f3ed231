#include "config/quantity.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

namespace carom {

namespace {

// Whether a scalar can only be an expression: numbers, also malformed ones, have no operators, names or quotes that
// an expression would need.
bool looks_like_expression(const Node& node) {
  if (!node.is_scalar()) return false;
  const std::string& text = node.text();
  if (text.find_first_of("*/^() ") != std::string::npos) return true;
  return node.is_quoted() || text == "pi" || text == "-pi";
}

std::optional<Expression> parse_expression(const Node& node, const std::string& text) {
  try {
    return Expression(text);
  } catch (const std::invalid_argument& e) {
    node.error(fmt::format("'{}' is neither a number nor an expression: {}", text, e.what()));
    return std::nullopt;
  }
}

// The name of a unit that a number has behind it; empty if it has none, or the one that there is: 30 deg.
std::string foreign_unit(const std::string& text) {
  static const std::set<std::string> known = {
      "°",   "deg", "degree", "degrees", "grad", "rad",   "rad/s", "rpm", "m",     "cm",    "mm", "km",
      "µm",  "um",  "m/s",    "km/h",    "m/s²", "m/s^2", "kg",    "g",   "kg/m³", "kg m²", "s",  "ms",
      "min", "h",   "Hz",     "N",       "kN",   "mN",    "Nm",    "N/m", "N s/m", "J",     "Pa"};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, number);
  const char* const begin = std::find_if(behind, end, [](char c) { return c != ' '; });
  if (error != std::errc() || begin == end) return {};
  const std::string unit(begin, end);
  return known.count(unit) == 0 || (unit == "deg" && begin > behind) ? std::string{} : unit;
}

// True if it has a unit, which is told.
bool refuse_unit(const Node& node) {
  const std::string unit = node.is_scalar() ? foreign_unit(node.text()) : "";
  if (!unit.empty())
    node.error(fmt::format("'{}' has a unit behind it; numbers are in SI units, without their names{}", node.text(),
                           unit == "°" || unit.starts_with("deg") ? ", and degrees are written 30 deg" : ""));
  return !unit.empty();
}

// A plain number in degrees, "30 deg". Inside other expressions `deg` is a factor of its own.
std::optional<double> plain_degrees(const std::string& text) {
  const std::size_t unit = text.rfind(" deg");
  if (unit == std::string::npos || unit + 4 != text.size()) return std::nullopt;
  const char* const end = text.data() + text.find_last_not_of(' ', unit) + 1;
  double number = 0;
  const auto [read, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && read == end ? std::optional<double>(number) : std::nullopt;
}

}  // namespace

std::optional<Quantity> read_number_and_unit(const Node& node) {
  if (refuse_unit(node)) return std::nullopt;
  if (!looks_like_expression(node)) {
    const auto number = node.number();
    return number ? std::optional<Quantity>({*number, 1}) : std::nullopt;
  }
  if (const auto degrees = plain_degrees(node.text())) return Quantity{*degrees, std::numbers::pi / 180};
  const auto expression = parse_expression(node, node.text());
  if (!expression) return std::nullopt;
  if (!expression->is_constant()) {
    node.error(fmt::format("'{}' depends on time; a constant is needed here", node.text()));
    return std::nullopt;
  }
  const double number = (*expression)(0).value;
  if (!std::isfinite(number)) {
    node.error(fmt::format("'{}' is not a finite number", node.text()));
    return std::nullopt;
  }
  return Quantity{number, 1};
}

std::optional<double> read_quantity(const Node& node, Unit unit) {
  const auto quantity = read_number_and_unit(node);
  if (!quantity) return std::nullopt;
  if (unit == Unit::plain && (quantity->in_degrees() || (node.is_scalar() && node.text().ends_with(" deg")))) {
    node.error("must be a number without 'deg': it is no angle");
    return std::nullopt;
  }
  return quantity->number * quantity->unit;
}

void warn_if_degrees_seem_meant(const Node& angle) {
  if (!angle.is_scalar() || looks_like_expression(angle) || !foreign_unit(angle.text()).empty()) return;
  const auto value = angle.number();
  if (value && std::abs(*value) > 2 * std::numbers::pi)
    angle.warning(fmt::format("is {0:g} rad, more than a turn; degrees are written {0:g} deg", *value));
}

std::optional<Vec> read_quantities(const Node& node, Unit unit) {
  return read_quantities(node, [unit](std::size_t) { return unit; });
}

std::optional<Vec> read_quantities(const Node& node, const std::function<Unit(std::size_t)>& unit_of_entry) {
  if (!node.is_list()) {
    node.error(fmt::format("must be a list of numbers, but is {}", node.form()));
    return std::nullopt;
  }
  const std::vector<Node> items = node.items();
  Vec values(static_cast<Index>(items.size()));
  bool good = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto value = read_quantity(items[i], unit_of_entry(i));
    good = good && value;
    if (value) values(static_cast<Index>(i)) = *value;
  }
  return good ? std::optional<Vec>(values) : std::nullopt;
}

std::optional<Mat> read_quantity_rows(const Node& node) {
  const std::vector<Node> rows = node.items();
  if (rows.empty()) {
    if (node.is_list()) node.error("must be a list of rows of numbers, but is empty");
    return std::nullopt;
  }
  Mat matrix;
  bool good = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = read_quantities(rows[i]);
    if (row && matrix.rows() == 0) matrix.resize(static_cast<Index>(rows.size()), row->size());
    const bool fits = row && row->size() == matrix.cols();
    if (row && !fits) rows[i].error(fmt::format("has {} numbers, the rows above have {}", row->size(), matrix.cols()));
    if (fits) matrix.row(static_cast<Index>(i)) = row->transpose();
    good = good && fits;
  }
  return good ? std::optional<Mat>(matrix) : std::nullopt;
}

std::optional<Expression> read_expression(const Node& node) {
  if (!node.is_scalar()) {
    node.error(
        fmt::format("must be a number or an expression of time such as \"10*sin(2*pi*t)\", but is {}", node.form()));
    return std::nullopt;
  }
  if (refuse_unit(node)) return std::nullopt;
  auto expression = parse_expression(node, node.text());
  if (expression && expression->is_constant() && !std::isfinite((*expression)(0).value)) {
    node.error(fmt::format("'{}' is not a finite number", node.text()));
    return std::nullopt;
  }
  return expression;
}

}  // namespace carom
