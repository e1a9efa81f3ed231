#include "engine/inclusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/admissible_velocity.h"
#include "engine/residual_up_to.h"

namespace carom {

namespace {

constexpr double largest_allowance = 1e-10;  // for rounding, relative to the largest drive

// What drives a row, √r|c|, squared: mostly the square is enough.
double squared_drive(const Inclusion& inclusion, Index row) {
  return inclusion.c(row) * inclusion.c(row) * inclusion.r(row);
}

// Many rows with friction: what follows them from step to step needs no entries of G. Active sets without friction do.
bool has_many_with_friction(const Inclusion& inclusion) {
  return inclusion.G->sparse() && !inclusion.frictionless &&
         std::any_of(inclusion.sets.begin(), inclusion.sets.end(),
                     [](const ForceSet& set) { return set.is_friction(); });
}

// ξ = GΛ + c row by row, and what its sum may have rounded off. Of few nonzeros both are summed at once: of a chain at
// rest every row asks for both.
class ByEntries {
 public:
  ByEntries(const Inclusion& inclusion, const Vec& Lambda) : inclusion_(inclusion), Lambda_(Lambda) {}

  double operator()(Index row) {
    if (!inclusion_.G->sparse()) return inclusion_.G->row_dot(row, Lambda_) + inclusion_.c(row);
    const Delassus::Sum sum = inclusion_.G->row_sum(row, Lambda_);
    size_ = sum.size;
    row_of_size_ = row;
    return sum.value + inclusion_.c(row);
  }
  double known_rounding(Index row) const { return row == row_of_size_ ? rounding_of(row) : 0; }
  double rounding(Index row) {
    if (row != row_of_size_) {
      row_of_size_ = row;
      size_ = inclusion_.G->row_sum(row, Lambda_).size;
    }
    return rounding_of(row);
  }

 private:
  double rounding_of(Index row) const {
    return 2 * std::numeric_limits<double>::epsilon() * (std::abs(inclusion_.c(row)) + size_);
  }

  const Inclusion& inclusion_;
  const Vec& Lambda_;
  double size_ = 0;  // Σ|G_ij Λ_j| of this row
  Index row_of_size_ = -1;
};

// The same as W̃ᵀ(W̃Λ) + c.
class ByDirections {
 public:
  ByDirections(const Inclusion& inclusion, const Vec& Lambda) : inclusion_(inclusion), Lambda_(Lambda) {
    multiply(sums(), [](double x) { return x; });
  }

  double operator()(Index row) const { return inclusion_.G->white_rows().dot(row, sums()) + inclusion_.c(row); }
  double known_rounding(Index) const { return 0; }
  double rounding(Index row) {
    if (!sizes_are_known_) multiply(sizes(), [](double x) { return std::abs(x); });
    sizes_are_known_ = true;
    double sum = std::abs(inclusion_.c(row));
    for (const Rows::Entry& w : inclusion_.G->white_rows()[row]) sum += std::abs(w.value) * sizes()(w.column);
    return 2 * std::numeric_limits<double>::epsilon() * sum;
  }

 private:
  // Kept by each thread: a residual allocates nothing.
  static Vec& sums() {
    thread_local Vec sums;
    return sums;
  }
  static Vec& sizes() {
    thread_local Vec sizes;
    return sizes;
  }
  template <class Term>
  void multiply(Vec& product, Term term) const {
    const Rows& white = inclusion_.G->white_rows();
    product.setZero(inclusion_.G->white_size());
    for (Index j = 0; j < Lambda_.size(); ++j)
      for (const Rows::Entry& w : white[j]) product(w.column) += term(w.value * Lambda_(j));
  }

  const Inclusion& inclusion_;
  const Vec& Lambda_;
  bool sizes_are_known_ = false;
};

// ξ = γ_{k+1} + εγ_k as it is. The velocities of this step and of the one before were summed with impulses like these,
// some of them on either side of the contact.
class ByVelocities {
 public:
  ByVelocities(const Inclusion& inclusion, const Vec& Lambda, const Vec& xi)
      : inclusion_(inclusion), Lambda_(Lambda), xi_(xi) {}

  double operator()(Index row) const { return xi_(row); }
  double known_rounding(Index row) const { return rounding(row); }
  double rounding(Index row) const {
    constexpr double sums = 8;
    return sums * std::numeric_limits<double>::epsilon() *
           (std::abs(inclusion_.c(row)) + std::abs(Lambda_(row)) / inclusion_.r(row));
  }

