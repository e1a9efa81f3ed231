#include "tests/bench/contests.h"

#include <malloc.h>
#include <unistd.h>

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "engine/thread_team.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/bench/floor.h"
#include "tests/bench/problems.h"
#include "tests/bench/scenes.h"
#include "tests/bench/siconos.h"
#include "tools/run_file/run_file.h"

namespace carom::bench {

namespace {

// A rival that is asked for `count` steps a round, or nothing if there is none.
Round rounds_of(std::shared_ptr<Rival> rival, int count) {
  if (!rival) return {};
  return [rival, count] { return seconds_of([&] { rival->step(count); }) / count; };
}

template <class Loop>
double loop_seconds(Loop& loop, int count) {
  return seconds_of([&] {
           for (int k = 0; k < count; ++k) loop.step();
         }) /
         count;
}

}  // namespace

namespace {

// Shares of a round that take about equally long: what interrupts one of them would else not interrupt the others.
double mean_of(int repeats, const Round& share) {
  double seconds = 0;
  for (int k = 0; k < repeats; ++k) seconds += share();
  return seconds / repeats;
}

// From the scene's beginning, again and again.
Round restarted(const std::string& scene, int steps, int repeats) {
  auto ours = std::make_shared<Stepper>(scene);
  return [ours, steps, repeats] {
    return mean_of(repeats, [&] {
      ours->restart();
      return ours->seconds_a_step(steps);
    });
  };
}

}  // namespace

Contest ball_contest() {
  constexpr int steps = 4500;  // five bounces and more until it rests
  Contest contest;
  contest.name = "bouncing ball";
  contest.unit = "step";
  contest.carom = restarted(ball_scene(), steps, 40);
  contest.floor = [] {
    double energy = 0;
    const double seconds = mean_of(400, [&] {
      BallLoop loop;
      const double share = loop_seconds(loop, steps);
      energy += loop.energy;
      return share;
    });
    return energy >= 0 ? seconds : HUGE_VAL;  // looks at the result, so that it is not left out
  };
  if (has_siconos())
    contest.siconos = [] {
      const auto rival = siconos_ball();
      return seconds_of([&] { rival->step(steps); }) / steps;
    };
  contest.most_times_floor = 50;
  contest.least_times_siconos = 40;
  contest.rounds = 15;
  return contest;
}

// Steps without an impact, from the scene's beginning: what it costs to look for impacts inside them.
Contest located_contest(const std::string& what, const std::string& scene, int steps) {
  const auto by_scheme = [&](const char* scheme) -> Round {
    auto stepper =
        std::make_shared<Stepper>(read_scene_text(scene, what, {{std::string("integrator.scheme=") + scheme}, false}));
    return [stepper, steps] {
      return mean_of(40, [&] {
        stepper->restart();
        return stepper->seconds_a_step(steps);
      });
    };
  };
  Contest contest;
  contest.name = "located, " + what;
  contest.unit = "step";
  contest.carom = by_scheme("located");
  contest.floor = by_scheme("moreau-jean");
  contest.most_times_floor = 1.2;
  contest.rounds = 15;
  contest.remark = [] { return "the floor is moreau-jean"; };
  return contest;
}

// All three over the same second: an impact, flight, and sliding for most of it.
Contest kane_contest() {
  constexpr int steps = 10000;
  Contest contest;
  contest.name = "Kane's pendulum";
  contest.unit = "step";
  contest.carom = restarted(kane_scene("newton"), steps, 8);
  contest.floor = [] {
    return mean_of(40, [] {
      KaneLoop loop;
      return loop_seconds(loop, steps);
    });
  };
  if (has_siconos())
    contest.siconos = [] {
      const auto rival = siconos_kane();
      return seconds_of([&] { rival->step(steps); }) / steps;
    };
  contest.most_times_floor = 10;
  contest.least_times_siconos = 20;
  return contest;
}

Contest resting_chain_contest(int balls, bool with_siconos) {
  const int steps = std::max(10, 200000 / balls);  // the first ones fill the caches again
  auto ours = std::make_shared<Stepper>(resting_chain_scene(balls));
  ours->step(10);
  auto floor = std::make_shared<ChainLoop>(balls, 9.81, true, 0.5, 0);
  Contest contest;
  contest.name = fmt::format("chain at rest, {} balls", balls);
  contest.unit = "step";
  contest.carom = [ours, steps] { return ours->seconds_a_step(steps); };
  contest.floor = [floor, steps] { return loop_seconds(*floor, steps); };
  if (with_siconos) contest.siconos = rounds_of(siconos_resting_chain(balls), balls > 500 ? 5 : balls > 50 ? 50 : 500);
  if (balls >= 1000) contest.rounds = 5;
  if (balls == 1000) contest.most_times_floor = 8;
  if (with_siconos) contest.least_times_siconos = balls >= 1000 ? 200 : balls >= 100 ? 100 : 30;
  return contest;
}

Contest cold_chain_contest(int balls, bool with_siconos) {
  auto ours = std::make_shared<Stepper>(struck_chain_scene(balls));
  Contest contest;
  contest.name = fmt::format("struck chain, {} balls, first step", balls);
  contest.unit = "step";
  contest.carom = [ours] {
    ours->restart();
    return processor_seconds_of([&] { ours->step(1); });
  };
  contest.floor = [balls] {
    ChainLoop loop(balls, 0, false, 1, 1);
    return processor_seconds_of([&] { loop.step(); });
  };
  if (with_siconos && has_siconos())
    contest.siconos = [balls] {
      const auto rival = siconos_struck_chain(balls);
      return processor_seconds_of([&] { rival->step(1); });
    };
  contest.rounds = with_siconos ? 1 : 15;
  contest.most_times_floor = 10;
  if (balls == 10000) contest.least_times_siconos = 10000;
  return contest;
}

namespace {

// Piles are settled once for each size, to a state that others start from too.
struct Settled {
  Scene scene;
  SimulationState state;
};

const Settled& settled_pile(int disks) {
  static std::map<int, Settled> piles;
  if (const auto found = piles.find(disks); found != piles.end()) return found->second;
  Settled settled;
  for (const auto& [tolerance, steps] : {std::pair(1e-3, 300), std::pair(1e-6, 100)}) {  // the fall need not be exact
    Scene scene = read_scene_text(pile_scene(falling_pile(disks), tolerance), "pile");
    scene.integrator.warn_on_failure = true;  // only the settled pile counts
    Stepper stepper(std::move(scene));
    if (settled.state.step > 0) stepper.resume(settled.state);
    stepper.step(steps);
    settled = {stepper.scene(), stepper.simulation().state()};
  }
  settled.scene.integrator.warn_on_failure = false;
  return piles.emplace(disks, std::move(settled)).first->second;
}

// A pile stepped from a state again and again. Counts the steps whose solve did not converge; a failed run goes on as
// with on_failure: warn.
class PileRun {
 public:
  PileRun(Scene scene, SimulationState settled, double tolerance) : settled_(std::move(settled)) {
    scene.integrator.accuracy = scene.integrator.tolerance = tolerance;
    stepper_ = std::make_unique<Stepper>(std::move(scene));
    restart();
  }
  void restart() { stepper_->resume(settled_); }
  double seconds_a_step(int count) {
    return seconds_of([&] {
             for (int k = 0; k < count; ++k) {
               try {
                 stepper_->step(1);
               } catch (const SimulationFailure&) {
                 ++failed_;
                 restart();
               }
             }
           }) /
           count;
  }
  int failed() const { return failed_; }
  std::size_t contacts() const { return stepper_->simulation().state().impulses.size(); }
  const SimulationState& settled() const { return settled_; }
  double step() const { return stepper_->scene().integrator.step; }

