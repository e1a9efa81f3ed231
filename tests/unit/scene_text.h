// What the reader of scenes says about a text.

#pragma once

#include <string>

#include "config/diagnostics.h"
#include "config/scene.h"

namespace carom::testing {

// All mistakes, a line each; nothing if the scene is good.
inline std::string complaint(const std::string& text, const SceneOptions& options = {}) {
  try {
    read_scene_text(text, "f.yaml", options);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

}  // namespace carom::testing
