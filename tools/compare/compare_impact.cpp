#include "tools/compare/compare_impact.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "config/diagnostics.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/resolve.h"
#include "tools/law_names.h"
#include "tools/table.h"

namespace carom {

namespace {

const char* match_name(EnergyMatch::Outcome outcome) {
  switch (outcome) {
    case EnergyMatch::Outcome::matched:
      return "matched";
    case EnergyMatch::Outcome::no_coefficient:
      return "no coefficient";
    case EnergyMatch::Outcome::none:
      return "none";
    case EnergyMatch::Outcome::not_applicable:
      break;
  }
  return "not applicable";
}

std::string work_range_text(const EnergyMatch& match) {
  return fmt::format("{} to {} J", figure(match.reach->first), figure(match.reach->second));
}

std::string why_none(const EnergyMatch& match) {
  std::string text = fmt::format("no ε from {:g} to {:g} does this work, the law does {} there", match.lowest,
                                 match.highest, work_range_text(match));
  if (!match.jumps.empty()) text += fmt::format(" and jumps past it at ε = {:.4g}", match.jumps.front());
  if (match.equivalent)
    text += fmt::format("; formally ε = {:.4g}, which ends where the reference does", *match.equivalent);
  return text;
}

// With the coefficient found. A law without one answers as it is; one that cannot do this work has no answer.
LawAnswer matched_answer(const LawChoice& law, const EnergyMatch& match, const ImpactProblem& problem,
                         const InclusionSolver& solver) {
  if (match.outcome == EnergyMatch::Outcome::none) return {law.type, {}, {}, why_none(match)};
  if (!match.restitution) return {law.type, resolve(law, problem, solver)};
  return {law.type, resolve_with(*match.restitution, law, problem, solver), match.restitution};
}

std::optional<double> common_restitution(const ImpactProblem& problem) {
  std::optional<double> common;
  for (const Element& element : problem.elements()) {
    const Contact* contact = element.contact();
    if (!contact) continue;
    if (common && *common != contact->restitution) return std::nullopt;
    common = contact->restitution;
  }
  return common;
}

void match_to(const std::string& reference, ComparedImpact& impact, const std::vector<LawChoice>& choices,
              const InclusionSolver& solver) {
  const auto found = std::find_if(impact.answers.begin(), impact.answers.end(),
                                  [&](const LawAnswer& answer) { return answer.law == reference; });
  if (found->outcome.results.empty()) {
    throw BadInput(
        fmt::format("--match energy: the reference has no answer at this impact ({}); --reference names another law",
                    found->outcome.reason));
  }
  const ImpactResult target = found->outcome.results.front();
  impact.reference_work = target.work;
  found->restitution = common_restitution(impact.problem);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    impact.matches.emplace_back();
    if (choices[i].type == reference) continue;
    impact.matches.back() = match_energy(choices[i], impact.problem, target, solver);
    impact.answers[i] = matched_answer(choices[i], impact.matches.back(), impact.problem, solver);
  }
}

}  // namespace

ComparedImpact compare_impact(double time, ImpactFile file, const std::vector<std::string>& laws,
                              const std::string& reference, Matching matching, const std::string& solver_name) {
  const std::unique_ptr<InclusionSolver> solver = find_solver(solver_name)->make();
  const ImpactProblem problem = impact_problem(file);
  ComparedImpact impact{.time = time, .file = std::move(file), .problem = problem, .answers = {}};
  std::vector<LawChoice> choices;
  for (const std::string& law : laws) {
    choices.push_back(law_choice(law, impact.file.law));
    impact.answers.push_back({law, resolve(choices.back(), problem, *solver)});
  }
  if (matching == Matching::energy) match_to(reference, impact, choices, *solver);
  return impact;
}

std::string match_text(const ComparedImpact& impact, const std::string& reference) {
  if (!impact.reference_work) return {};
  std::string text = fmt::format("\n  ε matched: one for all contacts, with which the law does the work of {}, {} J\n",
                                 reference, work_figure(*impact.reference_work, 0));
  for (std::size_t i = 0; i < impact.matches.size(); ++i) {
    const EnergyMatch& match = impact.matches[i];
    const std::string& law = impact.answers[i].law;
    if (match.outcome == EnergyMatch::Outcome::no_coefficient)
      text += fmt::format("  {}: no coefficient changes its work, {} J\n", law, work_figure(match.reach->first, 0));
    std::vector<std::string> others;
    for (const double root : match.roots) {
      if (match.restitution && std::abs(root - *match.restitution) > 1e-6)
        others.push_back(fmt::format("{:.4f}", root));
    }
    if (!others.empty()) text += fmt::format("  {}: also with ε {}\n", law, fmt::join(others, ", "));
  }
  return text;
}

Json match_json(const ComparedImpact* impact, const std::vector<std::string>& laws, const std::string& reference,
                Matching matching) {
  Json json = {{"by", matching == Matching::energy ? "energy" : "restitution"}, {"reference", reference}};
  if (!impact || !impact->reference_work) return json;
  json["work"] = *impact->reference_work;
  json["laws"] = Json::array();
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (laws[i] == reference) continue;
    const EnergyMatch& match = impact->matches[i];
    json["laws"].push_back({{"law", laws[i]},
                            {"outcome", match_name(match.outcome)},
                            {"restitution", number(match.restitution)},
                            {"equivalent", number(match.equivalent)},
                            {"roots", match.roots},
                            {"work_range", match.reach ? Json{match.reach->first, match.reach->second} : Json()},
                            {"reason", match.reason}});
  }
  return json;
}

Json compared_impact_json(const ComparedImpact& impact) {
  Json json = impact_json(impact.file, impact.problem, impact.answers, false);
  json["time"] = impact.time;
  json["not_applicable"] = Json::array();
  for (const LawAnswer& answer : impact.answers) {
    if (!answer.outcome.results.empty()) continue;
    const std::string& reason = answer.unmatched.empty() ? answer.outcome.reason : answer.unmatched;
    json["not_applicable"].push_back({{"law", answer.law}, {"reason", reason}});
  }
  return json;
}

}  // namespace carom
