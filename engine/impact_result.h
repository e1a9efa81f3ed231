// What an impact law answers, with a verdict.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/inclusion.h"
#include "engine/linear_algebra.h"

namespace carom {

// open: no impulse; closed: an impulse without friction; stick, slip: with it; reverse: the slip turned
// round during the impact (laws that march through it).
enum class State { open, closed, stick, slip, reverse };

const char* name_of(State state);

// One frictional contact marched through its normal impulse (Routh, Djerassi 2010).
struct RouthPath {
  std::optional<int> type;      // 1 to 5 for one planar contact
  double compression_work = 0;  // of the normal impulse, negative
  double restitution_work = 0;

  // Stronge's coefficient that ends at the same impulse (Djerassi 2010, sect. 7).
  std::optional<double> equivalent_stronge() const;
};

struct SolverReport {
  std::string name;
  int iterations = 0;
  double residual = 0;
  int solutions = 1;
  bool samples = false;  // the result is one of the samples of a continuum
  std::string note;      // what a reader of the result should know, e.g. that another order gives another result
};

// What a law decides. Everything else in a result follows from it.
struct Jump {
  Vec Lambda;
  std::optional<Vec> compression;  // Λ⁽⁻⁾, where the law has phases; Λ⁽⁺⁾ is the rest
  std::vector<State> states;       // one an element
  std::optional<Vec> work;         // one entry an element, where the law knows the path better than its ends
  std::optional<RouthPath> routh;
  SolverReport solver;
};

// The rows of one element, [normal, tangential...]: at most three, so that a result keeps them in place.
using ElementRows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

struct ElementResult {
  State state = State::open;
  ElementRows gamma_minus, gamma_plus;
  ElementRows Lambda;
  std::optional<ElementRows> compression, decompression;
  double work = 0;
};

// A consistency holds if the violation is zero up to rounding; the amount is in m/s, N s and J.
struct Consistency {
  bool holds = true;
  double violation = 0;
};

struct ImpactResult {
  Vec u_minus, u_plus;
  double T_minus = 0, T_plus = 0;
  double work = 0;
  std::vector<ElementResult> elements;
  Consistency kinematic;  // no contact or clutch still approaching
  Consistency kinetic;    // every impulse inside its force set
  Consistency energetic;  // no energy gained
  std::optional<RouthPath> routh;
  SolverReport solver;
};

// Velocities, energies, work and verdict of a jump.
ImpactResult complete(const ImpactProblem& problem, const Jump& jump);

// The same into a former result, whose storage is used again.
void complete(const ImpactProblem& problem, const Jump& jump, ImpactResult& result);

}  // namespace carom
