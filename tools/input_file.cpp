#include "tools/input_file.h"

#include "config/file_kind.h"

namespace carom {

namespace {

std::vector<Setting> joined(std::vector<Setting> first, const std::vector<Setting>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

}  // namespace

Document InputFile::document(const std::vector<Setting>& more) const {
  const std::vector<Setting> all = joined(settings, more);
  return text ? Document::from_text(*text, name, all) : Document::from_file(name, all);
}

bool InputFile::is_scene() const { return carom::is_scene(document()); }

Scene InputFile::scene(SceneOptions options) const {
  options.overrides = joined(settings, options.overrides);
  return text ? read_scene_text(*text, name, options) : read_scene(name, options);
}

ImpactFile InputFile::impact(const std::vector<Setting>& more, const std::vector<std::string>& laws) const {
  return text ? read_impact_file(document(more), laws) : read_impact_file(name, joined(settings, more), laws);
}

}  // namespace carom
