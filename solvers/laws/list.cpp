#include "solvers/laws/list.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "solvers/laws/added_laws.h"

namespace carom {

#define CAROM_LAW(name) LawEntry name##_law();
#include "solvers/laws/laws.def"
#undef CAROM_LAW

namespace {

std::vector<LawEntry> own_laws() {
  return {
#define CAROM_LAW(name) name##_law(),
#include "solvers/laws/laws.def"
#undef CAROM_LAW
  };
}

}  // namespace

namespace {

std::map<std::string, LawMaker>& makers_of_added() {
  static std::map<std::string, LawMaker> makers;
  return makers;
}

// What the entry of a law has whose maker is kept beside it.
std::unique_ptr<ImpactLaw> made_elsewhere(const Parameters&) { throw std::logic_error("a law is made by make_law"); }

}  // namespace

std::string lacking(const LawEntry& law) {
  return law.statement.empty() ? "statement" : law.make ? "" : "function that makes it";
}

OpenList<LawEntry>& law_list() {
  static OpenList<LawEntry> list("law", own_laws());
  return list;
}

void add_law(LawEntry law, LawMaker make, const std::string& origin) {
  const std::string name = law.name;
  law.make = made_elsewhere;
  law_list().add(std::move(law), origin);
  makers_of_added()[name] = std::move(make);
}

const std::vector<LawEntry>& impact_laws() { return law_list().entries(); }

const LawEntry* find_law(const std::string& name) { return law_list().find(name); }

std::unique_ptr<ImpactLaw> make_law(const LawChoice& choice) {
  const auto added = makers_of_added().find(choice.type);
  return added != makers_of_added().end() ? added->second(choice.parameters)
                                          : find_law(choice.type)->make(choice.parameters);
}

LawForm form_of(const LawChoice& choice) { return find_law(choice.type)->form; }

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string CoefficientRange::text() const {
  if (lowest == highest) return fmt::format("only {}", lowest);
  return fmt::format("{}{} .. {}{}", lowest_open ? "above " : "", lowest, highest,
                     highest_is_soft ? " (more: with a warning)" : "");
}

namespace {

bool within(const CoefficientRange& range, double value) {
  return (range.lowest_open ? value > range.lowest : value >= range.lowest) && value <= range.highest;
}

using RangeOfLaw = CoefficientRange LawEntry::*;

// What to do about a coefficient outside a law's range: "; poisson and newton take it", of those that have it and do
// not refuse it, first those that take it without a warning.
std::string way_out(RangeOfLaw which, double value) {
  std::vector<std::string> names, warning;
  for (const LawEntry& law : impact_laws()) {
    const CoefficientRange& range = law.*which;
    if (!law.uses_restitution || law.is_combinator() || !std::isfinite(range.highest)) continue;
    if (within(range, value)) names.push_back(law.name);
    if (value > range.highest && range.highest_is_soft) warning.push_back(law.name);
  }
  if (names.empty() && warning.empty()) return "; choose one within it";
  const std::vector<std::string>& taking = names.empty() ? warning : names;
  return fmt::format("; {} {} it{}", listed(taking), taking.size() > 1 ? "take" : "takes",
                     names.empty() ? " with a warning" : "");
}

void check(const LawEntry& law, RangeOfLaw which, double value, std::size_t element, const char* key,
           std::vector<LawComplaint>& complaints) {
  const CoefficientRange& range = law.*which;
  if (within(range, value)) return;
  const bool warning = value > range.highest && range.highest_is_soft;
  complaints.push_back(
      {element, key,
       warning ? fmt::format("{} {:g} is above {:g}: '{}' takes it, but the element by itself would gain energy", key,
                             value, range.highest, law.name)
               : fmt::format("{} {:g} is outside the range of '{}' ({}){}", key, value, law.name, range.text(),
                             way_out(which, value)),
       warning});
}

void check_ranges(const LawEntry& law, const std::vector<Element>& elements, std::vector<LawComplaint>& complaints) {
  if (!law.uses_restitution) return;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (const Contact* contact = elements[i].contact()) {
      check(law, &LawEntry::contact_restitution, contact->restitution, i, "restitution", complaints);
      if (contact->has_friction())
        check(law, &LawEntry::tangential_restitution, contact->tangential_restitution, i, "tangential_restitution",
              complaints);
    } else if (const Clutch* clutch = elements[i].clutch()) {
      check(law, &LawEntry::clutch_restitution, clutch->restitution, i, "restitution", complaints);
    }
  }
}

// The law of each collision meets one contact at a time. Where there is only one, that is the problem itself.
std::vector<LawComplaint> check_one_by_one(const LawChoice& each, const std::vector<Element>& elements,
                                           const ImpactProblem* problem) {
  const auto contacts = std::count_if(elements.begin(), elements.end(), [](const Element& e) { return e.contact(); });
  std::vector<LawComplaint> complaints;
  if (problem && contacts == 1) {
    complaints = check_data(each, elements, problem);
    for (LawComplaint& complaint : complaints)
      if (!complaint.element) complaint.key = "each";
    return complaints;
  }
  bool law_named = false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (LawComplaint& complaint : check_data(each, {elements[i]}, nullptr)) {
      if (!complaint.element && std::exchange(law_named, true)) continue;
      if (complaint.element) complaint.element = i;
      if (!complaint.element) complaint.key = "each";
      complaints.push_back(std::move(complaint));
    }
  }
  return complaints;
}

}  // namespace

LawChoice law_of_each(const LawChoice& choice) {
  const LawEntry& law = *find_law(choice.type);
  if (!law.is_combinator()) return choice;
  const auto each = choice.parameters.get<std::shared_ptr<const LawChoice>>("each");
  return each ? **each : LawChoice{law.default_each, {}};
}

std::optional<LawChoice> one_at_a_time(const LawChoice& law) {
  if (find_law(law.type)->is_combinator()) return std::nullopt;
  const std::vector<LawEntry>& laws = impact_laws();
  const auto combinator = std::find_if(laws.begin(), laws.end(), [](const LawEntry& e) { return e.is_combinator(); });
  LawChoice in_turn{combinator->name, {}};
  in_turn.parameters.set("each", std::make_shared<const LawChoice>(law));
  return in_turn;
}

std::vector<LawComplaint> check_data(const LawChoice& choice, const std::vector<Element>& elements,
                                     const ImpactProblem* problem) {
  const LawEntry& law = *find_law(choice.type);
  if (law.is_combinator()) return check_one_by_one(law_of_each(choice), elements, problem);
  std::vector<LawComplaint> complaints;
  check_ranges(law, elements, complaints);
  if (law.check) {
    for (LawComplaint& complaint : law.check(choice.parameters, elements, problem))
      complaints.push_back(std::move(complaint));
  }
  // What is refused is not taken with a warning.
  std::erase_if(complaints, [refused = std::vector(complaints)](const LawComplaint& of) {
    return of.warning && std::any_of(refused.begin(), refused.end(), [&](const LawComplaint& other) {
             return !other.warning && other.element == of.element && other.key == of.key;
           });
  });
  return complaints;
}

}  // namespace carom
