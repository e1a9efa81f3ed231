#include "solvers/inclusion/active_set.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {

namespace {

constexpr int most_guesses = 60;
constexpr int patience = 15;  // guesses without a smaller residual: redundant contacts can make it cycle

// Redundant rows make G_HH singular. A proximal term δ/r on its diagonal leaves one answer, and since each solve
// starts from the impulses so far, solving again removes what the term changed (proximal point iteration).
constexpr double proximal = 1e-13;

// L D Lᵀ of G_HH + δ/r. Rows in the order of a chain give a tridiagonal matrix, for which no ordering is sought.
class HeldRows {
 public:
  explicit HeldRows(const Inclusion& inclusion)
      : inclusion_(inclusion), place_(static_cast<std::size_t>(inclusion.c.size())) {}

  bool factor(const std::vector<Index>& held) {
    std::fill(place_.begin(), place_.end(), -1);
    for (std::size_t k = 0; k < held.size(); ++k) place_[static_cast<std::size_t>(held[k])] = static_cast<int>(k);
    read_band(held);
    return tridiagonal_ ? factor_band() : factor_sparse(held);
  }

  void solve(Vec& x) const {
    if (!tridiagonal_) {
      x = ldlt_.solve(x);
      return;
    }
    for (Index k = 1; k < x.size(); ++k) x(k) -= below_(k - 1) * x(k - 1);
    x.array() /= pivot_.array();
    for (Index k = x.size() - 1; k > 0; --k) x(k - 1) -= below_(k - 1) * x(k);
  }

 private:
  void read_band(const std::vector<Index>& held) {
    const Index n = static_cast<Index>(held.size());
    pivot_.setZero(n);
    below_.setZero(n);
    tridiagonal_ = true;
    for (Index k = 0; k < n && tridiagonal_; ++k) {
      const Index row = held[static_cast<std::size_t>(k)];
      pivot_(k) = proximal / inclusion_.r(row);
      inclusion_.G->visit_row(row, [&](Index j, double value) {
        const int column = place_[static_cast<std::size_t>(j)];
        if (column == k) pivot_(k) += value;
        if (column == k + 1) below_(k) = value;
        if (column > k + 1) tridiagonal_ = false;
      });
    }
  }

  bool factor_band() {
    for (Index k = 0; k < pivot_.size(); ++k) {
      if (k > 0) {
        const double coupling = below_(k - 1);
        below_(k - 1) = coupling / pivot_(k - 1);
        pivot_(k) -= below_(k - 1) * coupling;
      }
      if (!(pivot_(k) > 0)) return false;
    }
    return true;
  }

  bool factor_sparse(const std::vector<Index>& held) {
    const Index n = static_cast<Index>(held.size());
    Eigen::SparseMatrix<double> lower(n, n);
    std::vector<int> sizes(held.size(), 0);
    for (std::size_t k = 0; k < held.size(); ++k) {
      inclusion_.G->visit_row(held[k], [&](Index j, double) {
        if (place_[static_cast<std::size_t>(j)] >= static_cast<int>(k)) ++sizes[k];
      });
    }
    lower.reserve(sizes);
    for (Index k = 0; k < n; ++k) {
      const Index row = held[static_cast<std::size_t>(k)];
      inclusion_.G->visit_row(row, [&](Index j, double value) {
        const int i = place_[static_cast<std::size_t>(j)];
        if (i >= k) lower.insert(i, k) = i == k ? value + proximal / inclusion_.r(row) : value;
      });
    }
    lower.makeCompressed();
    ldlt_.compute(lower);
    return ldlt_.info() == Eigen::Success;
  }

  const Inclusion& inclusion_;
  std::vector<int> place_;  // of a row among the held ones, −1 if it is free
  bool tridiagonal_ = false;
  Vec pivot_, below_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
};

// Rows that the prox holds at Λ. Where nothing drives a row and nothing is known of it (Λ = 0 = ξ) it is in doubt: the
// first guess holds it, for a push through a chain to reach its end at once and not one contact a guess.
std::vector<Index> held_at(const Inclusion& inclusion, const Vec& Lambda, double doubt) {
  std::vector<Index> held;
  for (const ForceSet& set : inclusion.sets) {
    const double r = inclusion.r(set.row);
    const double xi = inclusion.G->row_dot(set.row, Lambda) + inclusion.c(set.row);
    if (-Lambda(set.row) + r * xi < doubt * std::sqrt(r)) held.push_back(set.row);
  }
  return held;
}

std::vector<Index> first_guess(const Inclusion& inclusion, const Vec& Lambda) {
  double largest = 0;
  for (Index i = 0; i < inclusion.c.size(); ++i)
    largest = std::max(largest, std::abs(inclusion.c(i)) * std::sqrt(inclusion.r(i)));
  return held_at(inclusion, Lambda, rounding * largest);
}

std::vector<Index> next_guess(const Inclusion& inclusion, const Vec& Lambda) { return held_at(inclusion, Lambda, 0); }

// Λ_F = 0, and Λ_H moved to where ξ_H vanishes.
void solve_held(const Inclusion& inclusion, const std::vector<Index>& held, const HeldRows& rows, Vec& Lambda) {
  Vec on_held(static_cast<Index>(held.size()));
  for (std::size_t k = 0; k < held.size(); ++k) on_held(static_cast<Index>(k)) = Lambda(held[k]);
  Lambda.setZero();
  for (std::size_t k = 0; k < held.size(); ++k) Lambda(held[k]) = on_held(static_cast<Index>(k));
  for (std::size_t k = 0; k < held.size(); ++k)
    on_held(static_cast<Index>(k)) = -inclusion.G->row_dot(held[k], Lambda) - inclusion.c(held[k]);
  rows.solve(on_held);
  for (std::size_t k = 0; k < held.size(); ++k) Lambda(held[k]) += on_held(static_cast<Index>(k));
}

}  // namespace

bool is_frictionless(const Inclusion& inclusion) {
  return std::all_of(inclusion.sets.begin(), inclusion.sets.end(),
                     [](const ForceSet& set) { return set.shape == ForceSet::Shape::unilateral; });
}

Attempt solve_by_active_set(const Inclusion& inclusion) {
  const bool started = inclusion.start.size() == inclusion.c.size();
  Vec Lambda = started ? inclusion.start : Vec::Zero(inclusion.c.size());
  Attempt best = Attempt::from(inclusion, Lambda);
  std::vector<Index> held = first_guess(inclusion, Lambda);
  HeldRows rows(inclusion);
  bool factored = false;
  int since_better = 0;
  while (best.residual > inclusion.tolerance && best.iterations < most_guesses && since_better < patience) {
    ++best.iterations;
    if (!factored && !rows.factor(held)) break;
    solve_held(inclusion, held, rows, Lambda);
    if (!Lambda.allFinite()) break;
    const double before = best.residual;
    best.offer(inclusion, Lambda);
    if (best.residual <= inclusion.tolerance) {
      solve_held(inclusion, held, rows, Lambda);  // refined: the velocities are right, the impulses not quite yet
      best.offer(inclusion, Lambda);
      break;
    }
    std::vector<Index> next = next_guess(inclusion, Lambda);
    factored = next == held;  // then the solve is repeated, which refines it
    if (factored && !(best.residual < before)) break;
    since_better = best.residual < before ? 0 : since_better + 1;
    held = std::move(next);
  }
  return best;
}

}  // namespace carom
