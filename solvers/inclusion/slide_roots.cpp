// In the unknowns x = (h, φ), h the impulses of held rows and φ the angles of the arcs,
//
//   λ_T = −R e(φ),  e = (cos φ, sin φ),   F(x) = (ξ of held rows, e'(φ)·ξ_T of arcs) = 0.
//
// Let x* be a root and x another one, its angles no further from φ* than δ. From the held rows, linear in h at frozen
// angles, follows |h − h*| ≤ η; with δ and η every entry of the Jacobian differs from J* = J(x*) by at most ΔJ on the
// way from x* to x, and 0 = F(x) − F(x*) = J̄(x − x*) with a mean J̄ in J* ± ΔJ. If the spectral radius of |J*⁻¹|ΔJ is
// below one, J̄ is regular and x = x*.
//
// From any x₀ that solves the held rows, a root is F(x₀) + J(x₀)d + s = 0 with d = x − x₀ and s of second order in δ
// and η: d lies in −Y F(x₀) ± |Y||s|, Y = J(x₀)⁻¹ (an interval Newton step). Where arcs are narrow this excludes what
// no bound of first order does: the neighbourhood of a fold, where two roots have met.
//
// Both hold for every G that rounding may have meant: what it does to J and F is part of ΔJ and s.

#include "solvers/inclusion/slide_roots.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/inclusion/rounding.h"

namespace carom {

namespace {

using Eigen::Vector2d;

Vector2d e(double phi) { return {std::cos(phi), std::sin(phi)}; }
Vector2d e_prime(double phi) { return {-std::sin(phi), std::cos(phi)}; }

// With E ≥ 0: the solution z of (I − E)z = b > 0 if the spectral radius of E is below one, else nothing.
std::optional<Vec> contraction_bound(const Mat& E, const Vec& b) {
  const Vec positive = b.array() + 1e-12 * (1 + b.maxCoeff());
  const Vec z = (Mat::Identity(E.rows(), E.cols()) - E).partialPivLu().solve(positive);
  if (!z.allFinite() || !(z.array() > 0).all()) return std::nullopt;
  return z;
}

constexpr double rounding_of_angles = 1e-15;

class SlideEquations {
 public:
  SlideEquations(const UnitFriction& problem, const std::vector<Decision>& decisions)
      : problem_(problem), decisions_(decisions) {
    for (std::size_t s = 0; s < decisions.size(); ++s) {
      const Site& site = problem.sites[s];
      if (decisions[s].friction == Decision::Friction::arc)
        arcs_.push_back({&site, decisions[s].held ? static_cast<Index>(held_.size()) : -1});
      if (decisions[s].held) held_.push_back({site.normal, s});
      if (decisions[s].friction == Decision::Friction::stick) {
        for (Index k = 0; k < site.tangents; ++k) held_.push_back({site.tangent + k, s});
      }
    }
    h_ = Vec::Zero(held_count());
    phi_.resize(arc_count());
    Index j = 0;
    for (const Decision& decision : decisions) {
      if (decision.friction == Decision::Friction::arc) phi_(j++) = decision.middle();
    }
  }

  bool find_root() {
    solve_held_rows();
    for (int i = 0; i < 30; ++i) {
      evaluate();
      const Vec step = J_.partialPivLu().solve(F_);
      if (!step.allFinite()) return false;
      const double turn = step.tail(arc_count()).cwiseAbs().maxCoeff();
      const double damping = turn > 0.7 ? 0.7 / turn : 1;
      h_ -= damping * step.head(held_count());
      phi_ -= damping * step.tail(arc_count());
      if (turn < 1e-11) {
        evaluate();
        return true;
      }
    }
    return false;
  }

  bool is_only_root() {
    if (!measure_arcs()) return false;
    couple_arcs();
    return bound_impulses() && bound_jacobian();
  }

  std::vector<double> angles() const { return {phi_.begin(), phi_.end()}; }

