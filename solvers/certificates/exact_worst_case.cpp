#include "solvers/certificates/exact_worst_case.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/certificates/island.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/certificates/newton_edge_worst.h"
#include "solvers/certificates/newton_routh_worst.h"
#include "solvers/certificates/newton_worst.h"
#include "solvers/certificates/poisson_worst.h"
#include "solvers/certificates/restitution_matrix_worst.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr double attained_gap = 1e-12;        // relative, of a bound
constexpr double as_found = 1e-6;             // relative, of the law's own answer
constexpr std::size_t most_matrix_knobs = 6;  // of a restitution matrix: 2ⁿ corners

using WorstOfIsland = WorstVelocity (*)(const ContactIsland&, const PieceLimits&);

WorstOfIsland worst_of_island(LawForm form) {
  if (form == LawForm::newton) return newton_worst;
  if (form == LawForm::poisson) return poisson_worst;
  if (form == LawForm::velocity_march) return newton_routh_worst;
  return nullptr;
}

// The law that decides, and the velocities that it is asked for.
struct DecidingLaw {
  LawChoice law;
  PieceLimits limits;

  LawForm form() const { return form_of(law); }
};

DecidingLaw deciding_law(const LawChoice& law, const ImpactProblem& problem, std::int64_t most_faces) {
  DecidingLaw deciding{law, {most_faces, false}};
  const auto colliding = std::count_if(problem.elements().begin(), problem.elements().end(),
                                       [](const Element& element) { return !element.bilateral(); });
  if (form_of(law) != LawForm::in_turn || colliding != 1) return deciding;
  deciding.law = law_of_each(law);
  deciding.limits.approaching = true;
  return deciding;
}

ImpactProblem with_elements(const ImpactProblem& problem, std::vector<Element> elements) {
  return ImpactProblem::on_manifold(problem.M(), problem.u_minus(), std::move(elements));
}

// The most gaining of what was computed for some coefficients and velocities; and that nothing else gains more.
struct Candidates {
  double gain = 0;
  double bound = 0;
  bool closed_form = false;
  double least_eigenvalue = 1;  // of G with rows of unit length
  Vec u_minus;
  std::vector<Element> elements;
  std::int64_t looked_at = 0, faces = 0;

  void add(double found_gain, double found_bound, const std::optional<Vec>& u, const std::vector<Element>& with,
           bool by_formula = false) {
    ++looked_at;
    bound = std::max(bound, found_bound);
    if (!(found_gain > gain) || !u) return;
    gain = found_gain;
    closed_form = by_formula;
    u_minus = *u;
    elements = with;
  }

  void add(const WorstVelocity& worst, const ContactIsland& island, const ImpactProblem& at) {
    std::optional<Vec> u;
    if (worst.gamma.size() > 0) u = slowest_velocity(at, island.rows, worst.gamma);
    if (island.G.rows() > 0) least_eigenvalue = std::min(least_eigenvalue, eigenvalues(unit_diagonal(island.G))(0));
    add(worst.gain, worst.bound, u, at.elements(), worst.closed_form);
    faces += worst.faces;
  }

  void add(const MatrixWorst& worst, const ImpactProblem& at) {
    std::optional<Vec> u;
    if (worst.u_minus.size() > 0) u = worst.u_minus;
    add(worst.gain, worst.bound, u, at.elements());
    faces += worst.faces;
  }

  // As the law itself answers, unless there is a formula: badly conditioned rows do not let the law answer with its
  // digits. Otherwise what was found is no more than a bound.
  WorstCase confirmed(const LawChoice& law, const ImpactProblem& problem) const {
    WorstCase worst;
    worst.u_minus = gain > 0 ? with_energy_of(problem, u_minus) : problem.u_minus();
    worst.elements = gain > 0 ? elements : problem.elements();
    worst.tried = looked_at;
    worst.faces = faces;
    if (bound < HUGE_VAL) worst.bound = bound;
    const bool answered = gain > 0 && !closed_form;
    worst.gain = answered ? LawTrial(law, with_elements(problem, elements)).gain(worst.u_minus) : gain;
    // The law solves to a residual, which G turns into velocities that may be off by its inverse.
    const double off = as_found + 10 * residual_tolerance / std::max(least_eigenvalue, residual_tolerance);
    worst.exact = bound - gain <= attained_gap * (1 + gain) && std::abs(worst.gain - gain) <= off * (1 + gain);
    return worst;
  }
};

// Corners of the ranges of these knobs, the others at their least.
std::vector<Vec> corners(const std::vector<Knob>& knobs, const std::vector<std::size_t>& turning) {
  std::vector<Vec> list;
  for (std::uint32_t corner = 0; corner < (1u << turning.size()); ++corner) {
    Vec shares = Vec::Zero(static_cast<Index>(knobs.size()));
    for (std::size_t k = 0; k < turning.size(); ++k) shares(static_cast<Index>(turning[k])) = corner >> k & 1u ? 1 : 0;
    list.push_back(shares);
  }
  return list;
}

template <class Predicate>
std::vector<std::size_t> knobs_where(const std::vector<Knob>& knobs, Predicate predicate) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < knobs.size(); ++k)
    if (predicate(knobs[k])) places.push_back(k);
  return places;
}

