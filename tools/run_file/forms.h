// The datasets that files of carom hold, as README.md lists them: where, of which type, with how many extents.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::hdf5 {

enum class Of { number, integer, unsigned_integer, small_integer, byte, text, number_or_text };
const char* name_of(Of of);

// What the extents of a dataset run over, each by the dataset that tells where along it: rows by /time, columns by
// their names. "" where there is none.
using Extents = std::vector<std::string>;
extern const Extents of_the_grid;  // at least one: those of the sweep

// A dataset that may be there; `needed`: wherever its group is.
struct Form {
  std::string path;  // `*` stands for one name
  Of type;
  Extents extents;
  bool needed = true;
};

using Forms = std::vector<Form>;
const Forms& forms_of_run();
const Forms& forms_of_state();       // what lies beside a .part
const Forms& forms_of_comparison();  // beside its runs, which are below this group
inline constexpr const char* laws_group = "laws";
const Forms& forms_of_sweep();

const Form* form_at(std::string_view path, const Forms& forms);  // null: no dataset belongs there

// Whether a path is that of the form; whether it leads to one.
bool is_at(std::string_view path, std::string_view form);
bool is_above(std::string_view path, std::string_view form);

}  // namespace carom::hdf5