 private:
  SimulationState settled_;
  std::unique_ptr<Stepper> stepper_;
  int failed_ = 0;
};

DiskPile disks_of(const PileRun& run, const PileLayout& layout) {
  DiskPile pile;
  const Vec &q = run.settled().q, &u = run.settled().u;
  const std::size_t count = static_cast<std::size_t>(q.size()) / 3;
  for (std::size_t i = 0; i < count; ++i) {
    pile.radii.push_back(layout.radius(i));
    pile.masses.push_back(layout.mass(i));
    pile.poses.push_back(q.segment<3>(static_cast<Index>(3 * i)));
    pile.velocities.push_back(u.segment<3>(static_cast<Index>(3 * i)));
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      if ((pile.poses[i] - pile.poses[j]).head<2>().norm() < 1.05 * (pile.radii[i] + pile.radii[j]))
        pile.pairs.emplace_back(i, j);
  pile.width = layout.width;
  pile.friction = layout.friction;
  pile.step = run.step();
  return pile;
}

}  // namespace

Contest pile_contest(int disks, double tolerance) {
  const Settled& settled = settled_pile(disks);
  auto ours = std::make_shared<PileRun>(settled.scene, settled.state, tolerance);
  auto rival = std::shared_ptr<Rival>(siconos_pile(disks_of(*ours, falling_pile(disks)), tolerance));
  Contest contest;
  contest.name = fmt::format("{} disks with friction, settled, residual {:g}", disks, tolerance);
  contest.unit = "step";
  auto steps = std::make_shared<int>(0);
  auto rival_steps = std::make_shared<int>(0);
  contest.carom = [ours, steps] {
    *steps += 40;
    return ours->seconds_a_step(40);
  };
  if (rival)
    contest.siconos = [rival, rival_steps] {
      *rival_steps += 5;
      return seconds_of([&] { rival->step(5); }) / 5;
    };
  contest.rounds = 5;
  contest.least_times_siconos = tolerance > 1e-6 ? 20 : 3;
  contest.remark = [ours, rival, steps, rival_steps] {
    return fmt::format("{} contacts; steps not converged: {} of {}{}", ours->contacts(), ours->failed(), *steps,
                       rival ? fmt::format(", Siconos {} of {}", rival->failed_steps(), *rival_steps) : "");
  };
  return contest;
}

Contest compliant_contest() {
  constexpr int balls = 10;
  auto problem = std::make_shared<ImpactProblem>(touching_balls(balls));
  auto law = std::shared_ptr<ImpactLaw>(make_law({"compliant", {}}));
  auto solver = std::shared_ptr<InclusionSolver>(find_solver("auto")->make());
  auto error = std::make_shared<double>(0);
  Contest contest;
  contest.name = "compliant law, 10 Hertzian balls";
  contest.unit = "impact";
  contest.carom = [=] {
    return seconds_of([&] {
             for (int k = 0; k < 5; ++k) {
               const ImpactResult result = law->resolve(*problem, *solver).results.front();
               *error = std::max(*error, std::abs(result.T_plus - result.T_minus) / result.T_minus);
             }
           }) /
           5;
  };
  auto rival = std::shared_ptr<Rival>(siconos_multiple_impact(balls, 1e-4));
  contest.siconos = rounds_of(rival, 1);
  contest.least_times_siconos = 100;
  contest.rounds = 5;
  contest.remark = [error, rival] {
    return fmt::format("energy error {:.1e}{}", *error,
                       rival && rival->failed_steps() > 0 ? "; Siconos did not resolve the impact" : "");
  };
  return contest;
}

// One impact: the same system at a new velocity, to the complete result with its verdicts. Problem and outcome are
// used again, as in sweeps and steps.
Contest impact_contest(const std::string& name) {
  auto problem = std::make_shared<ImpactProblem>(kane_impact());
  auto law = std::shared_ptr<ImpactLaw>(make_law({name, {}}));
  auto solver = std::shared_ptr<InclusionSolver>(find_solver("auto")->make());
  Contest contest;
  contest.name = fmt::format("one impact of Kane's pendulum, {}", name);
  contest.unit = "impact";
  contest.carom = [=] {
    constexpr int repeats = 2000;
    LawOutcome outcome;
    Vec u = Eigen::Vector2d(-0.1, -0.2);
    double sum = 0;
    const double seconds = seconds_of([&] {
      for (int k = 0; k < repeats; ++k) {
        u(0) = -0.1 - 1e-6 * k;
        problem->set_velocity(u);
        law->resolve_into(*problem, *solver, outcome);
        sum += outcome.results.front().work;
      }
    });
    return std::isfinite(sum) ? seconds / repeats : HUGE_VAL;
  };
  contest.most_seconds = 1e-6;
  return contest;
}

Contest recorder_contest() {
  // 20 numbers a row: time, q and u of six coordinates, energy's seven columns.
  auto stepper = std::make_shared<Stepper>(resting_chain_scene(6));
  Contest contest;
  contest.name = "recording a row of 20 numbers";
  contest.unit = "row";
  contest.carom = [stepper] {
    constexpr int rows = 200000;
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("carom-bench-{}.h5", ::getpid())).string();
    RunFileOptions options;
    options.overwrite = Overwrite::file_and_part;
    double seconds = 0;
    {
      RunFile file(path, options);
      RunDescription description;
      description.scene = "bench";
      description.law = "newton";
      description.expected_samples = rows;
      RunSelection selection;
      selection.poses = selection.contacts = selection.impacts = false;
      RunFileWriter& writer = file.add_run("/", description, *stepper->scene().system, 1, selection);
      file.start();
      const Sample sample = stepper->simulation().sample();
      seconds = seconds_of([&] {
        for (int k = 0; k < rows; ++k) writer.sample(sample);
        writer.flush();
      });
      RunEnd end;
      end.status = "complete";
      end.steps = rows;
      writer.finish(std::move(end));
      file.finish();
    }
    std::filesystem::remove(path);
    return seconds / rows;
  };
  contest.most_seconds = 300e-9;
  contest.rounds = 5;
  return contest;
}

double chain_seconds_a_step(int balls) {
  Stepper stepper(resting_chain_scene(balls));
  stepper.step(3);
  std::vector<double> seconds;
  const int steps = std::max(2, 30000 / balls);
  for (int k = 0; k < 5; ++k) seconds.push_back(processor_seconds_of([&] { stepper.step(steps); }) / steps);
  return summary(seconds).median;
}

namespace {

// What is held, whether the allocator had it before or not: pages in use would not tell after a larger run.
double held_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

}  // namespace

double chain_bytes_a_ball(int balls) {
  const double before = held_bytes();
  Stepper stepper(resting_chain_scene(balls));
  stepper.step(3);
  return (held_bytes() - before) / balls;
}

namespace {

struct ThreadTimes {
  double one = 0, all = 0, gained = 0;  // medians; of one/all that of the ratios within a round
};

ThreadTimes with_one_and_all_threads(int rounds, const Round& round) {
  const int cores = step_threads();
  std::vector<double> one, all, gained;
  for (int k = 0; k < rounds; ++k) {
    set_step_threads(1);
    one.push_back(round());
    set_step_threads(cores);
    all.push_back(round());
    gained.push_back(one.back() / all.back());
  }
  return {summary(one).median, summary(all).median, summary(gained).median};
}

// From rest, with the topmost disk set in motion: the median step once the pile has answered to that.
PileCost::Moving moving_cost(const Scene& scene, const SimulationState& at_rest, double tolerance) {
  Index top = 1;
  for (Index y = 1; y < at_rest.q.size(); y += 3)
    if (at_rest.q(y) > at_rest.q(top)) top = y;
  const auto median_step = [&](double along, double up, int steps_to_answer, int steps) {
    SimulationState state = at_rest;
    state.u(top - 1) = along;
    state.u(top) = up;
    PileRun run(scene, state, tolerance);
    run.seconds_a_step(steps_to_answer);
    std::vector<double> seconds;
    for (int k = 0; k < steps; ++k) seconds.push_back(run.seconds_a_step(1));
    return summary(seconds).median;
  };
  return {.thrown = median_step(0, 2, 100, 50), .rolling = median_step(0.5, 0, 10, 20)};
}

}  // namespace

PileCost pile_cost(int disks, double tolerance) {
  constexpr int steps_to_rest = 100, rounds = 7, steps = 10;
  Stepper falling(deposited_scene(deposited_pile(disks), tolerance));
  const ThreadTimes first = with_one_and_all_threads(disks > 1000 ? 1 : rounds, [&] {
    falling.restart();
    return falling.seconds_a_step(1);
  });
  falling.step(steps_to_rest);
  PileRun run(falling.scene(), falling.simulation().state(), tolerance);
  const ThreadTimes later = with_one_and_all_threads(rounds, [&] { return run.seconds_a_step(steps); });
  return {.moving = moving_cost(falling.scene(), falling.simulation().state(), tolerance),
          .seconds = {first.all, later.all},
          .of_one_thread = {first.one, later.one},
          .gained = {first.gained, later.gained},
          .contacts = run.contacts(),
          .failed = run.failed()};
}

}  // namespace carom::bench
