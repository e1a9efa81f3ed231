#include "solvers/inclusion/pivot/active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

namespace {

constexpr int most_guesses = 60;
constexpr int patience = 15;      // guesses without a smaller residual: redundant contacts can make it cycle
constexpr Index widest_band = 8;  // beyond, an ordering pays

// Redundant rows make G_HH singular. A proximal term δ/r on its diagonal leaves one answer, and since each solve
// starts from the impulses so far, solving again removes what the term changed (proximal point iteration).
constexpr double proximal = 1e-13;
constexpr double regular_pivot = 1e-8;  // of a row, relative to its own entry of G

// Corrections below this share of the impulses refine them: what they miss is far below rounding.
constexpr double refines = 1e-10;

double largest_drive(const Inclusion& inclusion) {
  double squared = 0;
  for (Index i = 0; i < inclusion.c.size(); ++i)
    squared = std::max(squared, inclusion.c(i) * inclusion.c(i) * inclusion.r(i));
  return std::sqrt(squared);
}

}  // namespace

bool HeldRows::factor(const Inclusion& inclusion, const std::vector<Index>& held) {
  const auto rows = static_cast<std::size_t>(inclusion.c.size());
  const auto are_held = [&] {  // held rows ascend: all there are need not be compared
    return held_.size() == held.size() && (held.size() == rows || held_ == held);
  };
  if (version_ == inclusion.G->version() && are_held()) return true;
  version_ = 0;
  held_ = held;
  place_.assign(rows, -1);
  for (std::size_t k = 0; k < held.size(); ++k) place_[static_cast<std::size_t>(held[k])] = static_cast<int>(k);
  const Index width = half_bandwidth(inclusion, held);
  banded_ = width <= widest_band || !inclusion.G->sparse();
  if (!(banded_ ? factor_band(inclusion, held, width) : factor_sparse(inclusion, held))) return false;
  version_ = inclusion.G->version();
  return true;
}

Index HeldRows::half_bandwidth(const Inclusion& inclusion, const std::vector<Index>& held) const {
  Index width = 0;
  for (std::size_t k = 0; k < held.size(); ++k) {
    inclusion.G->visit_row(held[k], [&](Index j, double) {
      width = std::max(width, place_[static_cast<std::size_t>(j)] - static_cast<Index>(k));
    });
  }
  return width;
}

bool HeldRows::factor_band(const Inclusion& inclusion, const std::vector<Index>& held, Index half_bandwidth) {
  const auto n = static_cast<Index>(held.size());
  band_.resize(n, half_bandwidth);
  for (Index k = 0; k < n; ++k) {
    const Index row = held[static_cast<std::size_t>(k)];
    band_(k, k) = proximal / inclusion.r(row);
    inclusion.G->visit_row(row, [&](Index j, double value) {
      const Index column = place_[static_cast<std::size_t>(j)];
      if (column >= 0 && column <= k) band_(k, column) += value;
    });
  }
  if (!band_.factor()) return false;
  regular_ = true;
  for (Index k = 0; k < n; ++k)
    regular_ = regular_ && band_.pivot(k) * inclusion.r(held[static_cast<std::size_t>(k)]) > regular_pivot;
  return true;
}

bool HeldRows::factor_sparse(const Inclusion& inclusion, const std::vector<Index>& held) {
  regular_ = false;
  entries_.clear();
  for (int k = 0; k < static_cast<int>(held.size()); ++k) {
    const Index row = held[static_cast<std::size_t>(k)];
    inclusion.G->visit_row(row, [&](Index j, double value) {
      const int i = place_[static_cast<std::size_t>(j)];
      if (i >= 0) entries_.emplace_back(k, i, i == k ? value + proximal / inclusion.r(row) : value);
    });
  }
  return ldlt_.factor(static_cast<Index>(held.size()), entries_);
}

void HeldRows::solve_in_place(Vec& x) const {
  if (banded_) {
    band_.solve_in_place(x);
  } else {
    ldlt_.solve_in_place(x);
  }
}

