// Names of contacts and coordinates that other parts of a scene refer to.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/scene_draft.h"

namespace carom {

std::vector<std::string> points_of_contacts(const System& system);      // of named ones
bool is_part_of(const std::string& point, const std::string& contact);  // or the contact itself

struct NamesOfContacts {
  std::vector<std::string> all;
  std::function<bool(const std::string&)> chooses;   // some points of a contact
  std::function<bool(const std::string&)> is_point;  // of a contact
  bool others_are_found = false;                     // by `collide`, with names of their own
};

// Those under output.contacts and law.order.
void check_contact_names(SpecReader& root, const NamesOfContacts& names);

// Pairs of materials that nothing is made of are told.
void warn_of_unused_materials(SpecReader& root, const SceneDraft& draft);

// In a scene with mistakes, of which there is no system: whether names are those of parts that it would have.
void look_at_names(SpecReader& root, const SceneDraft& draft);

}  // namespace carom
