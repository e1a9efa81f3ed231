#include "solvers/inclusion/mode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <utility>

#include "solvers/inclusion/rounding.h"

namespace carom {

namespace {

constexpr double singular = 1e-11;  // of the equilibrated matrix of a mode

Eigen::Vector2d ellipse_point(const ForceSet& set, double phi) {
  return {set.friction(0) * std::cos(phi), set.friction(1) * std::sin(phi)};
}

Eigen::Vector2d ellipse_tangent(const ForceSet& set, double phi) {
  return {-set.friction(0) * std::sin(phi), set.friction(1) * std::cos(phi)};
}

// All roots of Σ c_k z^k at once: from each approximation zᵢ the step p(zᵢ)/(c_n Π(zᵢ − zⱼ)) (Weierstrass 1891).
std::vector<std::complex<double>> roots_of(std::span<const std::complex<double>> c) {
  constexpr int most_steps = 200;
  const std::size_t degree = c.size() - 1;
  std::vector<std::complex<double>> z(degree);
  for (std::size_t i = 0; i < degree; ++i)
    z[i] = std::polar(1.0, 2 * std::numbers::pi * (static_cast<double>(i) + 0.23) / static_cast<double>(degree));
  double largest = 1;
  for (int step = 0; step < most_steps && largest > 1e-15; ++step) {
    largest = 0;
    for (std::size_t i = 0; i < degree; ++i) {
      std::complex<double> value = c[degree];
      for (std::size_t k = degree; k-- > 0;) value = value * z[i] + c[k];
      std::complex<double> product = c[degree];
      for (std::size_t j = 0; j < degree; ++j) {
        if (j != i) product *= z[i] - z[j];
      }
      if (product == 0.0) continue;
      z[i] -= value / product;
      largest = std::max(largest, std::abs(value / product));
    }
  }
  return z;
}

// Least-squares, least-norm solution of A x = b after scaling rows and columns to a common size.
Vec solve_equilibrated(const Mat& A, const Vec& b) {
  Vec column = A.cwiseAbs().colwise().maxCoeff().transpose();
  for (double& s : column) s = s > 0 ? 1 / s : 1;
  Mat scaled = A * column.asDiagonal();
  Vec row = scaled.cwiseAbs().rowwise().maxCoeff();
  for (double& s : row) s = s > 0 ? 1 / s : 1;
  scaled = row.asDiagonal() * scaled;
  const Vec rhs = row.asDiagonal() * b;
  const Eigen::PartialPivLU<Mat> lu(scaled);
  if (lu.rcond() > singular) {
    Vec x = lu.solve(rhs);
    x += lu.solve(rhs - scaled * x);  // one step of refinement
    return column.asDiagonal() * x;
  }
  Eigen::CompleteOrthogonalDecomposition<Mat> cod;
  cod.setThreshold(singular);
  cod.compute(scaled);
  return column.asDiagonal() * Vec(cod.solve(rhs));
}

// The unknowns of a mode: the impulses of held rows, and the angles of sliding contacts.
class ModeEquations {
 public:
  ModeEquations(const Inclusion& inclusion, const Mode& mode) : inclusion_(inclusion), mode_(mode) {
    for (std::size_t s = 0; s < mode.size(); ++s) {
      const ForceSet& set = inclusion.sets[s];
      if (mode[s].kind == Piece::Kind::held) {
        for (Index k = 0; k < set.size(); ++k) held_.push_back(set.row + k);
      } else if (mode[s].kind == Piece::Kind::slide) {
        sliding_.push_back(s);
        angles_.push_back(mode[s].angle);
      }
    }
    Lambda_ = Vec::Zero(inclusion.c.size());
    root_ = inclusion.r.cwiseSqrt();
  }

  bool nonlinear() const { return !sliding_.empty(); }
  const Vec& Lambda() const { return Lambda_; }

  void start_from(const Vec& Lambda) {
    Vec held(held_count());
    for (Index i = 0; i < held_count(); ++i) held(i) = Lambda(held_[static_cast<std::size_t>(i)]);
    place(held);
  }

