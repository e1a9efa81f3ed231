#include "tools/sweep/measurement.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "tools/impact_report.h"
#include "tools/run_file/columns.h"

namespace carom {

namespace {

// "tip.tangential": the element and the row; a name alone is its normal.
struct Direction {
  std::string element;
  Index row = 0;
};

Direction direction_of(const std::string& argument) {
  for (std::size_t row = 0; row < direction_names().size(); ++row) {
    const std::string suffix = "." + direction_names()[row];
    if (argument.size() > suffix.size() && argument.ends_with(suffix))
      return {argument.substr(0, argument.size() - suffix.size()), static_cast<Index>(row)};
  }
  return {argument, 0};
}

// By name where there is a system, else by number from 0.
std::optional<Index> velocity_index(const std::string& word, const System* system, std::size_t count) {
  std::size_t number = 0;
  const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (status == std::errc() && stop == word.data() + word.size())
    return number < count ? std::optional<Index>(number) : std::nullopt;
  if (!system) return std::nullopt;
  const std::vector<Coordinate> names = system->velocities();
  const auto found = std::find_if(names.begin(), names.end(), [&](const Coordinate& c) { return c.name == word; });
  return found == names.end() ? std::nullopt : std::optional<Index>(found - names.begin());
}

class Preparation {
 public:
  Preparation(const SweepFile& sweep, const MeasuredThing& thing)
      : sweep_(sweep), thing_(thing), diagnostics_(sweep.diagnostics) {}

  std::vector<Measurement> all() {
    for (const MeasureChoice& choice : sweep_.measures) add(choice);
    diagnostics_.throw_if_bad();
    return std::move(list_);
  }

 private:
  void add(const MeasureChoice& choice) {
    const std::string& argument = choice.argument;
    const std::string& kind = choice.spec->argument;
    if (kind == "velocity" && argument.empty()) {
      for (const std::string& name : velocity_names()) add(choice, name);
    } else if (kind == "contact" && argument.empty()) {
      for (const std::string& name : thing_.elements) add(choice, name);
      if (thing_.elements.empty()) complain(choice, "no contact has a name here; give the one that is meant");
    } else if (kind == "quantity" && (argument == "q" || argument == "u")) {
      for (const Coordinate& c : argument == "q" ? thing_.system->positions() : thing_.system->velocities())
        add(choice, argument + "." + c.name);
    } else {
      add(choice, argument);
    }
  }

  void add(const MeasureChoice& choice, const std::string& argument) {
    Measurement m{choice.spec, argument, measure_name(*choice.spec, argument), choice.spec->units, {}};
    if (!choice.name.empty()) m.name = argument == choice.argument ? choice.name : choice.name + "_" + argument;
    if (!fits(choice, m)) return;
    if (names_.insert(m.name).second) {
      list_.push_back(std::move(m));
    } else {
      complain(choice, fmt::format("'{}' is measured twice", m.name));
    }
  }

  bool fits(const MeasureChoice& choice, Measurement& m) {
    const std::string& kind = m.spec->argument;
    if (kind == "contact" || kind == "direction") {
      if (kind == "contact") m.states = state_names();
      return element_exists(choice, kind == "contact" ? m.argument : direction_of(m.argument).element);
    }
    if (kind == "velocity") return velocity_exists(choice, m);
    if (kind != "quantity") return true;
    std::string why;
    const auto quantity = LoggedQuantity::find(m.argument, *thing_.system, &why);
    if (!quantity) {
      complain(choice, why);
      return false;
    }
    m.units = quantity->units();
    if (quantity->is_state()) m.states = state_names();
    return true;
  }

  bool element_exists(const MeasureChoice& choice, const std::string& name) {
    const auto& names = thing_.elements;
    if (thing_.finds_contacts || std::find(names.begin(), names.end(), name) != names.end()) return true;
    complain(choice, fmt::format("there is no contact '{}'{}; there are {}", name, suggestion(name, names),
                                 fmt::join(names, ", ")));
    return false;
  }

