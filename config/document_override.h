// Values put into a document at a path, as --set and a sweep do.

#pragma once

#include <memory>
#include <string>

#include "config/document_tree.h"

namespace carom {

// BadInput if there is no such place. `setter` is what a message begins with, e.g. --set.
void put_value(const std::string& path, const std::string& setter, const std::string& file,
               const std::shared_ptr<Node::Data>& root, const std::shared_ptr<Node::Data>& value);

// False if it could not be put there; why is in `diagnostics`.
bool apply_setting(const Setting& setting, const std::string& file, const std::shared_ptr<Node::Data>& root,
                   Diagnostics& diagnostics);

}  // namespace carom
