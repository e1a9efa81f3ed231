// The dual of min ½|x|², Eᵀx = b, x ∈ K has no constraints: with P the projection on K, the concave
//
//   θ(y) = b·y − (z·P(z) − ½|P(z)|²),  z = Ey,   ∇θ = b − EᵀP(z)
//
// is greatest where x = P(z) is the answer. ∇θ is piecewise smooth: Newton's method with a line search (Qi & Sun 2006
// for the nearest correlation matrix), a few steps where alternating projections take thousands.

#include "solvers/inclusion/share/nearest_in_cones.h"

#include <algorithm>
#include <cmath>

#include "engine/force_set.h"

namespace carom {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr int most_steps = 100;
constexpr int most_halvings = 30;
constexpr double settled = 1e-15;  // |∇θ|, relative to b
constexpr double damping = 1e-3;   // of Newton's equations, times |∇θ| relative to b; singular where K has no inside
constexpr double least_damping = 1e-14;
constexpr double sufficient = 1e-4;    // part of the increase that the slope promises (Armijo)
constexpr double out_of_reach = 1e14;  // |y| relative to b: there is no point in common

// The nearest point of the cone {x_T ∈ x_N·E}. At given x_N the nearest x_T is a projection on an ellipse; x_N is the
// root of the increasing g(x_N) = x_N − y_N − |μ∘(y_T − x_T)|.
void project_on_cone(const Vector2d& mu, double& y_N, Vector2d& y_T) {
  const double n = y_N;
  const Vector2d t = y_T;
  const double pull = t.cwiseProduct(mu).norm();
  if (n >= 0 && t.cwiseQuotient(mu).norm() <= n) return;
  if (n + pull <= 0) {
    y_N = 0;
    y_T.setZero();
    return;
  }
  if (mu(0) == mu(1)) {
    y_N = (n + pull) / (1 + mu(0) * mu(0));
  } else {
    double low = std::max(0.0, n);
    double high = n + pull;
    for (int i = 0; i < 60 && high > low; ++i) {
      const double middle = 0.5 * (low + high);
      const double g = middle - n - (t - project_on_ellipse(t, mu * middle)).cwiseProduct(mu).norm();
      (g < 0 ? low : high) = middle;
    }
    y_N = 0.5 * (low + high);
  }
  y_T = project_on_ellipse(t, mu * y_N);
}

// P(z) and its derivative.
class Projection {
 public:
  Projection(const Vec& z, const std::vector<ImpulseCone>& cones) : x(z), slope(Mat::Identity(z.size(), z.size())) {
    for (const ImpulseCone& cone : cones) {
      if (cone.tangents == 0) {
        clamp(cone.normal);
      } else {
        project(cone);
      }
    }
  }

  Vec x;
  Mat slope;

 private:
  void clamp(Index row) {
    if (x(row) >= 0) return;
    x(row) = 0;
    slope(row, row) = 0;
  }

  void project(const ImpulseCone& cone) {
    double radius = x(cone.normal) + cone.offset;
    Vector2d z_T = Vector2d::Zero();
    z_T.head(cone.tangents) = x.segment(cone.tangent, cone.tangents);
    Vector2d x_T = z_T;
    if (radius >= 0 && x(cone.normal) >= 0 && z_T.cwiseQuotient(cone.mu).norm() <= radius) return;
    project_on_cone(cone.mu, radius, x_T);
    if (radius <= cone.offset) {  // the cone ends at x_N = 0
      radius = cone.offset;
      x_T = project_on_ellipse(z_T, cone.mu * radius);
      place(cone, 0, x_T);
      set_slope_of_disc(cone, z_T, x_T, radius);
    } else {
      place(cone, radius - cone.offset, x_T);
      set_slope_of_cone(cone, z_T, x_T, radius);
    }
  }

  void place(const ImpulseCone& cone, double x_N, const Vector2d& x_T) {
    x(cone.normal) = x_N;
    x.segment(cone.tangent, cone.tangents) = x_T.head(cone.tangents);
  }

