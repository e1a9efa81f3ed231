#include "small_law.h"
CAROM_PLUGIN(plugin) {
  plugin.laws = {law_called("late")};
  throw std::runtime_error("not today");
}
