// The set of admissible impulses at given ξ is convex:
//
//   GΛ given;   ξ_N > 0: Λ_N = 0, else Λ_N ≥ 0;   ξ_T ≠ 0: Λ_T = −R e(ξ_T), else −Λ_T ∈ R·A
//
// The equations are an affine space, the rest simple cones, one a contact. Where all cones are polyhedral, the point
// nearest to 0 is a problem of least distance, finite (Lawson & Hanson 1974, ch. 23.4). Where a contact with two
// tangents sticks, Newton's method on the dual problem has it (nearest_in_cones).

#include "solvers/inclusion/share/least_impulses.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/share/nearest_in_cones.h"
#include "solvers/inclusion/share/nonnegative_least_squares.h"

namespace carom {

namespace {

constexpr double dependent = 1e-13;   // of G: what is left of a direction that moves nothing
constexpr double at_rest = 1e-9;      // of ξ, relative to what drives the impact; slower slip may still creep
constexpr double negligible = 1e-13;  // impulses, relative to the largest
constexpr double admissible = 1e-10;  // residual
constexpr std::size_t most_corner_candidates = 500;

// Admissible impulses at given ξ, in units in which the metric is Euclidean: Λ = dλ.
class AdmissibleImpulses {
 public:
  AdmissibleImpulses(const Inclusion& inclusion, const Vec& Lambda, double rest) : inclusion_(inclusion) {
    const Vec xi = (*inclusion.G) * Lambda + inclusion.c;
    const Vec speed = inclusion.r.cwiseSqrt().cwiseProduct(inclusion.c);
    rest_ = rest * (speed.size() > 0 ? speed.cwiseAbs().maxCoeff() : 0.0);
    // 1/G, which is what r is but for bilateral constraints: then r knows the masses that these hold.
    d_ = inclusion.r.cwiseSqrt();
    for (Index i = 0; i < d_.size(); ++i)
      if (const double G = (*inclusion.G)(i, i); G > 0) d_(i) = 1 / std::sqrt(G);
    for (const ForceSet& set : inclusion.sets) {
      for (Index k = 0; set.normal_row >= 0 && k < set.size(); ++k) d_(set.row + k) = d_(set.normal_row);
    }
    given_ = Lambda.cwiseQuotient(d_);
    equations_ = d_.asDiagonal() * inclusion.G->dense() * d_.asDiagonal();
    for (const ForceSet& set : inclusion.sets) {
      if (set.shape == ForceSet::Shape::unilateral) {
        add_normal(set, xi);
      } else {
        add_friction(set, xi);
      }
    }
    collect_cones();
    hold_rows_without_a_set();
    find_other_impulses();
  }

  bool unique() const { return free_.cols() == 0; }
  Mat others() const { return d_.asDiagonal() * free_; }

  std::vector<Vec> corners() const {
    std::vector<Vec> found;
    std::vector<std::size_t> active;
    const std::vector<Bound> bounds = linear_bounds();
    if (candidates(bounds.size()) <= most_corner_candidates) add_corners(bounds, 0, active, found);
    return found;
  }

  Vec least() const {
    if (unique()) return d_.cwiseProduct(given_);
    if (free_.cols() == 1 && is_admissible(given_)) return impulses(least_on_line());
    const bool polyhedral =
        std::all_of(stuck_.begin(), stuck_.end(), [](const ForceSet& set) { return set.size() == 1; });
    const std::optional<Vec> nearest = polyhedral ? least_of_polyhedron() : std::nullopt;
    return impulses(nearest ? *nearest : least_of_cones());
  }

 private:
  // a·z + b ≥ 0 on λ = given + free·z.
  struct Bound {
    Vec a;
    double b;
  };

