// Newton's impact law in inequality form (Glocker 2014, eqs. 12–15).
//
//   γ⁺ = GΛ + γ⁻,   ξ = γ⁺ + εγ⁻,   ξᵢ ∈ N_Cᵢ(−Λᵢ)
//
// with every element's own ε, the tangential ones included. Signs: γ < 0 approaches, Λ > 0 pushes the contact open.
//
// Domain: contacts with line, disc or ellipse friction, clutches, bilateral elements. A clutch needs −1 < ε ≤ 0, since
// its γ⁻ ≥ 0. Always keeps impulses admissible; dissipative if all ε are equal.
// Failures: a single frictional contact with ε_T ≠ ε_N can already gain energy (Kane's pendulum, Table 2 there), and so
// does a clutch beside an elastic contact (slide-push mechanism). A contact that opened before the impact may be left
// approaching, at −ε of its speed. With strong coupling a solution need not exist or be unique.

#include "solvers/laws/inclusion_form.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

class Newton final : public RefillingLaw {
 public:
  void resolve_into(const ImpactProblem& problem, const InclusionSolver& solver, LawOutcome& outcome) const override {
    restitution_by_rows(problem, outcome.scratch.epsilon);
    resolve_single_inclusion(problem, solver, outcome.scratch.epsilon, outcome);
  }
  std::optional<RowRestitution> restitution_in_step(const ContactCoefficients& contact) const override {
    return RowRestitution{contact.restitution, contact.tangential_restitution};
  }
};

}  // namespace

LawEntry newton_law() {
  return {
      .name = "newton",
      .statement = "velocity ratios: every element's own ε in one inclusion, tangential restitution too",
      .equation = "ξ = γ⁺ + εγ⁻,  ξᵢ ∈ N_Cᵢ(−Λᵢ)",
      .source = "Glocker 2014 (12)–(15), after Glocker 2013",
      .domain = "contacts with line, disc or ellipse friction, clutches (−1 < ε ≤ 0), bilateral elements",
      .failures =
          "gains energy with friction and ε_T ≠ ε_N (Kane's pendulum) and with a clutch beside an elastic contact "
          "(slide-push); a contact that opened before the impact may be left approaching, at −ε "
          "of its speed (γ⁺ = −εγ⁻); with strong coupling a solution need not exist or be unique",
      .clutch_restitution = {.lowest = -1, .highest = 0, .lowest_open = true},
      .tangential_restitution = {.lowest = -1, .highest = 1, .lowest_open = true},
      .form = LawForm::newton,
      .claims = {.kinetic = true},
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<Newton>()); },
  };
}

}  // namespace carom
