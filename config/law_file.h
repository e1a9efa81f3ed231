// The `law:` part of a file.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/document.h"
#include "engine/parameters.h"

namespace carom {

// A law by name (`law: poisson`) or with parameters (`law: {type: ..., ...}`). Unknown names, keys and values out
// of range are recorded as mistakes; `keys_of_scene` are keys that belong to the scene, not to the law.
std::optional<LawChoice> read_law(const Node& node, const std::vector<std::string>& keys_of_scene = {});

// Where a file says `key` of its law; the law itself if it does not, nowhere without one.
Place place_in_law(const std::optional<Node>& law, const std::string& key);

// "unknown law 'x' (did you mean ...)", for names from a file or from the command line.
std::string unknown_law_message(const std::string& name);

}  // namespace carom
