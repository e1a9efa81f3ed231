#include "solvers/inclusion/follower.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solvers/inclusion/kept_lu.h"
#include "solvers/inclusion/kind.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/path/path.h"
#include "solvers/inclusion/pivot/pivot.h"

namespace carom {

namespace {

constexpr int most_modes = 30;
constexpr double settled = 0.01 * residual_tolerance;  // the next mode would not lower the residual by much

// Redundant held rows make the equations of a mode singular. A proximal term then keeps the impulses near those of the
// step before, and going on from the answer removes what it changed.
constexpr double regular_pivot = 1e-8;  // of the equilibrated equations
constexpr double proximal = 1e-7;
constexpr Index most_unblocked = 256;  // equations
constexpr int sweeps_at_once = 5;      // of many contacts
constexpr int most_sweeps = 30;

// One step of Newton's method on the equations of a mode, in the impulses of the held rows and the angles of what
// slides along two tangents:
//
//   ξ_H = 0,   Λ_T = −σ μ R where one tangent slips,
//   Λ_T = −R e(φ), e′(φ)·ξ_T = 0 where two slide, e(φ) = (μ₁cos φ, μ₂ sin φ),   R = Λ_N + offset.
//
// All but the last are linear.
class ModeStep {
 public:
  // From Λ near a solution, and the angles that the mode tells. False if there is none.
  bool solve(const Inclusion& inclusion, const Mode& mode, Vec& Lambda) {
    held_.clear();
    slides_.clear();
    column_.assign(static_cast<std::size_t>(inclusion.c.size()), -1);
    for (std::size_t s = 0; s < mode.size(); ++s) {
      if (mode[s].kind == Piece::Kind::slide) slides_.push_back({s, mode[s].angle});
      const bool held = mode[s].kind == Piece::Kind::held;
      for (Index row = inclusion.sets[s].row; row < inclusion.sets[s].row + inclusion.sets[s].size(); ++row) {
        if (held) hold(row);
        if (!held) Lambda(row) = 0;
      }
    }
    slip(inclusion, mode, Lambda);
    if (held_.empty()) return slides_.empty();
    assemble(inclusion, mode, Lambda);
    if (!solve_equations()) return false;
    const auto x = equations_.unknowns();
    for (std::size_t i = 0; i < held_.size(); ++i)
      Lambda(held_[i]) += x(static_cast<Index>(i)) * unit(inclusion, held_[i]);
    for (std::size_t k = 0; k < slides_.size(); ++k) slides_[k].angle += x(static_cast<Index>(held_.size() + k));
    slip(inclusion, mode, Lambda);
    return Lambda.allFinite();
  }

 private:
  struct Slide {
    std::size_t set;
    double angle;
    Eigen::Vector2d e(const ForceSet& of) const {
      return of.friction.cwiseProduct(Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    }
    Eigen::Vector2d across(const ForceSet& of) const {  // e′
      return of.friction.cwiseProduct(Eigen::Vector2d(-std::sin(angle), std::cos(angle)));
    }
  };

  static double unit(const Inclusion& inclusion, Index row) { return std::sqrt(inclusion.r(row)); }
  static double slope(const ForceSet& set, const Piece& piece) { return -piece.sign * set.friction(0); }
  static double xi(const Inclusion& inclusion, Index row, const Vec& Lambda) {
    return inclusion.G->row_dot(row, Lambda) + inclusion.c(row);
  }

  void slip(const Inclusion& inclusion, const Mode& mode, Vec& Lambda) const {
    for (std::size_t s = 0; s < mode.size(); ++s) {
      const ForceSet& set = inclusion.sets[s];
      if (mode[s].kind == Piece::Kind::slip)
        Lambda(set.row) = slope(set, mode[s]) * (Lambda(set.normal_row) + set.offset);
    }
    for (const Slide& slide : slides_) {
      const ForceSet& set = inclusion.sets[slide.set];
      Lambda.segment<2>(set.row) = -(Lambda(set.normal_row) + set.offset) * slide.e(set);
    }
  }

  void hold(Index row) {
    column_[static_cast<std::size_t>(row)] = static_cast<Index>(held_.size());
    held_.push_back(row);
  }

