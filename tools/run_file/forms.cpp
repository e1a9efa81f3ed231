#include "tools/run_file/forms.h"

#include <algorithm>
#include <array>

#include "engine/energy_ledger.h"

namespace carom::hdf5 {

namespace {

constexpr bool optional = false;

const Extents by_time = {"time"};
const Extents by_impact = {"impacts/time"};
const Extents by_element = {"impacts/elements/impact"};  // of impacts

Extents joined(Extents extents, const std::string& more) {
  extents.push_back(more);
  return extents;
}

Forms energy_forms() {
  Forms forms;
  for (const LedgerColumn& column : ledger_columns())
    forms.push_back({std::string("energy/") + column.name, Of::number, by_time, optional});
  return forms;
}

// Names of what the extents of other datasets run over.
Forms name_forms() {
  Forms forms;
  for (const char* path : {"q_names", "u_names", "pose_names", "body_names", "contact_names", "directions"})
    forms.push_back({path, Of::text, {path}, optional});
  return forms;
}

Forms sample_forms() {
  const Extents vectors = joined(by_time, "directions"), contacts = joined(by_time, "contact_names");
  return {
      {"scene_yaml", Of::text, {}},
      {"time", Of::number, by_time},
      {"step", Of::integer, by_time},
      {"q", Of::number, joined(by_time, "q_names"), optional},
      {"u", Of::number, joined(by_time, "u_names"), optional},
      {"bodies/pose", Of::number, {"time", "body_names", "pose_names"}, optional},
      {"bodies/*/pose", Of::number, joined(by_time, "pose_names")},
      {"contacts/gap", Of::number, contacts, optional},
      {"contacts/velocity", Of::number, joined(contacts, "directions"), optional},
      {"contacts/impulse", Of::number, joined(contacts, "directions"), optional},
      {"contacts/state", Of::byte, contacts, optional},
      {"contacts/*/gap", Of::number, by_time},
      {"contacts/*/velocity", Of::number, vectors},
      {"contacts/*/impulse", Of::number, vectors},
      {"contacts/*/state", Of::byte, by_time},
  };
}

Forms impact_forms() {
  const Extents vectors = joined(by_element, "directions");
  return {
      {"impacts/time", Of::number, by_impact},
      {"impacts/step", Of::integer, by_impact},
      {"impacts/kinetic_before", Of::number, by_impact},
      {"impacts/kinetic_after", Of::number, by_impact},
      {"impacts/work", Of::number, by_impact},
      {"impacts/kinematic", Of::byte, by_impact},
      {"impacts/kinetic", Of::byte, by_impact},
      {"impacts/energetic", Of::byte, by_impact},
      {"impacts/solutions", Of::small_integer, by_impact},
      {"impacts/iterations", Of::small_integer, by_impact},
      {"impacts/residual", Of::number, by_impact},
      {"impacts/q", Of::number, joined(by_impact, "q_names"), optional},
      {"impacts/u", Of::number, joined(by_impact, "u_names"), optional},
      {"impacts/element_names", Of::text, {"impacts/element_names"}},
      {"impacts/elements/impact", Of::integer, by_element},
      {"impacts/elements/element", Of::small_integer, by_element},
      {"impacts/elements/velocity_before", Of::number, vectors},
      {"impacts/elements/velocity_after", Of::number, vectors},
      {"impacts/elements/impulse", Of::number, vectors},
      {"impacts/elements/compression", Of::number, vectors},
      {"impacts/elements/decompression", Of::number, vectors},
      {"impacts/elements/state", Of::byte, by_element},
  };
}

Forms log_forms() {
  const Extents by_message = {"log/time"};
  return {
      {"log/time", Of::number, by_message},
      {"log/step", Of::integer, by_message},
      {"log/level", Of::text, by_message},
      {"log/text", Of::text, by_message},
  };
}

Forms penetration_forms() {
  const Extents by_pair = {"penetration/contact"};
  Forms forms = {{"penetration/contact", Of::text, by_pair}};
  for (const char* figure : {"depth", "time", "size", "lasted"})
    forms.push_back({std::string("penetration/") + figure, Of::number, by_pair});
  return forms;
}

Forms checkpoint_forms() {
  const Extents list = {""}, table = {"", ""};
  return {
      {"checkpoint/q", Of::number, list},
      {"checkpoint/u", Of::number, list},
      {"checkpoint/contacts/key", Of::unsigned_integer, list},
      {"checkpoint/contacts/impulse", Of::number, table},
      {"checkpoint/contacts/sustained", Of::byte, list},
      {"checkpoint/contacts/keeps_gap", Of::byte, list},
      {"checkpoint/contacts/gap", Of::number, list},
      {"checkpoint/penetrations/key", Of::unsigned_integer, list},
      {"checkpoint/penetrations/figures", Of::number, table},
      {"checkpoint/penetrations/deep_at", Of::integer, list},
  };
}

std::string_view first_name(std::string_view path) { return path.substr(0, path.find('/')); }

// What is left of both when the names that they share are taken away; both as they are where these differ.
struct Rest {
  std::string_view path, form;
};
Rest rest_of(std::string_view path, std::string_view form) {
  while (!path.empty() && !form.empty()) {
    const std::string_view name = first_name(path), wanted = first_name(form);
    if (wanted != "*" && wanted != name) break;
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    form.remove_prefix(std::min(form.size(), wanted.size() + 1));
  }
  return {path, form};
}

}  // namespace

const Extents of_the_grid = {"*"};

const char* name_of(Of of) {
  constexpr std::array names = {"numbers", "64-bit integers", "unsigned 64-bit integers", "32-bit integers", "bytes",
                                "text",    "numbers or text"};
  return names[static_cast<std::size_t>(of)];
}

const Forms& forms_of_run() {
  static const Forms forms = [] {
    Forms all = name_forms();
    for (const Forms& more :
         {sample_forms(), energy_forms(), impact_forms(), log_forms(), penetration_forms(), checkpoint_forms()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return forms;
}

const Forms& forms_of_state() {
  static const Forms forms = checkpoint_forms();
  return forms;
}

const Forms& forms_of_comparison() {
  static const Forms forms = {{"impact_json", Of::text, {}, optional}, {"match_json", Of::text, {}, optional}};
  return forms;
}

const Forms& forms_of_sweep() {
  static const Forms forms = {
      {"scene_yaml", Of::text, {}},
      {"sweep_yaml", Of::text, {}},
      {"axes/*", Of::number_or_text, {""}, optional},
      {"measures/*", Of::number, of_the_grid, optional},
      {"status", Of::byte, of_the_grid},
      {"done", Of::byte, of_the_grid},
      {"reason", Of::small_integer, of_the_grid, optional},
      {"reasons", Of::text, {""}, optional},
  };
  return forms;
}

const Form* form_at(std::string_view path, const Forms& forms) {
  const auto form = std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return is_at(path, f.path); });
  return form == forms.end() ? nullptr : &*form;
}

bool is_at(std::string_view path, std::string_view form) {
  const Rest rest = rest_of(path, form);
  return rest.path.empty() && rest.form.empty();
}

bool is_above(std::string_view path, std::string_view form) {
  const Rest rest = rest_of(path, form);
  return rest.path.empty() && !rest.form.empty();
}

}  // namespace carom::hdf5
