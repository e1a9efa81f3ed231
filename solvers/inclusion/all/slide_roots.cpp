// In the unknowns x = (h, φ), h the impulses of held rows and φ the angles of the arcs,
//
//   λ_T = −R e(φ),  e = (cos φ, sin φ),   F(x) = (ξ of held rows, e'(φ)·ξ_T of arcs) = 0.
//
// The held rows, linear in h at given angles, leave f(φ) = e'(φ)·ξ_T = 0, of which turning_friction.h bounds how far
// the Jacobian J of f is from J* at a root φ* within an arc. If the spectral radius of |J*⁻¹(J − J*)| is below one, the
// mean Jacobian between φ* and another root would be regular: there is none.
//
// From any φ₀ a root is f(φ₀) + J(φ₀)d + s = 0 with d = φ − φ₀ and s of second order: d lies in −Y f(φ₀) ± |Y s|, Y =
// J(φ₀)⁻¹ (an interval Newton step). Where arcs are narrow this excludes what no bound of first order does: the
// neighbourhood of a fold, where two roots have met.
//
// Both hold for every G that rounding may have meant: what it does to J and F is part of ΔJ and s.

#include "solvers/inclusion/all/slide_roots.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/inclusion/all/turning_friction.h"
#include "solvers/inclusion/rounding.h"

namespace carom {

namespace {

using Eigen::Vector2d;

Vector2d e(double phi) { return {std::cos(phi), std::sin(phi)}; }
Vector2d e_prime(double phi) { return {-std::sin(phi), std::cos(phi)}; }

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

  // Near a fold rounding turns angles farther than elsewhere: there it is a root where steps become no shorter and the
  // equations hold up to rounding.
  bool find_root() {
    constexpr double short_turn = 1e-6;
    double last = HUGE_VAL;
    solve_held_rows();
    for (int i = 0; i < 30; ++i) {
      evaluate();
      const Vec step = J_.partialPivLu().solve(F_);
      if (!step.allFinite()) return false;
      const double turn = step.tail(arc_count()).cwiseAbs().maxCoeff();
      const bool rounded = turn < short_turn && turn >= last && (F_.cwiseAbs() - rounding_of_F()).maxCoeff() <= 0;
      if (rounded) return true;
      const double damping = turn > 0.7 ? 0.7 / turn : 1;
      h_ -= damping * step.head(held_count());
      phi_ -= damping * step.tail(arc_count());
      if (turn < 1e-11) {
        evaluate();
        return true;
      }
      last = turn;
    }
    return false;
  }

  bool is_only_root() {
    if (!measure_arcs() || !bound_arcs()) return false;
    // In units of the angles' own size, so that z = (I − E)⁻¹b compares like with like.
    const Mat E = change_of_J();
    return contraction_bound(E, E.rowwise().sum() + Vec::Ones(arc_count())).has_value();
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
    evaluate();
    if (!bound_arcs()) return std::nullopt;
    Enclosure roots;
    roots.middle = phi_ - Y_ * F_;
    roots.width = second_order() + Y_.cwiseAbs() * rounding_of_F();
    roots.width.array() += rounding_of_angles * (1 + Y_.cwiseAbs().maxCoeff() * J_.cwiseAbs().maxCoeff());
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
  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }
  const Arc& arc(Index j) const { return arcs_[at(j)]; }
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

  // What is known of J within δ. False: nothing.
  bool bound_arcs() {
    const Index k = held_count(), m = arc_count();
    const Mat inverse = J_.inverse();
    if (!inverse.allFinite()) return false;
    Y_ = inverse.bottomRows(m);
    std::vector<Index> tangents;
    for (const Arc& arc : arcs_) tangents.insert(tangents.end(), {arc.site->tangent, arc.site->tangent + 1});
    const Mat dslip = dxi_(tangents, Eigen::seqN(0, k));
    TurningFriction friction{.S = problem_.G(tangents, tangents),
                             .N = Mat::Zero(m, 2 * m),
                             .phi = phi_,
                             .R = Vec(m),
                             .slip = xi_(tangents),
                             .delta = delta_,
                             .R_error = Vec::Zero(m),
                             .slip_error = Vec::Zero(m)};
    for (Index j = 0; j < m; ++j) friction.R(j) = R(j);
    h_turn_ = Mat::Zero(k, m);
    if (k > 0) {
      const Mat A = J_.topLeftCorner(k, k).inverse();
      if (!A.allFinite()) return false;
      std::vector<Index> rows;
      for (const HeldRow& held : held_) rows.push_back(held.row);
      const Mat response = -A * problem_.G(rows, tangents);  // of h to friction
      friction.S += dslip * response;
      const auto error =
          contraction_bound(A.cwiseAbs() * rounding_of_J().topLeftCorner(k, k), A.cwiseAbs() * rounding_of_F().head(k));
      if (!error) return false;
      for (Index j = 0; j < m; ++j) {
        friction.slip_error(j) = dslip.middleRows(2 * j, 2).colwise().norm().dot(*error);
        if (arc(j).normal < 0) continue;
        friction.N.row(j) = response.row(arc(j).normal);
        friction.R_error(j) = (*error)(arc(j).normal);
      }
      h_turn_ = -A * J_.topRightCorner(k, m);
    }
    bounds_ = bound_jacobian(friction);
    return bounds_.has_value();
  }

  // |Y(J − J₀)| within δ, by the better of two bounds.
  Mat change_of_J() const {
    const Mat Y = Y_.rightCols(arc_count());
    Mat change = Y.cwiseAbs() * bounds_->second_order;
    for (Index k = 0; k < arc_count(); ++k) change += delta_(k) * (Y * bounds_->derivative[at(k)]).cwiseAbs();
    return change.cwiseMin(Y.cwiseAbs() * bounds_->first_order) + rounding_of_YJ();
  }

  // |Y(f − f₀ − J₀d)| within δ, likewise.
  Vec second_order() const {
    const Mat Y = Y_.rightCols(arc_count());
    Vec change = Y.cwiseAbs() * (bounds_->second_order * delta_);
    for (Index k = 0; k < arc_count(); ++k)
      change += 0.5 * delta_(k) * ((Y * bounds_->derivative[at(k)]).cwiseAbs() * delta_);
    return change.cwiseMin(Y.cwiseAbs() * (bounds_->first_order * delta_)) + rounding_of_YJ() * delta_;
  }

  // Of the Jacobian in the angles alone, the held rows being kept.
  Mat rounding_of_YJ() const {
    Mat turn(held_count() + arc_count(), arc_count());  // dx/dφ
    turn << h_turn_, Mat::Identity(arc_count(), arc_count());
    return Y_.cwiseAbs() * rounding_of_J() * turn.cwiseAbs();
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

  const UnitFriction& problem_;
  const std::vector<Decision>& decisions_;
  std::vector<HeldRow> held_;
  std::vector<Arc> arcs_;
  Vec h_, phi_;
  Vec F_, xi_, lambda_;
  Mat J_, dxi_;
  Mat P_;  // dλ/dx
  Vec delta_;
  Mat Y_;       // the rows of J⁻¹ that tell of the angles
  Mat h_turn_;  // dh/dφ, the held rows being kept
  std::optional<JacobianBounds> bounds_;
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
