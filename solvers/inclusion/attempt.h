// What a method within a solver got to: the best impulses it saw, whether or not they are a solution.

#pragma once

#include <string>

#include "engine/inclusion.h"

namespace carom {

struct Attempt {
  Vec Lambda;
  double residual = 0;
  int iterations = 0;

  // Keeps the better of both (a residual that is not a number never is) and tells the residual of what is offered.
  double offer(const Inclusion& inclusion, const Vec& candidate) {
    const double offered = natural_residual(inclusion, candidate);
    if (offered < residual) {
      Lambda = candidate;
      residual = offered;
    }
    return offered;
  }

  // The same, but a better candidate is taken itself, its storage changed for another.
  double take(const Inclusion& inclusion, Vec& candidate) {
    const double offered = natural_residual(inclusion, candidate);
    if (offered < residual) {
      Lambda.swap(candidate);
      residual = offered;
    }
    return offered;
  }

  static Attempt from(const Inclusion& inclusion, Vec Lambda) {
    const double residual = natural_residual(inclusion, Lambda);
    return {std::move(Lambda), residual, 0};
  }
};

// That a method did not converge, or why it has no residual to tell. `passes` are its iterations or sweeps.
std::string not_converged(const std::string& method, double residual, int count, const char* passes = "iterations");

// Solved if the residual says so; else where it ended, and that it did not converge.
InclusionOutcome outcome_of(const Attempt& attempt, const Inclusion& inclusion, const Demand& demand,
                            const std::string& solver, const char* passes = "iterations");

}  // namespace carom