// Of a contact on which nothing else acts.
ContactIsland island_of(const ImpactProblem& problem, std::size_t element) {
  for (ContactIsland& island : contact_islands(problem))
    if (island.elements.front() == element) return std::move(island);
  return {};
}

// ε_N up to ε_T, the nearest that Poisson's law takes; false if that is above the largest.
bool raise_to_tangential(Contact& contact, double largest) {
  if (!contact.has_friction() || contact.restitution >= contact.tangential_restitution) return true;
  contact.restitution = contact.tangential_restitution;
  return contact.restitution <= largest;
}

// Contacts that nothing couples, every one with its own coefficients.
class SingleContacts {
 public:
  SingleContacts(const DecidingLaw& deciding, const ImpactProblem& problem, const std::vector<Knob>& knobs)
      : deciding_(deciding), problem_(problem), knobs_(knobs) {}

  Candidates worst() {
    for (std::size_t i = 0; i < problem_.elements().size(); ++i)
      if (problem_.elements()[i].contact()) add_contact(i);
    return std::move(found_);
  }

 private:
  void add_contact(std::size_t element) {
    const auto turning = knobs_where(knobs_, [&](const Knob& knob) { return knob.element == element; });
    for (const Vec& shares : corners(knobs_, turning)) {
      std::vector<Element> elements = turned(problem_.elements(), knobs_, shares);
      Contact& contact = std::get<Contact>(elements[element].kind);
      if (deciding_.form() == LawForm::poisson && !raise_to_tangential(contact, largest_restitution(element))) continue;
      const ImpactProblem corner = with_elements(problem_, std::move(elements));
      const ContactIsland island = island_of(corner, element);
      found_.add(worst_of_island(deciding_.form())(island, deciding_.limits), island, corner);
      if (deciding_.form() == LawForm::newton) add_edges(corner, island, element);
    }
  }

  double largest_restitution(std::size_t element) const {
    for (const Knob& knob : knobs_)
      if (knob.element == element && knob.which == Knob::Which::restitution) return knob.range.second;
    return problem_.elements()[element].contact()->restitution;
  }

  // At every corner, which looks at some of them twice: those with less friction or another end of ε_N cannot be worse.
  void add_edges(const ImpactProblem& corner, const ContactIsland& island, std::size_t element) {
    const auto restitution = knobs_where(
        knobs_, [&](const Knob& knob) { return knob.element == element && knob.which == Knob::Which::restitution; });
    if (restitution.empty()) return;
    const EdgeWorst edge = newton_edge_worst(island, knobs_[restitution.front()].range, deciding_.limits);
    std::vector<Element> elements = corner.elements();
    std::get<Contact>(elements[element].kind).restitution = edge.restitution;
    found_.add(edge.worst, island, with_elements(problem_, std::move(elements)));
  }

  const DecidingLaw& deciding_;
  const ImpactProblem& problem_;
  const std::vector<Knob>& knobs_;
  Candidates found_;
};

bool nothing_couples(const ImpactProblem& problem, const std::vector<Knob>& knobs) {
  const Vec most = Vec::Ones(static_cast<Index>(knobs.size()));
  for (const ContactIsland& island : contact_islands(with_elements(problem, turned(problem.elements(), knobs, most))))
    if (island.elements.size() != 1 || island.clutches > 0) return false;
  return true;
}

}  // namespace

WorstCase exact_worst_case(const LawChoice& law, const ImpactProblem& problem, std::int64_t most_faces) {
  const DecidingLaw deciding = deciding_law(law, problem, most_faces);
  Candidates found;
  if (deciding.form() == LawForm::matrix) {
    found.add(restitution_matrix_worst(problem, deciding.law.parameters, most_faces), problem);
  } else if (const auto worst_of = worst_of_island(deciding.form())) {
    // Work and energy of islands add up: the worst of one is the worst of all.
    for (const ContactIsland& island : contact_islands(problem))
      found.add(worst_of(island, deciding.limits), island, problem);
  } else {
    found.bound = HUGE_VAL;
  }
  return found.confirmed(deciding.law, problem);
}

std::optional<WorstCase> exact_worst_case_within(const LawChoice& law, const ImpactProblem& problem,
                                                 const CoefficientRanges& ranges, std::int64_t most_faces) {
  const DecidingLaw deciding = deciding_law(law, problem, most_faces);
  const std::vector<Knob> knobs = knobs_of(law, problem, ranges);
  Candidates found;
  if (deciding.form() == LawForm::matrix) {
    const auto turning = knobs_where(knobs, [](const Knob& knob) { return knob.which == Knob::Which::restitution; });
    if (turning.size() > most_matrix_knobs) return std::nullopt;
    for (const Vec& shares : corners(knobs, turning)) {
      const ImpactProblem corner = with_elements(problem, turned(problem.elements(), knobs, shares));
      found.add(restitution_matrix_worst(corner, deciding.law.parameters, most_faces), corner);
    }
  } else if (worst_of_island(deciding.form()) && nothing_couples(problem, knobs)) {
    found = SingleContacts(deciding, problem, knobs).worst();
  } else {
    return std::nullopt;
  }
  WorstCase worst = found.confirmed(deciding.law, problem);
  worst.coefficients_varied = true;
  return worst;
}

}  // namespace carom
