// The first impact of a scene: in its initial state if a contact is closed and approaches there, else the one that its
// motion meets.

#pragma once

#include <optional>

#include "config/impact_file.h"
#include "config/scene.h"

namespace carom {

struct FirstImpact {
  double time = 0;
  Vec q;               // the problem's velocity is u⁻
  ImpactFile problem;  // of all contacts that take part
};

// Nothing if nothing impacts within the scene's duration. BadInput with a sentence if the impact cannot be posed.
// `file` is for messages.
std::optional<FirstImpact> find_first_impact(const Scene& scene, const std::string& file);

// BadInput with a sentence if nothing impacts within the scene's duration, or the impact cannot be posed.
FirstImpact first_impact(const Scene& scene, const std::string& file);

}  // namespace carom
