// Stronge's law: restitution ends when the normal impulse has returned ε² of the work it took (Djerassi 2010,
// eq. 19), one frictional contact marched through its normal impulse.
//
//   ∫_{restitution} v_N dI_N = −ε² ∫_{compression} v_N dI_N
//
// Planar: the five types in closed form, piece by piece (eqs. 38, 55, 72, 89, 102 with the signs of (57b),
// (80), (81), (B.17) and (B.31) corrected). Signs: v_N < 0 approaches, I_N > 0 pushes the contact open.
//
// Domain: one contact with line, disc or ellipse friction (several only if nothing couples them), bilateral elements;
// no tangential restitution. Gains no energy for ε ≤ 1.
// Failures: a contact that friction locks cannot spring back; coupled contacts are refused (see `sequential`).

#include <cmath>

#include "solvers/laws/list.h"
#include "solvers/laws/one_point.h"

namespace carom {

namespace {

class Stronge final : public RefillingLaw {
 public:
  void resolve_into(const ImpactProblem& problem, const InclusionSolver&, LawOutcome& outcome) const override {
    resolve_one_point(problem, RestitutionEnd::work, "stronge", outcome);
  }
};

}  // namespace

LawEntry stronge_law() {
  return {
      .name = "stronge",
      .statement =
          "work ratio: one frictional contact marched through its normal impulse until it has returned ε² of its "
          "normal work",
      .equation = "∫_R v_N dI_N = −ε² ∫_C v_N dI_N,  dI_T = −μ dI_N v_T/|v_T| or stick",
      .source = "Djerassi 2010 (19)–(109); Keller 1986 in space",
      .domain =
          "one contact with line, disc or ellipse friction (several only if nothing couples them), bilateral elements; "
          "no tangential restitution",
      .failures = "refuses coupled contacts (see sequential); a contact that friction locks cannot spring back",
      .clutch_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},  // no clutches
      .tangential_restitution = {.lowest = 0, .highest = 0},
      .form = LawForm::work_march,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .equivalent = [](const ElementResult&, const RouthPath& path) { return path.equivalent_stronge(); },
      .check = [](const Parameters&, const std::vector<Element>&,
                  const ImpactProblem* problem) { return check_one_point(problem, "stronge"); },
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<Stronge>()); },
  };
}

}  // namespace carom
