// What a study of convergence found: as tables, as JSON and as a page.

#pragma once

#include <string>
#include <vector>

#include "tools/converge/sensitivity.h"
#include "tools/converge/study.h"
#include "tools/json.h"

namespace carom {

struct Convergence {
  std::string file, scene;
  std::vector<AskedQuantity> asked;
  std::vector<Study> studies;
  std::vector<Sensitivity> sensitivities;
  std::string sensitivity_scheme, sensitivity_law;
  bool sensitivity_captures = false;  // impacts, somewhere in a step
};

std::string convergence_text(const Convergence& found);
Json convergence_json(const Convergence& found);
std::string convergence_page(const Convergence& found);  // HTML, with the log–log plots

}  // namespace carom
