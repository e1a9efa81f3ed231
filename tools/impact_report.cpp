#include "tools/impact_report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/impact_details.h"
#include "tools/table.h"

namespace carom {

namespace {

// Up to so many elements are told apart in a line, and so many velocities written out.
constexpr std::size_t most_elements = 5;
constexpr Index most_velocities_shown = 3;
constexpr std::size_t most_told = 12;  // in the table of one result

std::vector<double> numbers(const Vec& v) { return {v.begin(), v.end()}; }

// With tangential restitution it is ξ_T = γ_T⁺ + ε_Tγ_T⁻ that sticks: the contact leaves with −ε_T of its slip.
bool returns_slip(const ElementResult& element) {
  if (element.state != State::stick) return false;
  const auto slip = [](const ElementRows& gamma) { return gamma.tail(gamma.size() - 1).norm(); };
  return slip(element.gamma_plus) > 1e-9 * element.gamma_minus.norm();
}

std::string state_text(const ElementResult& element) {
  if (returns_slip(element)) return "ξ_T sticks";
  return element.state == State::reverse ? "reverse slip" : name_of(element.state);
}

// What rounding is measured by: speeds before the impact, and the impulses of one result.
double largest_impulse(const ImpactResult& result) {
  double size = 0;
  for (const ElementResult& element : result.elements)
    if (element.Lambda.size() > 0) size = std::max(size, element.Lambda.cwiseAbs().maxCoeff());
  return size;
}

std::string coefficient_text(const Contact& contact) {
  std::string text = "ε " + coefficient(contact.restitution);
  if (contact.has_friction()) {
    const bool orthotropic = contact.friction.size() == 2 && contact.friction(0) != contact.friction(1);
    text += orthotropic ? fmt::format("  μ ({:g}, {:g})", contact.friction(0), contact.friction(1))
                        : fmt::format("  μ {:g}", contact.friction(0));
  }
  if (contact.tangential_restitution != 0) text += "  ε_T " + coefficient(contact.tangential_restitution);
  return text;
}

std::string counted(std::size_t count, const char* noun) {
  return count == 1 ? fmt::format("one {}", noun) : fmt::format("{} {}s", count, noun);
}

std::string problem_heading(const ImpactFile& file, const ImpactProblem& problem) {
  std::size_t contacts = 0, clutches = 0, bilaterals = 0;
  for (const Element& element : problem.elements())
    (element.contact() ? contacts : element.clutch() ? clutches : bilaterals)++;
  std::string elements;
  const auto add = [&](std::size_t count, const char* noun) {
    if (count) elements += (elements.empty() ? "" : ", ") + counted(count, noun);
  };
  add(contacts, "contact");
  add(clutches, "clutch");
  add(bilaterals, "bilateral element");
  std::string text = fmt::format("{}   {}", file.about.empty() ? file.scene : file.about, elements);
  if (problem.elements().size() - bilaterals == 1) {
    const std::size_t only = static_cast<std::size_t>(std::find_if(problem.elements().begin(), problem.elements().end(),
                                                                   [](const Element& e) { return !e.bilateral(); }) -
                                                      problem.elements().begin());
    text += fmt::format(" ({})", problem.elements()[only].name);
    if (const Contact* contact = problem.elements()[only].contact()) text += "   " + coefficient_text(*contact);
    text += fmt::format("   γ⁻ = {} m/s", figures(numbers(problem.gamma_minus()), largest(problem.gamma_minus())));
  }
  return text + fmt::format("   T⁻ = {} J\n", figure(problem.kinetic_energy(problem.u_minus())));
}

std::vector<std::size_t> colliding_elements(const ImpactProblem& problem) {
  std::vector<std::size_t> colliding;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].bilateral()) colliding.push_back(i);
  }
  return colliding;
}

bool has_coefficients(const std::vector<LawAnswer>& answers) {
  return std::any_of(answers.begin(), answers.end(), [](const LawAnswer& a) { return a.restitution.has_value(); });
}

// The law, and its coefficient if some law has one of its own.
std::vector<std::string> first_cells(const LawAnswer& answer, bool coefficients) {
  if (!coefficients) return {answer.law};
  return {answer.law, answer.restitution ? fmt::format("{:.4f}", *answer.restitution) : "—"};
}

