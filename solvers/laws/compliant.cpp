// Compliant contacts at frozen geometry (Winandy & Leine 2016, sect. 5; Liu, Zhao & Brogliato 2008).
//
//   F_i = k_i d_i^η,   Λ' = F,   γ = γ⁻ + GΛ
//
// with η = 1 a linear spring and η = 3/2 Hertz. d is the indentation on the loading curve. Signs: γ < 0 approaches,
// Λ > 0 pushes the contact open. Loss is bi-stiffness: the contact unloads along a stiffer curve, so that it returns ε²
// of the work it took,
//
//   loading (γ < 0)    d' = −γ               unloading (γ > 0)    d' = −γ/ε²
//
// Integrated until every contact is open and separates; negative d is a gap, and a gap may close again. Only
// ratios of stiffness matter: time is scaled out. Lossless contacts keep the energy (measured at 1e-12); loss
// only ever takes it.
//
// As ε → 0 a contact unloads in a time and with velocities of order ε. In the variables t/ε and γ/ε nothing of
// its unloading depends on ε: under the force F* with which the others press it, d drops from d₀ to where
//
//   ½γ² = ε²G_ii ∫_d^d₀ (F − F*) dd
//
// is zero again, or opens if it is positive all the way down. So ε = 0 means this limit: d drops at once. Where several
// contacts come to rest at the same moment they drop together, which is integrated with an ε at rounding level. The
// contact need not stay closed: only where it is pressed does it.
//
// Many contacts that lose much die out together, in phases whose number grows with the square of theirs. What a motion
// can still change is bounded by its own size: of one that has become small fewer digits are computed.
//
// Domain: contacts without friction and bilateral elements, no clutches.
// Failures: several contacts with small ε can die out in infinitely many collisions, which are followed down to
// rounding level: fifty contacts take seconds, more than a hundred want a larger `rest`.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "solvers/laws/compliant_motion.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr std::size_t most_contacts = 1000;

std::string no_clutch(const std::string& name) {
  return fmt::format("compliant models contacts, but '{}' is a clutch; use poisson, newton or inelastic", name);
}

std::string no_friction(std::vector<std::string> names) {
  for (std::string& name : names) name = "'" + name + "'";
  return fmt::format(
      "{} {} friction, which compliant does not model; use poisson, newton, moreau, or for a single contact stronge",
      listed(names), names.size() > 1 ? "have" : "has");
}

std::optional<std::string> too_many_contacts(const std::vector<Element>& elements) {
  const auto contacts = static_cast<std::size_t>(
      std::count_if(elements.begin(), elements.end(), [](const Element& element) { return element.contact(); }));
  if (contacts <= most_contacts) return std::nullopt;
  return fmt::format("compliant takes at most {} contacts at once, and here are {}; use newton, poisson or sequential",
                     most_contacts, contacts);
}

std::optional<std::string> outside_domain(const std::vector<Element>& elements) {
  std::vector<std::string> frictional;
  for (const Element& element : elements) {
    if (element.clutch()) return no_clutch(element.name);
    if (element.contact() && element.contact()->has_friction()) frictional.push_back(element.name);
  }
  if (!frictional.empty()) return no_friction(std::move(frictional));
  return too_many_contacts(elements);
}

std::vector<LawComplaint> check_elements(const Parameters&, const std::vector<Element>& elements,
                                         const ImpactProblem*) {
  std::vector<LawComplaint> complaints;
  if (const auto reason = too_many_contacts(elements)) complaints.push_back({std::nullopt, "type", *reason});
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].clutch()) complaints.push_back({i, "kind", no_clutch(elements[i].name)});
    if (elements[i].contact() && elements[i].contact()->has_friction())
      complaints.push_back({i, "friction", no_friction({elements[i].name})});
  }
  return complaints;
}

