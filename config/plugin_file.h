// Plug-ins: shared libraries with laws, models and solvers from outside (plugin.h). They are loaded because somebody
// who starts the program names them, never because a scene does.

#pragma once

#include <string>
#include <vector>

namespace carom {

// Its laws, models and solvers are of the lists from now on; all of them or, if something is wrong, none: BadInput with
// one sentence. One that is loaded already stays as it is. Not while anything is computed.
void load_plugin(const std::string& path);

// The files that CAROM_PLUGINS names, with ':' between them.
std::vector<std::string> plugins_of_environment();

// A note for messages about names that nobody knows: where others come in.
extern const char* const others_by_plugin;

}  // namespace carom
