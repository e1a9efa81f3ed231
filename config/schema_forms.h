// Forms of values, as the tables of keys write them; and the tables that stand in files of their own.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/schema.h"

namespace carom::forms {

inline ValueForm any_number() { return {.kind = ValueForm::Kind::number}; }
inline ValueForm angle() { return {.kind = ValueForm::Kind::number, .angle = true}; }
inline ValueForm positive() { return {.kind = ValueForm::Kind::number, .lowest = 0, .lowest_open = true}; }
inline ValueForm not_negative() { return {.kind = ValueForm::Kind::number, .lowest = 0}; }
inline ValueForm within(double lowest, double highest) {
  return {.kind = ValueForm::Kind::number, .lowest = lowest, .highest = highest};
}
inline ValueForm whole(double lowest, double highest) {
  return {.kind = ValueForm::Kind::integer, .lowest = lowest, .highest = highest};
}
inline ValueForm flag() { return {.kind = ValueForm::Kind::flag}; }
inline ValueForm text() { return {.kind = ValueForm::Kind::word}; }
inline ValueForm one_of(std::vector<std::string> words) {
  return {.kind = ValueForm::Kind::word, .words = std::move(words)};
}
inline ValueForm expression() { return {.kind = ValueForm::Kind::expression}; }
inline ValueForm numbers(int least, int most) {
  return {.kind = ValueForm::Kind::numbers, .least = least, .most = most};
}
inline ValueForm rates() { return {.kind = ValueForm::Kind::numbers, .angle = true, .least = 3, .most = 3}; }
inline ValueForm point() { return numbers(2, 3); }
inline ValueForm names(int least, int most) { return {.kind = ValueForm::Kind::names, .least = least, .most = most}; }
inline ValueForm map_of(std::string name) { return {.kind = ValueForm::Kind::map, .of = std::move(name)}; }
inline ValueForm list_of(ValueForm form, int least = 0, int most = 1000000) {
  return {.kind = ValueForm::Kind::list, .least = least, .most = most, .forms = {std::move(form)}};
}
inline ValueForm named(ValueForm form) { return {.kind = ValueForm::Kind::named, .forms = {std::move(form)}}; }
inline ValueForm either(std::vector<ValueForm> forms) {
  return {.kind = ValueForm::Kind::any_of, .forms = std::move(forms)};
}

inline ValueForm pair() { return names(2, 2); }
inline ValueForm place_on_body() { return either({text(), point()}); }
inline ValueForm places_on_bodies() { return either({text(), point(), named(place_on_body())}); }
inline ValueForm repeated() { return whole(1, 1000000); }

}  // namespace carom::forms

namespace carom {

std::vector<MapSpec> body_maps();  // a body and what belongs to it

}  // namespace carom
