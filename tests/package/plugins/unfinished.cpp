#include "config/plugin.h"
carom::LawEntry not_defined_anywhere();
CAROM_PLUGIN(plugin) { plugin.laws = {not_defined_anywhere()}; }