  // With frozen angles the equations of the held rows are linear.
  void solve_held_rows() {
    place(Vec::Zero(held_count()));
    if (held_.empty()) return;
    const Vec xi0 = xi();
    const Mat dLambda = impulse_jacobian().leftCols(held_count());
    const Vec smallest = rounding_by_columns(dLambda);
    Mat A(held_count(), held_count());
    Vec b(held_count());
    for (Index i = 0; i < held_count(); ++i) {
      const Index row = held_[static_cast<std::size_t>(i)];
      A.row(i) = inclusion_.G->row_times(row, dLambda);
      leave_out_rounding(A.row(i), smallest / root_(row));
      b(i) = -xi0(row);
    }
    place(solve_equilibrated(A, b));
  }

  // e'(φ)·ξ of one sliding set at frozen angles, times the determinant of the held rows.
  double tangency_times_determinant(std::size_t set_index) {
    place(Vec::Zero(held_count()));
    double determinant = 1;
    if (!held_.empty()) {
      const Vec xi0 = xi();
      const Mat dxi = inclusion_.G->times(impulse_jacobian().leftCols(held_count()));
      Mat A(held_count(), held_count());
      Vec b(held_count());
      for (Index i = 0; i < held_count(); ++i) {
        const Index row = held_[static_cast<std::size_t>(i)];
        A.row(i) = dxi.row(row) * inclusion_.r(row);
        b(i) = -xi0(row) * inclusion_.r(row);
      }
      const Eigen::PartialPivLU<Mat> lu(A);
      determinant = lu.determinant();
      place(lu.solve(b));
    }
    const ForceSet& set = inclusion_.sets[set_index];
    return determinant * ellipse_tangent(set, mode_[set_index].angle).dot(rows_of(set, xi()));
  }

  // Rank of ξ's held rows against that of all of ξ, as functions of the held impulses.
  bool determines_velocities() const {
    if (held_.empty()) return true;
    Mat dxi = root_.asDiagonal() * velocity_jacobian(impulse_jacobian().leftCols(held_count()));
    for (Index j = 0; j < dxi.cols(); ++j) {
      const double size = dxi.col(j).norm();
      if (size > 0) dxi.col(j) /= size;
    }
    const auto rank = [](const Mat& A) {
      Eigen::ColPivHouseholderQR<Mat> qr(A.rows(), A.cols());
      qr.setThreshold(singular);
      return qr.compute(A).rank();
    };
    const Index held_rank = rank(dxi(held_, Eigen::all));
    return held_rank == held_count() || held_rank == rank(dxi);
  }

  // One Newton step on held rows and angles; returns how far the angles moved.
  double newton_step() {
    if (held_count() + arc_count() == 0) return 0;
    const auto [A, F] = linearised();
    Vec step = solve_equilibrated(A, -F);
    const double turn = nonlinear() ? step.tail(arc_count()).cwiseAbs().maxCoeff() : 0;
    if (turn > 0.7) step *= 0.7 / turn;
    move(step);
    return turn;
  }

  // False if Newton's method on the slide angles does not settle. Near a fold, where two roots are close, rounding
  // turns angles farther than elsewhere: it has settled where steps become no shorter and the equations hold up to
  // rounding.
  bool settle() {
    constexpr double short_turn = 1e-6;
    double last = HUGE_VAL;
    for (int i = 0; i < 60; ++i) {
      const double turn = newton_step();
      if (!std::isfinite(turn)) return false;
      if (turn < 1e-15) return true;
      if (i >= 25 && turn < 1e-12) return true;  // rounding keeps it from smaller steps
      if (turn < short_turn && turn >= last && holds_up_to_rounding()) return true;
      last = turn;
    }
    return false;
  }

