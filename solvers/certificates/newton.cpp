#include "solvers/certificates/newton.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "solvers/certificates/copositivity.h"
#include "solvers/certificates/friction_cones.h"
#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

constexpr const char* equal_theorem = "equal coefficients (Moreau 1988; Glocker 2004, eq. 61)";
constexpr const char* form_theorem = "no admissible impulse can do positive work";

// δ = (1−ε)/(1+ε) by rows, S = ½(δG + Gδ).
Mat work_form(const ContactIsland& island) {
  const Vec delta = (1 - island.epsilon.array()) / (1 + island.epsilon.array());
  const Mat dG = delta.asDiagonal() * island.G;
  return 0.5 * (dG + dG.transpose());
}

bool in_range(const ContactIsland& island) {
  return (island.epsilon.array() > -1).all() && (island.epsilon.array() <= 1).all();
}

// The velocity from which a violating impulse is a solution.
std::optional<Vec> counterexample(const ImpactProblem& problem, const ContactIsland& island, const Vec& Lambda) {
  const Vec gamma = -(island.G * Lambda).cwiseQuotient(Vec(1 + island.epsilon.array()));
  return gamma.norm() > 0 ? slowest_velocity(problem, island.rows, gamma) : std::nullopt;
}

// Which coefficients are not equal: those of two elements, or of one contact along its normal and its tangent.
std::string difference(const ImpactProblem& problem, const std::vector<std::size_t>& elements) {
  std::optional<std::pair<std::string, double>> first;
  for (std::size_t i : elements) {
    const Element& element = problem.elements()[i];
    const Contact* contact = element.contact();
    const double epsilon = contact ? contact->restitution : element.clutch()->restitution;
    if (first && epsilon != first->second)
      return fmt::format("'{}' has ε = {:g} and '{}' has ε = {:g}", first->first, first->second, element.name, epsilon);
    first = {element.name, epsilon};
  }
  for (std::size_t i : elements) {
    const Contact* contact = problem.elements()[i].contact();
    if (contact && contact->has_friction() && contact->tangential_restitution != contact->restitution)
      return fmt::format("'{}' has ε = {:g} along its normal and ε_T = {:g} along its tangent",
                         problem.elements()[i].name, contact->restitution, contact->tangential_restitution);
  }
  return "all coefficients are equal";
}

Proof by_coefficients(const ImpactProblem& problem, const ContactIsland& island) {
  if (!in_range(island)) return Proof::none("a coefficient is outside −1 < ε ≤ 1");
  if (island.rows.size() == 1) return Proof::by("one element without friction, |ε| ≤ 1");
  if (island.coefficients_equal()) return Proof::by(equal_theorem);
  return Proof::none(difference(problem, island.elements));
}

Proof prove_island(const ImpactProblem& problem, const ContactIsland& island) {
  Proof proof = by_coefficients(problem, island);
  if (proof.proven || !in_range(island)) return proof;
  const Mat S = work_form(island);
  if (is_nonnegative_in_short(S, island)) return Proof::by(form_theorem);
  const Copositivity form = copositivity_on_cone(S, island.rays);
  if (form.holds()) return Proof::by(form_theorem);
  proof.obstacle += form.answer == Copositivity::Answer::undecided ? ", and too many impulses act together to decide"
                    : island.rays_exact
                        ? ", and the coupling between them is too strong"
                        : ", and the coupling between them is too strong for octagons around friction in "
                          "space";
  if (form.answer == Copositivity::Answer::violated) proof.velocity = counterexample(problem, island, form.witness);
  return proof;
}

Certificate equal_coefficients(const ImpactProblem& problem, const ContactIsland& all) {
  Certificate certificate{.name = "equal coefficients",
                          .source = "Moreau 1988; Glocker 2004 (61); Glocker 2014, sect. 5.2.3",
                          .statement =
                              "one ε ≤ 1 in every row, tangents and clutches included: W = −½(1−ε)/(1+ε) ΛᵀGΛ "
                              "+ Σ ξ·Λ/(1+ε) ≤ 0",
                          .forms = {LawForm::newton}};
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  certificate.with(at_most("largest − smallest ε", all.epsilon.maxCoeff() - all.epsilon.minCoeff(), 0));
  certificate.with(at_most("largest ε", all.epsilon.maxCoeff(), 1));
  return certificate.judged(all.coefficients_equal() && in_range(all), difference(problem, all.elements));
}