std::string refusal_text(const LawAnswer& answer) {
  const LawOutcome& outcome = answer.outcome;
  if (!answer.unmatched.empty()) return "not matched: " + answer.unmatched;
  return (outcome.status == LawOutcome::Status::refused ? "not applicable: " : "failed: ") + outcome.reason;
}

std::string refusal_paragraph(const LawAnswer& answer) {
  return "  " + answer.law + "\n" + wrapped(refusal_text(answer), page_width(), "    ");
}

// One element that collides: everything fits in one line a law, as in the papers' tables.
std::string single_table(const ImpactProblem& problem, std::size_t only, const std::vector<LawAnswer>& answers,
                         bool all_solutions) {
  const Index tangents = problem.row_count(only) - 1;
  const bool coefficients = has_coefficients(answers), short_velocity = problem.u_minus().size() <= most_velocities_shown;
  const double speed = largest(problem.gamma_minus());
  std::vector<std::string> header = {"law"};
  if (coefficients) header.emplace_back("ε");
  header.emplace_back("γ_N⁺");
  for (Index k = 0; k < tangents; ++k) header.push_back(tangents == 1 ? "γ_T⁺" : fmt::format("γ_T{}⁺", k + 1));
  header.push_back("Λ_N");
  for (Index k = 0; k < tangents; ++k) header.push_back(tangents == 1 ? "Λ_T" : fmt::format("Λ_T{}", k + 1));
  if (short_velocity) header.emplace_back("u⁺");
  header.insert(header.end(), {"work / J", "verdict"});
  Table table(header);
  std::string refusals;
  for (const LawAnswer& answer : answers) {
    if (answer.outcome.results.empty()) {
      refusals += refusal_paragraph(answer);
      continue;
    }
    for (const ImpactResult& result : answer.outcome.results) {
      const ElementResult& element = result.elements[only];
      std::vector<std::string> row = first_cells(answer, coefficients);
      for (double x : element.gamma_plus) row.push_back(figure(x, speed));
      for (double x : element.Lambda) row.push_back(figure(x, largest_impulse(result)));
      if (short_velocity) row.push_back(figures(numbers(result.u_plus), largest(result.u_minus)));
      row.push_back(work_figure(result.work, result.T_minus));
      row.push_back(verdict_text(problem, result));
      table.add(row);
      if (!all_solutions) break;
    }
  }
  return table.text() + (refusals.empty() ? "" : "\n" + faint(refusals));
}

// The order in which elements are told. Of many those come first that approach, then others that carry an impulse; the
// rest is only counted.
std::vector<std::size_t> told_elements(const ImpactProblem& problem, const ImpactResult& result) {
  std::vector<std::size_t> told(result.elements.size());
  std::iota(told.begin(), told.end(), std::size_t{0});
  if (told.size() <= most_told) return told;
  const auto approaches = [&](std::size_t i) {
    return !problem.elements()[i].bilateral() && result.elements[i].gamma_minus(0) < 0;
  };
  const auto pushes = [&](std::size_t i) { return (result.elements[i].Lambda.array() != 0).any(); };
  const auto others = std::stable_partition(told.begin(), told.end(), approaches);
  told.erase(std::stable_partition(others, told.end(), pushes), told.end());
  return told;
}

std::string elements_table(const ImpactProblem& problem, const ImpactResult& result) {
  const bool phases = std::any_of(result.elements.begin(), result.elements.end(),
                                  [](const ElementResult& e) { return e.compression.has_value(); });
  std::vector<std::string> header = {"element", "kind", "state", "γ⁻", "γ⁺", "Λ"};
  if (phases) header.insert(header.end(), {"Λ⁻", "Λ⁺"});
  header.push_back("work / J");
  Table table(header);
  const double speed = largest(problem.gamma_minus()), impulse = largest_impulse(result);
  const std::vector<std::size_t> told = told_elements(problem, result);
  for (const std::size_t i : told) {
    const ElementResult& element = result.elements[i];
    const auto cell = [](const Vec& v, double size) {
      return v.size() == 1 ? figure(v(0), size) : figures(numbers(v), size);
    };
    std::vector<std::string> row = {
        problem.elements()[i].name,       problem.elements()[i].kind_name(), state_text(element),
        cell(element.gamma_minus, speed), cell(element.gamma_plus, speed),   cell(element.Lambda, impulse)};
    if (phases) {
      row.push_back(element.compression ? cell(*element.compression, impulse) : "—");
      row.push_back(element.decompression ? cell(*element.decompression, impulse) : "—");
    }
    row.push_back(work_figure(element.work, result.T_minus));
    table.add(row);
  }
  const std::size_t rest = result.elements.size() - told.size();
  if (rest == 0) return table.text("    ");
  return (told.empty() ? "" : table.text("    ")) +
         fmt::format("    {}{} neither approach nor carry an impulse (--json lists them)\n",
                     told.empty() ? "all " : "and ", counted(rest, told.empty() ? "element" : "other"));
}

