// Names a user may have meant.

#pragma once

#include <string>
#include <vector>

namespace carom {

// The candidate nearest to a misspelt word, if it is near; empty otherwise.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

// " (did you mean 'x'?)", or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace carom
