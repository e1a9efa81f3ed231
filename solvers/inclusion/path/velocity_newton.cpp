#include "solvers/inclusion/path/velocity_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/tolerant_solver.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/path/central_path.h"
#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/dilated_steps.h"
#include "solvers/inclusion/path/normal_map.h"
#include "solvers/inclusion/path/proximal_newton.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr int first_sweeps = 30;          // cost as much as one Newton step, and mostly settle what the start left open
constexpr int steps_between_cells = 4;    // of Newton's method on the normal map, before its path is followed
constexpr int most_factorisations = 400;  // of proximal steps, from near a solution or the end of a path
constexpr int first_factorisations = 60;  // from the first point of a path; four times as many from each further one
constexpr int last_factorisations = 8000;           // from the best of two paths
constexpr int most_of_search = 40000;               // from each of its starts, before a step fails
constexpr int most_contacts_factored = 20'000'000;  // in each of them: of many contacts fewer are affordable
constexpr double worth_a_search = 100;  // times the tolerance: what is nearer passes in a run, unless it is told not to
constexpr int steps_beyond_tolerance = 3;  // proximal ones that get nowhere, for more than is asked for
constexpr double gets_on = 0.5;            // of the residual before
constexpr double gets_on_at_all = 0.9;
constexpr double first_gap = 1e-7;           // of that point
constexpr double nearly_no_dilation = 1e-3;  // βμ|ξ_T| at the end of the associated path: hardly anything slides
constexpr double clear_dilation = 1e-2;      // something slides where this much stays from one step to the next
constexpr double gap_of_sliding = 1e-2;      // from which that is told
constexpr double stays = 0.9;
constexpr double last_gap = 1e-13;    // of a path: what is left of it is rounding
constexpr int most_path_steps = 200;  // a path that takes more does not get on
// In space: lengths of proximal steps, and how many steps of Newton's method one may take.
constexpr double first_length = 10;
constexpr double longest_in_space = 1e7;  // beyond it digits are lost
constexpr double shortest_in_space = 0.5;
constexpr double swift_growth = 4, slow_growth = 1.5, shrinking = 0.25;
constexpr double last_digits = 1e-9;  // a residual from which short steps are wanted, which keep more digits
constexpr int newton_steps_from_start = 6, newton_steps = 8;
constexpr int sweeps_between = 10;
// Factorisations that bring the residual to no half: where what is reached passes in a run, and where it does not.
constexpr int few_factorisations = 32, many_factorisations = 200;
// Of convex problems in turn with them.
constexpr int most_dilated = 100;
constexpr double first_of_dilated = 1e4, growth_of_dilated = 2, longest_of_dilated = 1e6;
constexpr double much_nearer = 0.1;
constexpr Index most_rows_without_directions = 400;  // their factors are dense
// ρG_NN of proximal steps on the normal map: near a solution, from the end of the central path, and their bounds.
constexpr double step_near = 1e6;
constexpr double step_from_path = 1e3;
constexpr double longest_step = 1e8;
constexpr double shortest_step = 1;

// Of proximal steps: through how many cells a path is followed, and how much longer the next step is.
struct Pace {
  int most_cells;
  double growth;
};
constexpr Pace swiftly = {60, 4};
constexpr Pace patiently = {200, 2};

class VelocityNewton {
 public:
  VelocityNewton(const Inclusion& inclusion, const Demand& demand)
      : inclusion_(inclusion),
        demand_(demand),
        contacts_(inclusion),
        Lambda_(demand.start_of(inclusion)),
        z_(contacts_.stretched(Lambda_)),
        best_(Attempt::from(inclusion, Lambda_)) {}

  Attempt run() {
    sweep(first_sweeps);
    offer();
    if (solved() || contacts_.count() == 0) return best_;
    VelocityMatrix matrix(contacts_);
    approach(matrix);
    return best_;
  }

 private:
  bool solved() const { return best_.residual <= demand_.wanted(); }

  // From where the sweeps led, if that is near a solution. Else planar problems are followed along the path that does
  // not guess who sticks; where one path ends short of a solution another may lead to it, or to another solution. What
  // had impulses in the step before and is not near a solution moves: the path to rest comes late.
  void approach(VelocityMatrix& matrix) {
    if (!is_planar()) return approach_in_space(matrix);
    NormalMap map(contacts_, matrix);
    map.start(z_);
    map.centre(step_near);
    if (best_.residual <= demand_.tolerance || map.newton(steps_between_cells))
      follow_proximal_points(map, step_near, swiftly, most_factorisations);
    if (best_.residual <= demand_.tolerance) return;
    CentralPath path(contacts_, matrix);
    const bool moved = demand_.has_start(inclusion_) && !demand_.start->isZero(0);
    if (!moved && follow_to_rest(path, map)) return;
    const std::vector<Vector3d> warm = contacts_.stretched(best_.Lambda), cold(contacts_.count(), Vector3d::Zero());
    for (const double margin : {1.0, 0.1}) {
      for (const std::vector<Vector3d>* from : {&cold, &warm}) {
        path.start(*from, margin, CentralPath::coulomb);
        follow(path, map);
        if (best_.residual <= demand_.tolerance) return;
      }
      if (moved && margin == 1.0 && follow_to_rest(path, map)) return;
      map.start(contacts_.stretched(best_.Lambda));
      follow_proximal_points(map, step_from_path, swiftly, last_factorisations);
      if (best_.residual <= demand_.tolerance) return;
    }
    search(map);
  }

