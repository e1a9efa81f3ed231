// The tree of a document, and YAML text as one and back. Only what implements document.h sees it.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/document.h"

namespace carom {

// A copy of the parsed tree, with aliases followed, keys in their order and places for everything.
struct Node::Data {
  enum class Form { null, scalar, list, map };

  Form form = Form::null;
  Place place;
  bool quoted = false;
  std::string scalar;
  std::vector<std::shared_ptr<Data>> items;                            // list
  std::vector<std::pair<std::string, std::shared_ptr<Data>>> entries;  // map
  std::vector<Place> key_places;

  std::shared_ptr<Data> find(const std::string& key) const {
    for (const auto& [name, data] : entries) {
      if (name == key) return data;
    }
    return nullptr;
  }
};

std::shared_ptr<Node::Data> deep_copy(const Node::Data& data);

// BadInput: a sentence about a place in the file, or about the file as a whole.
[[noreturn]] void bad_file(const std::string& name, const std::string& message, Place place = {});

// Where in a document a text stands: in a file, or below a path as an option of the command line gives it.
struct TextOrigin {
  std::string name;       // of the file, for messages
  std::string path = "";  // above it
  int depth = 0;          // of the path
  Place option = {};      // of all that is in it; unknown: of the file
};

// BadInput: not text, empty, more than one document, not YAML, too large. Mistakes that leave a tree go to
// `diagnostics`.
std::shared_ptr<Node::Data> read_tree(const std::string& text, const TextOrigin& origin, Diagnostics& diagnostics);

// As YAML: on several lines where it is long, or on one.
std::string yaml_of(const Node::Data& data);
std::string yaml_on_one_line(const Node::Data& data);

}  // namespace carom