  std::vector<Bound> linear_bounds() const {
    std::vector<Bound> bounds;
    const auto add = [&](const Vec& row, double offset) {
      const Vec a = free_.transpose() * row;
      if (a.norm() > 1e-9) bounds.push_back({a, row.dot(given_) + offset});
    };
    for (Index row : normals_) add(Vec::Unit(given_.size(), row), 0);
    for (const ForceSet& set : stuck_) {
      if (set.size() != 1) continue;
      for (double side : {1.0, -1.0}) {
        Vec row = set.friction(0) * Vec::Unit(given_.size(), set.normal_row);
        row(set.row) = side;
        add(row, set.friction(0) * set.offset / d_(set.normal_row));
      }
    }
    return bounds;
  }

  // How many choices of as many bounds as there is freedom.
  std::size_t candidates(std::size_t bounds) const {
    std::size_t count = 1;
    for (Index k = 0; k < free_.cols() && count <= most_corner_candidates; ++k)
      count = count * (bounds - std::min(bounds, static_cast<std::size_t>(k))) / static_cast<std::size_t>(k + 1);
    return count;
  }

  void add_corners(const std::vector<Bound>& bounds, std::size_t next, std::vector<std::size_t>& active,
                   std::vector<Vec>& found) const {
    if (static_cast<Index>(active.size()) == free_.cols()) {
      if (const auto corner = corner_of(bounds, active)) found.push_back(*corner);
      return;
    }
    for (std::size_t k = next; k < bounds.size(); ++k) {
      active.push_back(k);
      add_corners(bounds, k + 1, active, found);
      active.pop_back();
    }
  }

  std::optional<Vec> corner_of(const std::vector<Bound>& bounds, const std::vector<std::size_t>& active) const {
    Mat A(free_.cols(), free_.cols());
    Vec b(free_.cols());
    for (Index i = 0; i < free_.cols(); ++i) {
      const Bound& bound = bounds[active[static_cast<std::size_t>(i)]];
      A.row(i) = bound.a.transpose() / bound.a.norm();
      b(i) = -bound.b / bound.a.norm();
    }
    const Eigen::PartialPivLU<Mat> lu(A);
    if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 1e-9)) return std::nullopt;  // the bounds meet in more
    const Vec x = given_ + free_ * lu.solve(b);
    const double slack = 1e-11 * (given_.norm() + x.norm());
    if (distance_from_cones(x) > slack) return std::nullopt;
    return impulses(x);
  }

  // What is next to nothing is nothing: a law that returns a share of it would ask for a velocity that is rounding.
  Vec impulses(const Vec& x) const {
    const double least = negligible * x.cwiseAbs().maxCoeff();
    return d_.cwiseProduct(x.unaryExpr([&](double lambda) { return std::abs(lambda) > least ? lambda : 0.0; }));
  }

