// The `model:` part of a scene: a closed-form model by name, or with its values.

#pragma once

#include <optional>

#include "config/document.h"
#include "models/list.h"

namespace carom {

// `restitution`, if given, is that of all its contacts. Nothing if the model cannot be made; mistakes are recorded.
std::optional<Model> read_model(const Node& node, const std::optional<double>& restitution);

}  // namespace carom
