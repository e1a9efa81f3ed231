#include "small_law.h"
CAROM_PLUGIN(plugin) { plugin.laws = {law_called("gives-up")}; }
