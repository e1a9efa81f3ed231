// What a user may set on a law (beyond the elements' own coefficients) or on a closed-form model. The specification
// serves the reader of the file (types, ranges, suggestions), the help text and the documentation alike.

#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

struct LawChoice;

using ParameterValue =
    std::variant<double, std::string, std::vector<std::string>, Vec, Mat, std::shared_ptr<const LawChoice>>;

class Parameters {
 public:
  void set(const std::string& name, ParameterValue value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const { return values_.count(name) > 0; }

  template <class T>
  std::optional<T> get(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    const T* value = std::get_if<T>(&found->second);
    return value ? std::optional<T>(*value) : std::nullopt;
  }

 private:
  std::map<std::string, ParameterValue> values_;
};

// A law by name, with what is set on it.
struct LawChoice {
  std::string type;
  Parameters parameters;
};

struct ParameterSpec {
  enum class Type { number, integer, word, names, vector, matrix, law };

  std::string name;
  Type type = Type::number;
  std::string default_text;  // as shown to a user
  std::string meaning;
  std::string range_text = {};  // as shown to a user
  double lowest = -HUGE_VAL;
  double highest = HUGE_VAL;
  bool lowest_open = false;  // the bound itself is excluded
  std::vector<std::string> words = {};
  std::size_t angles_from = no_angles;  // of a list, entries from this one on are angles or rates of them; 0: all

  static constexpr std::size_t no_angles = static_cast<std::size_t>(-1);
};

}  // namespace carom
