#include "config/plugin.h"
CAROM_PLUGIN(plugin) { plugin.laws.clear(); }
