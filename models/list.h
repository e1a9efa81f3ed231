// The closed-form systems there are, with what a user is told about each. One line in models.def adds one; the
// loader, `carom models` and the tests follow from the entry.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/parameters.h"
#include "engine/system.h"

namespace carom {

// A system with a state to start from.
struct Model {
  std::shared_ptr<const System> system;
  Vec q, u;
};

struct ModelEntry {
  std::string name;
  std::string statement;
  std::string coordinates;  // what q and u are
  std::string source;
  std::vector<ParameterSpec> parameters = {};
  // std::invalid_argument with a sentence if the values do not go together; each has passed its specification.
  Model (*make)(const Parameters&) = nullptr;
};

const std::vector<ModelEntry>& closed_form_models();
const ModelEntry* find_model(const std::string& name);

}  // namespace carom
