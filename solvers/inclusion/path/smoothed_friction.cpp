#include "solvers/inclusion/path/smoothed_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "solvers/inclusion/unit_friction.h"

namespace carom {

namespace {

// Finer than the problem is known: creeping is eleven digits below the impact, and so must not turn by rounding,
// neither in one evaluation nor in a matrix.
using Fine = long double;
using FineVec = Eigen::Matrix<Fine, Eigen::Dynamic, 1>;
using FineMat = Eigen::Matrix<Fine, Eigen::Dynamic, Eigen::Dynamic>;

constexpr Fine dependent = 1e-10;  // eigenvalues of G, relative: below, impulses are the unknowns
constexpr Fine zero = 1e-14;       // what rounding leaves of an eigenvalue
constexpr Fine first_width = 10, last_width = 1e-22;
constexpr Fine last_contact_width = 1e-15;  // what opens more slowly does so by the rounding of c
constexpr Fine first_shrinking = 0.3, strongest_shrinking = 1e-3, weakest_shrinking = 0.99;  // of the width, a step
constexpr int most_paths = 6;
constexpr Fine largest_relative_width = 100;  // of slip at one contact
constexpr int few_corrections = 4, most_corrections = 15;
constexpr Fine least_correction = 1e-3;                             // of a Newton step
constexpr Fine corrected = 1e-7;                                    // what may be left of the equations on the way
constexpr Fine xi_rounding = 1e-18;                                 // of ξ, relative, in the arithmetic of the path
constexpr Fine most_rounding = 1e-2;                                // in the equations; then the path is lost
constexpr Fine singular_on_path = 1e-14, singular_in_mode = 1e-11;  // matrices, equilibrated
constexpr Fine first_finish = 1e-2, finish_every = 1e-2;            // widths at which the mode's equations are tried
constexpr Fine known = 1e-15;  // of ξ: to c; what redundant contacts cannot all bring to rest
constexpr int most_refinements = 25;
constexpr double exact = 1e-13;                           // residual from which there is nothing to gain
constexpr Fine units_of_velocity[] = {1, 1e3, 1e6, 1e9};  // in which rest and creep are told apart
constexpr int most_settling = 15;
constexpr Fine singular_in_settling = 1e-18;

// Solves Ax = b after scaling columns and rows to a common size; the least x, so scaled, where A is singular.
FineVec solve_scaled(FineMat A, FineVec b, Fine singular) {
  FineVec column = A.cwiseAbs().colwise().maxCoeff().transpose();
  for (Fine& s : column) s = s > 0 ? 1 / s : 1;
  A = A * column.asDiagonal();
  FineVec row = A.cwiseAbs().rowwise().maxCoeff();
  for (Fine& s : row) s = s > 0 ? 1 / s : 1;
  A = row.asDiagonal() * A;
  b = row.asDiagonal() * b;
  const Eigen::PartialPivLU<FineMat> lu(A);
  const bool has_pivots = lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;  // without one, rcond() is anything
  if (has_pivots && lu.rcond() > singular) return column.asDiagonal() * FineVec(lu.solve(b));
  Eigen::CompleteOrthogonalDecomposition<FineMat> cod;
  cod.setThreshold(singular);
  cod.compute(A);
  return column.asDiagonal() * FineVec(cod.solve(b));
}

// λ and ξ = Gλ + c as functions of the unknowns z, in units of the drive.
class Coordinates {
 public:
  Coordinates(const FineMat& G, const FineVec& c) {
    const Eigen::SelfAdjointEigenSolver<FineMat> eigen(G);
    const FineVec& d = eigen.eigenvalues();
    const FineMat& V = eigen.eigenvectors();
    const FineVec c_V = V.transpose() * c;
    const Fine largest = d(d.size() - 1);
    lambda_0_ = xi_0_ = FineVec::Zero(d.size());
    lambda_z = xi_z = V;
    for (Index i = 0; i < d.size(); ++i) {
      if (d(i) > dependent * largest) {  // z = ξ, λ = (z − c)/d
        lambda_z.col(i) /= d(i);
        lambda_0_ -= c_V(i) * lambda_z.col(i);
      } else {  // z = λ, ξ = dz + c
        xi_z.col(i) *= d(i) > zero * largest ? d(i) : 0;
        xi_0_ += c_V(i) * V.col(i);
      }
    }
  }

  FineVec lambda(const FineVec& z) const { return lambda_z * z + lambda_0_; }
  FineVec xi(const FineVec& z) const { return xi_z * z + xi_0_; }

  FineMat lambda_z, xi_z;  // derivatives

