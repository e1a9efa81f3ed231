#include "tools/report/impact_data.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <exception>

#include "config/diagnostics.h"
#include "config/scene_impact.h"
#include "engine/disjoint_sets.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resolve.h"

namespace carom {

namespace {

constexpr std::size_t most_contacts_compared = 3;  // beyond, a law that integrates takes seconds an impact
constexpr Index most_coordinates = 1000;           // of the system
constexpr Index most_island_coordinates = 120;     // of what takes part
constexpr Index most_shown_coordinates = 12;
constexpr Index most_shown_rows = 6;  // of the Delassus matrix

Json element_data(const Element& element) {
  Json json = {{"name", element.name}, {"kind", element.kind_name()}};
  if (const Contact* contact = element.contact()) {
    json["restitution"] = contact->restitution;
    json["friction"] = to_json(contact->friction);
    if (contact->tangential_restitution != 0) json["tangential_restitution"] = contact->tangential_restitution;
  }
  if (const Clutch* clutch = element.clutch()) json["restitution"] = clutch->restitution;
  return json;
}

Json result_data(const ImpactProblem& problem, const ImpactResult& result) {
  Json json = {{"T_plus", result.T_plus},
               {"work", result.work},
               {"kinematic", result.kinematic.holds},
               {"approach", result.kinematic.violation},
               {"kinetic", result.kinetic.holds},
               {"outside", result.kinetic.violation},
               {"energetic", result.energetic.holds},
               {"solutions", result.solver.solutions}};
  if (!result.solver.note.empty()) json["note"] = result.solver.note;
  if (result.u_plus.size() <= most_shown_coordinates) json["u_plus"] = to_json(result.u_plus);
  if (result.routh && result.routh->type) json["type"] = *result.routh->type;
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    if (problem.row_count(i) == 0) continue;  // bilateral
    const ElementResult& element = result.elements[i];
    Json one = {{"state", name_of(element.state)},
                {"gamma_plus", to_json(element.gamma_plus)},
                {"Lambda", to_json(element.Lambda)}};
    if (element.compression) one["compression"] = to_json(*element.compression);
    json["elements"].push_back(one);
  }
  return json;
}

Json law_data(const LawChoice& choice, const ImpactProblem& problem, const InclusionSolver& solver) {
  const LawOutcome outcome = resolve(choice, problem, solver);
  Json json = {{"law", choice.type}};
  if (outcome.status == LawOutcome::Status::resolved && !outcome.results.empty()) {
    json.update(result_data(problem, outcome.results.front()));
  } else {
    json["reason"] = outcome.reason;
    json["failed"] = outcome.status == LawOutcome::Status::failed;
  }
  return json;
}

// Springs are integrated: in a pile, with contacts that rest, for longer than a page is worth.
constexpr Index most_coordinates_of_springs = 60;
bool is_asked(const LawEntry& law, Index coordinates) {
  return law.form != LawForm::springs || coordinates <= most_coordinates_of_springs;
}

Json problem_data(const ImpactProblem& problem, const LawChoice& own, Index coordinates) {
  Json json = {{"T_minus", problem.kinetic_energy(problem.u_minus())},
               {"gamma_minus", to_json(problem.gamma_minus())},
               {"elements", Json::array()},
               {"bilaterals", 0},
               {"laws", Json::array()}};
  int bilaterals = 0;
  for (const Element& element : problem.elements()) {
    if (element.bilateral()) {
      ++bilaterals;
    } else {
      json["elements"].push_back(element_data(element));
    }
  }
  json["bilaterals"] = bilaterals;
  if (problem.u_minus().size() <= most_shown_coordinates) json["u_minus"] = to_json(problem.u_minus());
  if (problem.rows() <= most_shown_rows) {
    for (Index row = 0; row < problem.rows(); ++row)
      json["G"].push_back(to_json(Vec(problem.G().dense().row(row).transpose())));
  }
  const auto solver = find_solver("auto")->make();
  for (const LawEntry& law : impact_laws()) {
    json["laws"].push_back(is_asked(law, coordinates)
                               ? law_data(law.name == own.type ? own : LawChoice{law.name, {}}, problem, *solver)
                               : Json{{"law", law.name}, {"reason", "not asked in a system of this size"}});
  }
  return json;
}

// The coordinates that the colliding elements move: those of their rows, and all that mass and bilateral rows couple
// to them. The rest of the system keeps its velocity, and its energy is no part of the impact's.
std::vector<Index> island_of(const ImpactFile& file) {
  const Index size = file.velocity.size();
  DisjointSets sets(size);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < j; ++i) {
      if (file.mass(i, j) != 0) sets.join(i, j);
    }
  }
  std::vector<Index> colliding;
  for (const Element& element : file.elements) {
    Index first = -1;
    const auto take = [&](const Vec& row) {
      for (Index i = 0; i < size; ++i) {
        if (row(i) == 0) continue;
        if (first < 0) first = i;
        sets.join(first, i);
      }
    };
    if (const Contact* contact = element.contact()) {
      take(contact->normal);
      for (Index k = 0; k < contact->tangent.rows(); ++k) take(contact->tangent.row(k).transpose());
      if (first >= 0) colliding.push_back(first);
    } else {
      take(element.clutch() ? element.clutch()->direction : element.bilateral()->direction);
    }
  }
  std::vector<Index> island;
  for (Index i = 0; i < size; ++i) {
    const auto together = [&](Index other) { return sets.root(i) == sets.root(other); };
    if (std::any_of(colliding.begin(), colliding.end(), together)) island.push_back(i);
  }
  return island;
}

