// What the author of a plug-in includes: a shared library with laws, models and solvers, loaded by `--plugin FILE.so`,
// CAROM_PLUGINS or carom.load_plugin(). One file of it says what it has, entries as carom's own lists have them:
//
//   CAROM_PLUGIN(plugin) {
//     plugin.laws = {glue_law()};
//   }
//
// Everything the headers declare is the program's own when the plug-in is loaded: it links nothing of carom.

#pragma once

#include <vector>

#include "config/interface.h"
#include "models/list.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"

namespace carom {

struct Plugin {
  std::vector<LawEntry> laws;
  std::vector<ModelEntry> models;
  std::vector<SolverEntry> solvers;
};

}  // namespace carom

// Vectors and matrices are handed over, so their layout has to be the same too: -march=native changes it.
#define CAROM_TEXT_OF(x) #x
#define CAROM_TEXT(x) CAROM_TEXT_OF(x)
#define CAROM_BUILT_FOR                                                                                          \
  CAROM_INTERFACE ", Eigen " CAROM_TEXT(EIGEN_WORLD_VERSION) "." CAROM_TEXT(EIGEN_MAJOR_VERSION) "." CAROM_TEXT( \
      EIGEN_MINOR_VERSION) " on " CAROM_TEXT(EIGEN_MAX_ALIGN_BYTES) " bytes"

// The text is read from the file and compared before any of it runs.
#define CAROM_PLUGIN_MARK "carom plug-in, built for "
#define CAROM_PLUGIN(plugin)                                                                           \
  extern "C" __attribute__((visibility("default"))) const char carom_plugin_built_for[];               \
  extern "C" const char carom_plugin_built_for[] = CAROM_PLUGIN_MARK CAROM_BUILT_FOR;                  \
  extern "C" __attribute__((visibility("default"))) void carom_plugin_contents(carom::Plugin& plugin); \
  extern "C" void carom_plugin_contents(carom::Plugin& plugin)
