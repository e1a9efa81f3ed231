// Files that are built into the program.

#pragma once

#include <string>
#include <vector>

namespace carom {

struct EmbeddedFile {
  std::string name, text;
};

std::vector<EmbeddedFile> published_files();  // published/: results of the papers
std::vector<EmbeddedFile> starter_files();    // starters/: files to begin with

}  // namespace carom
