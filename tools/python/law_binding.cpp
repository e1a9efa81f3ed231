// Impact laws written in Python: a class with resolve(problem) → impulses, from then on a law of the list. What it
// answers is completed and judged as any other law's answer is.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "solvers/laws/added_laws.h"
#include "solvers/laws/resolve.h"
#include "tools/python/bindings.h"
#include "tools/python/callback.h"

namespace carom::python {

namespace {

// A Python object that may be let go of in any thread, also after the interpreter has gone.
using Shared = std::shared_ptr<py::object>;

Shared shared(py::object object) {
  return Shared(new py::object(std::move(object)), [](py::object* kept) {
    if (!Py_IsInitialized()) return;
    const py::gil_scoped_acquire held;
    delete kept;
  });
}

// The problem as Python sees it, as long as the law is at it.
struct ProblemView {
  const ImpactProblem* problem = nullptr;
  const InclusionSolver* solver = nullptr;

  const ImpactProblem& get() const {
    if (!problem) throw std::runtime_error("an impact problem can be asked only while its law resolves it");
    return *problem;
  }
};

// WᵢΛᵢ = M(u⁺ − u⁻) − BΛ_B of a unit impulse: elements in a time step have no directions of their own.
Mat directions(const ImpactProblem& problem) {
  const Mat M = problem.M(), B = problem.bilateral_rows().dense(problem.u_minus().size());
  Mat W(problem.u_minus().size(), problem.rows());
  for (Index row = 0; row < problem.rows(); ++row) {
    const Vec unit = Vec::Unit(problem.rows(), row);
    W.col(row) = M * (problem.velocity_after(unit) - problem.u_minus());
    if (problem.has_bilaterals()) W.col(row) -= B.transpose() * problem.bilateral_impulses(unit);
  }
  return W;
}

py::list elements_of(const ImpactProblem& problem) {
  using namespace py::literals;
  py::list list;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    py::dict about("name"_a = element.name, "kind"_a = element.kind_name(), "row"_a = problem.first_row(i),
                   "rows"_a = problem.row_count(i));
    if (const Contact* contact = element.contact()) {
      about["restitution"] = contact->restitution;
      about["tangential_restitution"] = contact->tangential_restitution;
      about["friction"] = contact->friction;
      about["stiffness"] = contact->stiffness;
    } else if (const Clutch* clutch = element.clutch()) {
      about["restitution"] = clutch->restitution;
    }
    list.append(about);
  }
  return list;
}

// open, closed, stick and slip follow from impulses and velocities.
std::vector<State> states_of(const ImpactProblem& problem, const Vec& Lambda, const Vec& gamma_plus) {
  constexpr double rounding = 1e-10;
  const double speed = std::max(largest(problem.gamma_minus()), largest(gamma_plus));
  const double impulse = largest(Lambda);
  std::vector<State> states(problem.elements().size(), State::open);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Index row = problem.first_row(i), rows = problem.row_count(i);
    if (rows == 0) states[i] = State::closed;
    if (rows == 0 || !(largest(Lambda.segment(row, rows)) > rounding * impulse)) continue;
    const Contact* contact = problem.elements()[i].contact();
    if (rows == 1 || !contact || !contact->has_friction()) {
      states[i] = State::closed;
    } else {
      states[i] = gamma_plus.segment(row + 1, rows - 1).norm() > rounding * speed ? State::slip : State::stick;
    }
  }
  return states;
}

Vec impulses_from(const py::handle& given, Index rows, const std::string& law) {
  using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
  const Numbers array(py::reinterpret_borrow<py::object>(given));  // raises what numpy says of it
  if (array.ndim() != 1 || array.shape(0) != rows)
    throw py::value_error(fmt::format("law '{}' returned {} impulses in {} dimensions; the problem has {} rows", law,
                                      array.size(), array.ndim(), rows));
  const Vec Lambda = Eigen::Map<const Vec>(array.data(), rows);
  if (!Lambda.allFinite()) throw py::value_error(fmt::format("law '{}' returned an impulse that is no number", law));
  return Lambda;
}

