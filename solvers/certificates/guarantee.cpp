#include "solvers/certificates/guarantee.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>

#include "solvers/certificates/marching.h"
#include "solvers/certificates/newton.h"
#include "solvers/certificates/poisson.h"
#include "solvers/certificates/restitution_matrix.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

struct LawTheory {
  std::function<Proof(const ImpactProblem&, const LawChoice&)> prove;
  std::function<std::vector<Certificate>(const ImpactProblem&, const LawChoice&)> certificates;
};

Certificate unconditional(LawForm law, const char* source, const char* statement) {
  Certificate certificate{.name = "by construction", .source = source, .statement = statement, .forms = {law}};
  return certificate.judged(true, "the law's range of coefficients is enough");
}

LawTheory always(LawForm law, const char* source, const char* statement) {
  return {[=](const ImpactProblem&, const LawChoice&) { return Proof::by(fmt::format("{} ({})", statement, source)); },
          [=](const ImpactProblem&, const LawChoice&) {
            return std::vector<Certificate>{unconditional(law, source, statement)};
          }};
}

// The contacts one at a time, each with all clutches, as the combinator poses them.
std::vector<ImpactProblem> collisions(const ImpactProblem& problem) {
  std::vector<ImpactProblem> list;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.elements()[i].bilateral()) continue;
    std::vector<std::size_t> members;
    for (std::size_t k = 0; k < problem.elements().size(); ++k)
      if (k == i || problem.elements()[k].clutch()) members.push_back(k);
    list.push_back(problem.subproblem(members, problem.u_minus()));
  }
  return list;
}

// A sequence of collisions gains nothing if none of them does.
template <class ProveFunction>
Proof prove_each_collision(const LawChoice& law, const ImpactProblem& problem, ProveFunction prove_one) {
  const LawChoice inner = law_of_each(law);
  for (const ImpactProblem& collision : collisions(problem)) {
    const Proof proof = prove_one(inner, collision);
    if (!proof.proven) return proof;
  }
  return Proof::by(fmt::format("no collision by {} gains", inner.type));
}

Proof prove_sequential(const ImpactProblem& problem, const LawChoice& law) {
  const LawChoice inner = law_of_each(law);
  std::string theorem;
  for (const ImpactProblem& collision : collisions(problem)) {
    Proof proof = prove(inner, collision);
    if (!proof.proven) {
      proof.obstacle = fmt::format("one collision by {}: {}", inner.type, proof.obstacle);
      return proof;
    }
    if (theorem.find(proof.theorem) == std::string::npos) theorem += (theorem.empty() ? "" : "; ") + proof.theorem;
  }
  if (theorem.empty()) return Proof::by("nothing can collide");
  return Proof::by(fmt::format("no collision by {} gains: {}", inner.type, theorem));
}

std::vector<Certificate> sequential_certificates(const ImpactProblem& problem, const LawChoice& law) {
  Certificate certificate{.name = "every collision by itself",
                          .source = "Winandy & Leine 2016, sect. 3",
                          .statement = "a sequence of collisions gains nothing if none of them does",
                          .forms = {LawForm::in_turn}};
  const Proof proof = prove_sequential(problem, law);
  certificate.with(plain("kinds of collisions", static_cast<double>(collisions(problem).size())));
  return {certificate.judged(proof.proven, proof.proven ? proof.theorem : proof.obstacle)};
}

template <class ProveFunction, class CertifyFunction>
LawTheory theory(ProveFunction prove_law, CertifyFunction certify, LawForm law) {
  return {[=](const ImpactProblem& problem, const LawChoice&) { return prove_law(problem); },
          [=](const ImpactProblem& problem, const LawChoice&) {
            std::vector<Certificate> list;
            for (Certificate& certificate : certify(problem)) {
              if (certificate.speaks_of(law)) list.push_back(std::move(certificate));
            }
            return list;
          }};
}

std::vector<Certificate> inclusion_certificates(const ImpactProblem& problem) {
  std::vector<Certificate> list = newton_certificates(problem);
  for (Certificate& certificate : poisson_certificates(problem)) list.push_back(std::move(certificate));
  return list;
}