  bool velocity_exists(const MeasureChoice& choice, Measurement& m) {
    const auto index = velocity_index(m.argument, thing_.system, thing_.velocities);
    if (!index) {
      complain(choice, fmt::format("there is no velocity '{}'{}; there are {}", m.argument,
                                   suggestion(m.argument, velocity_names()), fmt::join(velocity_names(), ", ")));
      return false;
    }
    if (thing_.system) m.units = thing_.system->velocities()[static_cast<std::size_t>(*index)].unit();
    return true;
  }

  std::vector<std::string> velocity_names() const {
    std::vector<std::string> names;
    if (thing_.system) {
      for (const Coordinate& coordinate : thing_.system->velocities()) names.push_back(coordinate.name);
    } else {
      for (std::size_t i = 0; i < thing_.velocities; ++i) names.push_back(std::to_string(i));
    }
    return names;
  }

  void complain(const MeasureChoice& choice, const std::string& message) {
    diagnostics_.error(choice.place, choice.path, message);
  }

  const SweepFile& sweep_;
  const MeasuredThing& thing_;
  Diagnostics diagnostics_;
  std::vector<Measurement> list_;
  std::set<std::string> names_;
};

const ElementResult* element_of(const ResolvedImpact& impact, const std::string& name) {
  const std::vector<Element>& elements = *impact.elements;
  const auto found = std::find_if(elements.begin(), elements.end(), [&](const Element& e) { return e.name == name; });
  return found == elements.end() ? nullptr
                                 : &impact.result->elements[static_cast<std::size_t>(found - elements.begin())];
}

double entry(const Vec& v, std::optional<Index> i) { return i && *i < v.size() ? v(*i) : missing; }

double element_value(const Measurement& m, const ResolvedImpact& impact) {
  if (m.spec->kind == MeasureKind::state) {
    const ElementResult* element = element_of(impact, m.argument);
    return element ? static_cast<double>(element->state) : missing;
  }
  const Direction direction = direction_of(m.argument);
  const ElementResult* element = element_of(impact, direction.element);
  if (!element) return missing;
  const Vec& rows = m.spec->kind == MeasureKind::impulse        ? element->Lambda
                    : m.spec->kind == MeasureKind::gamma_before ? element->gamma_minus
                                                                : element->gamma_plus;
  return entry(rows, direction.row);
}

}  // namespace

std::vector<Measurement> measurements_of(const SweepFile& sweep, const MeasuredThing& thing) {
  return Preparation(sweep, thing).all();
}

double value_of(const Measurement& m, const ResolvedImpact& impact, const System* system) {
  const ImpactResult& result = *impact.result;
  switch (m.spec->kind) {
    case MeasureKind::work:
      return result.work;
    case MeasureKind::kinetic_before:
      return result.T_minus;
    case MeasureKind::kinetic_after:
      return result.T_plus;
    case MeasureKind::created_energy:
      return result.energetic.holds ? 0.0 : result.work;
    case MeasureKind::relative_gain:
      return result.T_minus > 0 ? result.work / result.T_minus : missing;
    case MeasureKind::impact_time:
      return impact.time;
    case MeasureKind::kinematic:
      return result.kinematic.holds;
    case MeasureKind::kinetic:
      return result.kinetic.holds;
    case MeasureKind::energetic:
      return result.energetic.holds;
    case MeasureKind::consistent:
      return is_consistent(result);
    case MeasureKind::solutions:
      return result.solver.solutions;
    case MeasureKind::state:
    case MeasureKind::impulse:
    case MeasureKind::gamma_before:
    case MeasureKind::gamma_after:
      return element_value(m, impact);
    case MeasureKind::velocity_before:
    case MeasureKind::velocity_after: {
      const Vec& u = m.spec->kind == MeasureKind::velocity_before ? result.u_minus : result.u_plus;
      return entry(u, velocity_index(m.argument, system, static_cast<std::size_t>(u.size())));
    }
    default:
      return missing;  // of a run
  }
}

}  // namespace carom