  // One impulse is free: from the given point, an admissible one, as far as the sets allow towards the least of the
  // line.
  Vec least_on_line() const {
    const Vec target = on_affine_space(Vec::Zero(given_.size()));
    if (is_admissible(target)) return target;
    double inside = 0;
    double outside = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (is_admissible(given_ + middle * (target - given_)) ? inside : outside) = middle;
    }
    return given_ + inside * (target - given_);
  }

  bool is_admissible(const Vec& x) const { return distance_from_cones(x) <= 1e-14 * given_.norm(); }

  // With x = z − z₀, z₀ the least point of the affine space: the least |x| with Ax ≥ h. If u ≥ 0 has the least
  // |Aᵀu|² + (hᵀu − 1)², the residual (−Aᵀu, 1 − hᵀu) is a multiple of (−x, 1). None if the polyhedron is empty.
  std::optional<Vec> least_of_polyhedron() const {
    const std::vector<Bound> bounds = linear_bounds();
    const Vec z0 = -free_.transpose() * given_;
    const Index freedom = free_.cols();
    Mat E(freedom + 1, static_cast<Index>(bounds.size()));
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      const Index column = static_cast<Index>(k);
      E.col(column) << bounds[k].a, -bounds[k].b - bounds[k].a.dot(z0);
    }
    const double size = given_.norm();
    if (size > 0) E.bottomRows(1) /= size;
    const Vec f = Vec::Unit(freedom + 1, freedom);
    const Vec residual = f - E * nonnegative_least_squares(E, f);
    if (!(residual(freedom) > 1e-12)) return std::nullopt;
    return given_ + free_ * (z0 - size * residual.head(freedom) / residual(freedom));
  }

  Vec least_of_cones() const { return on_affine_space(least_in_cones(fixed_, fixed_.transpose() * given_, cones_)); }

  void collect_cones() {
    for (Index row : normals_) cones_.push_back({.normal = row});
    for (const ForceSet& set : stuck_) {
      const auto cone = std::find_if(cones_.begin(), cones_.end(),
                                     [&](const ImpulseCone& other) { return other.normal == set.normal_row; });
      cone->tangent = set.row;
      cone->tangents = set.size();
      cone->mu = set.size() == 2 ? Eigen::Vector2d(set.friction) : Eigen::Vector2d::Constant(set.friction(0));
      cone->offset = std::max(0.0, set.offset) / d_(set.normal_row);
    }
  }

  bool is_open(Index row, const Vec& xi) const { return xi(row) * std::sqrt(inclusion_.r(row)) > rest_; }

  void add_equation(const Vec& row) {
    equations_.conservativeResize(equations_.rows() + 1, Eigen::NoChange);
    equations_.bottomRows(1) = row.transpose();
  }

  void add_normal(const ForceSet& set, const Vec& xi) {
    normals_.push_back(set.row);
    if (is_open(set.row, xi)) add_equation(Vec::Unit(given_.size(), set.row));
  }

  // Λ_T = −R e(ξ_T) where it slides: linear in Λ, with the direction that the given Λ has.
  void add_friction(const ForceSet& set, const Vec& xi) {
    const Eigen::Vector2d speed = rows_of(set, xi);
    if (speed.norm() * std::sqrt(inclusion_.r(set.row)) <= rest_) {
      if (!is_open(set.normal_row, xi) || set.offset > 0) {
        stuck_.push_back(set);
      } else {  // a set of radius 0
        for (Index k = 0; k < set.size(); ++k) add_equation(Vec::Unit(given_.size(), set.row + k));
      }
      return;
    }
    const Eigen::Vector2d pull = set.friction.cwiseProduct(speed);
    const Eigen::Vector2d e = set.friction.cwiseProduct(pull) / pull.norm();
    for (Index k = 0; k < set.size(); ++k) {
      Vec row = Vec::Unit(given_.size(), set.row + k);
      row(set.normal_row) = e(k);
      add_equation(row);
    }
  }

  // Tangents without friction carry no impulse.
  void hold_rows_without_a_set() {
    std::vector<bool> held(static_cast<std::size_t>(given_.size()), true);
    for (const ForceSet& set : inclusion_.sets)
      for (Index k = 0; k < set.size(); ++k) held[static_cast<std::size_t>(set.row + k)] = false;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i]) add_equation(Vec::Unit(given_.size(), static_cast<Index>(i)));
  }

  void find_other_impulses() {
    Eigen::ColPivHouseholderQR<Mat> qr(equations_.cols(), equations_.rows());
    qr.setThreshold(dependent);
    qr.compute(equations_.transpose());
    const Mat Q = qr.householderQ();
    fixed_ = Q.leftCols(qr.rank());
    free_ = Q.rightCols(Q.cols() - qr.rank());
  }

  Vec on_affine_space(const Vec& x) const { return given_ + free_ * (free_.transpose() * (x - given_)); }

  double distance_from_cones(const Vec& x) const { return (x - nearest_in_cones(x, cones_)).norm(); }

  const Inclusion& inclusion_;
  double rest_ = 0;
  Vec d_;
  Vec given_;
  Mat equations_;
  Mat fixed_;  // orthonormal basis of what the equations say
  Mat free_;   // orthonormal basis of what the equations leave open
  std::vector<Index> normals_;
  std::vector<ForceSet> stuck_;
  std::vector<ImpulseCone> cones_;
};