 private:
  FineVec lambda_0_, xi_0_;
};

// What one contact does in a mode. Of an open one only friction with an offset is asked whether it sticks.
struct Contact {
  bool held = false;
  bool sticks = false;
};

class SmoothedFriction {
 public:
  SmoothedFriction(const Inclusion& inclusion, const Demand& demand, UnitFriction problem, double drive)
      : inclusion_(inclusion),
        tolerance_(demand.tolerance),
        problem_(std::move(problem)),
        drive_(drive),
        G_(problem_.G.cast<Fine>()),
        c_(problem_.c.cast<Fine>() / drive),
        at_(G_, c_),
        best_(Attempt::from(inclusion, Vec::Zero(inclusion.c.size()))) {}

  Attempt run() {
    for (int path = 0; path < most_paths && best_.residual > tolerance_; ++path) {
      spread_widths(path);
      width_ = first_width;
      FineVec z = start();
      if (correct(z)) follow(z);
    }
    for (const FineVec& z : ends_) settle(z);
    return best_;
  }

 private:
  Fine offset(const Site& site) const { return site.offset / drive_; }

  // A path may turn back. Another, on which the contacts have widths of their own, need not do so.
  void spread_widths(int path) {
    constexpr Fine golden = 0.6180339887;  // its multiples are spread evenly over (0, 1)
    relative_width_.clear();
    for (std::size_t s = 0; s < problem_.sites.size(); ++s)
      relative_width_.push_back(
          std::pow(largest_relative_width, std::fmod(path * golden * static_cast<Fine>(s + 1), 1)));
  }

  // Contacts push, without friction yet.
  FineVec start() const {
    FineVec pushing = FineVec::Zero(c_.size());
    for (const Site& site : problem_.sites) pushing(site.normal) = std::sqrt(width_);
    return solve_scaled(at_.lambda_z, pushing - at_.lambda(FineVec::Zero(c_.size())), singular_on_path);
  }

  // Smaller and smaller widths, along the tangent and back to the path.
  void follow(FineVec z) {
    Fine shrinking = first_shrinking;
    Fine next_finish = first_finish;
    while (width_ > last_width && shrinking < weakest_shrinking && rounding_at(z) < most_rounding) {
      const Fine before = width_;
      const int iterations = best_.iterations;
      const FineVec tangent = tangent_at(z);
      width_ = std::max(shrinking * before, last_width);
      FineVec moved = z + ((width_ - before) * tangent);
      if (!correct(moved)) {
        width_ = before;
        shrinking = std::sqrt(shrinking);
        continue;
      }
      z = moved;
      if (best_.iterations - iterations <= few_corrections)
        shrinking = std::max(shrinking * shrinking, strongest_shrinking);
      if (width_ > next_finish && width_ > last_width) continue;
      next_finish = finish_every * width_;
      if (finish(z)) return;
    }
    if (!finish(z)) ends_.push_back(z);
  }

  // dz/dw along the path.
  FineVec tangent_at(const FineVec& z) const {
    const FineVec lambda = at_.lambda(z), xi = at_.xi(z);
    FineMat J;
    smoothed(lambda, xi, &J);
    FineVec F_w = FineVec::Zero(lambda.size());
    for (std::size_t s = 0; s < problem_.sites.size(); ++s) {
      const Site& site = problem_.sites[s];
      const Fine difference = lambda(site.normal) - xi(site.normal);
      if (width_ > last_contact_width) F_w(site.normal) = -1 / std::sqrt(difference * difference + 4 * width_);
      if (site.tangents == 0) continue;
      const Fine k = relative_width_[s], speed = xi.segment(site.tangent, site.tangents).norm();
      const Fine a = std::hypot(speed, k * width_);
      F_w(site.tangent) = -(lambda(site.normal) + offset(site)) * k * k * width_ * speed / (a * a * a);
    }
    return -solve_scaled(J, F_w, singular_on_path);
  }

  // What is missing at this width, and its derivatives if they are wanted. Rows that carry no impulse: λ = 0.
  FineVec smoothed(const FineVec& lambda, const FineVec& xi, FineMat* J) const {
    FineVec F = lambda;
    if (J) *J = at_.lambda_z;
    for (std::size_t s = 0; s < problem_.sites.size(); ++s) {
      const Site& site = problem_.sites[s];
      pose_contact(site.normal, lambda, xi, F, J);
      if (site.tangents > 0) pose_slip(site, relative_width_[s] * width_, lambda, xi, F, J);
    }
    return F;
  }

  // ½(λ + ξ − √((λ − ξ)² + 4w)) = 0, which is λξ = w with both positive, without cancellation.
  void pose_contact(Index i, const FineVec& lambda, const FineVec& xi, FineVec& F, FineMat* J) const {
    const Fine w = std::max(width_, last_contact_width);
    const Fine difference = lambda(i) - xi(i), sum = lambda(i) + xi(i);
    const Fine root = std::sqrt(difference * difference + 4 * w);
    F(i) = sum > 0 ? 2 * (lambda(i) * xi(i) - w) / (sum + root) : 0.5 * (sum - root);
    if (!J) return;
    const Fine small = 2 * w / (root * (root + std::abs(difference)));  // ½(1 − |λ − ξ|/root)
    const Fine by_lambda = difference > 0 ? small : 1 - small;
    J->row(i) = by_lambda * at_.lambda_z.row(i) + (1 - by_lambda) * at_.xi_z.row(i);
  }

