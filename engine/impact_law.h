// The interface of an impact law: the map u⁻ → u⁺ at frozen position.
//
// A law is handed a problem and an inclusion solver it may use; it never sees which solver that is, and
// nobody who holds a law sees which one it is.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/impact_result.h"
#include "engine/inclusion.h"

namespace carom {

// Every answer the law has (most have one), or why there is none: the problem lies outside the law's domain
// (refused), or no solution was found within it (failed).
struct LawOutcome {
  enum class Status { resolved, refused, failed };

  Status status = Status::resolved;
  std::string reason;
  std::vector<ImpactResult> results;

  // Storage that a law uses again when it refills an outcome; no part of the answer.
  struct Scratch {
    struct Phase {
      Inclusion inclusion;
      InclusionOutcome answer;
    };
    Phase compression, decompression;  // a law of one inclusion uses the first
    Vec epsilon, returned;
    Jump jump;
  };
  Scratch scratch = {};

  static LawOutcome refused(std::string reason) { return {Status::refused, std::move(reason), {}}; }
  static LawOutcome failed(std::string reason) { return {Status::failed, std::move(reason), {}}; }

  // The same for an outcome that is refilled.
  void refuse(std::string why) { end(Status::refused, std::move(why)); }
  void fail(std::string why) { end(Status::failed, std::move(why)); }

 private:
  void end(Status how, std::string why) {
    status = how;
    reason = std::move(why);
    results.clear();
  }
};

// The ε of an element's rows in ξ = γ⁺ + εγ⁻.
struct RowRestitution {
  double normal = 0;
  double tangential = 0;
};

class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;
  virtual LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const = 0;

  // The same into a former outcome. A law that uses its storage again derives from RefillingLaw.
  virtual void resolve_into(const ImpactProblem& problem, const InclusionSolver& solver, LawOutcome& outcome) const {
    outcome = resolve(problem, solver);
  }

  // A law in inclusion form tells its ε, so that a time step can take the impulse of the forces into the same
  // inclusion (the classical Moreau–Jean step). All others inherit the split: the impact first, then forces and
  // sustained contact. A clutch passes its restitution alone.
  virtual std::optional<RowRestitution> restitution_in_step(const ContactCoefficients&) const { return std::nullopt; }
  // Whether clutches have an ε of their own. Where theirs is that of the impact around them, and none in between,
  // systems with clutches are split.
  virtual bool tells_restitution_of_clutches() const { return true; }
};

// A law written so that resolving impacts of one size again and again allocates nothing.
class RefillingLaw : public ImpactLaw {
 public:
  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const final {
    LawOutcome outcome;
    resolve_into(problem, solver, outcome);
    return outcome;
  }
  void resolve_into(const ImpactProblem& problem, const InclusionSolver& solver,
                    LawOutcome& outcome) const override = 0;
};

}  // namespace carom
