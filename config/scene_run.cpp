#include "config/scene_run.h"

#include "config/diagnostics.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/step_solver.h"
#include "solvers/laws/list.h"

namespace carom {

SceneRun::SceneRun(Scene scene, std::function<void(const std::string&)> note) : scene_(std::move(scene)) {
  const SolverEntry* solver = find_solver(scene_.solver);
  if (!find_law(scene_.law.type)) throw BadInput(scene_.name + ": no law: add 'law: NAME' to the scene, or --law NAME");
  if (!solver) throw BadInput(scene_.name + ": unknown solver '" + scene_.solver + "'");
  law_ = make_law(law_of_run(scene_));
  const std::optional<LawChoice> in_turn = one_at_a_time(scene_.law);
  if (scene_.sequential_for_several && in_turn) several_ = make_law(*in_turn);
  solver_ = solver_for_steps(solver->make());
  simulation_ =
      std::make_unique<Simulation>(*scene_.system, *law_, several_.get(), *solver_, scene_.integrator, std::move(note));
}

}  // namespace carom