  // λ_T + Rξ_T/√(|ξ_T|² + w²) = 0, along the slip and across it: slow slip turns easily, and only that.
  void pose_slip(const Site& site, Fine width, const FineVec& lambda, const FineVec& xi, FineVec& F, FineMat* J) const {
    const Index i = site.tangent, n = site.tangents;
    const Fine R = lambda(site.normal) + offset(site);
    const Fine speed = xi.segment(i, n).norm(), a = std::hypot(speed, width);
    const FineMat frame = slip_frame(xi.segment(i, n));
    F.segment(i, n) = frame * lambda.segment(i, n);
    F(i) += R * speed / a;
    if (!J) return;
    const FineMat slip_z = frame * at_.xi_z.middleRows(i, n);
    J->middleRows(i, n) = frame * at_.lambda_z.middleRows(i, n);
    J->row(i) += speed / a * at_.lambda_z.row(site.normal) + R * width * width / (a * a * a) * slip_z.row(0);
    if (n == 2) J->row(i + 1) += R / a * slip_z.row(1);
  }

  // Rows: the direction of slip, and the one across it.
  static FineMat slip_frame(const FineVec& slip) {
    const Fine speed = slip.norm();
    if (speed == 0) return FineMat::Identity(slip.size(), slip.size());
    if (slip.size() == 1) return FineMat::Constant(1, 1, slip(0) / speed);
    return (FineMat(2, 2) << slip(0), slip(1), -slip(1), slip(0)).finished() / speed;
  }

  // Of the friction at this width.
  Fine rounding_at(const FineVec& z) const { return xi_rounding * at_.xi(z).norm() / width_; }

  // Newton's method at one width. False: it does not come back to the path.
  bool correct(FineVec& z) {
    FineMat J;
    FineVec F = smoothed(at_.lambda(z), at_.xi(z), &J);
    for (int k = 0; k < most_corrections; ++k) {
      ++best_.iterations;
      const Fine missing = F.norm();
      if (!std::isfinite(missing)) return false;
      const Fine allowed = std::max(corrected, rounding_at(z));
      const FineVec change = -solve_scaled(J, F, singular_on_path);
      FineVec moved = z + change;
      Fine step = 1;
      while (!(smoothed(at_.lambda(moved), at_.xi(moved), nullptr).norm() < (1 - 1e-4 * step) * missing)) {
        step /= 2;
        if (step < least_correction) return missing <= allowed;
        moved = z + step * change;
      }
      z = moved;
      F = smoothed(at_.lambda(z), at_.xi(z), &J);
      if (F.cwiseAbs().maxCoeff() <= allowed) return true;
    }
    return false;
  }

  // The equations of the mode that the path points to, from there. True: nothing is left to gain.
  bool finish(const FineVec& z) {
    const std::vector<Contact> mode = mode_at(z);
    FineVec lambda = at_.lambda(z);
    offer(lambda);
    // Twice: the first time may go far, where what is nearly singular is better left alone; it counts in the end.
    return refine(mode, singular_in_mode, lambda) || refine(mode, singular_on_path, lambda) ||
           best_.residual <= tolerance_;
  }

  // As long as it comes nearer to the mode's equations; the residual may grow on the way. ξ is computed once and then
  // changed: from one evaluation to the next rounding would turn slow slip about.
  bool refine(const std::vector<Contact>& mode, Fine singular, FineVec& lambda) {
    FineVec xi = G_ * lambda + c_;
    for (std::size_t s = 0; s < mode.size(); ++s) {
      const Site& site = problem_.sites[s];
      auto slip = xi.segment(site.tangent, site.tangents);
      if (mode[s].held && std::abs(xi(site.normal)) < known) xi(site.normal) = 0;
      if (mode[s].sticks && slip.norm() < known) slip.setZero();
    }
    Fine missing = std::numeric_limits<Fine>::infinity();
    for (int k = 0; k < most_refinements; ++k) {
      ++best_.iterations;
      FineMat J;
      const FineVec F = of_mode(mode, lambda, xi, J);
      if (k > 1 && !(F.norm() < 0.5 * missing)) break;
      missing = F.norm();
      const FineVec change = -solve_scaled(J, F, singular);
      lambda += at_.lambda_z * change;
      xi += at_.xi_z * change;
      if (offer(lambda) <= exact) return true;
    }
    return false;
  }

