#include "tools/first_impact.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/diagnostics.h"
#include "config/scene_impact.h"
#include "engine/impact_problem.h"
#include "engine/simulation.h"
#include "solvers/inclusion/list.h"
#include "tools/stopped.h"

namespace carom {

namespace {

// Lets everything pass: only the moment before the impact is wanted. Until then no law has a say.
class NoLaw final : public ImpactLaw {
 public:
  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver&) const override {
    Jump jump;
    jump.Lambda = Vec::Zero(problem.rows());
    jump.states.assign(problem.elements().size(), State::open);
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, jump));
    return outcome;
  }
};

class Witness final : public Recorder {
 public:
  struct Moment {
    double time = 0;
    Vec q, u;
    std::vector<std::string> contacts;
    bool jams = false;  // impulses without a law: an impact without collision
  };

  void sample(const Sample&) override {}
  void impact(const ImpactRecord& impact) override {
    if (!seen_) {
      seen_ = Moment{impact.time, *impact.q, *impact.u, {}, false};
    } else if (impact.time > seen_->time) {
      return;
    }
    for (const ImpactElementRecord& element : impact.elements) {
      seen_->contacts.push_back(element.name);
      seen_->jams = seen_->jams || element.impulse(0) > 0;
    }
  }
  void forget() { seen_.reset(); }
  const std::optional<Moment>& seen() const { return seen_; }

 private:
  std::optional<Moment> seen_;
};

bool approaches(const ImpactFile& file) {
  const double speed = largest(file.velocity);
  for (const Element& element : file.elements) {
    const Contact* contact = element.contact();
    if (contact && contact->normal.dot(file.velocity) < -rounding * speed * contact->normal.lpNorm<1>()) return true;
  }
  return false;
}

// An approach that the forces of two steps explain is a contact that goes on, as in the classical step: bodies at rest
// on each other do not impact, whatever a solver's tolerance leaves of their velocities.
bool goes_on(const Scene& scene, const Witness::Moment& moment) {
  if (moment.jams) return false;
  const System& system = *scene.system;
  MassMatrix M;
  system.mass(moment.q, M);
  if (!M.factor()) return false;
  Vec force = Vec::Zero(moment.u.size()), applied = force;
  system.forces(moment.time, moment.q, moment.u, force, applied);
  Vec change = scene.integrator.step * (force + applied);
  M.solve_in_place(change);
  Contacts contacts;
  system.contacts(moment.q, moment.u, scene.integrator.step, contacts);
  for (const ContactPoint& point : contacts.points) {
    const auto& names = moment.contacts;
    if (std::find(names.begin(), names.end(), system.contact_name(point.key)) == names.end()) continue;
    double by_forces = 0;
    for (const Rows::Entry& entry : contacts.W[point.first_row])
      by_forces += std::abs(entry.value * change(entry.column));
    if (-contacts.W.dot(point.first_row, moment.u) > 2 * by_forces) return false;
  }
  return true;
}

// An impact without collision (Painlevé) is the limit of impacts with ever less approach: it is posed with one far
// below the velocities there are.
void press_together(ImpactFile& file) {
  const ImpactProblem problem = impact_problem(file);
  const Vec& gamma = problem.gamma_minus();
  Index row = -1;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Index normal = problem.first_row(i);
    const bool frees = problem.elements()[i].contact() && problem.G()(normal, normal) > 0;
    if (frees && (row < 0 || gamma(normal) < gamma(row))) row = normal;
  }
  if (row < 0) return;
  Vec Lambda = Vec::Zero(problem.rows());
  Lambda(row) = -(gamma(row) + 1e-9 * largest(gamma)) / problem.G()(row, row);
  file.velocity = problem.velocity_after(Lambda);
}

std::optional<ImpactFile> impact_of_initial_state(const Scene& scene, const std::string& file) {
  Contacts contacts;
  scene.system->contacts(scene.q, scene.u, scene.integrator.step, contacts);
  for (const ContactPoint& point : contacts.points) {
    const double approach = contacts.W.dot(point.first_row, scene.u);
    if (approach >= 0 || point.gap + 0.5 * scene.integrator.step * approach > 0) continue;
    ImpactFile problem = initial_impact(scene, file);
    if (approaches(problem)) return problem;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FirstImpact> find_first_impact(const Scene& scene, const std::string& file) {
  if (std::optional<ImpactFile> initial = impact_of_initial_state(scene, file))
    return FirstImpact{0, scene.q, std::move(*initial)};
  const NoLaw law;
  const std::unique_ptr<InclusionSolver> solver = find_solver(scene.solver)->make();
  Simulation simulation(*scene.system, law, nullptr, *solver, scene.integrator);
  Witness witness;
  simulation.start(scene.q, scene.u);
  while (!witness.seen() && !simulation.finished()) {
    stop_if_asked();
    simulation.step(&witness);
    if (witness.seen() && goes_on(scene, *witness.seen())) witness.forget();
  }
  if (!witness.seen()) return std::nullopt;
  const Witness::Moment& moment = *witness.seen();
  ImpactFile problem = impact_at(scene, moment.time, moment.q, moment.u, moment.contacts, file);
  if (!approaches(problem)) press_together(problem);
  return FirstImpact{moment.time, moment.q, std::move(problem)};
}

FirstImpact first_impact(const Scene& scene, const std::string& file) {
  std::optional<FirstImpact> found = find_first_impact(scene, file);
  if (!found)
    throw BadInput(fmt::format("{}: no impact within {:.6g} s; a longer --duration searches further", file,
                               scene.integrator.duration));
  return std::move(*found);
}

}  // namespace carom
