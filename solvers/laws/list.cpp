#include "solvers/laws/list.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <utility>

namespace carom {

#define CAROM_LAW(name) LawEntry name##_law();
#include "solvers/laws/laws.def"
#undef CAROM_LAW

const std::vector<LawEntry>& impact_laws() {
  static const std::vector<LawEntry> list = {
#define CAROM_LAW(name) name##_law(),
#include "solvers/laws/laws.def"
#undef CAROM_LAW
  };
  return list;
}

const LawEntry* find_law(const std::string& name) {
  for (const LawEntry& entry : impact_laws()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::unique_ptr<ImpactLaw> make_law(const LawChoice& choice) { return find_law(choice.type)->make(choice.parameters); }

std::string CoefficientRange::text() const {
  if (lowest == highest) return fmt::format("only {}", lowest);
  return fmt::format("{}{} .. {}{}", lowest_open ? "above " : "", lowest, highest,
                     highest_is_soft ? " (more: with a warning)" : "");
}

namespace {

void check(const CoefficientRange& range, double value, std::size_t element, const char* key, const std::string& law,
           std::vector<LawComplaint>& complaints) {
  const bool low = range.lowest_open ? !(value > range.lowest) : !(value >= range.lowest);
  const bool high = value > range.highest;
  if (!low && !high) return;
  const bool warning = !low && range.highest_is_soft;
  complaints.push_back(
      {element, key,
       warning ? fmt::format("{} {:g} is above {:g}: '{}' takes it, but the element by itself would gain energy", key,
                             value, range.highest, law)
               : fmt::format("{} {:g} is outside the range of '{}' ({})", key, value, law, range.text()),
       warning});
}

void check_ranges(const LawEntry& law, const std::vector<Element>& elements, std::vector<LawComplaint>& complaints) {
  if (!law.uses_restitution) return;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (const Contact* contact = elements[i].contact()) {
      check(law.contact_restitution, contact->restitution, i, "restitution", law.name, complaints);
      if (contact->has_friction())
        check(law.tangential_restitution, contact->tangential_restitution, i, "tangential_restitution", law.name,
              complaints);
    } else if (const Clutch* clutch = elements[i].clutch()) {
      check(law.clutch_restitution, clutch->restitution, i, "restitution", law.name, complaints);
    }
  }
}

// The law of each collision meets one contact at a time.
std::vector<LawComplaint> check_one_by_one(const LawChoice& each, const std::vector<Element>& elements) {
  std::vector<LawComplaint> complaints;
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

std::vector<LawComplaint> check_data(const LawChoice& choice, const std::vector<Element>& elements,
                                     const ImpactProblem* problem) {
  const LawEntry& law = *find_law(choice.type);
  if (!law.default_each.empty()) {
    const auto each = choice.parameters.get<std::shared_ptr<const LawChoice>>("each");
    return check_one_by_one(each ? **each : LawChoice{law.default_each, {}}, elements);
  }
  std::vector<LawComplaint> complaints;
  check_ranges(law, elements, complaints);
  if (law.check) {
    for (LawComplaint& complaint : law.check(choice.parameters, elements, problem))
      complaints.push_back(std::move(complaint));
  }
  return complaints;
}

}  // namespace carom
