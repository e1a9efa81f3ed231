#include "solvers/certificates/friction_cones.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/certificates/copositivity.h"
#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

constexpr int most_cone_steps = 60;
constexpr double aim = 0.02;  // for the least eigenvalue, beside a unit diagonal of the normals
constexpr Index most_cone_rows = 120;

// In units in which every cone is |y_T| ≤ y_N and normals have the form's diagonal 1.
Mat in_round_cones(const Mat& S, const ContactIsland& island) {
  Vec scale = Vec::Ones(S.rows());
  for (const ContactIsland::Cone& cone : island.cones) {
    const double diagonal = S(cone.normal, cone.normal);
    scale(cone.normal) = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1;
    for (Index k = 0; k < cone.tangents; ++k) scale(cone.normal + 1 + k) = cone.friction(k) * scale(cone.normal);
  }
  return scale.asDiagonal() * S * scale.asDiagonal();
}

class Multipliers {
 public:
  explicit Multipliers(const ContactIsland& island)
      : cones_(island.cones), tau_(Mat::Zero(size(island), size(island))) {}

  // Without what the multipliers explain. Off the diagonal ν counts for both of its entries.
  Mat rest(Mat S) const {
    for (std::size_t k = 0; k < cones_.size(); ++k) {
      for (std::size_t l = 0; l <= k; ++l) subtract(k, l, S);
    }
    return S;
  }

  // Towards a least eigenvalue that is greater by `missing`, as far as the slope tells.
  void rise(const Vec& x, double missing) {
    Mat slope = Mat::Zero(tau_.rows(), tau_.cols());
    for (std::size_t k = 0; k < cones_.size(); ++k)
      for (std::size_t l = 0; l <= k; ++l) slope(index(k), index(l)) = -value(k, l, x);
    tau_ = (tau_ + missing / std::max(slope.squaredNorm(), 1e-12) * slope).cwiseMax(0);
  }

 private:
  static Index size(const ContactIsland& island) { return static_cast<Index>(island.cones.size()); }
  static Index index(std::size_t k) { return static_cast<Index>(k); }

  double value(std::size_t k, std::size_t l, const Vec& x) const {
    const double normals = x(cones_[k].normal) * x(cones_[l].normal);
    return k == l ? normals - x.segment(cones_[k].normal + 1, cones_[k].tangents).squaredNorm() : normals;
  }

  void subtract(std::size_t k, std::size_t l, Mat& S) const {
    const double tau = tau_(index(k), index(l));
    const Index row = cones_[k].normal, column = cones_[l].normal;
    if (k != l) {
      S(row, column) -= 0.5 * tau;
      S(column, row) -= 0.5 * tau;
      return;
    }
    S(row, row) -= tau;
    for (Index t = 1; t <= cones_[k].tangents; ++t) S(row + t, row + t) += tau;
  }

  const std::vector<ContactIsland::Cone>& cones_;
  Mat tau_;  // τ on the diagonal, ν below it
};

}  // namespace

std::vector<Eigen::Vector2d> octagon_around(const Eigen::Vector2d& mu) {
  constexpr int corner_count = 8;
  const double reach = 1 / std::cos(std::numbers::pi / corner_count);
  std::vector<Eigen::Vector2d> corners;
  for (int k = 0; k < corner_count; ++k) {
    const double angle = 2 * std::numbers::pi * k / corner_count;
    corners.push_back(reach * Eigen::Vector2d(mu(0) * std::cos(angle), mu(1) * std::sin(angle)));
  }
  return corners;
}

bool nonnegative_by_multipliers(const Mat& S, const ContactIsland& island) {
  if (S.rows() == 0 || S.rows() > most_cone_rows) return false;
  const Mat round = in_round_cones(S, island);
  if (!round.allFinite()) return false;
  Multipliers multipliers(island);
  for (int k = 0; k < most_cone_steps; ++k) {
    const SymmetricEigen eigen = symmetric_eigen(multipliers.rest(round));
    if (eigen.values(0) >= 0) return true;
    multipliers.rise(eigen.vectors.col(0), aim - eigen.values(0));
  }
  return false;
}

bool is_nonnegative_in_short(const Mat& S, const ContactIsland& island) {
  if (is_positive_semidefinite(S)) return true;
  const bool decidable = island.rays_exact && island.rays.cols() <= Copositivity::largest_exact;
  return !decidable && nonnegative_by_multipliers(S, island);
}

}  // namespace carom
