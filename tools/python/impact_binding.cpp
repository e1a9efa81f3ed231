// One impact or many, of matrices, a file or a scene; laws compared, checked, swept: the answers are what the
// subcommands print as JSON and as tables.

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "config/file_kind.h"
#include "config/scene_impact.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/resolve.h"
#include "tools/impact_report.h"
#include "tools/law_names.h"
#include "tools/python/bindings.h"
#include "tools/python/callback.h"
#include "tools/python/impact_batch.h"

namespace carom::python {

namespace {

std::unique_ptr<InclusionSolver> solver_named(const std::string& name) {
  const SolverEntry* entry = find_solver(name);
  if (!entry) throw BadInput("--solver: unknown solver '" + name + "'");
  return entry->make();
}

// A raw problem, or the impact that a scene begins with.
ImpactFile problem_of(const SceneSource& source, const std::vector<std::string>& laws) {
  const Document document = Document::from_text(source.text, source.name, source.settings);
  if (is_scene(document)) return initial_impact(source.read(), source.name);
  return read_impact_file(document, laws.size() > 1 ? std::vector<std::string>{"all"} : laws);
}

struct Answers {
  ImpactFile file;
  ImpactProblem problem;
  std::vector<LawAnswer> list;
};

Answers answers_of(const SceneSource& source, const std::vector<std::string>& named, const InclusionSolver& solver) {
  const std::vector<std::string> laws = laws_named("--law", named);
  ImpactFile file = problem_of(source, laws);
  std::vector<LawChoice> choices;
  for (const std::string& name : laws) choices.push_back(law_choice(name, file.law));
  if (choices.empty()) choices.push_back(*file.law);
  Answers answers{std::move(file), {}, {}};
  answers.problem = impact_problem(answers.file);
  for (const LawChoice& choice : choices)
    answers.list.push_back({choice.type, resolve(choice, answers.problem, solver)});
  return answers;
}

// One law that has no answer is a mistake; among several it is told with the others.
void raise_if_alone(const Answers& answers) {
  if (answers.list.size() > 1) return;
  const LawOutcome& outcome = answers.list.front().outcome;
  if (outcome.status == LawOutcome::Status::refused) throw BadInput(outcome.reason);
  if (outcome.status == LawOutcome::Status::failed) throw SimulationFailure(outcome.reason);
}

py::dict impact(const SceneSource& source, const std::vector<std::string>& laws, const std::string& solver_name,
                bool all_solutions) {
  const AtWork at_work;
  std::string json, text;
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release released;
    const auto solver = solver_named(!solver_name.empty() ? solver_name : all_solutions ? "enumerate" : "auto");
    const Answers answers = answers_of(source, laws, *solver);
    raise_if_alone(answers);
    json = dump(impact_json(answers.file, answers.problem, answers.list, all_solutions));
    text = impact_table(answers.file, answers.problem, answers.list, all_solutions);
    warnings = answers.file.warnings;
  }
  using namespace py::literals;
  return py::dict("json"_a = json, "text"_a = text, "warnings"_a = warnings);
}

// ---- many
// ----------------------------------------------------------------------------------------------------------------

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

VariedNumbers varied(const Numbers& array, std::size_t count, const std::string& what) {
  if (array.ndim() < 1 || static_cast<std::size_t>(array.shape(0)) != count)
    throw BadInput(what + ": has another number of rows than the velocity has");
  return {array.data(), count > 0 ? static_cast<std::size_t>(array.size()) / count : 1};
}

void check_row(const VariedNumbers& numbers, Index wanted, const std::string& what) {
  if (numbers.row != static_cast<std::size_t>(wanted))
    throw BadInput(what + ": has " + std::to_string(numbers.row) + " numbers an impact, not " + std::to_string(wanted));
}

void check_element(const Element& element, const VariedElement& of, Index velocities) {
  for (const auto& [key, numbers] : of) {
    const std::string what = element.name + "." + key;
    const Contact* contact = element.contact();
    if (key == "normal" || key == "direction")
      check_row(numbers, velocities, what);
    else if (key == "tangent")
      check_row(numbers, contact ? contact->tangent.size() : 0, what);
    else if (key == "friction" && numbers.row > 1)
      check_row(numbers, contact ? contact->friction.size() : 1, what);
    else if (key != "friction")
      check_row(numbers, 1, what);
  }
}

template <class T>
py::array handed_over(std::vector<T>&& values, std::vector<py::ssize_t> shape, const py::dtype& type) {
  auto* owner = new std::vector<T>(std::move(values));
  const py::capsule base(owner, [](void* kept) { delete static_cast<std::vector<T>*>(kept); });
  return py::array(type, std::move(shape), owner->data(), base);
}

py::dict columns_of(BatchResult&& result, std::size_t count, std::size_t velocities,
                    const std::vector<Element>& elements) {
  const auto n = static_cast<py::ssize_t>(count);
  const py::dtype number = py::dtype::of<double>(), verdict = py::dtype::of<bool>(),
                  code = py::dtype::of<std::uint8_t>();
  py::dict columns;
  columns["velocity_after"] =
      handed_over(std::move(result.velocity_after), {n, static_cast<py::ssize_t>(velocities)}, number);
  columns["kinetic_energy_before"] = handed_over(std::move(result.kinetic_energy_before), {n}, number);
  columns["kinetic_energy_after"] = handed_over(std::move(result.kinetic_energy_after), {n}, number);
  columns["work"] = handed_over(std::move(result.work), {n}, number);
  columns["residual"] = handed_over(std::move(result.residual), {n}, number);
  columns["kinematic"] = handed_over(std::move(result.kinematic), {n}, verdict);
  columns["kinetic"] = handed_over(std::move(result.kinetic), {n}, verdict);
  columns["energetic"] = handed_over(std::move(result.energetic), {n}, verdict);
  columns["solutions"] = handed_over(std::move(result.solutions), {n}, py::dtype::of<std::int64_t>());
  columns["status"] = handed_over(std::move(result.status), {n}, code);
  columns["reasons"] = result.reasons;
  py::dict of_elements;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    ElementColumn& from = result.elements[e];
    const auto rows = static_cast<py::ssize_t>(from.rows);
    py::dict to;
    to["velocity_before"] = handed_over(std::move(from.velocity_before), {n, rows}, number);
    to["velocity_after"] = handed_over(std::move(from.velocity_after), {n, rows}, number);
    to["impulse"] = handed_over(std::move(from.impulse), {n, rows}, number);
    to["work"] = handed_over(std::move(from.work), {n}, number);
    to["state"] = handed_over(std::move(from.state), {n}, code);
    of_elements[py::str(elements[e].name)] = to;
  }
  columns["elements"] = of_elements;
  return columns;
}

