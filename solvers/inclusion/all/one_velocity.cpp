// With G = KᵀK the velocities are ξ = Kᵀy + c, y = Kλ. Let y* and another y solve the equations of one mode, z = y −
// y*. The held rows H do not move, K_Hᵀz = 0: z = Qζ. A sliding contact's impulse is λ_N k_N − R K_T e(φ), so
//
//   z = D*Δ − Σ Rᵢ K_T (eᵢ − eᵢ*),   D* = (columns of held rows that do not slide, k_N − K_T e* of those that do).
//
// The slip ξ_T = s e turns with z: e*'·K_Tᵀz = e*'·ξ_T = s sin θ, θ = φ − φ*, and so
//
//   eᵢ − eᵢ* = 2 sin(θ/2) e'(φ* + θ/2) = e'(φ* + θ/2) e*'ᵀK_Tᵀz / (s cos(θ/2)).
//
// What D* can reach is taken out by Y, YᵀD* = 0, and with C = (YᵀQ)⁺, where YᵀQ has full column rank,
//
//   ζ + Σ wᵢ (C Yᵀ K_T e'(φ* + θ/2)) (QᵀK_T e*')ᵀ ζ = 0,   0 ≤ wᵢ = Rᵢ / (sᵢ cos(θᵢ/2)).
//
// Times ζ: (a·ζ)(b·ζ) ≥ −½(|a||b| − a·b)|ζ|², so ζ = 0 if these, with the largest wᵢ, add up to less than one.

#include "solvers/inclusion/all/one_velocity.h"

#include <cmath>
#include <numbers>

#include "solvers/inclusion/all/free_velocities.h"

namespace carom {

namespace {

using Eigen::Vector2d;

constexpr double largest_turn = 1.0;  // of a slip direction from the known one
constexpr double margin = 0.99;       // of one, for rounding

class Slides {
 public:
  Slides(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions, const Vec& xi)
      : problem_(problem), decisions_(decisions), xi_(xi), K_(K) {}

  bool have_one_velocity(const std::vector<SlideBounds>& bounds) {
    const Mat Q = complement_of(held_columns(problem_, K_, decisions_));
    if (Q.cols() == 0) return true;
    const Mat Y = complement_of(impulse_directions());
    if (Y.cols() < Q.cols()) return false;
    const Eigen::ColPivHouseholderQR<Mat> qr(Y.transpose() * Q);
    if (qr.rank() < Q.cols()) return false;
    double sum = 0;
    for (std::size_t s = 0; s < decisions_.size(); ++s) {
      if (decisions_[s].friction != Decision::Friction::arc) continue;
      const double theta = largest_turn_of(s);
      if (!(theta < largest_turn) || !(bounds[s].least_slip > 0)) return false;
      const Vec a = qr.solve(Y.transpose() * across(s));
      const Vec a_turned = qr.solve(Y.transpose() * along(s));
      const Vec b = Q.transpose() * across(s);
      const double least = 0.5 * (a.norm() * b.norm() - a.dot(b)) + std::sin(0.5 * theta) * a_turned.norm() * b.norm();
      sum += bounds[s].largest_impulse / (bounds[s].least_slip * std::cos(0.5 * theta)) * least;
    }
    return sum < margin;
  }

 private:
  Vector2d slip(std::size_t s) const { return xi_.segment(problem_.sites[s].tangent, 2); }
  auto tangents(std::size_t s) const { return K_.middleCols(problem_.sites[s].tangent, problem_.sites[s].tangents); }
  Vec along(std::size_t s) const { return tangents(s) * slip(s).normalized(); }
  Vec across(std::size_t s) const {
    const Vector2d e = slip(s).normalized();
    return tangents(s) * Vector2d(-e(1), e(0));
  }

  // θ: how far the arc reaches from the known direction.
  double largest_turn_of(std::size_t s) const {
    const Decision& decision = decisions_[s];
    const double phi = std::atan2(slip(s)(1), slip(s)(0));
    return 0.5 * decision.width() + std::abs(std::remainder(phi - decision.middle(), 2 * std::numbers::pi));
  }

  // D*.
  Mat impulse_directions() const {
    Mat D = held_columns(problem_, K_, decisions_);
    Index count = 0;
    for (std::size_t s = 0; s < decisions_.size(); ++s) {
      const Decision& decision = decisions_[s];
      if (decision.held) {
        if (decision.friction == Decision::Friction::slip) D.col(count) -= std::cos(decision.begin) * tangents(s);
        if (decision.friction == Decision::Friction::arc) D.col(count) -= along(s);
        ++count;
      }
      if (decision.friction == Decision::Friction::stick) count += problem_.sites[s].tangents;
    }
    return D;
  }

  const UnitFriction& problem_;
  const std::vector<Decision>& decisions_;
  const Vec& xi_;
  const Mat& K_;
};

}  // namespace

bool have_one_velocity(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions, const Vec& xi,
                       const std::vector<SlideBounds>& bounds) {
  return Slides(problem, K, decisions, xi).have_one_velocity(bounds);
}

}  // namespace carom
