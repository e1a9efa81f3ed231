#include "models/list.h"

namespace carom {

#define CAROM_MODEL(name) ModelEntry name##_model();
#include "models/models.def"
#undef CAROM_MODEL

const std::vector<ModelEntry>& closed_form_models() {
  static const std::vector<ModelEntry> list = {
#define CAROM_MODEL(name) name##_model(),
#include "models/models.def"
#undef CAROM_MODEL
  };
  return list;
}

const ModelEntry* find_model(const std::string& name) {
  for (const ModelEntry& entry : closed_form_models()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace carom
