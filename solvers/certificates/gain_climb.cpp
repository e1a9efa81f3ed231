#include "solvers/certificates/gain_climb.h"

#include <algorithm>
#include <cmath>

#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

constexpr double climb_difference = 1e-5;  // step of the differences that give J
constexpr double linear = 1e-7;            // |v⁺ − Jv| within a cone, from the rounding of the differences
constexpr double across = 1e-4;            // how far beyond a facet its other side is looked at
constexpr double no_rise = 1e-12;          // of the gain: rounding
constexpr double one_facet = 1e-4;  // second singular value of J − J' relative to the first, if one facet is crossed
constexpr int climb_halvings = 22;  // of a path that leaves its cone
constexpr int most_pieces = 60;     // cones and facets on one climb
constexpr double first_random = 0.05;  // random steps, down to
constexpr double last_random = 1e-8;
constexpr double first_merit = 0.4;  // steps towards a gain
constexpr double last_merit = 1e-4;

Vec unit(const Vec& y) { return y / y.norm(); }

// The directions that stay on all facets that the climb follows.
Mat along(const std::vector<Vec>& facets, Index size) {
  Mat normals = Mat::Zero(size, size);
  for (const Vec& n : facets) normals += n * n.transpose();
  const SymmetricEigen eigen = symmetric_eigen(normals);  // eigenvalues 0 first: the complement
  return eigen.vectors.leftCols((eigen.values.array() < 1e-6).count());
}

class Climb {
 public:
  Climb(GainFunction& law, const Vec& from, int most_trials, double last_unit)
      : law_(law), last_unit_(last_unit), last_trial_(law.tried() + most_trials), y_(unit(from)), gain_(law.gain(y_)) {}

  // From a velocity that loses, to one that gains or to where no step helps.
  void towards_a_gain(int most_steps, std::mt19937_64& engine) {
    std::normal_distribution<double> normal;
    double best = law_.look(y_).merit;
    double step = first_merit;
    for (int k = 0; k < most_steps && affordable() && gain_ <= no_rise && step > last_merit; ++k) {
      Vec next = y_;
      for (double& x : next) x += step * normal(engine);
      const Gain found = law_.look(unit(next));
      const bool better = found.merit > best;
      step = better ? std::min(1.5 * step, first_merit) : 0.87 * step;
      if (!better) continue;
      best = found.merit;
      gain_ = found.gain;
      y_ = unit(next);
    }
  }

  void by_pieces() {
    for (int piece = 0; piece < most_pieces && affordable() && gain_ > -HUGE_VAL; ++piece)
      if (!follow_piece() && !leave_facets()) break;
  }

  // Steps of random direction, longer after a success and shorter after a failure.
  ClimbedPoint by_random_steps(std::mt19937_64& engine) {
    std::normal_distribution<double> normal;
    double step = first_random;
    while (affordable() && step > last_random) {
      Vec next = y_;
      for (double& x : next) x += step * normal(engine);
      step = accept(next) ? std::min(2 * step, first_random) : 0.8 * step;
    }
    return {y_, gain_};
  }

 private:
  bool affordable() const { return law_.tried() < last_trial_ && law_.units() < last_unit_; }

  bool accept(const Vec& candidate) {
    if (!(candidate.norm() > 0)) return false;
    const double gain = law_.gain(unit(candidate));
    if (!(gain > gain_ + no_rise)) return false;
    y_ = unit(candidate);
    gain_ = gain;
    return true;
  }

  // J on the directions Z; none where the law has no answer or is not linear around y.
  std::optional<Mat> linear_map(const Vec& y, const Mat& Z) {
    const std::optional<Vec> here = law_.after(y);
    if (!here) return std::nullopt;
    Mat J(y.size(), Z.cols());
    for (Index k = 0; k < Z.cols(); ++k) {
      const std::optional<Vec> there = law_.after(y + climb_difference * Z.col(k));
      if (!there) return std::nullopt;
      J.col(k) = (*there - *here) / climb_difference;
    }
    if ((J * (Z.transpose() * y) - *here).norm() > 1e2 * linear) return std::nullopt;
    return J;
  }

