// Lemke's pivoting method. Planar friction becomes a linear complementarity problem with
//
//   Λ_R = μ(Λ_N + o) + Λ_T ≥ 0 ⟂ ξ_R ≥ 0,    Λ_L = μ(Λ_N + o) − Λ_T ≥ 0 ⟂ ξ_L ≥ 0,    ξ_T = ξ_R − ξ_L,
//
//   ⎡ξ_N⎤   ⎡G_NN − G_NTμ  G_NT  0⎤ ⎡Λ_N⎤   ⎡c_N − G_NT μo⎤
//   ⎢ξ_R⎥ = ⎢G_TN − G_TTμ  G_TT  I⎥ ⎢Λ_R⎥ + ⎢c_T − G_TT μo⎥
//   ⎣Λ_L⎦   ⎣     2μ        −I   0⎦ ⎣ξ_L⎦   ⎣     2μo     ⎦
//
// (Glocker 2001, sect. 8; o is the set's offset). Ties in the ratio test are broken lexicographically, so the
// method cannot cycle. It ends in a solution or on a ray; other covering vectors then get a try, and if
// all end on rays it found none, which is not a proof that there is none.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <optional>
#include <random>

#include "solvers/inclusion/kind.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/pivot/pivot.h"

namespace carom {

namespace {

// w = Az + q, w ≥ 0, z ≥ 0, w·z = 0 by complementary pivoting with a positive covering vector.
class Tableau {
 public:
  Tableau(const Mat& A, const Vec& q, const Vec& cover)
      : n_(q.size()), table_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_)) {
    table_ << Mat::Identity(n_, n_), -A, -cover, q;  // columns: w, z, z₀, right-hand side
    for (Index i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  }

  std::optional<Vec> solve(int& pivots) {
    if (n_ == 0 || table_.col(rhs()).minCoeff() >= 0) return solution();
    Index row = 0;  // the smallest q/cover
    for (Index i = 1; i < n_; ++i) {
      if (lexicographically_less(i, -table_(i, z0()), row, -table_(row, z0()))) row = i;
    }
    Index leaving = basis_[static_cast<std::size_t>(row)];
    pivot(row, z0());
    const int most_pivots = 200 + 100 * static_cast<int>(n_);
    for (pivots = 1; pivots < most_pivots; ++pivots) {
      const Index entering = leaving < n_ ? leaving + n_ : leaving - n_;
      const std::optional<Index> r = ratio_test(entering);
      if (!r) return std::nullopt;
      leaving = basis_[static_cast<std::size_t>(*r)];
      pivot(*r, entering);
      if (leaving == z0()) return solution();
    }
    return std::nullopt;
  }

 private:
  Index z0() const { return 2 * n_; }
  Index rhs() const { return 2 * n_ + 1; }

  // Row i / a before row k / b, first by the right-hand side, then by the columns of the basis inverse.
  bool lexicographically_less(Index i, double a, Index k, double b) const {
    const double x = table_(i, rhs()) / a;
    const double y = table_(k, rhs()) / b;
    const double tie = 1e-14 * (std::abs(x) + std::abs(y));
    if (std::abs(x - y) > tie) return x < y;
    for (Index c = 0; c < n_; ++c) {
      const double p = table_(i, c) / a;
      const double s = table_(k, c) / b;
      if (std::abs(p - s) > 1e-13 * (1 + std::abs(p) + std::abs(s))) return p < s;
    }
    return false;
  }

  std::optional<Index> ratio_test(Index entering) const {
    const double threshold = 1e-11 * std::max(1.0, table_.col(entering).cwiseAbs().maxCoeff());
    std::optional<Index> best;
    for (Index i = 0; i < n_; ++i) {
      const double a = table_(i, entering);
      if (a <= threshold) continue;
      if (!best || lexicographically_less(i, a, *best, table_(*best, entering))) best = i;
    }
    // z₀ leaves as soon as it may: that is the solution.
    if (best) {
      const double ratio = table_(*best, rhs()) / table_(*best, entering);
      for (Index i = 0; i < n_; ++i) {
        if (basis_[static_cast<std::size_t>(i)] == z0() && table_(i, entering) > threshold &&
            table_(i, rhs()) / table_(i, entering) <= ratio + 1e-14 * std::abs(ratio)) {
          best = i;
        }
      }
    }
    return best;
  }

  void pivot(Index row, Index column) {
    table_.row(row) /= table_(row, column);
    for (Index i = 0; i < n_; ++i) {
      if (i != row && table_(i, column) != 0) table_.row(i) -= table_(i, column) * table_.row(row);
    }
    basis_[static_cast<std::size_t>(row)] = column;
  }

  Vec solution() const {
    Vec z = Vec::Zero(n_);
    for (Index i = 0; i < n_; ++i) {
      const Index b = basis_[static_cast<std::size_t>(i)];
      if (b >= n_ && b < 2 * n_) z(b - n_) = table_(i, rhs());
    }
    return z;
  }

  Index n_;
  Mat table_;
  std::vector<Index> basis_;
};

// The matrix and vector above, in the unit of each row, so that G has a diagonal near 1: Λ = √r Λ', ξ = ξ'/√r.
class PlanarFriction {
 public:
  explicit PlanarFriction(const Inclusion& inclusion) : unit_(inclusion.r.cwiseSqrt()) {
    for (const ForceSet& set : inclusion.sets)
      (set.shape == ForceSet::Shape::unilateral ? unilateral_ : friction_).push_back(set);
    tie_friction();
    assemble(inclusion);
  }