constexpr std::size_t most_corners = 10;  // 2ⁿ of them
constexpr const char* everywhere_between = "its condition holds at every corner of the ranges, hence between them";
constexpr const char* spread_theorem =
    "a bound on the spread of the coefficients, or the absence of friction, covers all in the ranges";

bool form_holds(const LawChoice& law, const ImpactProblem& problem) {
  return form_of(law) == LawForm::newton ? newton_form_holds(problem) : poisson_form_holds(problem);
}

bool form_holds_between(const LawChoice& law, const ContactIsland& island, double lowest, double highest) {
  return form_of(law) == LawForm::newton ? newton_form_holds_between(island, lowest, highest)
                                         : poisson_form_holds_between(island, lowest, highest);
}

// The problem with friction at its most and the other knobs at their least, but for those that are raised.
ImpactProblem at_corner(const ImpactProblem& problem, const std::vector<Knob>& knobs,
                        const std::vector<std::size_t>& raised) {
  Vec shares(static_cast<Index>(knobs.size()));
  for (std::size_t k = 0; k < knobs.size(); ++k)
    shares(static_cast<Index>(k)) = knobs[k].which == Knob::Which::friction ? 1 : 0;
  for (std::size_t k : raised) shares(static_cast<Index>(k)) = 1;
  return ImpactProblem::on_manifold(problem.M(), problem.u_minus(), turned(problem.elements(), knobs, shares));
}

// Those of some elements that change coefficients of restitution.
std::vector<std::size_t> restitution_knobs(const std::vector<Knob>& knobs, const std::vector<std::size_t>& elements) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < knobs.size(); ++k)
    if (knobs[k].which != Knob::Which::friction && knobs[k].range.first < knobs[k].range.second &&
        std::find(elements.begin(), elements.end(), knobs[k].element) != elements.end())
      places.push_back(k);
  return places;
}

