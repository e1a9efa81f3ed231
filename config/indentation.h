// Why a text is no YAML: the first line whose indentation fits to none above it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.h"

namespace carom {

struct BrokenIndentation {
  Place place;
  std::size_t spaces = 0;
  std::vector<std::size_t> fitting;  // what the lines above it have
};

// Looks at the lines up to the one, counted from 0, at which the parser stumbled.
std::optional<BrokenIndentation> broken_indentation(const std::string& text, int last_line);

std::string sentence(const BrokenIndentation& broken);

}  // namespace carom
