// The default: enumerates small problems, so that non-uniqueness is seen, unless one solution will do; pivots where
// friction is planar and follows a path where it is not; takes large problems to Newton's method; sweeps otherwise. If
// one method finds nothing, the next one is asked before that is reported.

#include "solvers/inclusion/all/all_modes.h"
#include "solvers/inclusion/all/enumerate.h"
#include "solvers/inclusion/follower.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/pivot/active_set.h"
#include "solvers/inclusion/small.h"

namespace carom {

namespace {

constexpr double few_for_all = 300;  // combinations that are all tried before anything else
constexpr Index most_pivoted = 400;  // rows; the tableau is dense and three times as large: a millisecond a pivot

class Automatic final : public InclusionSolver {
 public:
  Automatic()
      : enumerate_(find_solver("enumerate")->make()),
        lemke_(find_solver("lemke")->make()),
        homotopy_(find_solver("homotopy")->make()),
        semismooth_(find_solver("semismooth")->make()),
        sweeps_(find_solver("gauss-seidel")->make()) {}

  void solve_into(const Inclusion& inclusion, InclusionOutcome& outcome) const override {
    if (!(inclusion.every ? solve_all_modes(inclusion, outcome) : small_.solve_at_once(inclusion, outcome)))
      outcome = solve(inclusion);
  }
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    const bool large = inclusion.c.size() > Delassus::largest_dense;
    InclusionOutcome outcome = large ? solve_large(inclusion) : solve_small(inclusion);
    // Without friction all solutions end with the same velocities.
    const bool one_sought = outcome.status == InclusionOutcome::Status::solved && !outcome.exhaustive;
    if (inclusion.every && one_sought && outcome.note.empty() && !is_frictionless(inclusion))
      outcome.note = "one solution was found; whether there are others was not searched for";
    return outcome;
  }

  std::unique_ptr<InclusionFollower> follower() const override { return make_follower(); }
  bool takes_joints() const override { return true; }

 private:
  InclusionOutcome solve_small(const Inclusion& inclusion) const {
    if (!inclusion.every) return small_.solve(inclusion);
    const double count = combinations(inclusion);
    const InclusionSolver* before = count <= few_for_all ? enumerate_.get() : nullptr;
    const InclusionSolver* after = !before && count <= affordable_combinations ? enumerate_.get() : nullptr;
    const bool planar = is_planar(inclusion);
    return first_answer(inclusion, {before, planar ? lemke_.get() : homotopy_.get(),
                                    planar ? semismooth_.get() : nullptr, sweeps_.get(), after});
  }

  InclusionOutcome solve_large(const Inclusion& inclusion) const {
    const bool pivot = inclusion.c.size() <= most_pivoted && is_planar(inclusion) && !has_joints(inclusion);
    // Sweeps are part of the search where directions are given by bodies.
    const bool sweep = !inclusion.G->has_white_rows();
    return first_answer(inclusion,
                        {semismooth_.get(), pivot ? lemke_.get() : nullptr, sweep ? sweeps_.get() : nullptr});
  }

  SmallSolver small_;
  std::unique_ptr<InclusionSolver> enumerate_, lemke_, homotopy_, semismooth_, sweeps_;
};

}  // namespace

SolverEntry automatic_solver() {
  return {
      .name = "auto",
      .statement =
          "enumerate for a few contacts, lemke for planar friction, homotopy for spatial, semismooth for many, "
          "gauss-seidel for the rest",
      .method = "the first that suits the problem; if it finds nothing, the next",
      .source = "see the others",
      .domain = "any inclusion",
      .failures = "reports failure only when every method that suits the problem has failed",
      .make = [] { return std::unique_ptr<InclusionSolver>(std::make_unique<Automatic>()); },
  };
}

}  // namespace carom
