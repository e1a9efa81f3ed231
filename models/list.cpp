#include "models/list.h"

#include "models/added_models.h"

namespace carom {

#define CAROM_MODEL(name) ModelEntry name##_model();
#include "models/models.def"
#undef CAROM_MODEL

std::string lacking(const ModelEntry& model) {
  return model.statement.empty() ? "statement" : model.make ? "" : "function that makes it";
}

OpenList<ModelEntry>& model_list() {
  static OpenList<ModelEntry> list("model", {
#define CAROM_MODEL(name) name##_model(),
#include "models/models.def"
#undef CAROM_MODEL
                                            });
  return list;
}

const std::vector<ModelEntry>& closed_form_models() { return model_list().entries(); }

const ModelEntry* find_model(const std::string& name) { return model_list().find(name); }

}  // namespace carom
