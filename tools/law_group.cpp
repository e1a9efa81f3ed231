#include "tools/law_group.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/diagnostics.h"
#include "tools/run_file/reader.h"

namespace carom {

std::string law_group(const ResultFile& file, const std::string& law) {
  if (law.empty()) return "/";
  if (file.kind() == ResultKind::run) throw BadInput(file.path() + ": is a single run; leave --law out");
  const RunCollection collection = read_collection(file);
  std::vector<std::string> laws;
  for (const std::string& group : collection.groups) laws.push_back(group.substr(group.rfind('/') + 1));
  const auto found = std::find(laws.begin(), laws.end(), law);
  if (found == laws.end())
    throw BadInput(fmt::format("{}: has no run with law '{}'{}; it has {}", file.path(), law, suggestion(law, laws),
                               fmt::join(laws, ", ")));
  return collection.groups[static_cast<std::size_t>(found - laws.begin())];
}

}  // namespace carom
