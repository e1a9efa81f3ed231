// Numbers as a scene writes them: plain, as an expression of constants ("2*cos(pi/9)"), or as an angle in degrees
// ("30 deg"); and functions of time.

#pragma once

#include <optional>

#include "config/document.h"
#include "models/expression.h"

namespace carom {

std::optional<double> read_quantity(const Node& node);
std::optional<Vec> read_quantities(const Node& node);  // a list of them
std::optional<Mat> read_quantity_rows(const Node& node);
std::optional<Expression> read_expression(const Node& node);  // of time

}  // namespace carom