  // A x = −(ξ_H, e′·ξ_T) for the change of the held impulses and of the angles; rows and columns of impulses scaled by
  // √r, which gives G a unit diagonal, those of angles to a largest entry of one.
  void assemble(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda) {
    const auto held = static_cast<Index>(held_.size());
    const Index n = held + static_cast<Index>(slides_.size());
    equations_.resize(n);
    Eigen::Map<Mat> A = equations_.matrix();
    Eigen::Map<Vec> x = equations_.unknowns();
    for (Index i = 0; i < held; ++i) {
      const Index row = held_[static_cast<std::size_t>(i)];
      add_row(inclusion, mode, Lambda, row, 1, i);
      A.row(i) *= unit(inclusion, row);
      x(i) = -unit(inclusion, row) * xi(inclusion, row, Lambda);
    }
    for (std::size_t k = 0; k < slides_.size(); ++k) {
      const ForceSet& set = inclusion.sets[slides_[k].set];
      const Index i = held + static_cast<Index>(k);
      const Eigen::Vector2d velocity(xi(inclusion, set.row, Lambda), xi(inclusion, set.row + 1, Lambda));
      const Eigen::Vector2d across = slides_[k].across(set);
      for (Index d = 0; d < 2; ++d) add_row(inclusion, mode, Lambda, set.row + d, across(d), i);
      A(i, i) -= slides_[k].e(set).dot(velocity);  // e″ = −e
      x(i) = -across.dot(velocity);
      const double largest_entry = A.row(i).cwiseAbs().maxCoeff();
      if (!(largest_entry > 0)) continue;
      A.row(i) /= largest_entry;
      x(i) /= largest_entry;
    }
  }

  // Adds factor·∂ξ_row to a row of A.
  void add_row(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda, Index row, double factor, Index i) {
    const auto held = static_cast<Index>(held_.size());
    const Delassus& G = *inclusion.G;
    Eigen::Map<Mat> A = equations_.matrix();
    for (Index j = 0; j < held; ++j) {
      const Index other = held_[static_cast<std::size_t>(j)];
      A(i, j) += factor * (G(row, other) * unit(inclusion, other));
    }
    for (std::size_t s = 0; s < mode.size(); ++s) {
      if (mode[s].kind != Piece::Kind::slip) continue;
      const ForceSet& set = inclusion.sets[s];
      const Index normal = column_[static_cast<std::size_t>(set.normal_row)];
      if (normal >= 0)
        A(i, normal) += factor * (G(row, set.row) * slope(set, mode[s]) * unit(inclusion, set.normal_row));
    }
    for (std::size_t k = 0; k < slides_.size(); ++k) {
      const ForceSet& set = inclusion.sets[slides_[k].set];
      const Eigen::Vector2d answer(G(row, set.row), G(row, set.row + 1));
      const Index normal = column_[static_cast<std::size_t>(set.normal_row)];
      if (normal >= 0) A(i, normal) -= factor * answer.dot(slides_[k].e(set)) * unit(inclusion, set.normal_row);
      A(i, held + static_cast<Index>(k)) -=
          factor * (Lambda(set.normal_row) + set.offset) * answer.dot(slides_[k].across(set));
    }
  }

  bool solve_equations() {
    if (equations_.size() > most_unblocked) return solve_blocked();
    unfactored_.assign(equations_.matrix().data(), equations_.matrix().data() + equations_.matrix().size());
    double pivot = equations_.factor();
    if (!(pivot > regular_pivot)) {
      Eigen::Map<Mat> A = equations_.matrix();
      std::copy(unfactored_.begin(), unfactored_.end(), A.data());
      A.diagonal().array() += proximal;
      pivot = equations_.factor();
    }
    if (!(pivot > 0)) return false;
    equations_.solve();
    return true;
  }

  bool solve_blocked() {
    Eigen::Map<Mat> A = equations_.matrix();
    lu_.compute(A);
    if (!(lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > regular_pivot)) {
      A.diagonal().array() += proximal;
      lu_.compute(A);
    }
    rhs_ = equations_.unknowns();
    equations_.unknowns() = lu_.solve(rhs_);
    return true;
  }

  std::vector<Index> held_;
  std::vector<Slide> slides_;
  std::vector<Index> column_;  // of a row among the held ones, −1 if it is none
  KeptLu equations_;           // A and x
  std::vector<double> unfactored_;
  Eigen::PartialPivLU<Mat> lu_;  // of many equations
  Vec rhs_;
};

// The same by hand for one planar contact with friction, which steps meet most.
class OneContact {
 public:
  static bool is_all_of(const Inclusion& inclusion) {
    const std::vector<ForceSet>& sets = inclusion.sets;
    return inclusion.c.size() == 2 && sets.size() == 2 && sets[0].shape == ForceSet::Shape::unilateral &&
           sets[1].shape == ForceSet::Shape::line;
  }
  explicit OneContact(const Inclusion& inclusion)
      : friction_(inclusion.sets[1]),
        N_(inclusion.sets[0].row),
        T_(friction_.row),
        G_NN_((*inclusion.G)(N_, N_)),
        G_NT_((*inclusion.G)(N_, T_)),
        G_TT_((*inclusion.G)(T_, T_)),
        r_N_(inclusion.r(N_)),
        r_T_(inclusion.r(T_)),
        c_N_(inclusion.c(N_)),
        c_T_(inclusion.c(T_)) {}

