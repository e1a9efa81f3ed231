#include "solvers/certificates/coefficient_ranges.h"

#include <algorithm>

#include "solvers/laws/list.h"

namespace carom {

namespace {

bool clip(const CoefficientRange& taken, std::optional<CoefficientRanges::Range>& range) {
  if (!range) return true;
  range->first = std::max(range->first, taken.lowest);
  if (!taken.highest_is_soft) range->second = std::min(range->second, taken.highest);
  return range->first <= range->second;
}

// Where a law asks for ε_T ≤ ε_N: the largest ε_N with the least ε_T is what it takes if it takes anything.
bool refuses_all(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges) {
  const std::vector<Knob> knobs = knobs_of(law, problem, ranges);
  Vec shares(static_cast<Index>(knobs.size()));
  for (std::size_t k = 0; k < knobs.size(); ++k)
    shares(static_cast<Index>(k)) = knobs[k].which == Knob::Which::restitution ? 1 : 0;
  const std::vector<LawComplaint> complaints = check_data(law, turned(problem.elements(), knobs, shares), nullptr);
  return std::any_of(complaints.begin(), complaints.end(), [](const LawComplaint& c) { return !c.warning; });
}

bool needs_less_tangential_restitution(const LawChoice& law) { return form_of(law_of_each(law)) == LawForm::poisson; }

// ε_T ≤ ε_N leaves nothing of ε_T above the largest ε_N; nor, where there is friction all over the range, of ε_N below
// the least ε_T.
void keep_tangential_below_normal(const Contact& contact, CoefficientRanges& ranges) {
  const double least =
      ranges.tangential_restitution ? ranges.tangential_restitution->first : contact.tangential_restitution;
  const double most = ranges.restitution ? ranges.restitution->second : contact.restitution;
  if (least > most) return;  // the law takes nothing of it
  if (ranges.tangential_restitution)
    ranges.tangential_restitution->second = std::min(ranges.tangential_restitution->second, most);
  const bool rough = ranges.friction ? ranges.friction->first > 0 : contact.has_friction();
  if (ranges.restitution && rough) ranges.restitution->first = std::max(ranges.restitution->first, least);
}

}  // namespace

void Knob::set(Contact& contact, double value) const {
  switch (which) {
    case Which::restitution:
      contact.restitution = value;
      break;
    case Which::tangential_restitution:
      contact.tangential_restitution = value;
      break;
    case Which::friction:
      contact.friction.setConstant(value);
      break;
  }
}

std::vector<Knob> knobs_of(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges) {
  const bool ordered = needs_less_tangential_restitution(law);
  std::vector<Knob> knobs;
  const auto add = [&](std::size_t i, const std::optional<CoefficientRanges::Range>& range, Knob::Which which) {
    if (range) knobs.push_back({i, *range, which});
  };
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    CoefficientRanges own = ranges;
    if (ordered && contact->tangent.rows() > 0) keep_tangential_below_normal(*contact, own);
    add(i, own.restitution, Knob::Which::restitution);
    if (contact->tangent.rows() == 0) continue;
    add(i, own.tangential_restitution, Knob::Which::tangential_restitution);
    add(i, ranges.friction, Knob::Which::friction);
  }
  return knobs;
}

std::optional<CoefficientRanges> taken_by(const LawChoice& law, const ImpactProblem& problem,
                                          const CoefficientRanges& ranges) {
  const LawEntry& entry = *find_law(law.type);
  if (entry.is_combinator()) return taken_by(law_of_each(law), problem, ranges);
  CoefficientRanges taken = ranges;
  if (!entry.uses_restitution) return taken;
  const bool some = clip(entry.contact_restitution, taken.restitution) &&
                    clip(entry.tangential_restitution, taken.tangential_restitution);
  return some && !refuses_all(law, problem, taken) ? std::optional<CoefficientRanges>(taken) : std::nullopt;
}

bool leave_out_tangential_above_normal(const LawChoice& law, const ImpactProblem& problem,
                                       const CoefficientRanges& ranges) {
  if (!needs_less_tangential_restitution(law)) return false;
  return std::any_of(problem.elements().begin(), problem.elements().end(), [&](const Element& element) {
    const Contact* contact = element.contact();
    if (!contact || contact->tangent.rows() == 0 ||
        !(ranges.friction ? ranges.friction->second > 0 : contact->has_friction()))
      return false;
    const double least = ranges.restitution ? ranges.restitution->first : contact->restitution;
    const double most =
        ranges.tangential_restitution ? ranges.tangential_restitution->second : contact->tangential_restitution;
    return most > least;
  });
}

std::vector<Element> turned(const std::vector<Element>& elements, const std::vector<Knob>& knobs, const Vec& shares) {
  std::vector<Element> result = elements;
  for (std::size_t k = 0; k < knobs.size(); ++k) {
    const auto [low, high] = knobs[k].range;
    const double share = std::clamp(shares(static_cast<Index>(k)), 0.0, 1.0);
    knobs[k].set(std::get<Contact>(result[knobs[k].element].kind), share == 1 ? high : low + share * (high - low));
  }
  return result;
}

}  // namespace carom
