#include "solvers/certificates/marching.h"

#include <spdlog/fmt/fmt.h>

#include "solvers/certificates/contact_coupling.h"

namespace carom {

namespace {

double largest_restitution(const ImpactProblem& problem) {
  double largest_seen = 0;
  for (const Element& element : problem.elements())
    if (element.contact()) largest_seen = std::max(largest_seen, element.contact()->restitution);
  return largest_seen;
}

bool restitution_in_range(const ImpactProblem& problem) {
  for (const Element& element : problem.elements())
    if (element.contact() && !(element.contact()->restitution >= 0 && element.contact()->restitution <= 1))
      return false;
  return true;
}

// ε²(G_NN + h) against G_NN − h for one contact, relative to G_NN.
struct SlopeRatio {
  double returned = 0;
  double steepest = 1;
};

SlopeRatio slope_ratio(const ImpactProblem& problem, std::size_t i) {
  const double coupling = friction_coupling(problem, i);
  const double epsilon = problem.elements()[i].contact()->restitution;
  return {epsilon * epsilon * (1 + coupling), 1 - coupling};
}

Certificate never_gains(LawForm law, const char* source, const char* statement, const ImpactProblem& problem) {
  Certificate certificate{.name = "path of one contact", .source = source, .statement = statement, .forms = {law}};
  certificate.with(at_most("largest ε", largest_restitution(problem), 1));
  return certificate.judged(restitution_in_range(problem), "the condition is on ε alone");
}

}  // namespace

Proof prove_stronge(const ImpactProblem& problem) {
  if (!restitution_in_range(problem)) return Proof::none("a coefficient is outside 0 ≤ ε ≤ 1");
  return Proof::by(
      "at most ε² of the normal work is returned, and friction only dissipates (Stronge; Djerassi 2010, eq. 19)");
}

Proof prove_poisson_routh(const ImpactProblem& problem) {
  if (!restitution_in_range(problem)) return Proof::none("a coefficient is outside 0 ≤ ε ≤ 1");
  return Proof::by("with ε ≤ 1 the way back along Routh's path regains no more energy than compression took");
}

Proof prove_newton_routh(const ImpactProblem& problem) {
  if (!restitution_in_range(problem)) return Proof::none("a coefficient is outside 0 ≤ ε ≤ 1");
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].contact()) continue;
    const SlopeRatio ratio = slope_ratio(problem, i);
    if (ratio.returned <= ratio.steepest) continue;
    return Proof::none(
        fmt::format("friction at '{}' changes the normal velocity too much: ε²(G_NN + μ|G_NT|) > G_NN − μ|G_NT|",
                    problem.elements()[i].name));
  }
  return Proof::by("friction changes the normal velocity little enough, ε²(G_NN + μ|G_NT|) ≤ G_NN − μ|G_NT|");
}

std::vector<Certificate> marching_certificates(const ImpactProblem& problem) {
  std::vector<Certificate> list = {
      never_gains(LawForm::work_march, "Djerassi 2010 (19)",
                  "the normal impulse returns ε² ≤ 1 of the work it took and friction takes: T⁺ ≤ T⁻", problem),
      never_gains(LawForm::impulse_march, "derived; Djerassi 2010, sect. 7",
                  "with I the impulse of compression, T at I + x is at most T at I − x: T⁺ ≤ T⁻ for ε ≤ 1", problem)};
  Certificate newton{.name = "evenness of the normal velocity",
                     .source = "derived; Djerassi 2010, sect. 7",
                     .statement = "ε²(G_NN + μ|G_NT|) ≤ G_NN − μ|G_NT| at every contact: T⁺ ≤ T⁻",
                     .forms = {LawForm::velocity_march}};
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].contact()) continue;
    const SlopeRatio ratio = slope_ratio(problem, i);
    newton.with(
        at_most(fmt::format("ε²(1 + μ|G_NT|/G_NN) of {}", problem.elements()[i].name), ratio.returned, ratio.steepest));
  }
  const Proof proof = prove_newton_routh(problem);
  list.push_back(newton.judged(proof.proven, proof.proven ? proof.theorem : proof.obstacle));
  return list;
}

}  // namespace carom