class Compliant final : public ImpactLaw {
 public:
  Compliant(double exponent, double rest) : exponent_(exponent), rest_(rest) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    if (const auto reason = outside_domain(problem.elements())) return LawOutcome::refused(*reason);
    std::vector<std::size_t> contacts;
    std::vector<Index> rows;
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      const Element& element = problem.elements()[i];
      if (!element.contact()) continue;
      if (problem.G()(problem.first_row(i), problem.first_row(i)) == 0) continue;
      contacts.push_back(i);
      rows.push_back(problem.first_row(i));
    }

    Jump jump;
    jump.Lambda = Vec::Zero(problem.rows());
    jump.work = Vec::Zero(static_cast<Index>(problem.elements().size()));
    jump.states.assign(problem.elements().size(), State::open);
    jump.solver.name = "compliant";
    const Vec gamma_minus = problem.gamma_minus()(rows);
    if (!rows.empty() && gamma_minus.minCoeff() < 0) {
      Vec stiffness(gamma_minus.size());
      Vec restitution(gamma_minus.size());
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        stiffness(static_cast<Index>(k)) = problem.elements()[contacts[k]].contact()->stiffness;
        restitution(static_cast<Index>(k)) = problem.elements()[contacts[k]].contact()->restitution;
      }
      compliant::Motion impact(problem.G().restricted(rows), gamma_minus, stiffness, restitution, exponent_, rest_);
      try {
        impact.run();
      } catch (const compliant::Failure& failure) {
        return LawOutcome::failed(failure.reason);
      }
      jump.Lambda(rows) = impact.impulses();
      jump.solver.iterations = impact.steps();
      const Vec work = impact.work();
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        (*jump.work)(static_cast<Index>(contacts[k])) = work(static_cast<Index>(k));
        if (jump.Lambda(rows[k]) > 0) jump.states[contacts[k]] = State::closed;
      }
      if (impact.left() > compliant::default_rest) come_to_rest(problem, solver, impact.left(), jump);
    }
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, jump));
    return outcome;
  }

 private:
  // What the contacts still approach with is lost: the energy of their motion bounds what they could do otherwise.
  static void come_to_rest(const ImpactProblem& problem, const InclusionSolver& solver, double left, Jump& jump) {
    std::vector<std::size_t> all(problem.elements().size());
    std::iota(all.begin(), all.end(), 0);
    const LawOutcome outcome =
        make_law({"inelastic", {}})->resolve(problem.subproblem(all, problem.velocity_after(jump.Lambda)), solver);
    jump.solver.note = fmt::format("contacts that still move at {:.1e} of the fastest approach count as at rest", left);
    if (outcome.results.empty()) return;
    const ImpactResult& result = outcome.results.front();
    for (std::size_t i = 0; i < all.size(); ++i) {
      jump.Lambda.segment(problem.first_row(i), problem.row_count(i)) += result.elements[i].Lambda;
      (*jump.work)(static_cast<Index>(i)) += result.elements[i].work;
    }
  }

  double exponent_, rest_;
};

}  // namespace

LawEntry compliant_law() {
  return {
      .name = "compliant",
      .statement =
          "contacts as springs at frozen geometry, integrated until all are open; unloading returns ε² of the work",
      .equation = "F = k d^η,  Λ' = F,  d' = −γ loading, −γ/ε² unloading",
      .source = "Winandy & Leine 2016 sect. 5; Liu, Zhao & Brogliato 2008",
      .domain = "contacts without friction and bilateral elements, no clutches; contact key stiffness (ratios matter)",
      .failures =
          "no friction; several contacts with small ε can die out in infinitely many collisions, which are followed "
          "down to rounding level: fifty contacts take seconds, more than a hundred want a larger `rest`",
      .parameters = {{.name = "exponent",
                      .type = ParameterSpec::Type::number,
                      .default_text = "1.5",
                      .meaning = "η: 1 linear, 1.5 Hertz",
                      .range_text = "1 .. 10",
                      .lowest = 1,
                      .highest = 10},
                     {.name = "rest",
                      .type = ParameterSpec::Type::number,
                      .default_text = "1e-13",
                      .meaning = "speed that counts as none, of the fastest approach",
                      .range_text = "1e-13 .. 0.1",
                      .lowest = 1e-13,
                      .highest = 0.1}},
      .clutch_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},  // not read
      .tangential_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},
      .form = LawForm::springs,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true},
      .check = check_elements,
      .make =
          [](const Parameters& parameters) {
            return std::unique_ptr<ImpactLaw>(
                std::make_unique<Compliant>(parameters.get<double>("exponent").value_or(1.5),
                                            parameters.get<double>("rest").value_or(compliant::default_rest)));
          },
  };
}

}  // namespace carom