// Rows that the prox holds at Λ. Where nothing drives a row and nothing is known of it (Λ = 0 = ξ) it is in doubt: the
// first guess holds it, for a push through a chain to reach its end at once and not one contact a guess.
void ActiveSet::guess(const Inclusion& inclusion, bool in_doubt, std::vector<Index>& held) {
  double doubt = in_doubt ? -1 : 0;  // not known yet: at rest nobody asks
  held.resize(inclusion.sets.size());
  std::size_t count = 0;
  xi_.resize(Lambda_.size());
  xi_is_known_ = true;
  for (std::size_t k = 0; k < inclusion.sets.size(); ++k) {
    const Index row = inclusion.unilateral ? static_cast<Index>(k) : inclusion.sets[k].row;
    const double r = inclusion.r(row);
    const double xi = inclusion.G->row_dot(row, Lambda_) + inclusion.c(row);
    xi_(row) = xi;
    const double x = -Lambda_(row) + r * xi;
    if (x >= 0 && doubt < 0) doubt = rounding * largest_drive(inclusion);
    const bool always = !inclusion.unilateral && inclusion.sets[k].shape == ForceSet::Shape::bilateral;
    if (x < 0 || always || x < doubt * std::sqrt(r)) held[count++] = row;
  }
  held.resize(count);
}

// Λ_F = 0, and Λ_H moved to where ξ_H vanishes. How far, relative to the largest impulse. Where all rows are held their
// list is not read: long chains are as fast as they are read.
double ActiveSet::solve_held(const Inclusion& inclusion) {
  const std::size_t count = held_.size();
  const bool all = static_cast<Index>(count) == Lambda_.size();
  const auto row = [&](std::size_t k) { return all ? static_cast<Index>(k) : held_[k]; };
  on_held_.resize(static_cast<Index>(count));
  if (!all) {
    for (std::size_t k = 0; k < count; ++k) on_held_(static_cast<Index>(k)) = Lambda_(held_[k]);
    Lambda_.setZero();
    for (std::size_t k = 0; k < count; ++k) Lambda_(held_[k]) = on_held_(static_cast<Index>(k));
    xi_is_known_ = false;
  }
  if (!xi_is_known_)
    for (std::size_t k = 0; k < count; ++k) xi_(row(k)) = inclusion.G->row_dot(row(k), Lambda_) + inclusion.c(row(k));
  if (all) {
    on_held_.swap(xi_);
  } else {
    for (std::size_t k = 0; k < count; ++k) on_held_(static_cast<Index>(k)) = xi_(held_[k]);
  }
  rows_.solve_in_place(on_held_);
  double change = 0, impulse = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double less = on_held_(static_cast<Index>(k));
    double& Lambda = Lambda_(row(k));
    Lambda -= less;
    change = std::max(change, std::abs(less));
    impulse = std::max(impulse, std::abs(Lambda));
  }
  xi_is_known_ = false;
  return impulse > 0 ? change / impulse : 0;
}

Attempt& ActiveSet::solve(const Inclusion& inclusion, const Demand& demand, Vec& start) {
  Lambda_.swap(start);
  best_.residual = std::numeric_limits<double>::infinity();
  best_.iterations = 0;
  guess(inclusion, true, held_);
  bool factored = false;
  int since_better = 0;
  while (best_.residual > demand.tolerance && best_.iterations < most_guesses && since_better < patience) {
    ++best_.iterations;
    if (!factored && !rows_.factor(inclusion, held_)) break;
    const double change = solve_held(inclusion);
    const double before = best_.residual;
    if (!std::isfinite(best_.take(inclusion, Lambda_))) break;
    const bool solved = best_.residual <= demand.tolerance;
    if (solved && rows_.is_regular() && (best_.residual == 0 || change <= refines)) break;
    if (best_.residual < before) Lambda_ = best_.Lambda;
    if (solved) {
      solve_held(inclusion);  // refined: the velocities are right, the impulses not quite yet
      best_.take(inclusion, Lambda_);
      break;
    }
    guess(inclusion, false, next_);
    factored = next_ == held_;  // then the solve is repeated, which refines it
    if (factored && !(best_.residual < before)) break;
    since_better = best_.residual < before ? 0 : since_better + 1;
    std::swap(held_, next_);
  }
  return best_;
}

Attempt solve_by_active_set(const Inclusion& inclusion, const Demand& demand) {
  Vec start = demand.start_of(inclusion);
  const Vec unsolved = start;
  ActiveSet active_set;
  Attempt& attempt = active_set.solve(inclusion, demand, start);
  if (std::isinf(attempt.residual)) attempt.Lambda = unsolved;
  return std::move(attempt);
}

}  // namespace carom
