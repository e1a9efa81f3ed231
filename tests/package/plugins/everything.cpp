// A law with a parameter, a model and a solver, which use what carom has.
#include "config/plugin.h"

namespace {

using namespace carom;

class Plastic final : public ImpactLaw {
 public:
  explicit Plastic(double share) : share_(share) {}
  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    LawOutcome outcome = make_law({"moreau", {}})->resolve(problem, solver);
    if (share_ > 1) return LawOutcome::refused("more than all of it");
    return outcome.status == LawOutcome::Status::resolved ? make_law({"inelastic", {}})->resolve(problem, solver)
                                                          : outcome;
  }

 private:
  double share_;
};

LawEntry plastic() {
  return {
      .name = "plastic",
      .statement = "as inelastic",
      .equation = "u⁺ = prox_T(u⁻)",
      .source = "a law, a model and a solver",
      .domain = "everything",
      .failures = "none",
      .parameters = {{.name = "share", .default_text = "0", .meaning = "of nothing", .lowest = 0, .highest = 1}},
      .uses_restitution = false,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .make = [](const Parameters& p) {
        return std::unique_ptr<ImpactLaw>(std::make_unique<Plastic>(p.get<double>("share").value_or(0)));
      }};
}

ModelEntry falling_ball() {
  ModelEntry entry = *find_model("ball");
  entry.name = "falling-ball";
  entry.source = "a law, a model and a solver";
  entry.make = [](const Parameters& p) {
    Model model = find_model("ball")->make(p);
    model.u.array() -= 1;
    return model;
  };
  return entry;
}

SolverEntry by_lemke() {
  SolverEntry entry = *find_solver("lemke");
  entry.name = "by-lemke";
  entry.source = "a law, a model and a solver";
  entry.solve = [](const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
    find_solver("lemke")->solve(inclusion, demand, outcome);
  };
  return entry;
}

}  // namespace

CAROM_PLUGIN(plugin) {
  plugin.laws = {plastic()};
  plugin.models = {falling_ball()};
  plugin.solvers = {by_lemke()};
}
