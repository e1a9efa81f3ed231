#include "solvers/certificates/worst_case.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "solvers/certificates/island.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr std::size_t refined_starts = 6;
constexpr double first_step = 0.7;
constexpr double last_step = 1e-7;

// A coefficient of one contact that may vary, and how to set it.
struct Knob {
  std::size_t element;
  CoefficientRanges::Range range;
  void (*set)(Contact&, double);
};

std::vector<Knob> knobs_of(const ImpactProblem& problem, const CoefficientRanges& ranges) {
  std::vector<Knob> knobs;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    if (ranges.restitution) knobs.push_back({i, *ranges.restitution, [](Contact& c, double x) { c.restitution = x; }});
    if (contact->tangent.rows() == 0) continue;
    if (ranges.tangential_restitution)
      knobs.push_back({i, *ranges.tangential_restitution, [](Contact& c, double x) { c.tangential_restitution = x; }});
    if (ranges.friction)
      knobs.push_back({i, *ranges.friction, [](Contact& c, double x) { c.friction.setConstant(x); }});
  }
  return knobs;
}

std::vector<Element> turned(const std::vector<Element>& elements, const std::vector<Knob>& knobs, const Vec& settings) {
  std::vector<Element> result = elements;
  for (std::size_t k = 0; k < knobs.size(); ++k) {
    const auto [low, high] = knobs[k].range;
    const double share = std::clamp(settings(static_cast<Index>(k)), 0.0, 1.0);
    knobs[k].set(std::get<Contact>(result[knobs[k].element].kind), low + share * (high - low));
  }
  return result;
}

// An orthonormal basis, in white coordinates, of the motions that impulses can change.
Mat reachable_motions(const ImpactProblem& problem) {
  if (problem.rows() == 0) return Mat(problem.u_minus().size(), 0);
  Mat W = problem.white_directions();
  for (Index k = 0; k < W.cols(); ++k)
    if (W.col(k).norm() > 0) W.col(k).normalize();
  Eigen::ColPivHouseholderQR<Mat> qr;
  qr.setThreshold(1e-10);
  qr.compute(W);
  return Mat(qr.householderQ()).leftCols(qr.rank());
}

// One point of the search: a direction among the reachable motions, and where the knobs stand.
struct Point {
  Vec direction;
  Vec settings;
  double gain = -HUGE_VAL;
};

class Search {
 public:
  Search(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges)
      : law_(law),
        problem_(problem),
        trial_(law, problem),
        knobs_(knobs_of(problem, ranges)),
        motions_(reachable_motions(problem)),
        engine_(1) {}

  bool possible() const { return motions_.cols() > 0; }
  std::int64_t tried() const { return tried_; }

  double gain(const Point& point) {
    ++tried_;
    const Vec u = problem_.from_white(motions_ * point.direction.normalized());
    if (knobs_.empty()) return trial_.gain(u);
    const std::vector<Element> elements = turned(problem_.elements(), knobs_, point.settings);
    for (const LawComplaint& complaint : check_data(law_, elements, nullptr))
      if (!complaint.warning) return -HUGE_VAL;
    return LawTrial(law_, ImpactProblem::on_manifold(problem_.M(), u, elements)).gain(u);
  }

  Point start_from(const Vec& u) { return {motions_.transpose() * problem_.to_white(u), random_settings(), -HUGE_VAL}; }

  Point random_start() {
    Vec direction(motions_.cols());
    for (double& x : direction) x = normal_(engine_);
    return {direction, random_settings(), -HUGE_VAL};
  }

  // Steps of random direction, longer after a success and shorter after a failure.
  void climb(Point& point, int budget) {
    if (!(point.direction.norm() > 0)) return;
    point.direction.normalize();
    point.gain = gain(point);
    double step = first_step;
    while (budget-- > 0 && step > last_step) {
      Point next = point;
      for (double& x : next.direction) x += step * normal_(engine_);
      for (double& x : next.settings) x = std::clamp(x + step * normal_(engine_), 0.0, 1.0);
      if (next.direction.norm() == 0) continue;
      next.direction.normalize();
      next.gain = gain(next);
      if (next.gain > point.gain) {
        point = next;
        step = std::min(2 * step, first_step);
      } else {
        step *= 0.87;
      }
    }
  }

