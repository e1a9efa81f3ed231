// Cells of a CSV file.

#pragma once

#include <string>

namespace carom {

std::string csv_cell(const std::string& text);  // in quotes where it needs them (RFC 4180)
std::string csv_cell(double number);            // 17 significant digits; nan where it is missing

}  // namespace carom