  // One interval Newton step from the middle of the arcs: where the angles of roots are, as middle ± width. Nothing if
  // it gives no bound.
  struct Enclosure {
    Vec middle, width;
  };
  std::optional<Enclosure> enclose_roots() {
    solve_held_rows();
    if (!h_.allFinite() || !measure_arcs()) return std::nullopt;
    couple_arcs();
    evaluate();
    if (!bound_impulses()) return std::nullopt;
    const Mat Y = J_.inverse();
    if (!Y.allFinite()) return std::nullopt;
    Enclosure roots;
    roots.middle = phi_ - (Y * F_).tail(arc_count());
    roots.width = (Y.cwiseAbs() * second_order()).tail(arc_count());
    roots.width.array() += rounding_of_angles * (1 + Y.cwiseAbs().maxCoeff() * J_.cwiseAbs().maxCoeff());
    return roots;
  }

 private:
  struct HeldRow {
    Index row;
    std::size_t site;
  };
  struct Arc {
    const Site* site;
    Index normal;  // which of h is the normal impulse; none where λ_N = 0
  };

  Index held_count() const { return static_cast<Index>(held_.size()); }
  Index arc_count() const { return static_cast<Index>(arcs_.size()); }
  const Arc& arc(Index j) const { return arcs_[static_cast<std::size_t>(j)]; }
  Index held_row(Index i) const { return held_[static_cast<std::size_t>(i)].row; }
  double R(Index j) const { return arc(j).site->offset + (arc(j).normal >= 0 ? h_(arc(j).normal) : 0.0); }

  // λ without the impulses of the held rows: friction that an offset keeps up.
  Vec lambda_of_offsets() const {
    Vec lambda = Vec::Zero(problem_.c.size());
    Index j = 0;
    for (std::size_t s = 0; s < decisions_.size(); ++s) {
      const Site& site = problem_.sites[s];
      if (decisions_[s].friction == Decision::Friction::slip)
        lambda(site.tangent) = -site.offset * std::cos(decisions_[s].begin);
      if (decisions_[s].friction == Decision::Friction::arc)
        lambda.segment(site.tangent, 2) = -site.offset * e(phi_(j++));
    }
    return lambda;
  }

  // dλ/dx.
  Mat impulse_directions() const {
    Mat P = Mat::Zero(problem_.c.size(), held_count() + arc_count());
    for (Index i = 0; i < held_count(); ++i) {
      const HeldRow& held = held_[static_cast<std::size_t>(i)];
      const Decision& decision = decisions_[held.site];
      P(held.row, i) = 1;
      if (decision.friction == Decision::Friction::slip)
        P(problem_.sites[held.site].tangent, i) = -std::cos(decision.begin);
    }
    for (Index j = 0; j < arc_count(); ++j) {
      const Index row = arc(j).site->tangent;
      if (arc(j).normal >= 0) P.block(row, arc(j).normal, 2, 1) = -e(phi_(j));
      P.block(row, held_count() + j, 2, 1) = -R(j) * e_prime(phi_(j));
    }
    return P;
  }

  void solve_held_rows() {
    if (held_.empty()) return;
    const Mat dxi = problem_.G * impulse_directions();
    const Vec xi = problem_.c + problem_.G * lambda_of_offsets();
    Mat A(held_count(), held_count());
    Vec b(held_count());
    for (Index i = 0; i < held_count(); ++i) {
      A.row(i) = dxi.row(held_row(i)).head(held_count());
      b(i) = -xi(held_row(i));
    }
    h_ = A.partialPivLu().solve(b);
  }

  void evaluate() {
    P_ = impulse_directions();
    lambda_ = lambda_of_offsets() + P_.leftCols(held_count()) * h_;
    dxi_ = problem_.G * P_;
    xi_ = problem_.c + problem_.G * lambda_;
    const Index n = held_count() + arc_count();
    F_.resize(n);
    J_.resize(n, n);
    for (Index i = 0; i < held_count(); ++i) {
      F_(i) = xi_(held_row(i));
      J_.row(i) = dxi_.row(held_row(i));
    }
    for (Index j = 0; j < arc_count(); ++j) {
      const Index i = held_count() + j;
      const Index row = arc(j).site->tangent;
      F_(i) = e_prime(phi_(j)).dot(xi_.segment(row, 2));
      J_.row(i) = e_prime(phi_(j)).transpose() * dxi_.middleRows(row, 2);
      J_(i, i) -= e(phi_(j)).dot(xi_.segment(row, 2));
    }
  }

