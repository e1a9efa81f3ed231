// Moreau's impact law with one global coefficient (Glocker 2004, eq. 60; Brogliato 2012, eq. 42).
//
//   u⁺ = (1+ε) prox_T(u⁻) − ε u⁻
//
// With friction the weighted mean (u⁺ + εu⁻)/(1+ε) obeys the contact and friction laws of an inelastic impact
// (Moreau 1988), which is the inclusion ξ = γ⁺ + εγ⁻ with the same ε in every row, tangents and clutches
// included (Glocker 2004, eq. 61). Signs: γ < 0 approaches, Λ > 0 pushes the contact open.
//
// Domain: contacts with line, disc or ellipse friction, clutches, bilateral elements; one ε, also for tangents and
// clutches. Dissipative for every combination of them with 0 ≤ ε ≤ 1.
// Failures: spans only a segment of the admissible outcomes (never the cradle's); a clutch that was overrun before the
// impact is driven backwards; a contact that opened before the impact may be left approaching, at −ε of its speed.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <optional>

#include "solvers/laws/inclusion_form.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

std::string several_restitutions(const Element& a, const Element& b) {
  return fmt::format(
      "moreau has one restitution for the whole system, but contacts '{}' and '{}' have {:g} and {:g}: set "
      "law.restitution, or use newton or poisson",
      a.name, b.name, a.contact()->restitution, b.contact()->restitution);
}

class Moreau final : public ImpactLaw {
 public:
  explicit Moreau(std::optional<double> restitution) : restitution_(restitution) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    std::optional<double> epsilon = restitution_;
    if (!epsilon) {
      const Element* first = nullptr;
      for (const Element& element : problem.elements()) {
        const Contact* contact = element.contact();
        if (!contact) continue;
        if (!epsilon) {
          epsilon = contact->restitution;
          first = &element;
        } else if (*epsilon != contact->restitution) {
          return LawOutcome::refused(several_restitutions(*first, element));
        }
      }
    }
    return resolve_single_inclusion(problem, solver, Vec::Constant(problem.rows(), epsilon.value_or(0)));
  }
  std::optional<RowRestitution> restitution_in_step(const ContactCoefficients& contact) const override {
    const double epsilon = restitution_.value_or(contact.restitution);
    return RowRestitution{epsilon, epsilon};
  }
  bool tells_restitution_of_clutches() const override { return false; }

 private:
  std::optional<double> restitution_;
};

std::vector<LawComplaint> check_common_restitution(const Parameters& parameters, const std::vector<Element>& elements,
                                                   const ImpactProblem*) {
  const Element* first = nullptr;
  for (std::size_t i = 0; i < elements.size() && !parameters.has("restitution"); ++i) {
    const Contact* contact = elements[i].contact();
    if (!contact) continue;
    if (!first) first = &elements[i];
    if (contact->restitution == first->contact()->restitution) continue;
    return {{i, "restitution", several_restitutions(*first, elements[i])}};
  }
  return {};
}

}  // namespace

LawEntry moreau_law() {
  return {
      .name = "moreau",
      .statement = "one global restitution: the inelastic impact, overshot by ε",
      .equation = "u⁺ = (1+ε) prox_T(u⁻) − ε u⁻",
      .source = "Glocker 2004 (60), Brogliato 2012 (42), Moreau 1988 with friction",
      .domain =
          "contacts with line, disc or ellipse friction, clutches, bilateral elements; one ε, also for tangents and "
          "clutches",
      .failures =
          "spans only a segment of the admissible outcomes (never the cradle's); a clutch that was overrun before the "
          "impact is driven backwards; a contact that opened before the impact may be left approaching, at −ε of its "
          "speed. States are those of the inelastic impact within it, (u⁺ + εu⁻)/(1+ε): a contact that sticks there "
          "leaves with −ε of its slip",
      .parameters = {{.name = "restitution",
                      .type = ParameterSpec::Type::number,
                      .default_text = "the contacts' common restitution",
                      .meaning = "the global ε",
                      .range_text = "0 .. 1",
                      .lowest = 0,
                      .highest = 1}},
      .clutch_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},  // not read: the global ε is theirs too
      .tangential_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},
      .form = LawForm::moreau,
      .claims = {.kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .check = check_common_restitution,
      .make =
          [](const Parameters& parameters) {
            return std::unique_ptr<ImpactLaw>(std::make_unique<Moreau>(parameters.get<double>("restitution")));
          },
  };
}

}  // namespace carom
