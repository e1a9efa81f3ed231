#include "config/sweep_measures.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>

namespace carom {

const std::vector<MeasureSpec>& measure_specs() {
  using Kind = MeasureKind;
  static const std::vector<MeasureSpec> specs = {
      {Kind::work, "work", "", "J", "T⁺ − T⁻ of the first impact: positive where the law creates energy"},
      {Kind::kinetic_before, "kinetic_before", "", "J", "kinetic energy before the first impact"},
      {Kind::kinetic_after, "kinetic_after", "", "J", "kinetic energy after the first impact"},
      {Kind::created_energy, "created_energy", "", "J",
       "work of the first impact if it gains energy beyond rounding, else 0"},
      {Kind::relative_gain, "relative_gain", "", "1", "work of the first impact over the kinetic energy before it"},
      {Kind::impact_time, "impact_time", "", "s", "when the first impact happens"},
      {Kind::kinematic, "kinematic", "", "1", "verdict of the first impact: 1 if nothing still approaches, else 0"},
      {Kind::kinetic, "kinetic", "", "1", "verdict: 1 if every impulse is inside its force set"},
      {Kind::energetic, "energetic", "", "1", "verdict: 1 if no energy is gained"},
      {Kind::consistent, "consistent", "", "1", "1 if all three verdicts hold"},
      {Kind::solutions, "solutions", "", "1", "solutions that were found for the first impact; the first is measured"},
      {Kind::state, "state", "contact", "",
       "of a contact in the first impact: 0 open, 1 closed, 2 stick, 3 slip, 4 reverse"},
      {Kind::impulse, "impulse", "direction", "N s", "of a contact in the first impact: tip.normal, tip.tangential"},
      {Kind::gamma_before, "gamma_before", "direction", "m/s", "relative velocity of a contact before the impact"},
      {Kind::gamma_after, "gamma_after", "direction", "m/s", "relative velocity of a contact after the impact"},
      {Kind::velocity_before, "velocity_before", "velocity", "", "u⁻ of the first impact, by coordinate"},
      {Kind::velocity_after, "velocity_after", "velocity", "", "u⁺ of the first impact, by coordinate"},
      {Kind::impacts, "impacts", "", "1", "impacts of the run", true},
      {Kind::inconsistent_impacts, "inconsistent_impacts", "", "1", "impacts of the run that create energy", true},
      {Kind::created_energy_of_run, "created_energy_of_run", "", "J", "what those create together", true},
      {Kind::end_time, "end_time", "", "s", "when the run ended", true},
      {Kind::smallest, "min", "quantity", "", "the least value of a quantity over all steps of the run", true},
      {Kind::largest, "max", "quantity", "", "the greatest value of a quantity over all steps of the run", true},
      {Kind::end, "end", "quantity", "", "the value of a quantity at the end of the run", true},
  };
  return specs;
}

std::string measure_name(const MeasureSpec& spec, const std::string& argument) {
  std::string name = argument.empty() ? spec.name : spec.name + "_" + argument;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

namespace {

std::vector<std::string> spec_names() {
  std::vector<std::string> names;
  for (const MeasureSpec& spec : measure_specs()) names.push_back(spec.name);
  return names;
}

const MeasureSpec* find_measure(const std::string& name) {
  const std::vector<MeasureSpec>& specs = measure_specs();
  const auto found = std::find_if(specs.begin(), specs.end(), [&](const MeasureSpec& s) { return s.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

const char* measure_example(const MeasureSpec& spec) {
  if (spec.argument == "quantity") return "energy/total, q.0, u.NAME, contacts/NAME/gap";
  if (spec.argument == "direction") return "tip.normal or tip.tangential";
  return spec.argument == "contact" ? "tip" : "a coordinate's name or number";
}

void unknown_measure(const Node& node, const std::string& name) {
  node.error(fmt::format("unknown measure '{}'{}; there are {}", name, suggestion(name, spec_names()),
                         fmt::join(spec_names(), ", ")));
}

// All entries of a vector, or of all contacts.
bool may_stand_alone(const MeasureSpec& spec) {
  return spec.argument.empty() || spec.argument == "velocity" || spec.argument == "contact";
}

std::optional<MeasureChoice> read_measure(const Node& node) {
  const auto word = node.word();
  if (!word) return std::nullopt;
  const MeasureSpec* spec = find_measure(*word);
  if (!spec) {
    unknown_measure(node, *word);
    return std::nullopt;
  }
  if (!may_stand_alone(*spec)) {
    node.error(fmt::format("'{}' needs to know of what: {{{}: ...}} with {}", *word, *word, measure_example(*spec)));
    return std::nullopt;
  }
  return MeasureChoice{spec, "", "", node.place(), node.path()};
}

// Behind a measure stands what it is of.
void read_argument(const Node& value, const std::string& key, MeasureChoice& choice) {
  const bool bare = value.is_null() && may_stand_alone(*choice.spec);
  const auto argument = bare ? std::optional<std::string>("") : value.word();
  if (!argument) return;
  choice.argument = *argument;
  choice.place = value.place();
  if (!argument->empty() && choice.spec->argument.empty())
    value.error(fmt::format("'{}' takes nothing behind it: write it alone", key));
}

std::optional<MeasureChoice> read_map(const Node& node) {
  MeasureChoice choice{nullptr, "", "", node.place(), node.path()};
  const std::size_t mistakes = node.diagnostics().error_count();
  for (const auto& [key, value] : node.entries()) {
    const MeasureSpec* spec = find_measure(key);
    if (key == "name") {
      choice.name = value.name().value_or("");
    } else if (!spec) {
      unknown_measure(value, key);
    } else if (choice.spec) {
      value.error(fmt::format("an entry holds one measure, and has '{}' already", choice.spec->name));
    } else {
      choice.spec = spec;
      read_argument(value, key, choice);
    }
  }
  if (node.diagnostics().error_count() > mistakes) return std::nullopt;
  if (choice.spec) return choice;
  node.error("names no measure, as {max: energy/total} does");
  return std::nullopt;
}

}  // namespace

std::vector<MeasureChoice> read_measures(const Node& node) {
  std::vector<MeasureChoice> choices;
  std::set<std::string> names;
  if (node.is_list() && node.items().empty()) node.error("there is nothing to measure");
  for (const Node& item : node.items()) {
    const auto choice = item.is_map() ? read_map(item) : read_measure(item);
    if (!choice) continue;
    const std::string name = choice->name.empty() ? measure_name(*choice->spec, choice->argument) : choice->name;
    if (!names.insert(name).second) {
      item.error(fmt::format("'{}' is measured twice; 'name' gives one of them another name", name));
      continue;
    }
    choices.push_back(*choice);
  }
  return choices;
}

}  // namespace carom