  // The boundary h(x_T) = |x_T/μ| has the normal a = ∇h; x_T + νa = z_T.
  struct Boundary {
    Vector2d a;
    Matrix2d W;  // (1 + ν∇²h)⁻¹
  };
  static Boundary boundary(const Vector2d& mu, const Vector2d& z_T, const Vector2d& x_T, double radius) {
    const Vector2d D = mu.cwiseProduct(mu).cwiseInverse();
    Boundary b;
    b.a = D.cwiseProduct(x_T) / radius;
    const double nu = (z_T - x_T).norm() / b.a.norm();
    const Matrix2d bend = (Matrix2d(D.asDiagonal()) - b.a * b.a.transpose()) / radius;
    b.W = (Matrix2d::Identity() + nu * bend).inverse();
    return b;
  }

  void set_slope_of_disc(const ImpulseCone& cone, const Vector2d& z_T, const Vector2d& x_T, double radius) {
    clear(cone);
    if (!(radius > 0)) return;
    if (z_T.cwiseQuotient(cone.mu).norm() <= radius) {
      set(cone, Matrix2d::Identity());
      return;
    }
    const auto [a, W] = boundary(cone.mu, z_T, x_T, radius);
    const Vector2d Wa = W * a;
    set(cone, W - Wa * Wa.transpose() / a.dot(Wa));
  }

  // The same with a = (−1, ∇h).
  void set_slope_of_cone(const ImpulseCone& cone, const Vector2d& z_T, const Vector2d& x_T, double radius) {
    const auto [a, W] = boundary(cone.mu, z_T, x_T, radius);
    const Vector2d Wa = W * a;
    const double size = 1 + a.dot(Wa);
    clear(cone);
    set(cone, W - Wa * Wa.transpose() / size);
    slope(cone.normal, cone.normal) = 1 - 1 / size;
    for (Index k = 0; k < cone.tangents; ++k)
      slope(cone.normal, cone.tangent + k) = slope(cone.tangent + k, cone.normal) = Wa(k) / size;
  }

  void clear(const ImpulseCone& cone) {
    slope(cone.normal, cone.normal) = 0;
    slope.block(cone.tangent, cone.tangent, cone.tangents, cone.tangents).setZero();
  }
  void set(const ImpulseCone& cone, const Matrix2d& block) {
    slope.block(cone.tangent, cone.tangent, cone.tangents, cone.tangents) =
        block.topLeftCorner(cone.tangents, cone.tangents);
  }
};

}  // namespace

Vec nearest_in_cones(const Vec& x, const std::vector<ImpulseCone>& cones) { return Projection(x, cones).x; }

Vec least_in_cones(const Mat& E, const Vec& b, const std::vector<ImpulseCone>& cones) {
  const auto value = [&](const Vec& y, const Vec& x) { return b.dot(y) - ((E * y).dot(x) - 0.5 * x.squaredNorm()); };
  const double size = b.norm();
  Vec y = b;
  Projection at(E * y, cones);
  Vec best = at.x;
  double least_miss = (b - E.transpose() * at.x).norm();
  for (int step = 0; step < most_steps && least_miss > settled * size; ++step) {
    const Vec gradient = b - E.transpose() * at.x;
    const double miss = gradient.norm();
    Mat H = E.transpose() * at.slope * E;
    H.diagonal().array() += std::max(least_damping, damping * std::min(1.0, miss / size));
    const Vec direction = H.ldlt().solve(gradient);
    if (!direction.allFinite() || !(y.norm() < out_of_reach * size)) break;
    const double before = value(y, at.x);
    const double rise = sufficient * gradient.dot(direction);
    double length = 1;
    for (int halving = 0;; ++halving, length *= 0.5) {
      const Vec next = y + length * direction;
      const Projection there(E * next, cones);
      const double left = (b - E.transpose() * there.x).norm();
      const bool better = left < 0.5 * miss || value(next, there.x) >= before + length * rise;
      if (!better && halving < most_halvings) continue;
      if (!better) return best;
      y = next;
      at = there;
      break;
    }
    const double left = (b - E.transpose() * at.x).norm();
    if (left < least_miss) {
      least_miss = left;
      best = at.x;
    }
  }
  return best;
}

}  // namespace carom