Vec picked(const Vec& row, const std::vector<Index>& coordinates) { return row(coordinates); }

// The same impact in the coordinates of its island; elements elsewhere take no part.
ImpactFile on_island(const ImpactFile& file, const std::vector<Index>& island) {
  ImpactFile small;
  small.mass = file.mass(island, island);
  small.velocity = picked(file.velocity, island);
  small.drives = file.drives;
  for (Element element : file.elements) {
    const auto pick = [&](Vec& row) {
      row = picked(row, island);
      return row.size() > 0 && row.cwiseAbs().maxCoeff() > 0;
    };
    bool takes_part = false;
    if (auto* contact = std::get_if<Contact>(&element.kind)) {
      takes_part = pick(contact->normal);
      contact->tangent = Mat(contact->tangent(Eigen::all, island));
    } else if (auto* clutch = std::get_if<Clutch>(&element.kind)) {
      takes_part = pick(clutch->direction);
    } else if (auto* bilateral = std::get_if<Bilateral>(&element.kind)) {
      takes_part = pick(bilateral->direction);
    }
    if (takes_part) small.elements.push_back(std::move(element));
  }
  return small;
}

Vec state_before(const RunFileReader& run, const std::string& path, std::int64_t impact) {
  const std::vector<double> values = run.read(path, impact, 1);
  return Eigen::Map<const Vec>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

Json impact_data(const RunFileReader& run, const Scene& scene, const ImpactSummary& impact) {
  Json json = {{"impact", impact.number}};
  const auto without = [&](const std::string& reason) {
    json["reason"] = reason;
    return json;
  };
  if (!run.find("impacts/q") || !run.find("impacts/u"))
    return without("The file does not hold the state before its impacts, so the other laws cannot be asked.");
  if (impact.elements.size() > most_contacts_compared)
    return without(fmt::format("{} contacts take part; all laws are asked for at most {}.", impact.elements.size(),
                               most_contacts_compared));
  std::vector<std::string> names;
  for (const auto& element : impact.elements) names.push_back(element.name);
  try {
    const Vec q = state_before(run, "impacts/q", impact.number), u = state_before(run, "impacts/u", impact.number);
    if (u.size() > most_coordinates)
      return without(fmt::format("{} velocities; all laws are asked for at most {}.", u.size(), most_coordinates));
    const ImpactFile whole = impact_at(scene, impact.time, q, u, names, run.path());
    const std::vector<Index> island = island_of(whole);
    if (static_cast<Index>(island.size()) > most_island_coordinates)
      return without(fmt::format("{} velocities take part; all laws are asked for at most {}.", island.size(),
                                 most_island_coordinates));
    const ImpactFile file = on_island(whole, island);
    json.update(problem_data(impact_problem(file), scene.law, u.size()));
    if (!json.contains("u_minus")) return json;
    const std::vector<Coordinate> velocities = scene.system->velocities();
    for (const Index i : island) json["coordinates"].push_back(velocities[static_cast<std::size_t>(i)].name);
  } catch (const BadInput& e) {
    return without(e.what());
  } catch (const std::invalid_argument& e) {
    return without(e.what());
  }
  return json;
}

}  // namespace carom