// Several elements: a block a law.
std::string block_table(const ImpactProblem& problem, const std::vector<LawAnswer>& answers, bool all_solutions) {
  const bool short_velocity = problem.u_minus().size() <= most_velocities_shown;
  std::string text;
  for (const LawAnswer& answer : answers) {
    if (answer.outcome.results.empty()) {
      text += "  " + answer.law + "\n" + faint(wrapped(refusal_text(answer), page_width(), "    ")) + "\n";
      continue;
    }
    for (const ImpactResult& result : answer.outcome.results) {
      text += fmt::format("  {}{}   T⁺ = {} J   work {} J   {}\n", answer.law,
                          short_velocity ? "   u⁺ = " + figures(numbers(result.u_plus), largest(result.u_minus)) : "",
                          figure(result.T_plus, result.T_minus), work_figure(result.work, result.T_minus),
                          verdict_text(problem, result));
      text += elements_table(problem, result) + "\n";
      if (!all_solutions) break;
    }
  }
  return text;
}

// The elements that collide and what was before: the same for every law.
std::string colliding_table(const ImpactProblem& problem, const std::vector<std::size_t>& colliding) {
  Table table({"element", "kind", "coefficients", "γ⁻ (m/s)"});
  const double speed = largest(problem.gamma_minus());
  for (const std::size_t i : colliding) {
    const Element& element = problem.elements()[i];
    const Vec gamma = problem.gamma_minus().segment(problem.first_row(i), problem.row_count(i));
    table.add(
        {element.name, element.kind_name(),
         element.contact() ? coefficient_text(*element.contact()) : "ε " + coefficient(element.clutch()->restitution),
         gamma.size() == 1 ? figure(gamma(0), speed) : figures(numbers(gamma), speed)});
  }
  return table.text();
}

std::string states_text(const ImpactResult& result, const std::vector<std::size_t>& colliding) {
  std::vector<std::string> states;
  for (const std::size_t i : colliding) states.push_back(state_text(result.elements[i]));
  if (states.size() <= most_elements) return fmt::format("{}", fmt::join(states, ", "));
  const auto open = std::count(states.begin(), states.end(), name_of(State::open));
  return fmt::format("{} of {} closed", static_cast<std::ptrdiff_t>(states.size()) - open, states.size());
}

// Normal velocities and impulses of several elements, a line a law.
std::string several_table(const ImpactProblem& problem, const std::vector<std::size_t>& colliding,
                          const std::vector<LawAnswer>& answers) {
  const bool coefficients = has_coefficients(answers), few = colliding.size() <= most_elements,
             short_velocity = problem.u_minus().size() <= most_velocities_shown;
  const double speed = largest(problem.gamma_minus());
  std::vector<std::string> header = {"law"};
  if (coefficients) header.emplace_back("ε");
  if (few) header.insert(header.end(), {"γ_N⁺", "Λ_N"});
  if (short_velocity) header.emplace_back("u⁺");
  header.insert(header.end(), {"T⁺ / J", "work / J", "states", "verdict"});
  Table table(header);
  std::string refusals;
  for (const LawAnswer& answer : answers) {
    if (answer.outcome.results.empty()) {
      refusals += refusal_paragraph(answer);
      continue;
    }
    const ImpactResult& result = answer.outcome.results.front();
    std::vector<double> gamma, Lambda;
    for (const std::size_t i : colliding) {
      gamma.push_back(result.elements[i].gamma_plus(0));
      Lambda.push_back(result.elements[i].Lambda(0));
    }
    std::vector<std::string> row = first_cells(answer, coefficients);
    if (few) row.insert(row.end(), {figures(gamma, speed), figures(Lambda, largest_impulse(result))});
    if (short_velocity) row.push_back(figures(numbers(result.u_plus), largest(result.u_minus)));
    row.insert(row.end(), {figure(result.T_plus, result.T_minus), work_figure(result.work, result.T_minus),
                           states_text(result, colliding), verdict_text(problem, result)});
    table.add(row);
  }
  return table.text() + (refusals.empty() ? "" : "\n" + faint(refusals));
}

