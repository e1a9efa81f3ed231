#include "solvers/certificates/coefficient_ranges.h"

#include <algorithm>

namespace carom {

std::vector<Knob> knobs_of(const ImpactProblem& problem, const CoefficientRanges& ranges) {
  std::vector<Knob> knobs;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    if (ranges.restitution) knobs.push_back({i, *ranges.restitution, [](Contact& c, double x) { c.restitution = x; }});
    if (contact->tangent.rows() == 0) continue;
    if (ranges.tangential_restitution)
      knobs.push_back({i, *ranges.tangential_restitution, [](Contact& c, double x) { c.tangential_restitution = x; }});
    if (ranges.friction)
      knobs.push_back({i, *ranges.friction, [](Contact& c, double x) { c.friction.setConstant(x); }, true});
  }
  return knobs;
}

std::vector<Element> turned(const std::vector<Element>& elements, const std::vector<Knob>& knobs, const Vec& shares) {
  std::vector<Element> result = elements;
  for (std::size_t k = 0; k < knobs.size(); ++k) {
    const auto [low, high] = knobs[k].range;
    const double share = std::clamp(shares(static_cast<Index>(k)), 0.0, 1.0);
    knobs[k].set(std::get<Contact>(result[knobs[k].element].kind), low + share * (high - low));
  }
  return result;
}

}  // namespace carom