std::vector<std::size_t> all_elements(const ImpactProblem& problem) {
  std::vector<std::size_t> all(problem.elements().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

bool holds_at_all_corners(const ImpactProblem& problem, const std::vector<Knob>& knobs,
                          const std::vector<std::size_t>& turning,
                          const std::function<bool(const ImpactProblem&)>& holds) {
  for (std::uint32_t corner = 0; corner < (1u << turning.size()); ++corner) {
    std::vector<std::size_t> raised;
    for (std::size_t k = 0; k < turning.size(); ++k)
      if (corner >> k & 1u) raised.push_back(turning[k]);
    if (!holds(at_corner(problem, knobs, raised))) return false;
  }
  return true;
}

// Work forms, island by island: corners where they are few, otherwise what holds for any coefficients in between.
Proof prove_forms_within(const LawChoice& law, const ImpactProblem& problem, const std::vector<Knob>& knobs) {
  const char* theorem = everywhere_between;
  for (const ContactIsland& island : contact_islands(at_corner(problem, knobs, {}))) {
    const std::vector<std::size_t> turning = restitution_knobs(knobs, island.elements);
    if (turning.size() <= most_corners) {
      if (!holds_at_all_corners(problem, knobs, turning, [&](const ImpactProblem& corner) {
            return form_holds(law, corner.subproblem(island.elements, corner.u_minus()));
          }))
        return Proof::none("the condition does not hold at every corner of the ranges");
      continue;
    }
    const ImpactProblem high = at_corner(problem, knobs, turning);
    double highest = island.epsilon.maxCoeff();
    for (const ContactIsland& raised : contact_islands(high))
      if (raised.elements == island.elements) highest = raised.epsilon.maxCoeff();
    if (!form_holds_between(law, island, island.epsilon.minCoeff(), highest))
      return Proof::none(
          fmt::format("{} coefficients vary together: too many corners to try, and too wide for a bound on all of them",
                      turning.size()));
    theorem = spread_theorem;
  }
  return Proof::by(theorem);
}

const std::map<LawForm, LawTheory>& theories() {
  static const std::map<LawForm, LawTheory> list = {
      {LawForm::inelastic,
       always(LawForm::inelastic, "Glocker 2014, sect. 5.2.5", "completely inelastic: the inclusion with ε = 0")},
      {LawForm::moreau, always(LawForm::moreau, "Glocker 2004 (60), Moreau 1988", "one global ε ≤ 1 in every row")},
      {LawForm::newton, theory(prove_newton, inclusion_certificates, LawForm::newton)},
      {LawForm::poisson, theory(prove_poisson, inclusion_certificates, LawForm::poisson)},
      {LawForm::work_march, theory(prove_stronge, marching_certificates, LawForm::work_march)},
      {LawForm::impulse_march, theory(prove_poisson_routh, marching_certificates, LawForm::impulse_march)},
      {LawForm::velocity_march, theory(prove_newton_routh, marching_certificates, LawForm::velocity_march)},
      {LawForm::in_turn, {prove_sequential, sequential_certificates}},
      {LawForm::matrix,
       {[](const ImpactProblem& problem, const LawChoice& law) {
          return prove_restitution_matrix(problem, law.parameters);
        },
        [](const ImpactProblem& problem, const LawChoice& law) {
          return restitution_matrix_certificates(problem, law.parameters);
        }}},
      // Kinetic energy and ∫F dd together never grow: loading moves energy from one to the other, unloading returns ε²
      // of it, and a contact held at rest does no work. The integral begins at zero and never is negative.
      {LawForm::springs,
       always(LawForm::springs, "Winandy & Leine 2016, sect. 5", "springs return ε² ≤ 1 of what they store")},
  };
  return list;
}

}  // namespace

Proof prove(const LawChoice& law, const ImpactProblem& problem) {
  const auto found = theories().find(form_of(law));
  if (found == theories().end()) return Proof::none(fmt::format("no theorem about '{}' is known here", law.type));
  return found->second.prove(problem, law);
}

Proof prove_everywhere(const LawChoice& law, const ImpactProblem& problem) {
  switch (form_of(law)) {
    case LawForm::newton:
      return prove_newton_everywhere(problem);
    case LawForm::poisson:
      return prove_poisson_everywhere(problem);
    case LawForm::velocity_march:
    case LawForm::matrix:
      return Proof::none("its condition depends on the configuration");
    case LawForm::in_turn:
      return prove_each_collision(law, problem, prove_everywhere);
    default:
      return prove(law, problem);
  }
}

Proof prove_within(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges) {
  const LawForm form = form_of(law);
  if (form == LawForm::in_turn)
    return prove_each_collision(law, problem, [&](const LawChoice& inner, const ImpactProblem& collision) {
      return prove_within(inner, collision, ranges);
    });
  const std::vector<Knob> knobs = knobs_of(law, problem, ranges);
  const std::vector<std::size_t> turning = restitution_knobs(knobs, all_elements(problem));
  if (turning.empty()) return prove(law, at_corner(problem, knobs, {}));
  if (form == LawForm::newton || form == LawForm::poisson) return prove_forms_within(law, problem, knobs);
  const auto proven = [&](const ImpactProblem& corner) { return prove(law, corner).proven; };
  if (form != LawForm::matrix) {  // bounds on single coefficients
    if (!proven(at_corner(problem, knobs, {})) || !proven(at_corner(problem, knobs, turning)))
      return Proof::none("the condition does not hold at the ends of the ranges");
    return Proof::by(everywhere_between);
  }
  if (turning.size() > most_corners)
    return Proof::none(
        fmt::format("{} coefficients vary, more than {}: too many corners to try", turning.size(), most_corners));
  return holds_at_all_corners(problem, knobs, turning, proven)
             ? Proof::by(everywhere_between)
             : Proof::none("the condition does not hold at every corner of the ranges");
}

std::vector<Certificate> certificates_of(const LawChoice& law, const ImpactProblem& problem) {
  const auto found = theories().find(form_of(law));
  return found == theories().end() ? std::vector<Certificate>{} : found->second.certificates(problem, law);
}

}  // namespace carom
