// Keys under the other names that users know them by: symbols of the field, short forms, words of other programs.

#pragma once

#include <string>
#include <vector>

namespace carom {

bool holds(const std::vector<std::string>& words, const std::string& word);

// The one of `keys` that a word is another name for; empty if there is none.
std::string synonym_among(const std::string& word, const std::vector<std::string>& keys);

// The one of `keys` that was meant by a word that is none: a synonym, or what it is a slip of the finger for.
std::string meant_key(const std::string& word, const std::vector<std::string>& keys);

}  // namespace carom