  // δ: how far an angle of the arcs can be from the root's.
  bool measure_arcs() {
    delta_.resize(arc_count());
    Index j = 0;
    for (const Decision& decision : decisions_) {
      if (decision.friction != Decision::Friction::arc) continue;
      phi_(j) = decision.middle() + std::remainder(phi_(j) - decision.middle(), 2 * std::numbers::pi);
      delta_(j) = std::max(std::abs(decision.begin - phi_(j)), std::abs(decision.end - phi_(j)));
      if (delta_(j) > 1.5) return false;
      ++j;
    }
    return true;
  }

  // |G_iT| between every equation (a held row, or the two rows of an arc) and the friction of every arc.
  void couple_arcs() {
    coupling_.resize(held_count() + arc_count(), arc_count());
    for (Index j = 0; j < arc_count(); ++j) {
      const Index column = arc(j).site->tangent;
      for (Index i = 0; i < held_count(); ++i) coupling_(i, j) = problem_.G.block(held_row(i), column, 1, 2).norm();
      for (Index k = 0; k < arc_count(); ++k)
        coupling_(held_count() + k, j) = problem_.G.block(arc(k).site->tangent, column, 2, 2).norm();
    }
  }

  // η: how far the impulses of held rows can be from the root's.
  bool bound_impulses() {
    eta_ = Vec::Zero(held_count());
    rho_ = Vec::Zero(arc_count());
    if (held_.empty()) return true;
    const Mat Y = J_.topLeftCorner(held_count(), held_count()).inverse().cwiseAbs();
    if (!Y.allFinite()) return false;
    Mat change = Mat::Zero(held_count(), held_count());
    Vec drift = Vec::Zero(held_count());
    for (Index j = 0; j < arc_count(); ++j) {
      const auto g = coupling_.col(j).head(held_count());
      if (arc(j).normal >= 0) change.col(arc(j).normal) += delta_(j) * g;
      drift += delta_(j) * std::abs(R(j)) * g;
    }
    change += rounding_of_J().topLeftCorner(held_count(), held_count());
    drift += rounding_of_F().head(held_count());
    const auto eta = contraction_bound(Y * change, Y * drift);
    if (!eta) return false;
    eta_ = *eta;
    for (Index j = 0; j < arc_count(); ++j) rho_(j) = arc(j).normal >= 0 ? eta_(arc(j).normal) : 0.0;
    return true;
  }

  // |ξ_T − ξ_T(x₀)| at arc k to first order.
  double moved(Index k) const {
    const Vec rate = dxi_.middleRows(arc(k).site->tangent, 2).colwise().norm().transpose();
    return rate.head(held_count()).dot(eta_) + rate.tail(arc_count()).dot(delta_);
  }

  // What rounding of G may change, in the units of r entry by entry (rounding.h).
  Mat rounding_of_J() const {
    const Vec impulses = P_.cwiseAbs().transpose() * problem_.friction;
    Mat rounding = rounding_of_G * equation_units() * impulses.transpose();
    const double size = largest_velocity();
    for (Index j = 0; j < arc_count(); ++j)  // e·ξ_T
      rounding(held_count() + j, held_count() + j) += rounding_of_G * size * in_units_of_r(j, e(phi_(j)));
    return rounding;
  }
  Vec rounding_of_F() const { return rounding_of_G * largest_velocity() * equation_units(); }
  double largest_velocity() const {
    return problem_.friction.dot(lambda_.cwiseAbs()) + problem_.c_in_units_of_r().cwiseAbs().maxCoeff();
  }
  Vec equation_units() const {
    Vec units(held_count() + arc_count());
    for (Index i = 0; i < held_count(); ++i) units(i) = problem_.friction(held_row(i));
    for (Index j = 0; j < arc_count(); ++j) units(held_count() + j) = in_units_of_r(j, e_prime(phi_(j)));
    return units;
  }
  double in_units_of_r(Index j, const Vector2d& direction) const {
    return direction.cwiseAbs().dot(problem_.friction.segment(arc(j).site->tangent, 2));
  }