class PythonLaw final : public ImpactLaw {
 public:
  PythonLaw(std::string name, Shared law, Shared refusal)
      : name_(std::move(name)), law_(std::move(law)), refusal_(std::move(refusal)) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    Jump jump;
    try {
      const py::gil_scoped_acquire held;
      jump = called_back([&] { return ask(problem, solver); });
    } catch (const CallbackError& e) {
      const py::gil_scoped_acquire held;
      if (!e.raised.matches(*refusal_)) throw;
      return LawOutcome::refused(name_ + ": " + std::string(py::str(e.raised.value())));
    }
    jump.solver.name = "python";
    const Vec gamma_plus = problem.gamma_minus() + product(problem.G(), jump.Lambda);
    jump.states = states_of(problem, jump.Lambda, gamma_plus);
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, jump));
    return outcome;
  }

 private:
  static Vec product(const Delassus& G, const Vec& Lambda) {
    Vec result(G.size());
    for (Index i = 0; i < G.size(); ++i) result(i) = G.row_dot(i, Lambda);
    return result;
  }

  // Impulses, or a pair of them with those of compression.
  Jump ask(const ImpactProblem& problem, const InclusionSolver& solver) const {
    py::object view = py::cast(ProblemView{&problem, &solver});
    py::object answer;
    struct End {
      ProblemView& view;
      ~End() { view.problem = nullptr; }
    } const end{view.cast<ProblemView&>()};
    try {
      answer = law_->attr("resolve")(view);
      Jump jump;
      if (py::isinstance<py::tuple>(answer) && py::len(answer) == 2) {
        jump.Lambda = impulses_from(answer[py::int_(0)], problem.rows(), name_);
        jump.compression = impulses_from(answer[py::int_(1)], problem.rows(), name_);
      } else {
        jump.Lambda = impulses_from(answer, problem.rows(), name_);
      }
      return jump;
    } catch (const py::builtin_exception& e) {
      e.set_error();
      throw py::error_already_set();
    }
  }

  std::string name_;
  Shared law_, refusal_;
};

py::object value_of(const Parameters& parameters, const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterSpec::Type::number:
    case ParameterSpec::Type::integer:
      if (const auto number = parameters.get<double>(spec.name)) {
        if (spec.type == ParameterSpec::Type::integer) return py::int_(static_cast<std::int64_t>(*number));
        return py::float_(*number);
      }
      break;
    case ParameterSpec::Type::word:
      if (const auto word = parameters.get<std::string>(spec.name)) return py::str(*word);
      break;
    case ParameterSpec::Type::vector:
      if (const auto vector = parameters.get<Vec>(spec.name)) return py::cast(*vector);
      break;
    case ParameterSpec::Type::matrix:
      if (const auto matrix = parameters.get<Mat>(spec.name)) return py::cast(*matrix);
      break;
    case ParameterSpec::Type::names:
    case ParameterSpec::Type::law:
      break;
  }
  return py::none();
}

ParameterSpec spec_from(const py::dict& about) {
  const std::string type = py::str(about["type"]);
  ParameterSpec spec;
  spec.name = py::str(about["name"]);
  spec.default_text = py::str(about["default"]);
  spec.meaning = py::str(about["meaning"]);
  spec.type = type == "integer"  ? ParameterSpec::Type::integer
              : type == "word"   ? ParameterSpec::Type::word
              : type == "vector" ? ParameterSpec::Type::vector
              : type == "matrix" ? ParameterSpec::Type::matrix
                                 : ParameterSpec::Type::number;
  if (about.contains("words")) spec.words = about["words"].cast<std::vector<std::string>>();
  if (about.contains("lowest")) spec.lowest = about["lowest"].cast<double>();
  if (about.contains("highest")) spec.highest = about["highest"].cast<double>();
  if (std::isfinite(spec.lowest) || std::isfinite(spec.highest))
    spec.range_text = fmt::format("{} .. {}", spec.lowest, spec.highest);
  return spec;
}