  WorstCase result(const Point& point) const {
    WorstCase worst;
    worst.tried = tried_;
    worst.gain = point.gain;
    worst.coefficients_varied = !knobs_.empty();
    worst.elements = knobs_.empty() ? problem_.elements() : turned(problem_.elements(), knobs_, point.settings);
    worst.u_minus = with_energy_of(problem_, problem_.from_white(motions_ * point.direction.normalized()));
    return worst;
  }

 private:
  Vec random_settings() {
    Vec settings(static_cast<Index>(knobs_.size()));
    std::uniform_real_distribution<double> share;
    for (double& x : settings) x = share(engine_);
    return settings;
  }

  const LawChoice& law_;
  const ImpactProblem& problem_;
  LawTrial trial_;
  std::vector<Knob> knobs_;
  Mat motions_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::int64_t tried_ = 0;
};

WorstCase searched(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges,
                   const std::vector<Vec>& seeds) {
  Search search(law, problem, ranges);
  if (!search.possible()) return {0, problem.u_minus(), problem.elements(), true, 0};
  // Gains live in narrow cones of velocities: half of the trials look for them everywhere, half climb from the best.
  const int trials = affordable_trials(law, problem);
  if (trials == 0) return {0, problem.u_minus(), problem.elements(), false, 0};
  std::vector<Point> points;
  for (const Vec& seed : seeds) points.push_back(search.start_from(seed));
  points.push_back(search.start_from(problem.u_minus()));
  for (int k = 0; k < trials / 2; ++k) points.push_back(search.random_start());
  for (Point& point : points)
    if (point.direction.norm() > 0) point.gain = search.gain(point);
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.gain > b.gain; });
  points.resize(std::min(points.size(), refined_starts));
  for (Point& point : points) search.climb(point, trials / 2 / static_cast<int>(refined_starts));
  return search.result(
      *std::max_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.gain < b.gain; }));
}

// One of stick, slip left and slip right of a planar contact: Λ = Kγ⁻ where C γ⁻ ≥ 0.
struct PlanarMode {
  Eigen::Matrix2d K, C;
};

std::vector<PlanarMode> planar_modes(const Eigen::Matrix2d& G, const Eigen::Vector2d& epsilon, double mu) {
  std::vector<PlanarMode> modes;
  const Eigen::Matrix2d onward = (Eigen::Vector2d::Ones() + epsilon).asDiagonal();
  const Eigen::Matrix2d stick = -G.inverse() * onward;
  Eigen::Matrix2d inside;
  inside << mu, 1, mu, -1;
  modes.push_back({stick, inside * stick});
  for (double side : {-1.0, 1.0}) {
    const double stiffness = G(0, 0) - side * mu * G(0, 1);
    if (stiffness == 0) continue;
    Eigen::Matrix2d K = Eigen::Matrix2d::Zero();
    K(0, 0) = -onward(0, 0) / stiffness;
    K(1, 0) = -side * mu * K(0, 0);
    Eigen::Matrix2d C;
    C.row(0) = K.row(0);
    C.row(1) = side * (G.row(1) * K + onward.row(1));
    modes.push_back({K, C});
  }
  return modes;
}

struct PlanarWorst {
  double gain = 0;  // no impulse, no gain
  Eigen::Vector2d gamma = Eigen::Vector2d::UnitX();
};

PlanarWorst planar_worst(const Eigen::Matrix2d& G, const Eigen::Vector2d& epsilon, double mu) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(G);
  const Eigen::Matrix2d root = eigen.operatorSqrt();  // γ = G^½ z with T⁻ = ½|z|²
  PlanarWorst worst;
  for (const PlanarMode& mode : planar_modes(G, epsilon, mu)) {
    const Eigen::Matrix2d form = mode.K.transpose() * (2 * Eigen::Matrix2d::Identity() + G * mode.K);
    const Eigen::Matrix2d quotient = root * 0.5 * (form + form.transpose()) * root;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> extremes(quotient);
    const Eigen::Matrix2d edges = mode.C * root;
    std::vector<Eigen::Vector2d> candidates = {extremes.eigenvectors().col(0), extremes.eigenvectors().col(1)};
    for (Index k = 0; k < 2; ++k) candidates.push_back(Eigen::Vector2d(-edges(k, 1), edges(k, 0)).normalized());
    for (const Eigen::Vector2d& candidate : candidates) {
      for (double side : {-1.0, 1.0}) {
        const Eigen::Vector2d z = side * candidate;
        if (!z.allFinite() || ((edges * z).array() < -1e-12 * edges.norm()).any()) continue;
        const double gain = z.dot(quotient * z);
        if (gain > worst.gain) worst = {gain, root * z};
      }
    }
  }
  return worst;
}