  // |s|. λ_T = −R e(φ) departs from its linearisation by ΔR Δφ and RΔφ²/2, and e'(φ) turns with φ.
  Vec second_order() const {
    Vec bend(arc_count());
    for (Index j = 0; j < arc_count(); ++j)
      bend(j) = rho_(j) * delta_(j) + 0.5 * (std::abs(R(j)) + rho_(j)) * delta_(j) * delta_(j);
    Vec range(held_count() + arc_count());
    range << eta_, delta_;
    Vec rest = coupling_ * bend + rounding_of_F() + rounding_of_J() * range;
    for (Index k = 0; k < arc_count(); ++k) {
      const double first = moved(k) + rest(held_count() + k);
      const double speed = xi_.segment(arc(k).site->tangent, 2).norm();
      rest(held_count() + k) += delta_(k) * first + 0.5 * delta_(k) * delta_(k) * (speed + first);
    }
    return rest;
  }

  bool bound_jacobian() const {
    const Index n = held_count() + arc_count();
    Mat change = Mat::Zero(n, n);
    for (Index j = 0; j < arc_count(); ++j) {
      if (arc(j).normal >= 0) change.col(arc(j).normal) += delta_(j) * coupling_.col(j);
      change.col(held_count() + j) += (rho_(j) + std::abs(R(j)) * delta_(j)) * coupling_.col(j);
    }
    for (Index k = 0; k < arc_count(); ++k) {
      const Index i = held_count() + k;
      const Index row = arc(k).site->tangent;
      change.row(i) += delta_(k) * dxi_.middleRows(row, 2).colwise().norm();
      double moved = dxi_.block(row, 0, 2, held_count()).colwise().norm() * eta_;
      for (Index j = 0; j < arc_count(); ++j) moved += coupling_(i, j) * delta_(j) * (std::abs(R(j)) + rho_(j));
      change(i, i) += delta_(k) * xi_.segment(row, 2).norm() + moved;
    }
    change += rounding_of_J();
    const Mat Y = J_.inverse().cwiseAbs();
    if (!Y.allFinite()) return false;
    const Mat E = Y * change;
    // In units of the impulses' own size, so that z = (I − E)⁻¹b compares like with like.
    return contraction_bound(E, E.rowwise().sum() + Vec::Ones(n)).has_value();
  }

  const UnitFriction& problem_;
  const std::vector<Decision>& decisions_;
  std::vector<HeldRow> held_;
  std::vector<Arc> arcs_;
  Vec h_, phi_;
  Vec F_, xi_, lambda_;
  Mat J_, dxi_;
  Mat P_;  // dλ/dx
  Vec delta_, eta_, rho_;
  Mat coupling_;
};

}  // namespace

std::optional<std::vector<double>> only_root(const UnitFriction& problem, const std::vector<Decision>& decisions) {
  SlideEquations equations(problem, decisions);
  if (!equations.find_root() || !equations.is_only_root()) return std::nullopt;
  return equations.angles();
}

bool narrow_to_roots(const UnitFriction& problem, std::vector<Decision>& decisions) {
  const auto roots = SlideEquations(problem, decisions).enclose_roots();
  if (!roots) return true;
  Index j = 0;
  for (Decision& decision : decisions) {
    if (decision.friction != Decision::Friction::arc) continue;
    decision.begin = std::max(decision.begin, roots->middle(j) - roots->width(j));
    decision.end = std::min(decision.end, roots->middle(j) + roots->width(j));
    if (decision.begin > decision.end) return false;
    ++j;
  }
  return true;
}

}  // namespace carom