  // From mode to mode to one that points to itself. Nothing, with Λ as it was, where that does not happen soon or to
  // rounding.
  std::optional<InclusionFollower::Found> follow(Vec& Lambda) const {
    constexpr int few_modes = 4;
    double Lambda_N = Lambda(N_), Lambda_T = Lambda(T_);
    for (int mode = 1; mode <= few_modes && advance(Lambda_N, Lambda_T); ++mode) {
      const Misses misses = misses_of(Lambda_N, Lambda_T);
      if (!misses.are_settled()) continue;
      Lambda(N_) = Lambda_N;
      Lambda(T_) = Lambda_T;
      return InclusionFollower::Found{mode, misses.residual()};
    }
    return std::nullopt;
  }

 private:
  double bound(double Lambda_N) const { return friction_.friction(0) * std::max(0.0, Lambda_N + friction_.offset); }

  // The natural residual with nothing allowed for rounding or amplification, so at least as large as it. All squared:
  // the next mode need not wait for a root.
  struct Misses {
    double miss_N, miss_T, unit_N, unit_T;

    bool are_settled() const {
      constexpr double part = settled * settled;
      return unit_N > 0 && unit_T > 0 && miss_N <= part * unit_N && miss_T <= part * unit_T;
    }
    double residual() const { return std::sqrt(std::max(miss_N * unit_T, miss_T * unit_N) / (unit_N * unit_T)); }
  };
  Misses misses_of(double Lambda_N, double Lambda_T) const {
    const double x_N = -Lambda_N + r_N_ * xi_N(Lambda_N, Lambda_T);
    const double x_T = -Lambda_T + r_T_ * xi_T(Lambda_N, Lambda_T);
    const double miss_N = Lambda_N + std::min(x_N, 0.0);
    const double miss_T = Lambda_T + std::clamp(x_T, -bound(Lambda_N), bound(Lambda_N));
    const double drive_N = c_N_ * c_N_ * r_N_, drive_T = c_T_ * c_T_ * r_T_;
    const double least_drive = 1e-6 * std::max(drive_N, drive_T);
    return {miss_N * miss_N, miss_T * miss_T, r_N_ * std::max(drive_N, least_drive),
            r_T_ * std::max(drive_T, least_drive)};
  }

  // One step, to where the mode that Λ points to holds. False if its equations are singular.
  bool advance(double& Lambda_N, double& Lambda_T) const {
    const bool held = -Lambda_N + r_N_ * xi_N(Lambda_N, Lambda_T) < 0;
    const double most_friction = bound(Lambda_N);
    const double x_T = -Lambda_T + r_T_ * xi_T(Lambda_N, Lambda_T);
    const bool sticks = most_friction > 0 && std::abs(x_T) < most_friction;
    if (!held) Lambda_N = 0;
    if (sticks) {
      if (!stick(held, Lambda_N, Lambda_T)) return false;
    } else {
      const double slope = most_friction > 0 ? (x_T < 0 ? 1 : -1) * friction_.friction(0) : 0;
      Lambda_T = slope * (Lambda_N + friction_.offset);
      const double answer = G_NN_ + G_NT_ * slope;
      if (held && !(std::abs(answer) * r_N_ > regular_pivot)) return false;
      if (held) Lambda_N -= xi_N(Lambda_N, Lambda_T) / answer;
      Lambda_T = slope * (Lambda_N + friction_.offset);
    }
    return true;
  }

  double xi_N(double Lambda_N, double Lambda_T) const { return G_NN_ * Lambda_N + G_NT_ * Lambda_T + c_N_; }
  double xi_T(double Lambda_N, double Lambda_T) const { return G_NT_ * Lambda_N + G_TT_ * Lambda_T + c_T_; }

  bool stick(bool held, double& Lambda_N, double& Lambda_T) const {
    const double xi[] = {xi_N(Lambda_N, Lambda_T), xi_T(Lambda_N, Lambda_T)};
    if (!held) {
      if (!(G_TT_ * r_T_ > regular_pivot)) return false;
      Lambda_T -= xi[1] / G_TT_;
      return true;
    }
    const double determinant = G_NN_ * G_TT_ - G_NT_ * G_NT_;
    if (!(determinant * r_N_ * r_T_ > regular_pivot)) return false;
    Lambda_N -= (G_TT_ * xi[0] - G_NT_ * xi[1]) / determinant;
    Lambda_T -= (G_NN_ * xi[1] - G_NT_ * xi[0]) / determinant;
    return true;
  }