  double offer(const FineVec& lambda) {
    return best_.offer(inclusion_, drive_ * problem_.D.cwiseProduct(lambda.cast<double>()));
  }

  FineVec of_mode(const std::vector<Contact>& mode, const FineVec& lambda, const FineVec& xi, FineMat& J) const {
    FineVec F = lambda;
    J = at_.lambda_z;
    const auto hold = [&](Index row, Index count) {
      F.segment(row, count) = xi.segment(row, count);
      J.middleRows(row, count) = at_.xi_z.middleRows(row, count);
    };
    for (std::size_t s = 0; s < mode.size(); ++s) {
      const Site& site = problem_.sites[s];
      if (mode[s].held) hold(site.normal, 1);
      if (site.tangents == 0 || (!mode[s].held && site.offset == 0)) continue;
      if (mode[s].sticks) {
        hold(site.tangent, site.tangents);
      } else {
        pose_slip(site, 0, lambda, xi, F, &J);
      }
    }
    return F;
  }

  // Where rounding has ended the path before creep and rest part, its mode may be wrong. Newton's method on the natural
  // map λ = P(λ − kξ) changes the mode as it goes; creep so slow that it looks like rest needs a large k.
  void settle(const FineVec& end) {
    for (const Fine k : units_of_velocity) {
      FineVec z = end;
      for (int i = 0; i < most_settling && best_.residual > tolerance_; ++i) {
        ++best_.iterations;
        FineMat J;
        const FineVec F = natural(k, at_.lambda(z), at_.xi(z), J);
        z -= solve_scaled(J, F, singular_in_settling);
        if (!z.allFinite()) break;
        offer(at_.lambda(z));
      }
    }
  }

  // λ − P(λ − kξ), P onto λ_N ≥ 0 and |λ_T| ≤ R, and its derivatives.
  FineVec natural(Fine k, const FineVec& lambda, const FineVec& xi, FineMat& J) const {
    FineVec F = lambda;
    J = at_.lambda_z;
    const auto hold = [&](Index row, Index count) {
      F.segment(row, count) = k * xi.segment(row, count);
      J.middleRows(row, count) = k * at_.xi_z.middleRows(row, count);
    };
    for (const Site& site : problem_.sites) {
      if (lambda(site.normal) > k * xi(site.normal)) hold(site.normal, 1);
      const Index i = site.tangent, n = site.tangents;
      const Fine R = lambda(site.normal) + offset(site);
      if (n == 0 || R <= 0) continue;
      const FineVec x = lambda.segment(i, n) - k * xi.segment(i, n);
      if (x.norm() <= R) {
        hold(i, n);
        continue;
      }
      const FineVec e = x.normalized();
      const FineMat across = FineMat::Identity(n, n) - e * e.transpose();
      F.segment(i, n) -= R * e;
      J.middleRows(i, n) -= e * at_.lambda_z.row(site.normal) +
                            R / x.norm() * across * (at_.lambda_z.middleRows(i, n) - k * at_.xi_z.middleRows(i, n));
    }
    return F;
  }

  // Along the path the velocities of what is held or sticks go with w, and those of what opens or slides stay.
  std::vector<Contact> mode_at(const FineVec& z) const {
    const FineVec lambda = at_.lambda(z), xi = at_.xi(z), xi_log_w = width_ * at_.xi_z * tangent_at(z);
    const auto vanishes = [&](Index row, Index count) {
      return xi_log_w.segment(row, count).dot(xi.segment(row, count)) > 0.5 * xi.segment(row, count).squaredNorm();
    };
    std::vector<Contact> mode;
    for (const Site& site : problem_.sites) {
      const bool held = width_ > last_contact_width ? vanishes(site.normal, 1) : lambda(site.normal) > xi(site.normal);
      mode.push_back({held, vanishes(site.tangent, site.tangents)});
    }
    return mode;
  }

  const Inclusion& inclusion_;
  double tolerance_;
  UnitFriction problem_;
  double drive_;
  FineMat G_;
  FineVec c_;
  Coordinates at_;
  Fine width_ = first_width;
  std::vector<Fine> relative_width_;  // of slip, by sites
  std::vector<FineVec> ends_;         // of the paths, where no mode was found
  Attempt best_;
};

}  // namespace

Attempt solve_by_smoothed_friction(const Inclusion& inclusion, const Demand& demand) {
  UnitFriction problem(inclusion);
  const double drive = problem.c.size() > 0 ? problem.c.cwiseAbs().maxCoeff() : 0;
  if (!(drive > 0) || !std::isfinite(drive)) return Attempt::from(inclusion, Vec::Zero(inclusion.c.size()));
  return SmoothedFriction(inclusion, demand, std::move(problem), drive).run();
}

}  // namespace carom
