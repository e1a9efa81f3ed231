// How many threads a command uses, as -j says it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace carom {

std::size_t available_workers();  // cores that this process may use

// Of the value of -j; all cores if it is empty. BadInput otherwise.
std::size_t workers_named(const std::string& text);

// A number without sign, point or anything behind it.
std::optional<std::size_t> whole_number(const std::string& text);

}  // namespace carom