  // Contacts that touch all at once, as in a lattice that falls, have many solutions and many places where every method
  // above ends beside them. Proximal points wander on from there as long as paths through many cells are followed and
  // steps grow slowly; how far, is a matter of luck, so that several starts are better than one.
  void search(NormalMap& map) {
    const int most = std::min(most_of_search, most_contacts_factored / static_cast<int>(contacts_.count()));
    for (const int sweeps : {first_sweeps, 10 * first_sweeps, 100 * first_sweeps}) {
      if (best_.residual <= worth_a_search * demand_.tolerance) return;
      z_.assign(contacts_.count(), Vector3d::Zero());
      sweep(sweeps);
      map.start(z_);
      follow_proximal_points(map, step_from_path, patiently, most);
    }
  }

  // Where hardly anything slides at the end of the associated path, as in a pile at rest, Coulomb's answer is beside
  // it. Where something does, that shows long before the end.
  bool follow_to_rest(CentralPath& path, NormalMap& map) {
    path.start(std::vector<Vector3d>(contacts_.count(), Vector3d::Zero()), 1.0, CentralPath::associated);
    double last = HUGE_VAL;
    for (int step = 0; step < most_path_steps && path.gap() > first_gap; ++step) {
      if (!path.advance()) return false;
      ++best_.iterations;
      const double dilation = path.largest_dilation();
      if (path.gap() <= gap_of_sliding && dilation > std::max(clear_dilation, stays * last)) return false;
      last = dilation;
    }
    return path.largest_dilation() <= nearly_no_dilation && leave_path(path, map, first_factorisations);
  }

  // From points of the path, since its end is far where contacts hardly decide what they do, and from its end.
  void follow(CentralPath& path, NormalMap& map) {
    double next_gap = first_gap;
    int factorisations = first_factorisations;
    for (int step = 0; step < most_path_steps && path.gap() > last_gap && path.advance(); ++step) {
      ++best_.iterations;
      if (path.gap() > next_gap) continue;
      if (leave_path(path, map, factorisations)) return;
      next_gap = 1e-3 * path.gap();
      factorisations = std::min(4 * factorisations, most_factorisations);
    }
    leave_path(path, map, most_factorisations);
  }

  bool leave_path(const CentralPath& path, NormalMap& map, int factorisations) {
    map.start(path.impulses());
    follow_proximal_points(map, step_from_path, swiftly, factorisations);
    return best_.residual <= demand_.tolerance;
  }

  // Steps as long as there is an answer near the point they start from: where a contact's hold gives way there is none
  // for a long one, and short ones lead on to where it has given way.
  void follow_proximal_points(NormalMap& map, double step, const Pace& pace, int most) {
    const int first = map.factorisations();
    int beyond = 0;
    while (!solved() && map.factorisations() - first < most && beyond < steps_beyond_tolerance) {
      const double last = best_.residual;
      before_ = map.place();
      map.centre(step);
      bool found = map.newton(steps_between_cells);
      if (!found) {
        map.go_to(before_);
        found = map.follow_path(pace.most_cells);
      }
      if (found) {
        z_ = map.impulses();
        offer();
      } else {
        map.go_to(before_);
      }
      step = found ? std::min(pace.growth * step, longest_step) : std::max(0.1 * step, shortest_step);
      beyond = last > demand_.tolerance || best_.residual <= gets_on * last ? 0 : beyond + 1;
    }
    best_.iterations += map.factorisations() - first;
  }

  // The same in space, again from nothing where that does not lead near a solution.
  void approach_in_space(VelocityMatrix& matrix) {
    ProximalNewton newton(contacts_, matrix);
    DilatedSteps dilated(contacts_, matrix);
    lead_on(newton, dilated);
    Attempt nearest = best_;
    for (const int sweeps : {first_sweeps, 10 * first_sweeps, 100 * first_sweeps}) {
      if (nearest.residual <= std::max(coarsest_residual, demand_.tolerance)) break;
      z_.assign(contacts_.count(), Vector3d::Zero());
      sweep(sweeps);
      best_.residual = HUGE_VAL;
      offer();
      lead_on(newton, dilated);
      if (best_.residual < nearest.residual) nearest = best_;
    }
    best_ = std::move(nearest);
    best_.iterations += newton.factorisations() + dilated.factorisations();
  }

