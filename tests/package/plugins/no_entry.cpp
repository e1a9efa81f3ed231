#include "small_law.h"
carom::LawEntry nobody_asks_for() { return law_called("forgotten"); }