  // A small step in the kernel of the equations, the one that changes the velocities most; empty if none does.
  Vec free_step() const {
    constexpr double small = 0.02;  // of angles, and of the largest impulse
    constexpr double changes = 1e-6;
    if (held_count() + arc_count() == 0) return {};  // all is open
    Vec unit = Vec::Constant(held_count() + arc_count(), small);
    for (Index i = 0; i < held_count(); ++i)
      unit(i) *= Lambda_.cwiseQuotient(root_).cwiseAbs().maxCoeff() * root_(held_[static_cast<std::size_t>(i)]);
    Eigen::ColPivHouseholderQR<Mat> equations(unit.size(), unit.size());
    equations.setThreshold(1e-9);
    equations.compute((linearised().A * unit.asDiagonal()).transpose());
    if (equations.rank() == unit.size()) return {};
    const Mat Q = equations.householderQ();
    const Mat kernel = unit.asDiagonal() * Q.rightCols(unit.size() - equations.rank());
    const Mat velocities = root_.asDiagonal() * inclusion_.G->times(impulse_jacobian() * kernel);
    const Eigen::SelfAdjointEigenSolver<Mat> squares(velocities.transpose() * velocities);
    const Index last = kernel.cols() - 1;
    if (!(std::sqrt(squares.eigenvalues()(last)) > changes * root_.cwiseProduct(inclusion_.c).norm())) return {};
    return kernel * squares.eigenvectors().col(last);
  }

  void move(const Vec& step) {
    Vec held(held_count());
    for (Index i = 0; i < held_count(); ++i) held(i) = Lambda_(held_[static_cast<std::size_t>(i)]) + step(i);
    for (std::size_t j = 0; j < sliding_.size(); ++j) angles_[j] += step(held_count() + static_cast<Index>(j));
    place(held);
  }

 private:
  struct Linear {
    Mat A;
    Vec F;
  };

  // The equations F = 0 of held rows and angles, and their derivative A.
  Linear linearised() const {
    const Index k = held_count();
    const Index n = k + arc_count();
    const Vec xi_now = xi();
    const Mat dLambda = impulse_jacobian();
    const Vec smallest = rounding_by_columns(dLambda);
    const Mat dxi = velocity_jacobian(dLambda);
    Linear linear{Mat::Zero(n, n), Vec(n)};
    for (Index i = 0; i < k; ++i) {
      linear.A.row(i) = dxi.row(held_[static_cast<std::size_t>(i)]);
      linear.F(i) = xi_now(held_[static_cast<std::size_t>(i)]);
    }
    for (std::size_t j = 0; j < sliding_.size(); ++j) {
      const ForceSet& set = inclusion_.sets[sliding_[j]];
      const Index i = k + static_cast<Index>(j);
      const Eigen::Vector2d t = ellipse_tangent(set, angles_[j]);
      const Eigen::Vector2d xi_T = rows_of(set, xi_now);
      linear.A.row(i) = t(0) * dxi.row(set.row) + t(1) * dxi.row(set.row + 1);
      leave_out_rounding(linear.A.row(i),
                         (std::abs(t(0)) / root_(set.row) + std::abs(t(1)) / root_(set.row + 1)) * smallest);
      linear.A(i, i) -= ellipse_point(set, angles_[j]).dot(xi_T);  // e'' = −e
      linear.F(i) = t.dot(xi_T);
    }
    return linear;
  }

  bool holds_up_to_rounding() const {
    const double size =
        Lambda_.cwiseQuotient(root_).lpNorm<1>() + root_.cwiseProduct(inclusion_.c).lpNorm<Eigen::Infinity>();
    const Vec smallest = rounding_of_G * size * root_.cwiseInverse();
    const Vec xi_now = xi();
    const bool held =
        std::all_of(held_.begin(), held_.end(), [&](Index row) { return std::abs(xi_now(row)) <= smallest(row); });
    if (!held) return false;
    for (std::size_t j = 0; j < sliding_.size(); ++j) {
      const ForceSet& set = inclusion_.sets[sliding_[j]];
      const Eigen::Vector2d t = ellipse_tangent(set, angles_[j]);
      if (!(std::abs(t.dot(rows_of(set, xi_now))) <= t.cwiseAbs().dot(rows_of(set, smallest)))) return false;
    }
    return true;
  }

  Index held_count() const { return static_cast<Index>(held_.size()); }
  Index arc_count() const { return static_cast<Index>(sliding_.size()); }
  Vec xi() const { return (*inclusion_.G) * Lambda_ + inclusion_.c; }

