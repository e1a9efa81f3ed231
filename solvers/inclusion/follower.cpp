#include "solvers/inclusion/follower.h"

#include <cmath>
#include <limits>
#include <vector>

#include "solvers/inclusion/active_set.h"
#include "solvers/inclusion/mode.h"

namespace carom {

namespace {

constexpr int most_modes = 30;
constexpr double settled = 0.01 * residual_tolerance;  // the next mode would not lower the residual by much

// Redundant held rows make the equations of a mode singular. A proximal term then keeps the impulses near those of the
// step before, and going on from the answer removes what it changed.
constexpr double regular_pivot = 1e-8;  // of the equilibrated equations
constexpr double proximal = 1e-7;

// The equations of a mode in which every impulse is linear in those of the held rows:
//
//   ξ_H = 0,   Λ_T = −σ μ (Λ_N + offset) where one tangent slips.
class LinearMode {
 public:
  // From Λ near a solution. False if a contact slides along two tangents.
  bool solve(const Inclusion& inclusion, const Mode& mode, Vec& Lambda) {
    held_.clear();
    column_.assign(static_cast<std::size_t>(inclusion.c.size()), -1);
    for (std::size_t s = 0; s < mode.size(); ++s) {
      if (mode[s].kind == Piece::Kind::slide) return false;
      const bool held = mode[s].kind == Piece::Kind::held;
      for (Index row = inclusion.sets[s].row; row < inclusion.sets[s].row + inclusion.sets[s].size(); ++row) {
        if (held) hold(row);
        if (!held) Lambda(row) = 0;
      }
    }
    slip(inclusion, mode, Lambda);
    if (held_.empty()) return true;
    assemble(inclusion, mode, Lambda);
    solve_equations();
    for (std::size_t i = 0; i < held_.size(); ++i)
      Lambda(held_[i]) += x_(static_cast<Index>(i)) * unit(inclusion, held_[i]);
    slip(inclusion, mode, Lambda);
    return Lambda.allFinite();
  }

 private:
  static double unit(const Inclusion& inclusion, Index row) { return std::sqrt(inclusion.r(row)); }
  static double slope(const ForceSet& set, const Piece& piece) { return -piece.sign * set.friction(0); }

  static void slip(const Inclusion& inclusion, const Mode& mode, Vec& Lambda) {
    for (std::size_t s = 0; s < mode.size(); ++s) {
      const ForceSet& set = inclusion.sets[s];
      if (mode[s].kind == Piece::Kind::slip)
        Lambda(set.row) = slope(set, mode[s]) * (Lambda(set.normal_row) + set.offset);
    }
  }

  void hold(Index row) {
    column_[static_cast<std::size_t>(row)] = static_cast<Index>(held_.size());
    held_.push_back(row);
  }

  // A x = −ξ_H for the change of the held impulses; rows and columns scaled by √r, which gives G a unit diagonal.
  void assemble(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda) {
    const auto n = static_cast<Index>(held_.size());
    A_.resize(n, n);
    x_.resize(n);
    for (Index i = 0; i < n; ++i) {
      const Index row = held_[static_cast<std::size_t>(i)];
      for (Index j = 0; j < n; ++j) {
        const Index other = held_[static_cast<std::size_t>(j)];
        A_(i, j) = (*inclusion.G)(row, other) * unit(inclusion, other);
      }
      for (std::size_t s = 0; s < mode.size(); ++s) {
        if (mode[s].kind != Piece::Kind::slip) continue;
        const ForceSet& set = inclusion.sets[s];
        const Index normal = column_[static_cast<std::size_t>(set.normal_row)];
        if (normal >= 0)
          A_(i, normal) += (*inclusion.G)(row, set.row) * slope(set, mode[s]) * unit(inclusion, set.normal_row);
      }
      A_.row(i) *= unit(inclusion, row);
      x_(i) = -unit(inclusion, row) * (inclusion.G->row_dot(row, Lambda) + inclusion.c(row));
    }
  }

  void solve_equations() {
    if (x_.size() == 1 && std::abs(A_(0, 0)) > regular_pivot) {
      x_(0) /= A_(0, 0);
      return;
    }
    lu_.compute(A_);
    if (!(lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > regular_pivot)) {
      A_.diagonal().array() += proximal;
      lu_.compute(A_);
    }
    rhs_ = x_;
    x_ = lu_.solve(rhs_);
  }

  std::vector<Index> held_;
  std::vector<Index> column_;  // of a row among the held ones, −1 if it is none
  Mat A_;
  Vec x_, rhs_;
  Eigen::PartialPivLU<Mat> lu_;
};

class Follower final : public InclusionFollower {
 public:
  std::optional<Found> follow(const Inclusion& inclusion, Vec& Lambda) override {
    const bool small = inclusion.c.size() <= Delassus::largest_dense;
    if (is_frictionless(inclusion)) return follow_active_set(inclusion, Lambda, small);
    return small ? follow_modes(inclusion, Lambda) : std::nullopt;
  }

 private:
  // Of redundant rows a small solver finds the least impulses, which this does not.
  std::optional<Found> follow_active_set(const Inclusion& inclusion, Vec& Lambda, bool small) {
    const Attempt& attempt = active_set_.solve(inclusion, Lambda);
    if (!(attempt.residual <= inclusion.tolerance) || (small && !active_set_.is_regular())) return std::nullopt;
    Lambda = attempt.Lambda;
    return Found{attempt.iterations, attempt.residual};
  }

  // Newton's method on the natural map, as long as it lowers the residual.
  std::optional<Found> follow_modes(const Inclusion& inclusion, Vec& Lambda) {
    Found best{0, std::numeric_limits<double>::infinity()};
    while (best.iterations < most_modes && best.residual > settled) {
      find_mode(inclusion, Lambda, mode_);
      if (!linear_.solve(inclusion, mode_, candidate_ = Lambda)) return std::nullopt;
      const double residual = natural_residual(inclusion, candidate_);
      if (!(residual < best.residual)) break;
      best.residual = residual;
      ++best.iterations;
      Lambda = candidate_;
    }
    if (!(best.residual <= inclusion.tolerance)) return std::nullopt;
    return best;
  }

  ActiveSet active_set_;
  LinearMode linear_;
  Mode mode_;
  Vec candidate_;
};

}  // namespace

std::unique_ptr<InclusionFollower> make_follower() { return std::make_unique<Follower>(); }

}  // namespace carom
