#include "solvers/certificates/poisson.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "solvers/certificates/copositivity.h"
#include "solvers/certificates/friction_cones.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/inclusion_form.h"

namespace carom {

namespace {

constexpr const char* frictionless_theorem = "no friction (Glocker 2014, sect. 6)";
constexpr const char* one_contact_theorem = "one frictional contact (Glocker 2014, sect. 7)";
constexpr const char* common_theorem =
    "all frictional contacts share one ε_N, and no other ε exceeds it (after Glocker 2014, sects. 6 and 7)";
constexpr const char* equal_poisson_theorem = "equal coefficients (Glocker 2014, sect. 5.2.3)";
constexpr const char* similar_theorem = "similar coefficients (Glocker 2014, eq. 117)";
constexpr const char* poisson_form_theorem =
    "the work form of Poisson's law is nonnegative on the admissible impulses (Glocker "
    "2014, eq. 105)";

// The normal coefficients of an island: smallest and largest of its frictional contacts, largest of the others.
struct NormalCoefficients {
  double lowest_frictional = HUGE_VAL, highest_frictional = -HUGE_VAL, highest_other = -HUGE_VAL;
};

NormalCoefficients normal_coefficients(const ImpactProblem& problem, const ContactIsland& island) {
  NormalCoefficients found;
  for (std::size_t i : island.elements) {
    const Contact* contact = problem.elements()[i].contact();
    const double epsilon = contact ? contact->restitution : problem.elements()[i].clutch()->restitution;
    if (contact && contact->has_friction()) {
      found.lowest_frictional = std::min(found.lowest_frictional, epsilon);
      found.highest_frictional = std::max(found.highest_frictional, epsilon);
    } else {
      found.highest_other = std::max(found.highest_other, epsilon);
    }
  }
  return found;
}

bool has_common_coefficient(const ImpactProblem& problem, const ContactIsland& island) {
  const NormalCoefficients found = normal_coefficients(problem, island);
  return found.lowest_frictional == found.highest_frictional && found.highest_other <= found.lowest_frictional;
}

double similarity(const Vec& epsilon) {
  const double low = epsilon.minCoeff() * epsilon.minCoeff();
  const double high = epsilon.maxCoeff() * epsilon.maxCoeff();
  return low == high ? 0 : (high - low) / (1 - low);
}

double reciprocal_condition(const Mat& G) {
  const Vec lambda = eigenvalues(G);
  return lambda.size() == 0 ? 1 : std::max(0.0, lambda(0)) / lambda(lambda.size() - 1);
}

Mat poisson_work_form(const ContactIsland& island) {
  return island.G - island.epsilon.asDiagonal() * island.G * island.epsilon.asDiagonal();
}

// Which normal coefficients keep friction from having one that is the largest.
std::string difference_of_impulses(const ImpactProblem& problem, const ContactIsland& island) {
  const NormalCoefficients found = normal_coefficients(problem, island);
  if (found.lowest_frictional < found.highest_frictional)
    return fmt::format("the frictional contacts among {} have different normal coefficients ({:g} to {:g})",
                       names_of(problem, island.elements), found.lowest_frictional, found.highest_frictional);
  return fmt::format("beside friction with ε = {:g} another of {} returns more (ε = {:g})", found.lowest_frictional,
                     names_of(problem, island.elements), found.highest_other);
}

Proof poisson_by_coefficients(const ImpactProblem& problem, const ContactIsland& island) {
  if (!island.coefficients_within(0, 1)) {
    return Proof::none(fmt::format("a coefficient of {} is outside 0 ≤ ε ≤ 1", names_of(problem, island.elements)));
  }
  if (island.frictional == 0) return Proof::by(frictionless_theorem);
  if (island.elements.size() == 1) return Proof::by(one_contact_theorem);
  if (island.coefficients_equal()) return Proof::by(equal_poisson_theorem);
  if (has_common_coefficient(problem, island)) return Proof::by(common_theorem);
  return Proof::none(difference_of_impulses(problem, island));
}

Proof prove_poisson_island(const ImpactProblem& problem, const ContactIsland& island) {
  Proof proof = poisson_by_coefficients(problem, island);
  if (proof.proven || !island.coefficients_within(0, 1)) return proof;
  const Mat unit = unit_diagonal(island.G);
  if (similarity(island.epsilon) <= reciprocal_condition(unit) ||
      similarity(island.epsilon) <= reciprocal_condition(island.G))
    return Proof::by(similar_theorem);
  const Mat Q = poisson_work_form(island);
  if (is_nonnegative_in_short(Q, island) || copositivity_on_cone(Q, island.rays).holds())
    return Proof::by(poisson_form_theorem);
  return proof;
}

Certificate about_poisson(const char* name, const char* source, const char* statement) {
  return {.name = name, .source = source, .statement = statement, .forms = {LawForm::poisson}};
}

Certificate frictionless(const ContactIsland& all) {
  Certificate certificate =
      about_poisson("frictionless system", "Glocker 2014, sect. 6",
                    "contacts, clutches and bilateral elements in any number without friction, 0 ≤ ε ≤ 1: T⁺ ≤ T⁻");
  certificate.with(at_most("frictional contacts", static_cast<double>(all.frictional), 0));
  if (!all.rows.empty()) certificate.with(at_most("largest ε", all.epsilon.maxCoeff(), 1));
  return certificate.judged(all.frictional == 0 && all.coefficients_within(0, 1),
                            all.frictional == 0 ? "there is no friction" : "there is friction");
}

Certificate one_frictional_contact(const ImpactProblem& problem, const std::vector<ContactIsland>& islands) {
  Certificate certificate =
      about_poisson("one frictional contact", "Glocker 2014, sect. 7",
                    "a frictional contact on which nothing else acts, 0 ≤ ε_T ≤ ε_N ≤ 1: T⁺ ≤ T⁻");
  bool any = false, within = true;
  std::size_t crowd = 0;
  const ContactIsland* crowded = nullptr;
  for (const ContactIsland& island : islands) {
    if (island.frictional == 0) continue;
    any = true;
    within = within && island.coefficients_within(0, 1);
    if (island.elements.size() > crowd) {
      crowd = island.elements.size();
      crowded = &island;
    }
  }
  if (!any) return certificate.not_applicable("there is no friction");
  certificate.with(
      at_most("elements that act on a frictional contact, itself included", static_cast<double>(crowd), 1));
  return certificate.judged(crowd == 1 && within,
                            crowd == 1 ? "each frictional contact is alone"
                                       : fmt::format("{} act on each other", names_of(problem, crowded->elements)));
}

Certificate common_coefficient(const ImpactProblem& problem, const ContactIsland& all) {
  Certificate certificate = about_poisson(
      "common normal coefficient", "derived: the proof of Glocker 2014, sects. 6 and 7, for several contacts",
      "all frictional contacts have one ε_N ≤ 1, ε_T ≤ ε_N, and nothing else has more: T⁺ ≤ T⁻");
  if (all.frictional == 0) return certificate.not_applicable("there is no friction");
  const NormalCoefficients found = normal_coefficients(problem, all);
  certificate.with(
      at_most("spread of ε_N over frictional contacts", found.highest_frictional - found.lowest_frictional, 0));
  if (found.highest_other > -HUGE_VAL)
    certificate.with(at_most("largest ε of the others", found.highest_other, found.lowest_frictional));
  certificate.with(at_most("largest ε", all.epsilon.maxCoeff(), 1));
  const bool ok = has_common_coefficient(problem, all) && all.coefficients_within(0, 1);
  return certificate.judged(ok, ok ? "friction acts with one normal coefficient, which is the largest"
                                   : difference_of_impulses(problem, all));
}

Certificate similar_coefficients(const ContactIsland& all) {
  Certificate certificate = about_poisson("similar coefficients", "Glocker 2014 (117)",
                                          "(ε_max² − ε_min²)/(1 − ε_min²) ≤ λ_min/λ_max of G: G − εGε is positive "
                                          "semidefinite, T⁺ ≤ T⁻");
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  if (!all.coefficients_within(0, 1)) return certificate.not_applicable("a coefficient is outside 0 ≤ ε ≤ 1");
  const double spread = similarity(all.epsilon);
  const double printed = reciprocal_condition(all.G);
  const double scaled = reciprocal_condition(unit_diagonal(all.G));
  certificate.with(at_most("(ε_max² − ε_min²)/(1 − ε_min²)", spread, std::max(printed, scaled)));
  certificate.with(plain("λ_min/λ_max", printed)).with(plain("λ_min/λ_max (rows of unit length)", scaled));
  const bool ok = spread <= std::max(printed, scaled);
  return certificate.judged(
      ok, ok ? "the coefficients are similar enough for this G" : "the coefficients differ too much for this G");
}

Certificate small_coefficients(const ContactIsland& all) {
  Certificate certificate =
      about_poisson("small coefficients", "Glocker 2014 (121)",
                    "ε_max² ≤ λ_min/λ_max of G: a special case of similar coefficients (eq. 122)");
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  if (!all.coefficients_within(0, 1)) return certificate.not_applicable("a coefficient is outside 0 ≤ ε ≤ 1");
  const double square = all.epsilon.maxCoeff() * all.epsilon.maxCoeff();
  const double printed = reciprocal_condition(all.G);
  const double scaled = reciprocal_condition(unit_diagonal(all.G));
  certificate.with(at_most("ε_max²", square, std::max(printed, scaled)));
  certificate.with(plain("λ_min/λ_max", printed)).with(plain("λ_min/λ_max (rows of unit length)", scaled));
  const bool ok = square <= std::max(printed, scaled);
  return certificate.judged(
      ok, ok ? "the coefficients are small enough for this G" : "the coefficients are too large for this G");
}

Certificate equal_poisson_coefficients(const ContactIsland& all) {
  Certificate certificate = about_poisson("equal coefficients", "Glocker 2014 (124), sect. 5.2.3",
                                          "one ε ≤ 1 for normals, tangents and clutches: T⁺ ≤ T⁻");
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  certificate.with(at_most("largest − smallest ε", all.epsilon.maxCoeff() - all.epsilon.minCoeff(), 0));
  certificate.with(at_most("largest ε", all.epsilon.maxCoeff(), 1));
  return certificate.judged(all.coefficients_equal() && all.coefficients_within(0, 1),
                            all.coefficients_equal() ? "all coefficients are equal" : "the coefficients differ");
}

Certificate poisson_form_certificate(const ImpactProblem& problem, const ContactIsland& island) {
  Certificate certificate = about_poisson(
      "work form of Poisson's law", "Glocker 2014 (105), (111)",
      "Λᵀ(G − εGε)Λ ≥ 0 for all admissible compression impulses: T⁺ ≤ T⁻; (111) asks it of all Λ, which is "
      "more than (105) needs");
  if (!island.coefficients_within(0, 1)) return certificate.not_applicable("a coefficient is outside 0 ≤ ε ≤ 1");
  const Mat Q = poisson_work_form(island);
  const bool in_short = is_nonnegative_in_short(Q, island);
  certificate.friction_in_octagons = !island.rays_exact && !in_short;
  const Copositivity form = copositivity_on_cone(Q, island.rays);
  certificate.with(plain("smallest eigenvalue of G − εGε", eigenvalues(Q)(0)));
  if (island.rays_exact || !in_short)
    certificate.with(at_least("least Λᵀ(G − εGε)Λ on the cone (scaled)", form.least, -Copositivity::tolerance));
  const bool ok = in_short || form.holds();
  if (!ok && form.answer == Copositivity::Answer::undecided)
    return certificate.not_applicable(fmt::format("{} impulse directions are too many to decide", island.rays.cols()));
  return certificate.judged(
      ok, fmt::format("{}: {}", names_of(problem, island.elements),
                      ok                  ? "no compression can be returned with a gain"
                      : island.rays_exact ? "some compression could be returned with a gain"
                                          : "some compression in octagonal cones around friction could be "
                                            "returned with a gain"));
}

// γ⁻ ≤ 0 of all contacts, up to rounding (condition 214).
bool nothing_separates(const ImpactProblem& problem, const ContactIsland& all) {
  for (std::size_t i : all.elements) {
    const Index row = problem.first_row(i);
    if (problem.gamma_minus()(row) >
        rounding * std::sqrt(2 * problem.compliance()(row) * problem.kinetic_energy(problem.u_minus())))
      return false;
  }
  return true;
}

Certificate coincidence(const ImpactProblem& problem, const ContactIsland& all) {
  Certificate certificate{.name = "Newton and Poisson coincide",
                          .source = "Glocker 2014, sect. 8 (214)",
                          .statement =
                              "equal coefficients, no contact separating before the impact (ε γ⁻ ≤ 0) and no "
                              "clutch unless ε = 0: both laws end with the same velocities",
                          .forms = {LawForm::newton, LawForm::poisson}};
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  const double spread = all.epsilon.maxCoeff() - all.epsilon.minCoeff();
  certificate.with(at_most("largest − smallest ε", spread, 0));
  const double epsilon = all.epsilon.maxCoeff();
  if (spread > 0) return certificate.judged(false, "the coefficients differ");
  if (!all.coefficients_within(0, 1)) return certificate.judged(false, "ε is outside 0 ≤ ε ≤ 1");
  if (epsilon == 0) return certificate.judged(true, "ε = 0: both are the inelastic impact");
  if (all.clutches > 0) return certificate.judged(false, "a clutch has ε ≤ 0 with Newton and ε ≥ 0 with Poisson");
  const bool closing = nothing_separates(problem, all);
  return certificate.judged(closing, closing ? "every Newton solution is one of Poisson's, and the other way round"
                                             : "a contact separates before the impact");
}

Certificate elastic(const ImpactProblem& problem, const ContactIsland& all) {
  Certificate certificate{
      .name = "elastic impact keeps its energy",
      .source = "Glocker 2014, sect. 8.3 (126)",
      .statement =
          "all ε = 1, tangents too, no clutch, no contact separating, and friction sticks at the end of "
          "compression: T⁺ = T⁻",
      .forms = {LawForm::newton, LawForm::poisson}};
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  if (all.epsilon.minCoeff() != 1 || all.epsilon.maxCoeff() != 1)
    return certificate.not_applicable("not every coefficient is 1");
  if (all.clutches > 0) return certificate.judged(false, "a clutch does not let the energy be kept");
  if (!nothing_separates(problem, all)) return certificate.judged(false, "a contact separates before the impact");
  const InclusionOutcome compression = find_solver("auto")->make()->solve(pose(problem, problem.gamma_minus()));
  if (compression.status != InclusionOutcome::Status::solved)
    return certificate.not_applicable("compression has no solution: " + compression.reason);
  const InclusionSolution& solution = compression.solutions.front();
  const double T = problem.kinetic_energy(problem.u_minus());
  const double lost = -2 * solution.Lambda.dot(solution.xi);  // W = 2Λ⁻ᵀγ° in (126)
  certificate.with(at_most("energy lost by slip, relative to T⁻", T > 0 ? lost / T : 0, verdict_tolerance));
  const bool ok = lost <= verdict_tolerance * T;
  return certificate.judged(ok, ok ? "every frictional contact sticks at the end of compression"
                                   : "a contact slips at the end of compression");
}

}  // namespace

Proof prove_poisson(const ImpactProblem& problem) {
  return prove_each_island(problem, [&](const ContactIsland& island) { return prove_poisson_island(problem, island); });
}

Proof prove_poisson_everywhere(const ImpactProblem& problem) {
  return poisson_by_coefficients(problem, all_contacts(problem));
}

bool poisson_form_holds(const ImpactProblem& problem) {
  const std::vector<ContactIsland> islands = contact_islands(problem);
  return std::all_of(islands.begin(), islands.end(), [](const ContactIsland& island) {
    if (!island.coefficients_within(0, 1)) return false;
    if (island.frictional == 0 || island.elements.size() == 1) return true;
    const Mat Q = poisson_work_form(island);
    return is_nonnegative_in_short(Q, island) || copositivity_on_cone(Q, island.rays).holds();
  });
}

bool poisson_form_holds_between(const ContactIsland& island, double lowest, double highest) {
  if (!(lowest >= 0 && highest <= 1)) return false;
  if (island.frictional == 0 || island.elements.size() == 1) return true;
  const double spread = similarity(Eigen::Vector2d(lowest, highest));
  return spread <= std::max(reciprocal_condition(unit_diagonal(island.G)), reciprocal_condition(island.G));
}

std::vector<Certificate> poisson_certificates(const ImpactProblem& problem) {
  const std::vector<ContactIsland> islands = contact_islands(problem);
  const ContactIsland all = all_contacts(problem);
  std::vector<Certificate> list = {frictionless(all),
                                   one_frictional_contact(problem, islands),
                                   common_coefficient(problem, all),
                                   similar_coefficients(all),
                                   small_coefficients(all),
                                   equal_poisson_coefficients(all),
                                   elastic(problem, all),
                                   coincidence(problem, all)};
  for (const ContactIsland& island : islands)
    if (island.frictional > 0 && island.elements.size() > 1) list.push_back(poisson_form_certificate(problem, island));
  return list;
}

}  // namespace carom
