// Newton's hypothesis on Routh's path: restitution ends when the normal velocity is −ε times the one before
// (Djerassi 2010, sect. 7).
//
//   v_N = −ε v_N⁻
//
// Signs: v_N < 0 approaches, I_N > 0 pushes the contact open.
//
// Domain: one contact with line, disc or ellipse friction (several only if nothing couples them), bilateral elements;
// no tangential restitution. Coupled contacts are refused (see `sequential`).
// Failures: can gain energy when slip stops or turns round (Kane's pendulum with ε = 0.9, μ = 0.5); fails where
// friction locks the contact.

#include <cmath>

#include "solvers/laws/list.h"
#include "solvers/laws/one_point.h"

namespace carom {

namespace {

class NewtonRouth final : public RefillingLaw {
 public:
  void resolve_into(const ImpactProblem& problem, const InclusionSolver&, LawOutcome& outcome) const override {
    resolve_one_point(problem, RestitutionEnd::velocity, "newton-routh", outcome);
  }
};

// ε = −v_N⁺/v_N⁻: with its relation to e_e this is Djerassi 2010, (110)–(114), for all types and in space.
std::optional<double> equivalent_newton(const ElementResult& contact, const RouthPath&) {
  if (!(contact.gamma_minus(0) < 0)) return std::nullopt;
  return -contact.gamma_plus(0) / contact.gamma_minus(0);
}

}  // namespace

LawEntry newton_routh_law() {
  return {
      .name = "newton-routh",
      .statement = "velocity ratio on Routh's path: one frictional contact marched until v_N = −ε v_N⁻",
      .equation = "v_N⁺ = −ε v_N⁻,  dI_T = −μ dI_N v_T/|v_T| or stick",
      .source = "Djerassi 2010, sect. 7 and (110)–(114)",
      .domain =
          "one contact with line, disc or ellipse friction (several only if nothing couples them), bilateral elements; "
          "no tangential restitution",
      .failures =
          "can gain energy when slip stops or turns round (Kane's pendulum, ε = 0.9); refuses coupled contacts (see "
          "sequential); fails where friction "
          "locks the contact",
      .clutch_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},  // no clutches
      .tangential_restitution = {.lowest = 0, .highest = 0},
      .form = LawForm::velocity_march,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true},
      .equivalent = equivalent_newton,
      .check = [](const Parameters&, const std::vector<Element>&,
                  const ImpactProblem* problem) { return check_one_point(problem, "newton-routh"); },
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<NewtonRouth>()); },
  };
}

}  // namespace carom
