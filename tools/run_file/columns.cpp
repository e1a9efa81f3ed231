#include "tools/run_file/columns.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "engine/impact_result.h"

namespace carom {

const std::vector<std::string>& pose_names(Index size) {
  static const std::vector<std::string> planar = {"x", "y", "angle"}, spatial = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  return size == 7 ? spatial : planar;
}

const std::vector<std::string>& pose_units(Index size) {
  static const std::vector<std::string> planar = {"m", "m", "rad"}, spatial = {"m", "m", "m", "1", "1", "1", "1"};
  return size == 7 ? spatial : planar;
}

const std::vector<std::string>& direction_names() {
  static const std::vector<std::string> names = {"normal", "tangential", "tangential_2"};
  return names;
}

const std::vector<std::string>& state_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const State state : {State::open, State::closed, State::stick, State::slip, State::reverse})
      list.emplace_back(name_of(state));
    return list;
  }();
  return names;
}

std::string link_name(const std::string& name, std::set<std::string>& taken) {
  std::string link = name.empty() || name == "." || name == ".." ? "_" : name;
  std::replace(link.begin(), link.end(), '/', '_');
  const std::string stem = link;
  for (int i = 2; !taken.insert(link).second; ++i) link = fmt::format("{}_{}", stem, i);
  return link;
}

}  // namespace carom
