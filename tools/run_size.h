// How large a run file gets.

#pragma once

#include <cstdint>
#include <string>

namespace carom {

std::string size_text(double bytes);  // "12 kB", "3.4 MB"

// On stderr, if the samples of a file at this path take more than its disk has free.
void warn_if_too_large(const std::string& path, std::int64_t bytes_of_samples);

}  // namespace carom
