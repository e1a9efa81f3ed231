// Numbers as a scene writes them: plain, as an expression of constants ("2*cos(pi/9)"), or as an angle in degrees
// ("30 deg"); and functions of time.

#pragma once

#include <functional>
#include <optional>

#include "config/document.h"
#include "models/expression.h"

namespace carom {

// Whether a value is an angle, or a rate of one, and may be given in degrees; "deg" is a mistake in all others.
enum class Unit { plain, angle };

std::optional<double> read_quantity(const Node& node, Unit unit);
// Of an angle that is a plain number of more than a turn: degrees may be meant.
void warn_if_degrees_seem_meant(const Node& angle);

// The same with its unit aside: "30 deg" is 30 of π/180.
struct Quantity {
  double number = 0;
  double unit = 1;

  bool in_degrees() const { return unit != 1; }
};
std::optional<Quantity> read_number_and_unit(const Node& node);

std::optional<Vec> read_quantities(const Node& node, Unit unit = Unit::plain);  // a list of them
std::optional<Vec> read_quantities(const Node& node, const std::function<Unit(std::size_t)>& unit_of_entry);
std::optional<Mat> read_quantity_rows(const Node& node);
std::optional<Expression> read_expression(const Node& node);  // of time

}  // namespace carom