 private:
  const Inclusion& inclusion_;
  const Vec& Lambda_;
  const Vec& xi_;
};

// One r for both rows of a set: prox is taken in the Euclidean metric of the tangent plane.
double step_of(const Inclusion& inclusion, const ForceSet& set) {
  return set.size() == 2 ? std::min(inclusion.r(set.row), inclusion.r(set.row + 1)) : inclusion.r(set.row);
}

// The largest entry of |Λ + prox_C(−Λ + rξ)| in one set; not a number if one of them is none.
double miss_of_pair(const Eigen::Vector2d& xi, const Vec& Lambda, const ForceSet& set, double r) {
  const Eigen::Vector2d impulse = rows_of(set, Lambda);
  const Eigen::Vector2d miss = impulse + project(set, -impulse + r * xi, Lambda);
  return miss.hasNaN() ? std::numeric_limits<double>::quiet_NaN() : miss.cwiseAbs().maxCoeff();
}

inline double unilateral_miss(double xi, double impulse, double r) {
  const double x = -impulse + r * xi;
  return std::abs(x > 0 ? impulse : impulse + x);
}

inline double miss_of_row(double xi, const Vec& Lambda, const ForceSet& set, double r) {
  const double impulse = Lambda(set.row);
  if (set.shape == ForceSet::Shape::unilateral) return unilateral_miss(xi, impulse, r);
  const double x = -impulse + r * xi;
  if (set.shape == ForceSet::Shape::bilateral) return std::abs(r * xi);
  const double bound = set.friction(0) * set.radius(Lambda);
  return std::abs(impulse + std::clamp(x, -bound, bound));
}

template <class Velocities>
double residual_by(Velocities xi, double limit, const Inclusion& inclusion, const Vec& Lambda) {
  double largest_drive = 0;  // squared, as all that follows from it
  double largest_impulse = 0;
  for (Index i = 0; i < Lambda.size(); ++i) {
    largest_drive = std::max(largest_drive, squared_drive(inclusion, i));
    largest_impulse = std::max(largest_impulse, Lambda(i) * Lambda(i) / inclusion.r(i));
  }
  // Impulses that amplify what drives them count a little, or rounding would fail them; huge ones do not, or
  // they would hide that a contact still approaches.
  const double amplification = largest_drive > 0 ? std::clamp(largest_impulse / largest_drive, 1.0, 100.0) : 1.0;
  const double allowance_of_all = largest_allowance * largest_allowance * largest_drive;  // squared
  double worst = 0;
  ForceSet of_row;  // of inclusions that have one a row
  for (std::size_t k = 0; k < inclusion.sets.size(); ++k) {
    of_row.row = static_cast<Index>(k);
    if (inclusion.unilateral && inclusion.G->sparse()) {
      const Index row = of_row.row;
      const double r = inclusion.r(row), miss = unilateral_miss(xi(row), Lambda(row), r);
      if (miss <= xi.known_rounding(row) * r && miss * miss <= r * allowance_of_all) continue;  // as below
    }
    const ForceSet& set = inclusion.unilateral ? of_row : inclusion.sets[k];
    const bool pair = set.size() == 2;
    const double r = step_of(inclusion, set);
    const double first = xi(set.row);
    const double miss =
        pair ? miss_of_pair({first, xi(set.row + 1)}, Lambda, set, r) : miss_of_row(first, Lambda, set, r);
    if (std::isnan(miss)) return miss;
    // A row deep in a chain sums impulses far larger than its own drive; their rounding is no miss, as long as it
    // is too small to be an approach. Where it is known it is asked first: at rest it answers for every row.
    const double allowed = r * allowance_of_all;
    if (miss <= xi.known_rounding(set.row) * r && miss * miss <= allowed) continue;
    double drive = squared_drive(inclusion, set.row);
    if (pair) drive = std::max(drive, squared_drive(inclusion, set.row + 1));
    const double scale = std::max(drive, 1e-6 * largest_drive) * amplification;
    const double squared_unit = scale > 0 ? scale : largest_impulse;
    if (miss * miss <= worst * worst * squared_unit * r) continue;
    double rounded = xi.rounding(set.row);
    if (pair) rounded = std::max(rounded, xi.rounding(set.row + 1));
    if (miss <= rounded * r && miss * miss <= allowed) continue;
    const double allowance = std::min(rounded * std::sqrt(r), largest_allowance * std::sqrt(largest_drive));
    worst = std::max(worst, (miss / std::sqrt(r) - allowance) / std::sqrt(squared_unit));
    if (worst > limit) return worst;
  }
  return worst;
}

}  // namespace

double natural_residual(const Inclusion& inclusion, const Vec& Lambda) {
  return residual_up_to(std::numeric_limits<double>::infinity(), inclusion, Lambda);
}

double residual_up_to(double limit, const Inclusion& inclusion, const Vec& Lambda) {
  if (has_many_with_friction(inclusion)) return residual_by(ByDirections(inclusion, Lambda), limit, inclusion, Lambda);
  return residual_by(ByEntries(inclusion, Lambda), limit, inclusion, Lambda);
}

double residual_up_to(double limit, const Inclusion& inclusion, const Vec& Lambda, const Vec& xi) {
  return residual_by(ByVelocities(inclusion, Lambda, xi), limit, inclusion, Lambda);
}

void admissible_velocity(const Inclusion& inclusion, const InclusionSolution& solution, Vec& xi) {
  xi = solution.xi;
  for (const ForceSet& set : inclusion.sets) {
    const double r = step_of(inclusion, set);
    const Eigen::Vector2d x = -rows_of(set, solution.Lambda) + r * rows_of(set, solution.xi);
    set_rows_of(set, (x - project(set, x, solution.Lambda)) / r, xi);
  }
}

InclusionSolution with_residual(const Inclusion& inclusion, Vec Lambda) {
  InclusionSolution solution;
  solution.Lambda = std::move(Lambda);
  complete(inclusion, solution);
  return solution;
}

void complete(const Inclusion& inclusion, InclusionSolution& solution) {
  solution.xi = inclusion.c;
  for (Index i = 0; i < solution.xi.size(); ++i) solution.xi(i) += inclusion.G->row_dot(i, solution.Lambda);
  solution.residual = natural_residual(inclusion, solution.Lambda);
}

}  // namespace carom
