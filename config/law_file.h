// The `law:` part of a file.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/document.h"
#include "engine/parameters.h"

namespace carom {

// A law by name (`law: poisson`) or with parameters (`law: {type: ..., ...}`). Unknown names, keys and values out
// of range are recorded as mistakes; `keys_of_scene` are keys that belong to the scene, not to the law. Where numbers
// of a law are mistakes, the choice has others in their place: what it asks of contacts can be told all the same.
std::optional<LawChoice> read_law(const Node& node, const std::vector<std::string>& keys_of_scene = {});

// Where a file says `key` of its law; the law itself if it does not, nowhere without one.
Place place_in_law(const std::optional<Node>& law, const std::string& key);

// A given order of collisions names contacts, also in a law with other mistakes.
void check_order(const Node& law, const std::vector<std::string>& contacts,
                 const std::function<bool(const std::string&)>& is_contact);

// "unknown law 'x' (did you mean ...)", for names from a file or from the command line.
std::string unknown_law_message(const std::string& name);

}  // namespace carom
