// What a scene may hold: one table of maps and their keys. The loader takes required and unknown keys, words and
// ranges from it; `carom schema` prints it as JSON Schema; the documentation quotes it.

#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace carom {

// The form of a value.
struct ValueForm {
  enum class Kind {
    number,      // also an expression of constants, or an angle such as "30 deg"
    integer,     //
    flag,        // true or false
    word,        // one of `words`; any text if there are none
    expression,  // a number, or a text such as "10*sin(2*pi*t)"
    numbers,     // a list of them, of `least` to `most` entries
    names,       // a list of words, of `least` to `most` entries
    any,         // whatever YAML can hold
    map,         // the map `of`
    list,        // of what `forms` says, of `least` to `most` entries
    named,       // a map from names of the user's to what `forms` says
    any_of,      // one of `forms`
    law,         // a law by name or with its parameters
    model,       // a closed-form model by name or with its parameters
  };

  Kind kind = Kind::number;
  double lowest = -HUGE_VAL, highest = HUGE_VAL;
  bool lowest_open = false;  // the bound itself is excluded
  bool angle = false;        // of a number: may be in degrees
  int least = 0, most = 1000000;
  std::vector<std::string> words = {};
  std::string of = {};
  std::vector<ValueForm> forms = {};

  // "above 0", "0 .. 1", "at least 0"; empty without bounds.
  std::string range_text() const;
  bool contains(double value) const;
};

struct KeySpec {
  std::string name;
  ValueForm form;
  std::string default_text;  // as shown to a user; empty if there is none
  std::string meaning;
  bool required = false;
  std::vector<std::string> only_for = {};  // the kinds (shapes, joints, ...) it belongs to; empty: all
  std::string unit = {};                   // of its numbers; empty if they have none, or several
};

struct MapSpec {
  std::string name;
  std::string meaning;
  std::vector<KeySpec> keys;
  bool open = false;            // takes names of the user's beside its keys
  bool takes_defaults = false;  // required keys may stand in the scene's defaults instead
  std::string example = {};     // as in a file

  const KeySpec* find(const std::string& key) const;
};

// Every map of a scene; the first is the scene itself.
const std::vector<MapSpec>& scene_schema();
const MapSpec& map_spec(const std::string& name);  // of a map that exists

}  // namespace carom
