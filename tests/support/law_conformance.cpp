#include "tests/support/law_conformance.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "solvers/inclusion/list.h"

namespace carom::testing {

namespace {

// One random problem with the law's answer to it.
struct Tried {
  const LawEntry& law;
  std::uint64_t seed;
  ProblemParts parts;
  LawOutcome outcome;

  bool is_resolved() const { return outcome.status == LawOutcome::Status::resolved; }
  bool has_one_result() const { return is_resolved() && outcome.results.size() == 1; }
  const Vec& u_plus() const { return outcome.results.front().u_plus; }

  auto contacts() const {
    return std::count_if(parts.elements.begin(), parts.elements.end(), [](const Element& e) { return e.contact(); });
  }
  bool has_clutches() const {
    return std::any_of(parts.elements.begin(), parts.elements.end(), [](const Element& e) { return e.clutch(); });
  }
  bool has_friction() const {
    return std::any_of(parts.elements.begin(), parts.elements.end(),
                       [](const Element& e) { return e.contact() && e.contact()->has_friction(); });
  }
};

// Nothing: the claim says nothing of this problem. Empty: it holds. Else by how much it does not.
using Verdict = std::optional<std::string>;

struct Claim {
  const char* text;
  int least;
  Verdict (*of)(const Tried&);
};

Verdict unless(bool holds, const std::string& what) { return holds ? "" : what; }

LawOutcome resolve(const LawEntry& law, const ProblemParts& parts) {
  return law.make({})->resolve(parts.build(), *find_solver("auto")->make());
}

// ---- of one answer
// -------------------------------------------------------------------------------------------------------------------

template <class Amount>
Verdict each_result(const Tried& tried, const Amount& amount_over) {
  if (!tried.is_resolved()) return std::nullopt;
  for (const ImpactResult& result : tried.outcome.results) {
    const double over = amount_over(result);
    if (!(over <= 0)) return fmt::format("beyond rounding by {:.2g}", over);
  }
  return "";
}

Vec momentum_from_elements(const ProblemParts& parts, const ImpactResult& result) {
  Vec momentum = Vec::Zero(parts.u_minus.size());
  for (std::size_t i = 0; i < parts.elements.size(); ++i) {
    const Vec& Lambda = result.elements[i].Lambda;
    if (const Contact* contact = parts.elements[i].contact()) {
      momentum += contact->normal * Lambda(0) + contact->tangent.transpose() * Lambda.tail(contact->tangent.rows());
    } else if (const Clutch* clutch = parts.elements[i].clutch()) {
      momentum += clutch->direction * Lambda(0);
    } else {
      momentum += parts.elements[i].bilateral()->direction * Lambda(0);
    }
  }
  return momentum;
}

Verdict answers_or_says_why(const Tried& tried) {
  if (tried.is_resolved()) return unless(!tried.outcome.results.empty(), "resolved, without a result");
  return unless(tried.outcome.reason.size() > 20, fmt::format("the reason is '{}'", tried.outcome.reason));
}

Verdict impact_equation(const Tried& tried) {
  return each_result(tried, [&](const ImpactResult& result) {
    const Vec jump = tried.parts.M * (result.u_plus - tried.parts.u_minus);
    return (jump - momentum_from_elements(tried.parts, result)).norm() - 1e-9 * (1 + jump.norm());
  });
}

Verdict energy_balance(const Tried& tried) {
  return each_result(tried, [](const ImpactResult& result) {
    double work = 0;
    for (const ElementResult& element : result.elements) work += element.work;
    return std::max(std::abs(work - (result.T_plus - result.T_minus)) - 1e-9 * (result.T_minus + result.T_plus),
                    std::abs(work - result.work) - 1e-12 * (1 + result.T_minus));
  });
}

Verdict solved(const Tried& tried) {
  return each_result(tried, [](const ImpactResult& result) { return result.solver.residual - 1e-10; });
}

Verdict kinematic(const Tried& tried) {
  if (!tried.law.claims.kinematic) return std::nullopt;
  return each_result(
      tried, [](const ImpactResult& result) { return result.kinematic.holds ? 0 : result.kinematic.violation; });
}

Verdict kinetic(const Tried& tried) {
  if (!tried.law.claims.kinetic) return std::nullopt;
  return each_result(tried,
                     [](const ImpactResult& result) { return result.kinetic.holds ? 0 : result.kinetic.violation; });
}

double energy_gained(const ImpactResult& result) { return result.energetic.holds ? 0 : result.energetic.violation; }

Verdict dissipative_frictionless(const Tried& tried) {
  if (!tried.law.claims.dissipative_frictionless || tried.has_friction() || tried.has_clutches()) return std::nullopt;
  return each_result(tried, energy_gained);
}

Verdict dissipative_one_contact(const Tried& tried) {
  if (!tried.law.claims.dissipative_one_contact || tried.contacts() != 1 || tried.has_clutches()) return std::nullopt;
  return each_result(tried, energy_gained);
}

// ---- of two answers
// -------------------------------------------------------------------------------------------------------------------

Verdict same_velocity(const Tried& tried, const LawOutcome& again, double scale) {
  if (again.results.empty()) return fmt::format("no answer the second time: {}", again.reason);
  const double difference = (again.results.front().u_plus / scale - tried.u_plus()).norm();
  return unless(difference < 1e-8 * (1 + tried.parts.u_minus.norm()), fmt::format("u⁺ differs by {:.2g}", difference));
}

Verdict order_of_elements(const Tried& tried) {
  if (!tried.has_one_result()) return std::nullopt;
  ProblemParts turned = tried.parts;
  std::reverse(turned.elements.begin(), turned.elements.end());
  return same_velocity(tried, resolve(tried.law, turned), 1);
}

Verdict scaling(const Tried& tried) {
  if (!tried.has_one_result() || tried.seed % 4 > 1) return std::nullopt;  // without friction, and in the plane
  ProblemParts scaled = tried.parts;
  scaled.u_minus *= 1e6;
  scaled.M *= 1e-7;
  return same_velocity(tried, resolve(tried.law, scaled), 1e6);
}

Verdict same_bits(const Tried& tried) {
  if (!tried.is_resolved()) return std::nullopt;
  const LawOutcome again = resolve(tried.law, tried.parts);
  if (again.results.size() != tried.outcome.results.size()) return "another number of results";
  for (std::size_t k = 0; k < again.results.size(); ++k)
    if (again.results[k].u_plus != tried.outcome.results[k].u_plus) return "another velocity";
  return "";
}

// ---- the suite
// -------------------------------------------------------------------------------------------------------------------

constexpr Claim claims[] = {
    {"it answers, or says why it does not", 160, answers_or_says_why},
    {"M(u⁺ − u⁻) = WΛ", 10, impact_equation},
    {"the elements' work is the change of the energy", 10, energy_balance},
    {"its inclusions are solved to 1e-10", 10, solved},
    {"nothing approaches afterwards, as it claims", 0, kinematic},
    {"impulses are admissible, as it claims", 0, kinetic},
    {"no energy is gained without friction and clutches, as it claims", 0, dissipative_frictionless},
    {"no energy is gained at one contact, as it claims", 0, dissipative_one_contact},
    {"the order of the elements does not matter", 20, order_of_elements},
    {"10⁶ times the velocity, 10⁻⁷ times the mass: 10⁶ times the velocity", 10, scaling},
    {"the same problem gives the same bits", 10, same_bits},
};

// Each contact its own restitution, where the law takes that.
ProblemParts problem_for(const LawEntry& law, std::uint64_t seed) {
  const auto friction = static_cast<FrictionKind>(seed % 4);
  const bool spatial = friction == FrictionKind::disc || friction == FrictionKind::ellipse;
  ProblemParts parts = random_problem(seed, {.contacts = 1 + static_cast<int>((seed / 4) % (spatial ? 2 : 3)),
                                             .clutches = static_cast<int>((seed / 8) % 2),
                                             .bilaterals = static_cast<int>((seed / 16) % 3),
                                             .friction = friction,
                                             .largest_friction = 0.8,
                                             .approaching = true});
  if (law.form == LawForm::moreau)
    for (Element& element : parts.elements)
      if (auto* contact = std::get_if<Contact>(&element.kind)) contact->restitution = 0.6;
  return parts;
}

ConformanceResult tells_what_it_is(const LawEntry& law) {
  ConformanceResult result{"statement, equation, source, domain and failures are told", 1, 1, {}};
  const std::pair<const char*, const std::string&> facts[] = {{"statement", law.statement},
                                                              {"equation", law.equation},
                                                              {"source", law.source},
                                                              {"domain", law.domain},
                                                              {"failures", law.failures}};
  for (const auto& [name, text] : facts)
    if (text.empty()) result.breaches.push_back({0, {}, fmt::format("no {}", name)});
  for (const ParameterSpec& spec : law.parameters)
    if (spec.default_text.empty() || spec.meaning.empty())
      result.breaches.push_back(
          {0, {}, fmt::format("the parameter '{}' has no default_text or no meaning", spec.name)});
  return result;
}

ConformanceResult rests_where_nothing_approaches(const LawEntry& law) {
  ConformanceResult result{"nothing approaches: nothing happens", 0, 3, {}};
  Contact contact;
  contact.normal = Eigen::Vector2d(1, 0);
  contact.tangent = Eigen::RowVector2d(0, 1);
  contact.friction = Vec::Constant(1, 0.0);
  contact.restitution = 0.5;
  for (const Eigen::Vector2d& u : {Eigen::Vector2d(1, 2), Eigen::Vector2d(0, 2), Eigen::Vector2d(0, 0)}) {
    const ProblemParts parts{Mat::Identity(2, 2), u, {{"c", contact}}};
    const LawOutcome outcome = resolve(law, parts);
    ++result.tried;
    if (outcome.results.empty()) {
      result.breaches.push_back({0, parts, "no answer: " + outcome.reason});
    } else if (!((outcome.results.front().u_plus - u).norm() < 1e-14)) {
      result.breaches.push_back({0, parts, "the velocity changes"});
    } else if (outcome.results.front().elements[0].state != State::open) {
      result.breaches.push_back({0, parts, "the contact is not told to be open"});
    }
  }
  return result;
}

}  // namespace

std::vector<ConformanceResult> conformance(const LawEntry& law) {
  constexpr std::uint64_t problems = 160;
  std::vector<ConformanceResult> results = {tells_what_it_is(law), rests_where_nothing_approaches(law)};
  const std::size_t first = results.size();
  for (const Claim& claim : claims) results.push_back({claim.text, 0, claim.least, {}});
  for (std::uint64_t seed = 1; seed <= problems; ++seed) {
    Tried tried{law, seed, problem_for(law, seed), {}};
    tried.outcome = resolve(law, tried.parts);
    for (std::size_t i = 0; i < std::size(claims); ++i) {
      ConformanceResult& result = results[first + i];
      const Verdict verdict = claims[i].of(tried);
      if (!verdict) continue;
      ++result.tried;
      if (!verdict->empty()) result.breaches.push_back({seed, tried.parts, *verdict});
    }
  }
  return results;
}

}  // namespace carom::testing
