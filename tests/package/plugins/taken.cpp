#include "small_law.h"
// Its model would do, but nothing of a plug-in is taken if not all of it is.
CAROM_PLUGIN(plugin) {
  plugin.models = {*carom::find_model("ball")};
  plugin.models.front().name = "other-ball";
  plugin.laws = {law_called("newton")};
}
