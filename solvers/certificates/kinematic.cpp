#include "solvers/certificates/kinematic.h"

#include <spdlog/fmt/fmt.h>

#include <optional>
#include <random>

#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/mode_velocities.h"
#include "solvers/certificates/search_effort.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr int most_velocities = 200;

// The element that still approaches most, and how fast.
struct Approach {
  const Element* element = nullptr;
  double speed = 0;
  bool was_opening = false;
};

Approach fastest_approach(const ImpactProblem& problem, const ImpactResult& result) {
  Approach most;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.elements()[i].bilateral()) continue;
    const ElementResult& element = result.elements[i];
    if (-element.gamma_plus(0) > most.speed)
      most = {&problem.elements()[i], -element.gamma_plus(0), element.gamma_minus(0) > 0};
  }
  return most;
}

std::string words(const Approach& approach) {
  return fmt::format("{} '{}' {} at {:.4g} m/s{}", approach.element->clutch() ? "the clutch" : "the contact",
                     approach.element->name, approach.element->clutch() ? "is driven backwards" : "is left approaching",
                     approach.speed, approach.was_opening ? ", having opened before" : "");
}

// The velocity after which something approaches; none if the law does not answer or nothing does.
std::optional<Approach> approach_after(const LawTrial& trial, const ImpactProblem& problem, const Vec& u) {
  const LawOutcome outcome = trial.outcome(u, Solutions::one);
  if (outcome.results.empty() || outcome.results.front().kinematic.holds) return std::nullopt;
  return fastest_approach(problem, outcome.results.front());
}

}  // namespace

Certificate kinematic_certificate(const LawChoice& law, const ImpactProblem& problem) {
  Certificate certificate{.name = "nothing approaches afterwards",
                          .source = "kinematic consistency; Brogliato 2012, Proposition 8 (i)",
                          .statement = "γ_N⁺ ≥ 0 at every contact and clutch, from every velocity",
                          .forms = {find_law(law.type)->form}};
  if (find_law(law.type)->claims.kinematic) return certificate.judged(true, "by the law's own conditions");
  const LawTrial trial(law, problem);
  if (const auto here = approach_after(trial, problem, problem.u_minus())) {
    certificate.velocity = problem.u_minus();
    return certificate.judged(false, "from this velocity " + words(*here));
  }
  const ModeVelocities modes(problem);
  std::mt19937_64 engine(3);
  int tried = 1;
  for (; tried < most_velocities && trial.units() < most_units_of_search; ++tried) {
    const Vec u = with_energy_of(problem, problem.from_white(modes.draw(engine)));
    const auto found = approach_after(trial, problem, u);
    if (!found) continue;
    certificate.velocity = u;
    return certificate.judged(false, "not from this velocity; from another " + words(*found));
  }
  return certificate.tried(false, fmt::format("no counterexample among {} velocities", tried));
}

}  // namespace carom
