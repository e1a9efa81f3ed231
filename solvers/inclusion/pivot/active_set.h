// Active-set method for unilateral rows without friction: guess which are held, solve
//
//   G_HH Λ_H = −c_H,   Λ_F = 0,
//
// let every row change sides that wants to, −Λ + rξ < 0 held and otherwise free, and solve again. It is Newton's
// method on the natural map, and where G has no positive off-diagonal entry (a chain of balls) it ends after
// finitely many guesses from any start (Hintermüller, Ito & Kunisch 2003, SIAM J. Optim. 13).

#pragma once

#include <vector>

#include "engine/sparse_ldlt.h"
#include "solvers/inclusion/attempt.h"
#include "solvers/inclusion/pivot/banded_ldlt.h"

namespace carom {

// G_HH, plus a small term on its diagonal, factored: in a band where the rows come in the order of a chain, or are few;
// with an ordering sought for it otherwise. The factors stay as long as G and the held rows do.
class HeldRows {
 public:
  bool factor(const Inclusion& inclusion, const std::vector<Index>& held);
  void solve_in_place(Vec& x) const;
  bool is_regular() const { return regular_; }  // far from redundant rows, as far as a band tells

 private:
  Index half_bandwidth(const Inclusion& inclusion, const std::vector<Index>& held) const;
  bool factor_band(const Inclusion& inclusion, const std::vector<Index>& held, Index half_bandwidth);
  bool factor_sparse(const Inclusion& inclusion, const std::vector<Index>& held);

  std::uint64_t version_ = 0;  // of G in the factors; 0: none
  std::vector<Index> held_;
  std::vector<int> place_;  // of a row among the held ones, −1 if it is free
  bool banded_ = false;
  bool regular_ = false;
  BandedLdlt band_;
  SparseLdlt::Entries entries_;
  SparseLdlt ldlt_;
};

// Keeps its workspaces from one problem to the next.
class ActiveSet {
 public:
  // From impulses near a solution, whose storage is taken. The first guess also holds rows that nothing drives. Without
  // any finite residual there are no impulses in the attempt; else they may be taken from it.
  Attempt& solve(const Inclusion& inclusion, const Demand& demand, Vec& start);
  bool is_regular() const { return rows_.is_regular(); }  // where the last guess held rows

 private:
  void guess(const Inclusion& inclusion, bool in_doubt, std::vector<Index>& held);
  double solve_held(const Inclusion& inclusion);

  Attempt best_;
  Vec Lambda_, on_held_;
  Vec xi_;  // at Λ, if it is known
  bool xi_is_known_ = false;
  std::vector<Index> held_, next_;
  HeldRows rows_;
};

// From the start, or from all rows held that do not separate by themselves.
Attempt solve_by_active_set(const Inclusion& inclusion, const Demand& demand);

}  // namespace carom
