// The parts of the page, built into the program from page/.

#pragma once

#include <string>

namespace carom {

std::string page_html();    // with places for the title, the others and the data: <!--title-->, /*style*/, ...
std::string page_style();   // style.css
std::string page_script();  // the scripts, in the order they need each other

}  // namespace carom