  // To the best of the cone that y lies in, or of a facet of it; false if that is no higher.
  bool follow_piece() {
    const Mat Z = along(facets_, y_.size());
    if (Z.cols() < 2) return false;
    const std::optional<Mat> J = linear_map(y_, Z);
    if (!J) return false;
    const SymmetricEigen eigen = symmetric_eigen(J->transpose() * *J);
    Vec top = Z * eigen.vectors.col(Z.cols() - 1);
    if (top.dot(y_) < 0) top = -top;
    const auto at = [&](double share) { return unit((1 - share) * y_ + share * top); };
    const auto within = [&](double share) {
      const Vec y = at(share);
      const std::optional<Vec> image = law_.after(y);
      return image && (*image - *J * (Z.transpose() * y)).norm() <= linear * (1 + image->norm());
    };
    if (within(1)) return accept(top);
    double inside = 0, outside = 1;
    for (int k = 0; k < climb_halvings; ++k) {
      const double middle = 0.5 * (inside + outside);
      (within(middle) ? inside : outside) = middle;
    }
    const Vec edge = at(inside);
    const Vec beyond = at(std::min(1.0, outside + across));
    const bool rose = accept(edge);
    if (accept(beyond)) return true;
    return add_facet(edge, beyond, *J * Z.transpose(), Z) || rose;
  }

  // The facet between a cone, whose map is J, and the one beyond; false if it is none, or already followed.
  bool add_facet(const Vec& edge, const Vec& beyond, const Mat& J, const Mat& Z) {
    const std::optional<Mat> other = linear_map(beyond, Z);
    if (!other) return false;
    const Mat jump = J * Z - *other;
    const SymmetricEigen eigen = symmetric_eigen(jump.transpose() * jump);
    const Index last = Z.cols() - 1;
    if (!(eigen.values(last) > 0) ||
        std::sqrt(std::max(0.0, eigen.values(last - 1))) > one_facet * std::sqrt(eigen.values(last)))
      return false;
    const Vec n = Z * eigen.vectors.col(last);
    if (std::abs(n.dot(edge)) > 1e-3) return false;
    facets_.push_back(n);
    const Vec on_facet = unit(edge - n * n.dot(edge));
    const double gain = law_.gain(on_facet);
    if (gain < gain_ - 1e-6 * (1 + std::abs(gain_))) return false;
    y_ = on_facet;
    gain_ = gain;
    return true;
  }

  // At the best of a facet: whether the gain rises off it, to either side.
  bool leave_facets() {
    if (facets_.empty()) return false;
    const std::vector<Vec> followed = std::move(facets_);
    facets_.clear();
    for (const Vec& n : followed) {
      for (double side : {-1.0, 1.0}) {
        for (double step : {1e-2, across}) {
          if (affordable() && accept(y_ + side * step * n)) return true;
        }
      }
    }
    return false;
  }

  GainFunction& law_;
  double last_unit_;
  std::int64_t last_trial_;
  Vec y_;
  double gain_;
  std::vector<Vec> facets_;
};

}  // namespace

Mat reachable_motions(const ImpactProblem& problem) {
  const Index n = problem.u_minus().size();
  if (problem.rows() == 0) return Mat(n, 0);
  Mat W = problem.white_directions();
  for (Index k = 0; k < W.cols(); ++k)
    if (W.col(k).norm() > 0) W.col(k).normalize();
  const SymmetricEigen eigen = symmetric_eigen(W * W.transpose());
  return eigen.vectors.rightCols((eigen.values.array() > 1e-13 * eigen.values(n - 1)).count());
}

GainFunction::GainFunction(const LawChoice& law, const ImpactProblem& problem, const Mat& motions)
    : problem_(problem), motions_(motions), trial_(law, problem) {}

std::optional<Vec> GainFunction::after(const Vec& y) {
  ++tried_;
  const LawOutcome outcome = trial_.outcome(velocity(y), wanted_);
  const ImpactResult* most = nullptr;
  for (const ImpactResult& result : outcome.results)
    if (result.u_plus.allFinite() && (!most || result.T_plus > most->T_plus)) most = &result;
  if (!most) return std::nullopt;
  return direction(most->u_plus);
}

Gain GainFunction::look(const Vec& y) {
  const std::optional<Vec> image = after(y);
  if (!image) return {-HUGE_VAL, -HUGE_VAL};
  const double work = image->squaredNorm() - y.squaredNorm();
  const double jump = (*image - y).squaredNorm();
  return {work / y.squaredNorm(), jump > 1e-20 * y.squaredNorm() ? work / jump : -HUGE_VAL};
}

bool GainFunction::has_several_solutions(const Vec& y) {
  ++tried_;
  return trial_.outcome(velocity(y), Solutions::every).results.size() > 1;
}

ClimbedPoint climb(GainFunction& law, const Vec& from, int most_trials, double last_unit, std::mt19937_64& engine) {
  Climb path(law, from, most_trials, last_unit);
  path.towards_a_gain(most_trials / 4, engine);
  path.by_pieces();
  return path.by_random_steps(engine);
}

}  // namespace carom