Json element_json(const Element& element, const ElementResult& result) {
  Json json;
  json["name"] = element.name;
  json["kind"] = element.kind_name();
  json["state"] = name_of(result.state);
  json["returns_slip"] = returns_slip(result);
  json["velocity_before"] = to_json(result.gamma_minus);
  json["velocity_after"] = to_json(result.gamma_plus);
  json["impulse"] = to_json(result.Lambda);
  json["compression"] = result.compression ? to_json(*result.compression) : Json(nullptr);
  json["decompression"] = result.decompression ? to_json(*result.decompression) : Json(nullptr);
  json["work"] = result.work;
  return json;
}

Json result_json(const std::vector<Element>& elements, const std::string& law, const ImpactResult& result) {
  Json json;
  json["law"] = law;
  json["velocity_before"] = to_json(result.u_minus);
  json["velocity_after"] = to_json(result.u_plus);
  json["kinetic_energy_before"] = result.T_minus;
  json["kinetic_energy_after"] = result.T_plus;
  json["work"] = result.work;
  json["consistency"] = {
      {"kinematic", result.kinematic.holds}, {"kinetic", result.kinetic.holds}, {"energetic", result.energetic.holds}};
  json["elements"] = Json::array();
  for (std::size_t i = 0; i < elements.size(); ++i)
    json["elements"].push_back(element_json(elements[i], result.elements[i]));
  json["solver"] = {{"name", result.solver.name},
                    {"iterations", result.solver.iterations},
                    {"residual", result.solver.residual},
                    {"solutions", result.solver.solutions}};
  if (!result.solver.note.empty()) json["solver"]["note"] = result.solver.note;
  if (result.routh) json["type"] = result.routh->type ? Json(*result.routh->type) : Json(nullptr);
  return json;
}

// What it means that ξ_T sticks, where it does.
std::string stick_note(const std::vector<LawAnswer>& answers) {
  for (const LawAnswer& answer : answers)
    for (const ImpactResult& result : answer.outcome.results)
      if (std::any_of(result.elements.begin(), result.elements.end(), returns_slip))
        return wrapped("ξ_T sticks: ξ_T = γ_T⁺ + ε_Tγ_T⁻ = 0, the contact leaves with −ε_T of its slip", page_width(),
                       "  ", "    ");
  return "";
}

// What the types mean, where one is shown.
std::string type_note(const std::vector<LawAnswer>& answers) {
  const bool typed = std::any_of(answers.begin(), answers.end(), [](const LawAnswer& answer) {
    return !answer.outcome.results.empty() && answer.outcome.results.front().routh &&
           answer.outcome.results.front().routh->type;
  });
  if (!typed) return "";
  return wrapped(
      "types (Djerassi 2010): the slip stops and sticks, in compression (1) or in restitution (2); it turns round, in "
      "compression (3) or in restitution (4); it never stops (5)",
      page_width(), "  ", "    ");
}

}  // namespace

bool approaches(const ImpactProblem& problem) {
  const Vec& gamma = problem.gamma_minus();
  const double rounded = gamma.size() > 0 ? 1e-12 * gamma.cwiseAbs().maxCoeff() : 0;
  const std::vector<std::size_t> colliding = colliding_elements(problem);
  return std::any_of(colliding.begin(), colliding.end(),
                     [&](std::size_t i) { return gamma(problem.first_row(i)) < -rounded; });
}

std::vector<std::string> impact_notes(const std::vector<LawAnswer>& answers, bool all_solutions) {
  std::vector<std::string> notes;
  for (const LawAnswer& answer : answers) {
    const std::vector<ImpactResult>& results = answer.outcome.results;
    if (results.empty()) continue;
    // What one of several solutions has to tell, of its compression say, belongs to the list.
    const auto noted =
        std::find_if(results.begin(), results.end(), [](const ImpactResult& r) { return !r.solver.note.empty(); });
    const SolverReport& solver = noted != results.end() ? noted->solver : results.front().solver;
    if (!solver.note.empty()) {
      notes.push_back(fmt::format("{}: {}", answer.law, solver.note));
    } else if (solver.solutions > 1) {
      notes.push_back(fmt::format("{}: the impact has {} solutions{}", answer.law, solver.solutions,
                                  all_solutions ? "" : "; the first is shown (carom impact --all-solutions for all)"));
    }
  }
  return notes;
}

