// A scene or a raw impact problem as a command gets it: a file, or the text of one that was read before.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/impact_file.h"
#include "config/scene.h"

namespace carom {

struct InputFile {
  std::string name;                      // its path; what messages begin with
  std::optional<std::string> text = {};  // none: the file is read
  std::vector<Setting> settings = {};    // that were put into it before others are

  Document document(const std::vector<Setting>& more = {}) const;
  bool is_scene() const;

  // BadInput with every mistake.
  Scene scene(SceneOptions options) const;
  ImpactFile impact(const std::vector<Setting>& more, const std::vector<std::string>& laws) const;
};

}  // namespace carom
