// A system stepped through time under an impact law, from a state to the end of the run.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/energy_ledger.h"
#include "engine/impact_law.h"
#include "engine/inclusion.h"
#include "engine/penetration.h"
#include "engine/recorder.h"
#include "engine/system.h"

namespace carom {

struct IntegratorOptions {
  std::string scheme = "moreau-jean";  // of schemes.def
  double theta = 0.5;
  double step = 1e-3;
  double duration = 1;
  double capture_speed = 0;  // split laws: approaching slower than this counts as sustained contact
  // Natural residuals of inclusions, relative: what the solver of a step is asked for (small ones and those of impacts
  // end far below), and what passes where creeping contacts or rounding keep it from getting there.
  double accuracy = 1e-8;
  double tolerance = 1e-6;
  double size = 1;  // of the system in metres, as size_of() finds it: the tolerances for gaps are parts of it
  bool classical_directions = false;  // of round bodies at impacts: γ_k along the normal at q_k, γ_{k+1} at q_{k+1}
  bool warn_on_failure = false;       // on_failure: warn — go on where a solve did not converge
  bool stop_on_inconsistent = false;  // on_inconsistent: stop — end at the first impact that gains energy

  std::int64_t step_count() const;  // to the first step at or past the duration, at least 1
};

// Everything the next step depends on: a run continued from it goes on bit by bit.
struct SimulationState {
  struct Impulse {
    std::uint64_t key = 0;
    Eigen::Vector3d value = Eigen::Vector3d::Zero();
    bool sustained = false;  // the contact ended the step closed: it goes on, it does not impact
    bool keeps_gap = false;  // since a step or more, and this is the gap it landed with
    double gap = 0;
  };

  std::int64_t step = 0;
  double time = 0;
  Vec q, u;
  EnergyLedger energy;
  std::vector<Impulse> impulses;  // of the contacts that carried one, sorted by key: the next solve starts from it
  std::vector<Penetration> penetrations;  // since the start, one a pair of shapes; as little as the ledger the next
                                          // step's concern
};

// The run cannot go on; the sentence names time, law and, where one is to blame, body or contact.
class SimulationFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// on_inconsistent is stop. Unlike where a step fails, the state is whole: the end of the step with the impact.
class InconsistentImpact : public SimulationFailure {
 public:
  using SimulationFailure::SimulationFailure;
};

struct SimulationCounts {
  std::int64_t impacts = 0;
  std::int64_t inconsistent = 0;       // impacts that gained energy
  double energy_created = 0;           // by those
  std::int64_t unsolved = 0;           // solves that did not converge, where on_failure is warn
  std::int64_t still_approaching = 0;  // impacts that left a contact approaching
  std::int64_t outside_set = 0;        // impacts with an impulse outside its force set
};

class Simulation {
 public:
  // `several` resolves what `law` refuses because several contacts act at once; none: the refusal ends the run.
  // Notes (a law replaced, a solve not converged) go to `note`, each kind once.
  Simulation(const System& system, const ImpactLaw& law, const ImpactLaw* several, const InclusionSolver& solver,
             const IntegratorOptions& options, std::function<void(const std::string&)> note = {});
  ~Simulation();

  void start(const Vec& q, const Vec& u);  // at t = 0, with the ledger opened
  void resume(const SimulationState& state);

  void step(Recorder* recorder);  // one step; impacts go to the recorder. Throws SimulationFailure
  bool finished() const;

  // A step that fails leaves the state half way. From an earlier state the same steps lead to the same one before it;
  // they are not recorded or counted again.
  void return_to(std::int64_t step, const SimulationState& earlier);

  const SimulationState& state() const;
  Sample sample() const;                   // the state as the recorder takes it; valid until the next step
  const SimulationCounts& counts() const;  // since it was started or resumed

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// What is wrong with a state to start from, in words: joints open or coming apart, contacts that penetrate. Small
// deviations, as typed digits make them, are not listed.
std::vector<std::string> initial_violations(const System& system, const Vec& q, const Vec& u);

// The state brought onto the joints with the least motion in the kinetic metric; project_initial_state() also takes
// it out of penetrations, along the contacts' normals. False if it cannot be done.
bool close_joints(const System& system, Vec& q, Vec& u);
bool project_initial_state(const System& system, Vec& q, Vec& u);

}  // namespace carom
