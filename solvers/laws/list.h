// The impact laws there are, with what a user is told about each. One line in laws.def adds one; help text,
// documentation, input checks and the conformance tests follow from the entry.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/element.h"
#include "engine/impact_law.h"
#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// An admissible interval of a coefficient. Above a soft limit the law still has an answer, with a warning.
struct CoefficientRange {
  double lowest = 0;
  double highest = 1;
  bool lowest_open = false;
  bool highest_is_soft = false;

  std::string text() const;
};

// What a law claims of all problems in its domain; tested as claims on random problems.
struct LawClaims {
  bool kinematic = false;                 // nothing approaches after the impact
  bool kinetic = false;                   // every impulse in its force set
  bool dissipative_frictionless = false;  // never gains energy without friction and clutches
  bool dissipative_one_contact = false;   // nor with one frictional contact
};

// What a law is, as far as theorems speak of it; laws of one form have the same guarantees.
enum class LawForm {
  other,
  inelastic,       // the plastic inclusion
  moreau,          // the inclusion with one ε ≤ 1 in every row
  newton,          // the inclusion with every element's own ε
  poisson,         // compression and decompression, an inclusion each
  work_march,      // one contact's path, ended by the ratio of works,
  impulse_march,   // of impulses,
  velocity_march,  // of velocities
  in_turn,         // another law, a contact at a time
  matrix,          // a linear map of kinetic quasi-velocities
  springs          // integrated until all contacts open
};

// What a law finds wrong with the data of a problem, at a key of an element or, without one, of the law itself. The
// law still has an answer if it is only a warning.
struct LawComplaint {
  std::optional<std::size_t> element;
  std::string key;
  std::string message;
  bool warning = false;
};

struct LawEntry {
  std::string name;
  std::string statement;
  std::string equation;
  std::string source;
  std::string domain;
  std::string failures;
  std::vector<ParameterSpec> parameters = {};
  CoefficientRange contact_restitution = {};
  CoefficientRange clutch_restitution = {};
  CoefficientRange tangential_restitution = {};
  bool uses_restitution = true;   // otherwise the coefficients may be anything
  std::string default_each = {};  // a combinator: the law it applies unless its parameter `each` names one
  bool is_combinator() const { return !default_each.empty(); }
  LawForm form = LawForm::other;
  LawClaims claims = {};
  // Laws that end the same path at different points: the coefficient with which this one ends where another has ended.
  // Nothing if there was no collision.
  std::optional<double> (*equivalent)(const ElementResult& contact, const RouthPath& path) = nullptr;
  // Beyond the ranges. `problem` is null where none can be built from the data.
  std::vector<LawComplaint> (*check)(const Parameters&, const std::vector<Element>&,
                                     const ImpactProblem* problem) = nullptr;
  std::unique_ptr<ImpactLaw> (*make)(const Parameters&) = nullptr;
};

std::string listed(const std::vector<std::string>& names);  // "a, b and c"

const std::vector<LawEntry>& impact_laws();
const LawEntry* find_law(const std::string& name);
std::unique_ptr<ImpactLaw> make_law(const LawChoice& choice);  // of a known type

LawForm form_of(const LawChoice& choice);  // of a known type

// The law that meets the contacts: what a combinator applies to each collision, of any other law itself.
LawChoice law_of_each(const LawChoice& choice);

// The law applied to one contact at a time, by the combinator of the list: for what it refuses because several contacts
// act at once. None for a combinator itself.
std::optional<LawChoice> one_at_a_time(const LawChoice& law);

// Mistakes in the data as the law sees them, or the law that it applies to each collision. `problem` may be null: then
// what can be told from the elements.
std::vector<LawComplaint> check_data(const LawChoice& choice, const std::vector<Element>& elements,
                                     const ImpactProblem* problem);

}  // namespace carom