// With the least changes that bring to rest what large impulses left moving by their rounding.
Vec brought_to_rest(const Inclusion& inclusion, const Vec& Lambda) {
  const Vec root = inclusion.r.cwiseSqrt();
  const double rest = at_rest * root.cwiseProduct(inclusion.c).cwiseAbs().maxCoeff();
  Vec left = root.cwiseProduct((*inclusion.G) * Lambda + inclusion.c);
  for (double& speed : left)
    if (std::abs(speed) > rest) speed = 0;
  Eigen::CompleteOrthogonalDecomposition<Mat> solve;
  solve.setThreshold(dependent);
  solve.compute(root.asDiagonal() * inclusion.G->dense() * root.asDiagonal());
  return Lambda - root.cwiseProduct(solve.solve(left));
}

constexpr Index few_rows = 8;
constexpr double regular = 1e-10;  // smallest eigenvalue of G in the units of r, relative to its trace

}  // namespace

// det A = Π λᵢ and the mean of the other n − 1 eigenvalues is at most tr A/(n − 1): λ_min ≥ det A ((n − 1)/tr A)ⁿ⁻¹.
bool velocities_determine_impulses(const Inclusion& inclusion) {
  const Index n = inclusion.c.size();
  if (n > few_rows) return false;
  // Scaled to a diagonal of about one, √r_i G_ij √r_j, G keeps its elimination: the pivots are those of G times r.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, few_rows, few_rows> A(n, n);
  double trace = 0;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) A(i, j) = (*inclusion.G)(i, j);
    trace += A(j, j) * inclusion.r(j);
  }
  double bound = 1;
  for (Index j = 0; j < n; ++j) {  // Gaussian elimination in place: the pivots' product is the determinant
    if (!(A(j, j) > 0)) return false;
    bound *= A(j, j) * inclusion.r(j) * (j > 0 ? static_cast<double>(n - 1) / trace : 1);
    for (Index k = j + 1; k < n; ++k)
      for (Index i = k; i < n; ++i) A(i, k) -= A(i, j) * A(k, j) / A(j, j);
  }
  return bound > regular * trace;
}

LeastImpulses least_impulses(const Inclusion& inclusion, const Vec& Lambda) {
  LeastImpulses answer;
  if (Lambda.size() == 0) return {Lambda, Mat(0, 0), true};
  const AdmissibleImpulses impulses(inclusion, Lambda, at_rest);
  answer.others = impulses.others();
  answer.Lambda = impulses.unique() ? Lambda : impulses.least();
  double residual = natural_residual(inclusion, answer.Lambda);
  const auto miss = [&] { return !impulses.unique() && residual > residual_tolerance; };
  const auto offer = [&](const Vec& other) {
    const double then = natural_residual(inclusion, other);
    if (!(then < residual)) return;
    answer.Lambda = other;
    residual = then;
  };
  // Given impulses that are large against the least ones leave their rounding: once more, from near the answer.
  if (miss()) offer(AdmissibleImpulses(inclusion, polish(inclusion, answer.Lambda), at_rest).least());
  if (miss()) offer(AdmissibleImpulses(inclusion, brought_to_rest(inclusion, answer.Lambda), at_rest).least());
  // Friction that creeps has the direction of its slip, however slow.
  if (miss()) offer(AdmissibleImpulses(inclusion, Lambda, residual_tolerance).least());
  answer.found = residual <= admissible;
  return answer;
}

std::vector<Vec> extreme_impulses(const Inclusion& inclusion, const Vec& least) {
  if (least.size() == 0) return {};
  const AdmissibleImpulses impulses(inclusion, least, at_rest);
  if (impulses.unique()) return {};
  std::vector<Vec> corners = impulses.corners();
  std::erase_if(corners, [&](const Vec& corner) { return !(natural_residual(inclusion, corner) <= admissible); });
  return corners;
}

}  // namespace carom