struct PlanarContact {
  std::size_t element;
  std::vector<Index> rows;
  Eigen::Matrix2d G;
};

// One planar frictional contact and nothing else.
std::optional<PlanarContact> planar_contact(const ImpactProblem& problem) {
  const ContactIsland all = all_contacts(problem);
  if (all.elements.size() != 1 || all.rows.size() != 2 || all.frictional != 1) return std::nullopt;
  const Eigen::Matrix2d G = all.G;
  const Vec lambda = eigenvalues(unit_diagonal(G));
  if (!(lambda(0) > 1e-12)) return std::nullopt;
  return PlanarContact{all.elements.front(), all.rows, G};
}

// The row of the two tangents that friction acts along.
double friction_of(const Contact& contact) { return contact.friction.maxCoeff(); }

std::optional<WorstCase> exact_newton(const ImpactProblem& problem) {
  const std::optional<PlanarContact> planar = planar_contact(problem);
  if (!planar) return std::nullopt;
  const Contact& contact = *problem.elements()[planar->element].contact();
  const PlanarWorst found =
      planar_worst(planar->G, {contact.restitution, contact.tangential_restitution}, friction_of(contact));
  const std::optional<Vec> u = slowest_velocity(problem, planar->rows, found.gamma);
  if (!u) return std::nullopt;
  return WorstCase{found.gain, with_energy_of(problem, *u), problem.elements(), true, 0};
}

// The same with coefficients to choose: the exact gain on a grid of them, then uphill steps along every coordinate.
std::optional<WorstCase> newton_within(const LawChoice& law, const ImpactProblem& problem,
                                       const CoefficientRanges& ranges) {
  const std::vector<Knob> knobs = knobs_of(problem, ranges);
  const Index n = static_cast<Index>(knobs.size());
  if (n == 0 || n > 3) return std::nullopt;
  std::int64_t tried = 0;
  const auto worst_at = [&](const Vec& settings) -> std::optional<WorstCase> {
    const std::vector<Element> elements = turned(problem.elements(), knobs, settings);
    for (const LawComplaint& complaint : check_data(law, elements, nullptr))
      if (!complaint.warning) return std::nullopt;
    ++tried;
    return exact_newton(ImpactProblem::on_manifold(problem.M(), problem.u_minus(), elements));
  };
  if (!worst_at(Vec::Ones(n))) return std::nullopt;
  std::optional<WorstCase> best;
  Vec at = Vec::Zero(n);
  const auto improve = [&](const Vec& settings) {
    const std::optional<WorstCase> found = worst_at(settings);
    if (!found || (best && found->gain <= best->gain)) return false;
    best = found;
    at = settings;
    return true;
  };
  constexpr int intervals = 8;
  for (int point = 0; point < static_cast<int>(std::pow(intervals + 1, n)); ++point) {
    Vec settings(n);
    for (Index k = 0, rest = point; k < n; ++k, rest /= intervals + 1)
      settings(k) = static_cast<double>(rest % (intervals + 1)) / intervals;
    improve(settings);
  }
  for (double step = 0.5 / intervals; best && step > last_step; step /= 2) {
    for (bool improved = true; improved;) {
      improved = false;
      for (Index k = 0; k < n; ++k) {
        for (double side : {-1.0, 1.0}) {
          Vec settings = at;
          settings(k) = std::clamp(settings(k) + side * step, 0.0, 1.0);
          improved = improve(settings) || improved;
        }
      }
    }
  }
  if (!best) return std::nullopt;
  best->exact = false;
  best->tried = tried;
  best->coefficients_varied = true;
  return best;
}

}  // namespace

WorstCase worst_case(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges,
                     const std::vector<Vec>& seeds) {
  if (law.type == "newton") {
    const std::optional<WorstCase> planar =
        ranges.empty() ? exact_newton(problem) : newton_within(law, problem, ranges);
    if (planar) return *planar;
  }
  return searched(law, problem, ranges, seeds);
}

}  // namespace carom