Certificate decoupled(const ImpactProblem& problem, const std::vector<ContactIsland>& islands) {
  Certificate certificate{.name = "decoupled elements",
                          .source = "Glocker 2014, sect. 5.1",
                          .statement = "elements that G does not couple are judged alone: |ε| ≤ 1 suffices for each",
                          .forms = {LawForm::newton}};
  std::size_t largest_island = 0;
  for (const ContactIsland& island : islands) largest_island = std::max(largest_island, island.rows.size());
  certificate.with(plain("islands", static_cast<double>(islands.size())));
  certificate.with(at_most("rows of the largest island", static_cast<double>(largest_island), 1));
  const bool range = std::all_of(islands.begin(), islands.end(), in_range);
  for (const ContactIsland& island : islands) {
    if (island.rows.size() < 2) continue;
    return certificate.judged(
        false, island.elements.size() > 1
                   ? fmt::format("{} act on each other", names_of(problem, island.elements))
                   : fmt::format("normal and friction of {} act on each other", names_of(problem, island.elements)));
  }
  return certificate.judged(range, "nothing acts on anything else");
}

Certificate form_certificate(const ImpactProblem& problem, const ContactIsland& island) {
  Certificate certificate{
      .name = "work form of Newton's law",
      .source = "derived from Glocker 2014 (12)–(15); frictionless: Brogliato 2012 (49)",
      .statement =
          "W = Σ ξ·Λ/(1+ε) − ½ΛᵀSΛ, S = ½(δG + Gδ), δ = (1−ε)/(1+ε): no gain if S is copositive on the cone "
          "of admissible impulses; where G is regular and friction planar, only then",
      .forms = {LawForm::newton}};
  if (!in_range(island)) return certificate.not_applicable("a coefficient is outside −1 < ε ≤ 1");
  const Mat S = work_form(island);
  const bool in_short = is_nonnegative_in_short(S, island);
  certificate.friction_in_octagons = !island.rays_exact && !in_short;
  const Vec lambda = eigenvalues(unit_diagonal(S));
  certificate.with(plain("smallest eigenvalue of S (unit diagonal)", lambda(0)));
  const Copositivity form = copositivity_on_cone(S, island.rays);
  if (island.rays_exact || !in_short)
    certificate.with(at_least("least ΛᵀSΛ on the cone (scaled)", form.least, -Copositivity::tolerance));
  if (form.answer == Copositivity::Answer::violated && !in_short)
    certificate.velocity = counterexample(problem, island, form.witness);
  if (form.answer == Copositivity::Answer::undecided && !in_short) {
    return certificate.not_applicable(fmt::format("{} impulse directions are too many to decide (at most {})",
                                                  island.rays.cols(), Copositivity::largest_exact));
  }
  const bool ok = in_short || form.holds();
  return certificate.judged(ok, fmt::format("{}: {}", names_of(problem, island.elements),
                                            ok                  ? "no admissible impulse can gain"
                                            : island.rays_exact ? "there is an admissible impulse that gains"
                                                                : "an impulse near the friction cone gains"));
}

}  // namespace

Proof prove_newton(const ImpactProblem& problem) {
  return prove_each_island(problem, [&](const ContactIsland& island) { return prove_island(problem, island); });
}

Proof prove_newton_everywhere(const ImpactProblem& problem) { return by_coefficients(problem, all_contacts(problem)); }

bool newton_form_holds(const ImpactProblem& problem) {
  const std::vector<ContactIsland> islands = contact_islands(problem);
  return std::all_of(islands.begin(), islands.end(), [](const ContactIsland& island) {
    if (!in_range(island)) return false;
    const Mat S = work_form(island);
    return island.rows.size() == 1 || is_nonnegative_in_short(S, island) ||
           copositivity_on_cone(S, island.rays).holds();
  });
}

bool newton_form_holds_between(const ContactIsland& island, double lowest, double highest) {
  if (!(lowest > -1 && highest <= 1)) return false;
  if (lowest == highest) return true;
  const Vec lambda = eigenvalues(unit_diagonal(island.G));
  const double least = std::max(0.0, lambda(0)), most = lambda(lambda.size() - 1);
  const double delta = (highest - lowest) / (1 - highest * lowest);  // (δ_max − δ_min)/(δ_max + δ_min)
  const double G = (most - least) / (most + least);
  return delta * delta + G * G <= 1;
}

std::vector<Certificate> newton_certificates(const ImpactProblem& problem) {
  const std::vector<ContactIsland> islands = contact_islands(problem);
  std::vector<Certificate> list = {equal_coefficients(problem, all_contacts(problem)), decoupled(problem, islands)};
  for (const ContactIsland& island : islands)
    if (island.rows.size() > 1) list.push_back(form_certificate(problem, island));
  return list;
}

}  // namespace carom