// `about` has what carom/_law.py has read off the class.
void register_law(const py::object& type, const py::dict& about, const py::object& refusal) {
  if (AtWork::anywhere()) throw std::runtime_error("a law cannot be registered while something is computed");
  const auto text = [&](const char* key) { return std::string(py::str(about[key])); };
  LawEntry entry;
  entry.name = text("name");
  entry.statement = text("statement");
  entry.equation = text("equation");
  entry.source = text("source");
  entry.domain = text("domain");
  entry.failures = text("failures");
  entry.uses_restitution = about["uses_restitution"].cast<bool>();
  for (const py::handle parameter : about["parameters"])
    entry.parameters.push_back(spec_from(parameter.cast<py::dict>()));
  LawMaker make = [name = entry.name, specs = entry.parameters, type = shared(type),
                   refusal = shared(refusal)](const Parameters& parameters) -> std::unique_ptr<ImpactLaw> {
    const py::gil_scoped_acquire held;
    return called_back([&] {
      py::dict given;
      for (const ParameterSpec& spec : specs)
        if (py::object value = value_of(parameters, spec); !value.is_none()) given[py::str(spec.name)] = value;
      return std::make_unique<PythonLaw>(name, shared((*type)(**given)), refusal);
    });
  };
  add_law(std::move(entry), std::move(make), "Python");
}

py::dict law_facts(const LawEntry& law) {
  const std::string origin = law_list().origin_of(law.name);
  using namespace py::literals;
  py::list parameters;
  for (const ParameterSpec& spec : law.parameters)
    parameters.append(py::dict("name"_a = spec.name, "default"_a = spec.default_text, "range"_a = spec.range_text,
                               "meaning"_a = spec.meaning));
  return py::dict("name"_a = law.name, "statement"_a = law.statement, "equation"_a = law.equation,
                  "source"_a = law.source, "domain"_a = law.domain, "known_failures"_a = law.failures,
                  "origin"_a = origin.empty() ? "carom" : origin, "parameters"_a = parameters);
}

// The answer of another law to the same problem.
Vec impulses_by(const ProblemView& view, const std::string& law) {
  if (!find_law(law)) throw py::value_error(fmt::format("there is no law '{}'", law));
  const LawOutcome outcome = resolve(LawChoice{law, {}}, view.get(), *view.solver);
  if (outcome.status != LawOutcome::Status::resolved) throw std::runtime_error(outcome.reason);
  Vec Lambda(view.get().rows());
  for (std::size_t i = 0; i < view.get().elements().size(); ++i)
    if (const Index rows = view.get().row_count(i); rows > 0)
      Lambda.segment(view.get().first_row(i), rows) = outcome.results.front().elements[i].Lambda;
  return Lambda;
}

}  // namespace

void bind_law(py::module_& module) {
  const auto of = [](auto fact) { return [fact](const ProblemView& view) { return fact(view.get()); }; };
  py::class_<ProblemView>(module, "Problem", "One impact, as long as a law resolves it.")
      .def_property_readonly("M", of([](const ImpactProblem& p) { return p.M(); }), "Mass matrix.")
      .def_property_readonly("W", of(directions), "Directions, one column a row of gamma_minus: γ = Wᵀu.")
      .def_property_readonly("G", of([](const ImpactProblem& p) { return p.G().dense(); }),
                             "G = WᵀM⁻¹W, on the manifold of the bilateral elements.")
      .def_property_readonly("u_minus", of([](const ImpactProblem& p) { return Vec(p.u_minus()); }),
                             "Velocities before the impact.")
      .def_property_readonly("gamma_minus", of([](const ImpactProblem& p) { return Vec(p.gamma_minus()); }),
                             "γ⁻ = Wᵀu⁻, element after element, of a contact its normal before its tangents; negative: "
                             "approaching.")
      .def_property_readonly("rows", of([](const ImpactProblem& p) { return p.rows(); }), "How many rows γ has.")
      .def_property_readonly(
          "elements", of(elements_of),
          "Dicts with name, kind (contact, clutch, bilateral), row (its first), rows (how many), and "
          "restitution, tangential_restitution, friction, stiffness where it has them.")
      .def(
          "kinetic_energy", [](const ProblemView& view, const Vec& u) { return view.get().kinetic_energy(u); },
          py::arg("u"), "½uᵀMu.")
      .def(
          "velocity_after",
          [](const ProblemView& view, const Vec& Lambda) { return view.get().velocity_after(Lambda); },
          py::arg("impulses"), "u⁻ + M⁻¹WΛ, on the manifold of the bilateral elements.")
      .def("impulses_by", &impulses_by, py::arg("law"), "The impulses of another law, by its name.");
  module.def("register_law", &register_law);
  module.def("laws", [] {
    py::list list;
    for (const LawEntry& law : impact_laws()) list.append(law_facts(law));
    return list;
  });
}

}  // namespace carom::python
