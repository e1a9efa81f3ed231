#include "config/sweep_file.h"

namespace carom {

namespace {

using Kind = ValueForm::Kind;

ValueForm any_word() { return {.kind = Kind::word}; }
ValueForm any_value() { return {.kind = Kind::any}; }
ValueForm count() { return {.kind = Kind::integer, .lowest = 1, .highest = most_sweep_points}; }
ValueForm two_numbers() { return {.kind = Kind::numbers, .least = 2, .most = 2}; }

MapSpec sweep_map() {
  const ValueForm list_of_any = {.kind = Kind::list, .least = 1, .forms = {any_value()}};
  return {
      "sweep",
      "A scene or raw impact problem with values that vary, and what is measured at every point.",
      {
          {"sweep", any_word(), "the file's name", "what the sweep is called"},
          {"about", any_word(), "", "a sentence for headings"},
          {"scene", any_value(), "", "a scene or raw impact problem: a file, from the sweep's folder, or written here",
           true},
          {"set", {.kind = Kind::named, .forms = {any_value()}}, "", "values of the scene by path, before it varies"},
          {"mode",
           {.kind = Kind::word, .words = {"grid", "zip", "sampled"}},
           "grid",
           "every value with every other, the first with the first, or all drawn at random"},
          {"vary",
           {.kind = Kind::named,
            .forms = {{.kind = Kind::any_of, .forms = {list_of_any, {.kind = Kind::map, .of = "axis"}}}}},
           "",
           "what varies: by path, or by a name with its path; a list of values, a range or random draws",
           true},
          {"derived",
           {.kind = Kind::named, .forms = {any_word()}},
           "",
           "values of the scene by path that follow from those: \"2*cos({name})\""},
          {"samples", count(), "", "points of mode sampled"},
          {"seed", {.kind = Kind::integer, .lowest = 0, .highest = 9007199254740992.0}, "0", "of random draws"},
          {"measures", {.kind = Kind::list, .least = 1, .forms = {any_value()}}, "", "what is measured", true},
      }};
}

MapSpec axis_map() {
  return {
      "axis",
      "A range (from, to, count), a list (values) or random draws (uniform, log-uniform, normal). With \"deg\" behind "
      "its numbers an axis is in degrees.",
      {
          {"path",
           {.kind = Kind::any_of, .forms = {any_word(), {.kind = Kind::names}}},
           "the name",
           "of the value in the scene as in --set; several that get the same value; [] if only `derived` uses it"},
          {"from", {}, "", "first value"},
          {"to", {}, "", "last value"},
          {"count", count(), "", "values of a range, or draws"},
          {"scale", {.kind = Kind::word, .words = {"linear", "log"}}, "linear", "of a range"},
          {"values", {.kind = Kind::list, .least = 1, .forms = {any_value()}}, "", "the values themselves"},
          {"uniform", two_numbers(), "", "draws between two numbers"},
          {"log-uniform", two_numbers(), "", "draws between two positive numbers whose logarithm is uniform"},
          {"normal", two_numbers(), "", "draws by mean and standard deviation"},
      }};
}

}  // namespace

const std::vector<MapSpec>& sweep_schema() {
  static const std::vector<MapSpec> maps = {sweep_map(), axis_map()};
  return maps;
}

}  // namespace carom