  const ForceSet& friction_;
  Index N_, T_;
  double G_NN_, G_NT_, G_TT_, r_N_, r_T_, c_N_, c_T_;
};

// And for one row without friction, Λ = max(0, −c/G): an impulse that is this to rounding stays, so that a body at rest
// stays where it is.
std::optional<InclusionFollower::Found> follow_one_row(const Inclusion& inclusion, double& Lambda) {
  const double G = (*inclusion.G)(0, 0), c = inclusion.c(0);
  if (G == 0 && c >= 0) return InclusionFollower::Found{0, 0};  // joints alone decide about it
  if (!(G > 0) || !std::isfinite(c)) return std::nullopt;
  const double exact = std::max(0.0, -c / G);
  constexpr double rounded = 4 * std::numeric_limits<double>::epsilon();
  if (!(Lambda >= 0 && std::abs(Lambda - exact) <= rounded * exact)) Lambda = exact;
  return InclusionFollower::Found{1, exact > 0 ? std::abs(Lambda - exact) / exact : 0};
}

class Follower final : public InclusionFollower {
 public:
  std::optional<Found> follow(const Inclusion& inclusion, const Demand& demand, Vec& Lambda) override {
    if (inclusion.unilateral && inclusion.c.size() == 1) return follow_one_row(inclusion, Lambda(0));
    if (OneContact::is_all_of(inclusion))
      if (const auto found = OneContact(inclusion).follow(Lambda)) return found;
    const bool small = inclusion.c.size() <= Delassus::largest_dense;
    if (is_frictionless(inclusion)) return follow_active_set(inclusion, demand, Lambda, small);
    return small || !inclusion.G->sparse() ? follow_modes(inclusion, demand, Lambda)
                                           : follow_sweeps(inclusion, demand, Lambda);
  }

 private:
  // Of redundant rows a small solver finds the least impulses, which this does not.
  std::optional<Found> follow_active_set(const Inclusion& inclusion, const Demand& demand, Vec& Lambda, bool small) {
    Attempt& attempt = active_set_.solve(inclusion, demand, Lambda);
    if (!(attempt.residual <= demand.tolerance) || (small && !active_set_.is_regular())) return std::nullopt;
    Lambda.swap(attempt.Lambda);
    return Found{attempt.iterations, attempt.residual};
  }

  // Newton's method on the natural map, as long as it lowers the residual.
  std::optional<Found> follow_modes(const Inclusion& inclusion, const Demand& demand, Vec& Lambda) {
    Found best{0, std::numeric_limits<double>::infinity()};
    while (best.iterations < most_modes && best.residual > settled) {
      candidate_ = Lambda;
      find_mode(inclusion, Lambda, mode_);
      if (!step_.solve(inclusion, mode_, candidate_)) return std::nullopt;
      const double residual = natural_residual(inclusion, candidate_);
      if (!(residual < best.residual)) break;
      best.residual = residual;
      ++best.iterations;
      Lambda = candidate_;
    }
    if (!(best.residual <= demand.tolerance)) return std::nullopt;
    return best;
  }

  // Of many contacts those at rest go on as they were, as near as is asked for; a little that has changed sweeps
  // settle, as long as they are on their way there.
  std::optional<Found> follow_sweeps(const Inclusion& inclusion, const Demand& demand, Vec& Lambda) {
    Found found{0, natural_residual(inclusion, Lambda)};
    if (found.residual <= demand.wanted()) return found;
    if (!inclusion.G->has_white_rows()) return std::nullopt;
    contacts_.rebuild(inclusion);
    contacts_.stretch(Lambda, z_);
    contacts_.velocity(z_, v_);
    while (found.iterations < most_sweeps) {
      contacts_.sweep(sweeps_at_once, z_, v_);
      contacts_.unstretch(z_, Lambda);
      const double before = found.residual;
      found = {found.iterations + sweeps_at_once, natural_residual(inclusion, Lambda)};
      if (found.residual <= demand.wanted()) return found;
      const int left = (most_sweeps - found.iterations) / sweeps_at_once;
      if (!(found.residual * std::pow(found.residual / before, left) <= demand.wanted())) return std::nullopt;
    }
    return std::nullopt;
  }

  ActiveSet active_set_;
  ContactDirections contacts_;
  std::vector<Eigen::Vector3d> z_;
  Vec v_;
  ModeStep step_;
  Mode mode_;
  Vec candidate_;
};

}  // namespace

std::unique_ptr<InclusionFollower> make_follower() { return std::make_unique<Follower>(); }

}  // namespace carom
