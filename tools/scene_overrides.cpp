#include "tools/scene_overrides.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/diagnostics.h"

namespace carom {

namespace {

// Two values for one thing: which was meant cannot be guessed.
void refuse_second_value(const std::string& option, const std::vector<std::string>& keys,
                         const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    const std::string key = set.substr(0, set.find('='));
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      throw BadInput(fmt::format("{} and --set {} both give {}; leave one out", option, set, keys.front()));
  }
}

}  // namespace

std::vector<Setting> scene_overrides(const std::string& law, const std::string& duration, const std::string& step,
                                     const std::vector<std::string>& sets) {
  std::vector<Setting> list;
  const auto add = [&](const std::string& option, const std::string& value, const std::vector<std::string>& keys) {
    if (value.empty()) return;
    refuse_second_value(option, keys, sets);
    list.emplace_back(keys.front() + "=" + value, option + " " + value);
  };
  add("--law", law, {"law", "law.type"});
  add("--duration", duration, {"integrator.duration", "integrator"});
  add("--step", step, {"integrator.step", "integrator"});
  for (Setting& setting : settings_of(sets)) list.push_back(std::move(setting));
  return list;
}

}  // namespace carom
