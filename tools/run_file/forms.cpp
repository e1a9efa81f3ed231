#include "tools/run_file/forms.h"

#include <algorithm>
#include <array>

#include "engine/energy_ledger.h"

namespace carom::hdf5 {

namespace {

constexpr bool optional = false;

Forms joined(Forms forms, const Forms& more) {
  forms.insert(forms.end(), more.begin(), more.end());
  return forms;
}

Forms energy_forms() {
  Forms forms;
  for (const LedgerColumn& column : ledger_columns())
    forms.push_back({std::string("energy/") + column.name, Of::number, 1, optional});
  return forms;
}

Forms sample_forms() {
  return {
      {"scene_yaml", Of::text, 0},
      {"time", Of::number, 1},
      {"step", Of::integer, 1},
      {"q", Of::number, 2, optional},
      {"u", Of::number, 2, optional},
      {"bodies/pose", Of::number, 3, optional},
      {"bodies/*/pose", Of::number, 2},
      {"contacts/gap", Of::number, 2, optional},
      {"contacts/velocity", Of::number, 3, optional},
      {"contacts/impulse", Of::number, 3, optional},
      {"contacts/state", Of::byte, 2, optional},
      {"contacts/*/gap", Of::number, 1},
      {"contacts/*/velocity", Of::number, 2},
      {"contacts/*/impulse", Of::number, 2},
      {"contacts/*/state", Of::byte, 1},
  };
}

Forms impact_forms() {
  return {
      {"impacts/time", Of::number, 1},
      {"impacts/step", Of::integer, 1},
      {"impacts/kinetic_before", Of::number, 1},
      {"impacts/kinetic_after", Of::number, 1},
      {"impacts/work", Of::number, 1},
      {"impacts/kinematic", Of::byte, 1},
      {"impacts/kinetic", Of::byte, 1},
      {"impacts/energetic", Of::byte, 1},
      {"impacts/solutions", Of::small_integer, 1},
      {"impacts/iterations", Of::small_integer, 1},
      {"impacts/residual", Of::number, 1},
      {"impacts/q", Of::number, 2, optional},
      {"impacts/u", Of::number, 2, optional},
      {"impacts/element_names", Of::text, 1},
      {"impacts/elements/impact", Of::integer, 1},
      {"impacts/elements/element", Of::small_integer, 1},
      {"impacts/elements/velocity_before", Of::number, 2},
      {"impacts/elements/velocity_after", Of::number, 2},
      {"impacts/elements/impulse", Of::number, 2},
      {"impacts/elements/compression", Of::number, 2},
      {"impacts/elements/decompression", Of::number, 2},
      {"impacts/elements/state", Of::byte, 1},
  };
}

Forms penetration_forms() {
  return {
      {"penetration/contact", Of::text, 1}, {"penetration/depth", Of::number, 1},  {"penetration/time", Of::number, 1},
      {"penetration/size", Of::number, 1},  {"penetration/lasted", Of::number, 1},
  };
}

Forms checkpoint_forms() {
  return {
      {"checkpoint/q", Of::number, 1},
      {"checkpoint/u", Of::number, 1},
      {"checkpoint/contacts/key", Of::unsigned_integer, 1},
      {"checkpoint/contacts/impulse", Of::number, 2},
      {"checkpoint/contacts/sustained", Of::byte, 1},
      {"checkpoint/contacts/keeps_gap", Of::byte, 1},
      {"checkpoint/contacts/gap", Of::number, 1},
      {"checkpoint/penetrations/key", Of::unsigned_integer, 1},
      {"checkpoint/penetrations/figures", Of::number, 2},
      {"checkpoint/penetrations/deep_at", Of::integer, 1},
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

const char* name_of(Of of) {
  constexpr std::array names = {"numbers", "64-bit integers", "unsigned 64-bit integers", "32-bit integers", "bytes",
                                "text",    "numbers or text"};
  return names[static_cast<std::size_t>(of)];
}

const Forms& forms_of_run() {
  static const Forms forms = joined(
      joined(joined(joined(sample_forms(), energy_forms()), impact_forms()), penetration_forms()), checkpoint_forms());
  return forms;
}

const Forms& forms_of_state() {
  static const Forms forms = checkpoint_forms();
  return forms;
}

const Forms& forms_of_comparison() {
  static const Forms forms = {{"impact_json", Of::text, 0, optional}, {"match_json", Of::text, 0, optional}};
  return forms;
}

const Forms& forms_of_sweep() {
  static const Forms forms = {
      {"scene_yaml", Of::text, 0},
      {"sweep_yaml", Of::text, 0},
      {"axes/*", Of::number_or_text, 1, optional},
      {"measures/*", Of::number, any_rank, optional},
      {"status", Of::byte, any_rank},
      {"done", Of::byte, any_rank},
      {"reason", Of::small_integer, any_rank, optional},
      {"reasons", Of::text, 1, optional},
  };
  return forms;
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
