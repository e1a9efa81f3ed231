// A program that links the installed library: a ball of 2 kg hits the ground at 1 m/s.
#include "engine/impact_problem.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"

int main() {
  carom::Contact ground;
  ground.normal = carom::Vec::Ones(1);
  ground.tangent.resize(0, 1);
  ground.restitution = 0.5;
  const carom::ImpactProblem problem(carom::Mat::Constant(1, 1, 2.0), carom::Vec::Constant(1, -1.0),
                                     {{"ground", ground}});
  const auto solver = carom::find_solver("auto")->make();
  const auto outcome = carom::make_law({"newton", {}})->resolve(problem, *solver);
  return outcome.results.size() == 1 && std::abs(outcome.results.front().u_plus(0) - 0.5) < 1e-12 ? 0 : 1;
}
