// Completely inelastic impact: maximum dissipation (Glocker 2004, eq. 53).
//
//   u⁺ = prox_T(u⁻) in the kinetic metric       frictionless: the admissible velocity nearest to u⁻
//   γ⁺ ∈ N_C(−Λ)                                with friction: the inclusion with ε = 0
//
// The compression phase of Poisson's law. Needs no coefficient of restitution and ignores those given.
// Signs: γ < 0 approaches, Λ > 0 pushes the contact open.
//
// Domain: contacts with line, disc or ellipse friction, clutches, bilateral elements.
// Dissipative for every combination of them. Failures: none known; no rebound by definition.

#include "solvers/laws/inclusion_form.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

class Inelastic final : public ImpactLaw {
 public:
  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    return resolve_single_inclusion(problem, solver, Vec::Zero(problem.rows()));
  }
  std::optional<RowRestitution> restitution_in_step(const ContactCoefficients&) const override {
    return RowRestitution{};
  }
};

}  // namespace

LawEntry inelastic_law() {
  return {
      .name = "inelastic",
      .statement =
          "maximum dissipation: the admissible velocity nearest to u⁻ in the kinetic metric; with friction the "
          "inclusion with ε = 0",
      .equation = "u⁺ = prox_T(u⁻);  γ⁺ ∈ N_C(−Λ)",
      .source = "Glocker 2004 (53)",
      .domain = "contacts with line, disc or ellipse friction, clutches, bilateral elements",
      .failures = "none known; no rebound by definition",
      .uses_restitution = false,
      .form = LawForm::inelastic,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<Inelastic>()); },
  };
}

}  // namespace carom