  double signed_radius(const ForceSet& set) const { return Lambda_(set.normal_row) + set.offset; }

  // Λ from the impulses of the held rows: sets come after the normal row that scales them.
  void place(const Vec& held) {
    for (Index i = 0; i < held_count(); ++i) Lambda_(held_[static_cast<std::size_t>(i)]) = held(i);
    std::size_t j = 0;
    for (std::size_t s = 0; s < mode_.size(); ++s) {
      const ForceSet& set = inclusion_.sets[s];
      if (mode_[s].kind == Piece::Kind::slip) {
        Lambda_(set.row) = -mode_[s].sign * set.friction(0) * signed_radius(set);
      } else if (mode_[s].kind == Piece::Kind::slide) {
        set_rows_of(set, -signed_radius(set) * ellipse_point(set, angles_[j++]), Lambda_);
      }
    }
  }

  // dΛ/d(held impulses, angles).
  Mat impulse_jacobian() const {
    const Index k = held_count();
    Mat J = Mat::Zero(Lambda_.size(), k + static_cast<Index>(sliding_.size()));
    for (Index i = 0; i < k; ++i) J(held_[static_cast<std::size_t>(i)], i) = 1;
    std::size_t j = 0;
    for (std::size_t s = 0; s < mode_.size(); ++s) {
      const ForceSet& set = inclusion_.sets[s];
      if (mode_[s].kind == Piece::Kind::slip) {
        J.row(set.row) = -mode_[s].sign * set.friction(0) * J.row(set.normal_row);
      } else if (mode_[s].kind == Piece::Kind::slide) {
        const Eigen::Vector2d e = ellipse_point(set, angles_[j]);
        const Eigen::Vector2d t = ellipse_tangent(set, angles_[j]);
        for (Index d = 0; d < 2; ++d) {
          J.row(set.row + d) = -e(d) * J.row(set.normal_row);
          J(set.row + d, k + static_cast<Index>(j)) = -t(d) * signed_radius(set);
        }
        ++j;
      }
    }
    return J;
  }

  Mat velocity_jacobian(const Mat& dLambda) const {
    const Vec smallest = rounding_by_columns(dLambda);
    Mat dxi = inclusion_.G->times(dLambda);
    for (Index row = 0; row < dxi.rows(); ++row) leave_out_rounding(dxi.row(row), smallest / root_(row));
    return dxi;
  }

  // Of the velocities that G gives to columns of impulses, in the units of r.
  Vec rounding_by_columns(const Mat& dLambda) const {
    return rounding_of_G * (root_.cwiseInverse().asDiagonal() * dLambda).cwiseAbs().colwise().sum().transpose();
  }

  static void leave_out_rounding(Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> dxi, const Vec& smallest) {
    for (Index j = 0; j < dxi.size(); ++j)
      if (std::abs(dxi(j)) <= smallest(j)) dxi(j) = 0;
  }

