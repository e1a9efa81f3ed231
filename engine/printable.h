// Texts that came from outside, before they are shown: nothing in them acts on a terminal, and they are not long.

#pragma once

#include <string>

namespace carom {

// The first character that would act on a terminal instead of being shown (other than a line break or a tab), as
// U+001B; empty if there is none.
std::string control_character(const std::string& text);

// The same text with every such character as <U+001B>.
std::string printable(const std::string& text);

// A text of more bytes than these, without its middle.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace carom
