// Closed-form models from outside this folder, of plug-ins.

#pragma once

#include "engine/open_list.h"
#include "models/list.h"

namespace carom {

std::string lacking(const ModelEntry& model);
OpenList<ModelEntry>& model_list();

}  // namespace carom