  const Inclusion& inclusion_;
  const Mode& mode_;
  Vec root_;  // √r
  std::vector<Index> held_;
  std::vector<std::size_t> sliding_;
  std::vector<double> angles_;
  Vec Lambda_;
};

}  // namespace

std::optional<Vec> solve_mode(const Inclusion& inclusion, const Mode& mode) {
  ModeEquations equations(inclusion, mode);
  equations.solve_held_rows();
  if (equations.nonlinear() && !equations.settle()) return std::nullopt;
  if (!equations.Lambda().allFinite()) return std::nullopt;
  return equations.Lambda();
}

std::optional<Vec> solve_mode_near(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda) {
  ModeEquations equations(inclusion, mode);
  equations.start_from(Lambda);
  if (!equations.settle() || !equations.Lambda().allFinite()) return std::nullopt;
  return equations.Lambda();
}

std::vector<Vec> neighbours(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda) {
  ModeEquations equations(inclusion, mode);
  equations.start_from(Lambda);
  if (!equations.settle()) return {};
  const Vec step = equations.free_step();
  if (step.size() == 0) return {};
  std::vector<Vec> found = {equations.Lambda()};
  for (double side : {1.0, -1.0}) {
    ModeEquations beside = equations;
    beside.move(side * step);
    if (beside.settle()) found.push_back(beside.Lambda());
  }
  return found;
}

bool determines_velocities(const Inclusion& inclusion, const Mode& mode) {
  return ModeEquations(inclusion, mode).determines_velocities();
}

std::vector<double> slide_angles(const Inclusion& inclusion, Mode mode, std::size_t set) {
  // p(φ) = Σ c_k e^{ikφ}, |k| ≤ 2, from samples; its roots are those of Σ c_k z^{k+2} on the unit circle.
  constexpr int samples = 8;
  std::array<std::complex<double>, 5> c{};
  double largest = 0;
  for (int j = 0; j < samples; ++j) {
    mode[set].angle = 2 * std::numbers::pi * (j + 0.31) / samples;
    const double p = ModeEquations(inclusion, mode).tangency_times_determinant(set);
    if (!std::isfinite(p)) return {};
    for (int k = -2; k <= 2; ++k)
      c[static_cast<std::size_t>(k + 2)] += p * std::polar(1.0 / samples, -k * mode[set].angle);
    largest = std::max(largest, std::abs(p));
  }
  std::size_t first = 0;
  std::size_t last = 4;
  while (last > first && std::abs(c[last]) < 1e-13 * largest) {  // c_{-k} = conj(c_k): both ends vanish together
    --last;
    ++first;
  }
  if (largest == 0 || last <= first) return {};
  const std::span<const std::complex<double>> polynomial(c.data() + first, last - first + 1);
  std::vector<double> angles;
  for (const std::complex<double>& z : roots_of(polynomial)) {
    if (std::abs(std::abs(z) - 1) < 1e-3) angles.push_back(std::arg(z));
  }
  return angles;
}

Mode mode_at(const Inclusion& inclusion, const Vec& Lambda) {
  Mode mode;
  find_mode(inclusion, Lambda, mode);
  return mode;
}

void find_mode(const Inclusion& inclusion, const Vec& Lambda, Mode& mode) {
  const auto xi = [&](Index row) { return inclusion.G->row_dot(row, Lambda) + inclusion.c(row); };
  mode.assign(inclusion.sets.size(), {});
  for (std::size_t s = 0; s < mode.size(); ++s) {
    const ForceSet& set = inclusion.sets[s];
    const double r = set.size() == 2 ? std::min(inclusion.r(set.row), inclusion.r(set.row + 1)) : inclusion.r(set.row);
    const Eigen::Vector2d xi_set(xi(set.row), set.size() == 2 ? xi(set.row + 1) : 0);
    const Eigen::Vector2d x = -rows_of(set, Lambda) + r * xi_set;
    if (set.shape == ForceSet::Shape::unilateral) {
      mode[s].kind = x(0) < 0 ? Piece::Kind::held : Piece::Kind::free;
      continue;
    }
    const double radius = set.radius(Lambda);
    if (radius <= 0) continue;  // idle
    if (set.shape == ForceSet::Shape::line) {
      const double bound = set.friction(0) * radius;
      mode[s].kind = std::abs(x(0)) < bound ? Piece::Kind::held : Piece::Kind::slip;
      mode[s].sign = x(0) < 0 ? -1 : 1;
    } else {
      const Eigen::Vector2d unit = x.cwiseQuotient(set.friction * radius);
      mode[s].kind = unit.norm() < 1 ? Piece::Kind::held : Piece::Kind::slide;
      const Eigen::Vector2d p = project(set, x, Lambda).cwiseQuotient(set.friction);
      mode[s].angle = std::atan2(p(1), p(0));
    }
  }
}

Vec polish(const Inclusion& inclusion, Vec Lambda) {
  double best = natural_residual(inclusion, Lambda);
  for (int i = 0; i < 30 && best > 0; ++i) {
    const std::optional<Vec> candidate = solve_mode(inclusion, mode_at(inclusion, Lambda));
    if (!candidate) break;
    const double residual = natural_residual(inclusion, *candidate);
    if (!(residual < best)) break;
    best = residual;
    Lambda = *candidate;
  }
  return Lambda;
}

}  // namespace carom