py::dict impacts(const SceneSource& source, const Numbers& velocity, const std::optional<Numbers>& mass,
                 const std::vector<std::map<std::string, Numbers>>& elements, const std::string& solver_name) {
  ImpactBatch batch;
  batch.base = problem_of(source, {});
  if (velocity.ndim() != 2) throw BadInput("velocity: has to have one row an impact");
  batch.count = static_cast<std::size_t>(velocity.shape(0));
  batch.velocity = varied(velocity, batch.count, "velocity");
  check_row(batch.velocity, batch.base.velocity.size(), "velocity");
  if (mass) {
    batch.mass = varied(*mass, batch.count, "mass");
    check_row(batch.mass, batch.base.mass.size(), "mass");
  }
  for (std::size_t e = 0; e < elements.size(); ++e) {
    VariedElement of;
    for (const auto& [key, array] : elements[e])
      of[key] = varied(array, batch.count, batch.base.elements[e].name + "." + key);
    check_element(batch.base.elements[e], of, batch.base.velocity.size());
    batch.elements.push_back(std::move(of));
  }
  const auto solver = solver_named(solver_name);
  const AtWork at_work;
  BatchResult result;
  {
    const py::gil_scoped_release released;
    result = resolve_batch(batch, *solver, [] {
      const py::gil_scoped_acquire held;
      called_back([] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      });
    });
  }
  return columns_of(std::move(result), batch.count, static_cast<std::size_t>(batch.base.velocity.size()),
                    batch.base.elements);
}

}  // namespace

void bind_impact(py::module_& module) {
  module.def("impact", &impact);
  module.def("impacts", &impacts);
  module.def("is_scene", [](const SceneSource& source) {
    return is_scene(Document::from_text(source.text, source.name, source.settings));
  });
}

}  // namespace carom::python