namespace {

std::string notes_text(const std::vector<LawAnswer>& answers, bool all_solutions) {
  std::string text;
  for (const std::string& note : impact_notes(answers, all_solutions))
    text += wrapped(note, page_width(), "  ", "    ");
  return text;
}

}  // namespace

std::string work_figure(double work, double energy) { return signed_figure(work, 10 * energy); }

bool is_consistent(const ImpactResult& result) {
  return result.kinematic.holds && result.kinetic.holds && result.energetic.holds;
}

std::string verdict_text(const ImpactProblem& problem, const ImpactResult& result) {
  std::vector<std::string> faults;
  if (!result.energetic.holds)
    faults.push_back(fmt::format("creates energy (+{:.0f} %)", 100 * result.work / result.T_minus));
  if (!result.kinematic.holds)
    faults.push_back(fmt::format("still approaches ({} m/s)", figure(result.kinematic.violation)));
  if (!result.kinetic.holds)
    faults.push_back(fmt::format("inadmissible impulse (by {} N s)", figure(result.kinetic.violation)));
  std::string text = faults.empty() ? good("consistent") : bad(fmt::format("{}", fmt::join(faults, ", ")));
  std::size_t moving = 0;
  std::string state;
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    if (problem.elements()[i].bilateral()) continue;
    ++moving;
    state = state_text(result.elements[i]);
  }
  if (moving == 1) text += ", " + state;
  if (result.routh && result.routh->type) text += fmt::format(" (type {})", *result.routh->type);
  return text;
}

std::string impact_table(const ImpactFile& file, const ImpactProblem& problem, const std::vector<LawAnswer>& answers,
                         bool all_solutions) {
  const std::vector<std::size_t> colliding = colliding_elements(problem);
  const bool single = colliding.size() == 1;
  std::string text = problem_heading(file, problem) + "\n";
  text += single ? single_table(problem, colliding.front(), answers, all_solutions)
                 : block_table(problem, answers, all_solutions);
  const std::string remarks = notes_text(answers, all_solutions) + stick_note(answers) + type_note(answers);
  return text + (remarks.empty() ? "" : (single ? "\n" : "") + remarks);
}

std::string comparison_table(const ImpactFile& file, const ImpactProblem& problem,
                             const std::vector<LawAnswer>& answers) {
  const std::vector<std::size_t> colliding = colliding_elements(problem);
  std::string text = problem_heading(file, problem) + "\n";
  if (colliding.size() > 1 && colliding.size() <= most_elements) text += colliding_table(problem, colliding) + "\n";
  text += colliding.size() == 1 ? single_table(problem, colliding.front(), answers, false)
                                : several_table(problem, colliding, answers);
  const std::string remarks = notes_text(answers, false) + stick_note(answers) + type_note(answers);
  return text + (remarks.empty() ? "" : "\n" + remarks);
}

std::string impact_details(const ImpactProblem& problem, const std::vector<LawAnswer>& answers, bool all_solutions) {
  std::string text = "\n" + problem_text(problem);
  for (const LawAnswer& answer : answers) {
    for (const ImpactResult& result : answer.outcome.results) {
      text += details_text(problem, answer.law, result);
      if (!all_solutions) break;
    }
  }
  return text;
}

Json impact_json(const ImpactFile& file, const ImpactProblem& problem, const std::vector<LawAnswer>& answers,
                 bool all_solutions) {
  Json json;
  json["scene"] = file.scene;
  json["problem"] = problem_json(problem);
  json["results"] = Json::array();
  for (const LawAnswer& answer : answers) {
    for (const ImpactResult& result : answer.outcome.results) {
      json["results"].push_back(result_json(file.elements, answer.law, result));
      json["results"].back().update(details_json(problem, result));
      if (!all_solutions) break;
    }
  }
  return json;
}

}  // namespace carom
