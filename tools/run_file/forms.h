// The datasets that files of carom hold, as README.md lists them: where, of which type, with how many extents.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::hdf5 {

enum class Of { number, integer, unsigned_integer, small_integer, byte, text, number_or_text };
const char* name_of(Of of);

inline constexpr int any_rank = -1;  // at least 1

// A dataset that may be there; `needed`: wherever its group is.
struct Form {
  std::string path;  // `*` stands for one name
  Of type;
  int rank;
  bool needed = true;
};

using Forms = std::vector<Form>;
const Forms& forms_of_run();
const Forms& forms_of_state();       // what lies beside a .part
const Forms& forms_of_comparison();  // beside its runs, which are below this group
inline constexpr const char* laws_group = "laws";
const Forms& forms_of_sweep();

// Whether a path is that of the form; whether it leads to one.
bool is_at(std::string_view path, std::string_view form);
bool is_above(std::string_view path, std::string_view form);

}  // namespace carom::hdf5