  // Which ray or solution the path ends at depends on the covering vector: a few are tried. Λ of the first solution.
  std::optional<Vec> solve(int& pivots) const {
    constexpr int most_covers = 8;
    std::mt19937_64 random(1);
    std::optional<Vec> z;
    Vec cover = Vec::Ones(q_.size());
    for (int attempt = 0; attempt < most_covers && !z; ++attempt) {
      int count = 0;
      z = Tableau(A_, q_, cover).solve(count);
      pivots += count;
      for (double& d : cover) d = std::uniform_real_distribution<double>(0.1, 1)(random);
    }
    if (!z) return std::nullopt;
    return Vec(unit_.cwiseProduct(P_ * z->head(P_.cols()) * scale_ + p_));
  }

 private:
  Index normals() const { return static_cast<Index>(unilateral_.size()); }
  Index tangents() const { return static_cast<Index>(friction_.size()); }
  const ForceSet& normal(Index i) const { return unilateral_[static_cast<std::size_t>(i)]; }
  const ForceSet& tangent(Index k) const { return friction_[static_cast<std::size_t>(k)]; }

  // P maps (Λ_N, Λ_R) to Λ', and p is its constant part: Λ_T = Λ_R − μ(Λ_N + o).
  void tie_friction() {
    const Index n = normals(), t = tangents();
    P_ = Mat::Zero(unit_.size(), n + t);
    p_ = Vec::Zero(unit_.size());
    mu_ = Mat::Zero(t, n);
    mu_offset_ = Vec::Zero(t);
    for (Index i = 0; i < n; ++i) P_(normal(i).row, i) = 1;
    for (Index k = 0; k < t; ++k) {
      const ForceSet& set = tangent(k);
      mu_offset_(k) = set.friction(0) * set.offset / unit_(set.row);
      for (Index i = 0; i < n; ++i)
        if (normal(i).row == set.normal_row) mu_(k, i) = set.friction(0) * unit_(set.normal_row) / unit_(set.row);
      P_.row(set.row).head(n) = -mu_.row(k);
      P_(set.row, n + k) = 1;
      p_(set.row) = -mu_offset_(k);
    }
  }

  void assemble(const Inclusion& inclusion) {
    const Index n = normals(), t = tangents();
    Mat G(unit_.size(), unit_.size());
    for (Index i = 0; i < unit_.size(); ++i)
      for (Index j = 0; j < unit_.size(); ++j) G(i, j) = unit_(i) * (*inclusion.G)(i, j) * unit_(j);
    const Mat GP = G * P_;
    const Vec Gp = G * p_ + unit_.cwiseProduct(inclusion.c);
    A_ = Mat::Zero(n + 2 * t, n + 2 * t);
    q_.resize(n + 2 * t);
    for (Index i = 0; i < n; ++i) {
      A_.row(i).head(n + t) = GP.row(normal(i).row);
      q_(i) = Gp(normal(i).row);
    }
    for (Index k = 0; k < t; ++k) {
      A_.row(n + k).head(n + t) = GP.row(tangent(k).row);
      A_(n + k, n + t + k) = 1;
      q_(n + k) = Gp(tangent(k).row);
      A_.row(n + t + k).head(n) = 2 * mu_.row(k);
      A_(n + t + k, n + k) = -1;
      q_(n + t + k) = 2 * mu_offset_(k);
    }
    scale_ = q_.size() > 0 ? q_.cwiseAbs().maxCoeff() : 0;
    if (scale_ > 0) q_ /= scale_;
  }

  Vec unit_;  // √r
  std::vector<ForceSet> unilateral_, friction_;
  Mat P_, mu_, A_;
  Vec p_, mu_offset_, q_;
  double scale_ = 0;
};

}  // namespace

void solve_by_lemke(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  outcome = {};
  outcome.solver = "lemke";
  if (!kind_of(inclusion).planar) {
    outcome.status = InclusionOutcome::Status::unsuited;
    outcome.reason =
        "lemke solves planar friction (one tangent a contact); for two tangents use gauss-seidel or enumerate";
    return;
  }
  const std::optional<Vec> Lambda = PlanarFriction(inclusion).solve(outcome.iterations);
  if (!Lambda) {
    outcome.reason = "lemke ended on a ray and found no solution; enumerate tells whether there is one";
    return;
  }
  InclusionSolution solution = with_residual(inclusion, polish(inclusion, *Lambda));
  if (solution.residual <= demand.tolerance) {
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solutions.push_back(std::move(solution));
    return;
  }
  outcome.reason =
      fmt::format("lemke lost accuracy{}: the contacts are nearly dependent, or the masses too different",
                  std::isfinite(solution.residual) ? fmt::format(", residual {:.2g}", solution.residual) : "");
  outcome.nearest = std::move(solution);
}

SolverEntry lemke_solver() {
  return {
      .name = "lemke",
      .statement = "one solution by complementary pivoting; planar friction as a linear complementarity problem",
      .method = "Lemke's algorithm with lexicographic ratio test, then one linear solve in the mode found",
      .source = "Lemke 1965; Glocker 2001, Set-Valued Force Laws, sect. 8",
      .domain = "contacts with at most one tangent, clutches; any number",
      .failures = "may end on a ray although a solution exists (strong friction); then it says so",
      .solve = solve_by_lemke,
  };
}

}  // namespace carom
