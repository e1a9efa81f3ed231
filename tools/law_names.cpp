#include "tools/law_names.h"

#include <algorithm>

#include "config/diagnostics.h"
#include "config/law_file.h"
#include "solvers/laws/list.h"

namespace carom {

bool names_all_laws(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), "all") != names.end();
}

std::vector<std::string> laws_named(const std::string& option, const std::vector<std::string>& names) {
  std::string complaint;
  std::vector<std::string> laws;
  for (const std::string& name : names) {
    if (name == "all") continue;
    if (!find_law(name)) complaint += (complaint.empty() ? "" : "\n") + (option + ": " + unknown_law_message(name));
    if (std::find(laws.begin(), laws.end(), name) == laws.end()) laws.push_back(name);
  }
  if (!complaint.empty()) throw BadInput(complaint);
  if (!names_all_laws(names)) return laws;
  laws.clear();
  for (const LawEntry& law : impact_laws()) laws.push_back(law.name);
  return laws;
}

LawChoice law_choice(const std::string& name, const std::optional<LawChoice>& of_file) {
  return of_file && of_file->type == name ? *of_file : LawChoice{name, {}};
}

}  // namespace carom
