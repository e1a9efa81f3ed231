// Poisson's hypothesis on Routh's path: restitution ends when the normal impulse is 1+ε times the one at the
// end of compression (Djerassi 2010, sect. 7). Unlike `poisson` it resolves slip, stick and reversal along
// the way.
//
//   I_N = (1+ε) I_NC
//
// Signs: v_N < 0 approaches, I_N > 0 pushes the contact open.
//
// Domain: one contact with line, disc or ellipse friction (several only if nothing couples them), bilateral elements;
// no tangential restitution. Gains no energy for ε ≤ 1.
// Failures: none there; coupled contacts are refused (see `sequential`).

#include <cmath>

#include "solvers/laws/list.h"
#include "solvers/laws/one_point.h"

namespace carom {

namespace {

class PoissonRouth final : public RefillingLaw {
 public:
  void resolve_into(const ImpactProblem& problem, const InclusionSolver&, LawOutcome& outcome) const override {
    resolve_one_point(problem, RestitutionEnd::impulse, "poisson-routh", outcome);
  }
};

// ε = I_NR/I_NC: with its relation to e_e this is Djerassi 2010, (115)–(119), for all types and in space.
std::optional<double> equivalent_poisson(const ElementResult& contact, const RouthPath&) {
  if (!contact.compression || !((*contact.compression)(0) > 0)) return std::nullopt;
  return (*contact.decompression)(0) / (*contact.compression)(0);
}

}  // namespace

LawEntry poisson_routh_law() {
  return {
      .name = "poisson-routh",
      .statement =
          "impulse ratio on Routh's path: one frictional contact marched until I_N = (1+ε) I_N at maximum compression",
      .equation = "I_N = (1+ε) I_NC,  dI_T = −μ dI_N v_T/|v_T| or stick",
      .source = "Djerassi 2010, sect. 7 and (115)–(119)",
      .domain =
          "one contact with line, disc or ellipse friction (several only if nothing couples them), bilateral elements; "
          "no tangential restitution",
      .failures = "refuses coupled contacts (see sequential)",
      .clutch_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},  // no clutches
      .tangential_restitution = {.lowest = 0, .highest = 0},
      .form = LawForm::impulse_march,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .equivalent = equivalent_poisson,
      .check = [](const Parameters&, const std::vector<Element>&,
                  const ImpactProblem* problem) { return check_one_point(problem, "poisson-routh"); },
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<PoissonRouth>()); },
  };
}

}  // namespace carom