  // From near a solution one long step ends there; from afar short ones lead on, each as long as the ones before let it
  // be. Where they end short of one, convex problems lead on to where such steps find it.
  void lead_on(ProximalNewton& newton, DilatedSteps& dilated) {
    if (newton.step(longest_in_space, newton_steps_from_start, z_)) offer();
    follow_proximal_points(newton);
    for (double before = HUGE_VAL; best_.residual > worth_a_search * demand_.tolerance && best_.residual < before;) {
      before = gets_on_at_all * best_.residual;
      follow_dilation(dilated, newton);
      z_ = contacts_.stretched(best_.Lambda);
      follow_proximal_points(newton);
    }
  }

  void follow_proximal_points(ProximalNewton& newton) {
    double length = first_length, least = best_.residual;
    int last_gain = newton.factorisations(), beyond = 0;
    while (!solved() && beyond < steps_beyond_tolerance && newton.factorisations() - last_gain <= most_without_gain()) {
      const double before = best_.residual;
      if (newton.step(length, newton_steps, z_)) {
        const bool is_rounded = offer() > gets_on * before && before <= last_digits;
        const double growth = is_rounded ? shrinking : newton.is_swift() ? swift_growth : slow_growth;
        length = std::clamp(growth * length, first_length, longest_in_space);
      } else if (length > shortest_in_space) {
        length = std::max(shrinking * length, shortest_in_space);
      } else {
        sweep(sweeps_between);
      }
      if (best_.residual <= gets_on * least) {
        least = best_.residual;
        last_gain = newton.factorisations();
      }
      if (before <= demand_.tolerance && best_.residual > gets_on * before) ++beyond;
    }
  }

  // Until a long proximal step from there leads much nearer than the start.
  void follow_dilation(DilatedSteps& dilated, ProximalNewton& newton) {
    const double enough = much_nearer * best_.residual;
    std::vector<Vector3d> z = contacts_.stretched(best_.Lambda);
    dilated.start(z);
    double length = first_of_dilated;
    for (int step = 0; step < most_dilated && best_.residual > demand_.tolerance; ++step) {
      const bool found = dilated.step(length, z);
      length = found ? std::min(growth_of_dilated * length, longest_of_dilated) : shrinking * length;
      z_ = z;
      if (found) offer();
      if (found && newton.step(longest_in_space, newton_steps_from_start, z_) && offer() <= enough) return;
    }
  }

  int most_without_gain() const {
    return best_.residual <= worth_a_search * demand_.tolerance ? few_factorisations : many_factorisations;
  }

  bool is_planar() const {
    for (std::size_t i = 0; i < contacts_.count(); ++i)
      if (contacts_[i].size == 3) return false;
    return true;
  }

  double offer() {
    contacts_.unstretch(z_, Lambda_);
    return best_.offer(inclusion_, Lambda_);
  }

  void sweep(int count) {
    contacts_.velocity(z_, v_);
    contacts_.sweep(count, z_, v_);
  }

  const Inclusion& inclusion_;
  const Demand& demand_;
  ContactDirections contacts_;
  Vec Lambda_, v_;
  std::vector<Vector3d> z_;  // Λ, stretched
  NormalMap::Place before_;
  Attempt best_;
};

// W̃ᵀW̃ = G by its eigenvectors, W̃ᵀ = V√λ. Redundant rows leave eigenvalues that are zero but for rounding.
Delassus with_directions(const Delassus& G) {
  const Eigen::SelfAdjointEigenSolver<Mat> spectrum(G.dense());
  const Vec& lambda = spectrum.eigenvalues();
  const double rounded = 1e-15 * static_cast<double>(G.size()) * lambda.cwiseAbs().maxCoeff();
  const Vec root = (lambda.array() > rounded).select(lambda.cwiseAbs().cwiseSqrt(), 0.0);
  const Mat W_white = spectrum.eigenvectors() * root.asDiagonal();
  Rows W;
  for (Index i = 0; i < G.size(); ++i) W.add_row(W_white.row(i));
  MassMatrix identity = MassMatrix::diagonal(Vec::Ones(G.size()));
  identity.factor();
  Delassus directed;
  directed.rebuild(W, identity);
  return directed;
}

}  // namespace

bool suits_velocity_newton(const Delassus& G) { return G.has_white_rows() || G.size() <= most_rows_without_directions; }

Attempt solve_by_velocity_newton(const Inclusion& inclusion, const Demand& demand) {
  if (inclusion.G->has_white_rows()) return VelocityNewton(inclusion, demand).run();
  const Delassus G = with_directions(*inclusion.G);
  Inclusion directed = inclusion;
  directed.G = &G;
  const Attempt near = VelocityNewton(directed, demand).run();
  Attempt attempt = Attempt::from(inclusion, near.Lambda);
  attempt.iterations = near.iterations;
  if (attempt.residual > demand.tolerance) attempt.offer(inclusion, polish(inclusion, near.Lambda));
  return attempt;
}

}  // namespace carom
