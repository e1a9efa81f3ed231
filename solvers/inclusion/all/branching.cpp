#include "solvers/inclusion/all/branching.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "solvers/inclusion/all/branch_cone.h"
#include "solvers/inclusion/all/branch_extent.h"
#include "solvers/inclusion/all/free_velocities.h"
#include "solvers/inclusion/all/narrow_ellipse.h"
#include "solvers/inclusion/all/one_velocity.h"
#include "solvers/inclusion/all/slide_roots.h"

namespace carom {

namespace {

using Eigen::Vector2d;
using Friction = Decision::Friction;

constexpr double narrowest_arc = 1e-8;          // roots within are not told apart
constexpr double finest_arc = 1e-12;            // halved so far where velocities within differ
constexpr double first_arc = 0.37;              // where arcs begin: at no angle that symmetric problems slide at
constexpr double short_arc = 0.1;               // from here on Newton's method is near what it looks for
constexpr double one_velocity = 1e-8;           // relative; closer velocities are one
constexpr double at_rest = 1e-8;                // of slip, relative to what drives the impact
constexpr double dependent = 1e-11;             // rows of G
constexpr double rounded = residual_tolerance;  // of c, relative: what a solution may miss
constexpr double fast_creep = 100;              // of c outside the image of G, relative to slip that counts as rest
constexpr double most_eccentric = 1e8;  // ellipse of friction: beyond, angles do not resolve the slip directions
constexpr int most_unresolved = 50;
constexpr int most_continuations = 30;
constexpr int patience = 1000;        // tests until a continuum is looked for elsewhere
constexpr int coarse = 8, fine = 32;  // corners of a polygon around the friction disc
constexpr int most_work_cuts = 32;    // of impulses that would work, in one test
constexpr int most_cuts = 60;         // rounds of tangents that cut them off
constexpr double on_disc = 1e-10;     // friction that is not cut off, relative to what drives the impact
constexpr double digits = 1e-14;      // and to the impulses themselves

std::vector<Decision> decisions_of(const Site& site) {
  std::vector<Decision> list;
  for (bool held : {true, false}) {
    if (site.tangents == 0 || (!held && site.offset == 0)) {
      list.push_back({held, Friction::none});
      continue;
    }
    list.push_back({held, Friction::stick});
    if (site.tangents == 1) {
      list.push_back({held, Friction::slip, 0, 0});
      list.push_back({held, Friction::slip, std::numbers::pi, std::numbers::pi});
    } else {
      for (int k = 0; k < 4; ++k) {
        const double begin = first_arc + k * std::numbers::pi / 2;
        list.push_back({held, Friction::arc, begin, begin + std::numbers::pi / 2});
      }
    }
  }
  return list;
}

bool has_dependent_rows(const UnitFriction& problem) {
  Eigen::ColPivHouseholderQR<Mat> qr(problem.G.rows(), problem.G.cols());
  qr.setThreshold(dependent);
  return qr.compute(problem.G_in_units_of_r()).rank() < (problem.friction.array() > 0).count();
}

Vec speeds_of(const Inclusion& inclusion) { return inclusion.r.cwiseSqrt().cwiseProduct(inclusion.c); }

// What redundant contacts cannot bring to rest: the part of c in the kernel of G, which ξ keeps whatever Λ is.
double creep_of(const UnitFriction& problem) {
  if (problem.c.size() == 0) return 0;
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(problem.G_in_units_of_r());
  const Vec& values = eigen.eigenvalues();
  const Index kernel = (values.array() <= dependent * values(values.size() - 1)).count();
  return (eigen.eigenvectors().leftCols(kernel).transpose() * problem.c_in_units_of_r()).norm();
}

class BranchAndBound {
 public:
  BranchAndBound(const Inclusion& inclusion, int most_tests, ModeJudge& judge)
      : inclusion_(inclusion),
        problem_(inclusion),
        K_(root_of(problem_)),
        redundant_(has_dependent_rows(problem_)),
        rest_(redundant_ ? at_rest * speeds_of(inclusion).cwiseAbs().maxCoeff() : 0),
        extents_(inclusion, problem_, K_, rest_),
        most_tests_(most_tests),
        judge_(judge),
        drive_(speeds_of(inclusion).norm()) {
    if (!redundant_) return;
    const double creep = creep_of(problem_);
    may_creep_ = creep > rounded * drive_ && creep < fast_creep * rest_;
  }

  BranchingOutcome run() {
    std::vector<std::vector<Decision>> ways;
    ways.reserve(problem_.sites.size());
    for (const Site& site : problem_.sites) ways.push_back(decisions_of(site));
    decide(Branch(problem_.sites.size()), std::move(ways));
    const bool resolves_slip = std::all_of(problem_.sites.begin(), problem_.sites.end(), [](const Site& site) {
      return site.largest_friction <= most_eccentric * site.smallest_friction;
    });
    return {unresolved_ == 0 && resolves_slip && !may_creep_ && !stopped(), continuum_, redundant_, tests_};
  }

 private:
  bool stopped() const { return continuum_ || tests_ >= most_tests_ || unresolved_ >= most_unresolved; }

  bool possible(const Branch& branch, int corners = coarse) {
    if (redundant_ && tests_ > patience && !looked_elsewhere_) {
      looked_elsewhere_ = true;
      continuum_ = judge_.finds_continuum();
    }
    const BranchCone::Test test = BranchCone(problem_, branch, rest_, corners).test(most_work_cuts);
    tests_ += test.programmes;
    return !test.excluded;
  }

  // Decides the site that has the fewest ways left. What was impossible before more was decided still is.
  void decide(Branch branch, std::vector<std::vector<Decision>> ways) {
    if (stopped()) return;
    std::optional<std::size_t> narrowest;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]) continue;
      keep_possible(branch, s, ways[s]);
      if (ways[s].empty()) return;
      if (ways[s].size() == 1) {
        branch[s] = ways[s].front();
      } else if (!narrowest || ways[s].size() < ways[*narrowest].size()) {
        narrowest = s;
      }
    }
    if (!narrowest) return heed_held_rows(std::move(branch));
    for (const Decision& way : ways[*narrowest]) {
      branch[*narrowest] = way;
      decide(branch, ways);
    }
  }

  void keep_possible(Branch branch, std::size_t s, std::vector<Decision>& ways) {
    std::erase_if(ways, [&](const Decision& decision) {
      branch[s] = decision;
      return !possible(branch);
    });
  }

  // Every site is decided.
  void heed_held_rows(Branch branch) {
    if (redundant_) {
      std::vector<Decision> decisions = decided(branch);
      if (!FreeVelocities(problem_, K_, decisions).narrow(decisions, rest_, drive_)) return;
      std::copy(decisions.begin(), decisions.end(), branch.begin());
    }
    narrow(std::move(branch));
  }

  // Narrows arcs, without branching where one half is impossible.
  void narrow(Branch branch) {
    for (bool narrower = true; narrower;) {
      if (stopped()) return;
      if (finish(branch)) return;
      if (!narrow_by_newton(branch, narrower)) return;
      if (!narrower && !narrow_by_halves(branch, narrower)) return;
    }
    split(branch);
  }

  // False: the branch holds nothing.
  bool narrow_by_newton(Branch& branch, bool& narrower) {
    std::vector<Decision> decisions = decided(branch);
    if (!narrow_to_roots(problem_, decisions)) return false;
    narrower = false;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (decisions[s].width() < 0.7 * branch[s]->width()) narrower = true;
      branch[s] = decisions[s];
    }
    return true;
  }

  bool narrow_by_halves(Branch& branch, bool& narrower) {
    narrower = false;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]->friction != Friction::arc || turn(branch, s) < narrowest_arc) continue;
      const Decision whole = *branch[s];
      const double between = ellipse(s).between(whole);
      const bool low = possible_half(branch, s, whole, whole.begin, between);
      const bool high = possible_half(branch, s, whole, between, whole.end);
      if (!low && !high) return false;
      branch[s] = whole;
      if (low && high) continue;
      (low ? branch[s]->end : branch[s]->begin) = between;
      narrower = true;
    }
    return true;
  }

  bool possible_half(Branch& branch, std::size_t s, Decision half, double begin, double end) {
    half.begin = begin;
    half.end = end;
    branch[s] = half;
    return possible(branch);
  }

  // Halves the arc that leaves most open.
  void split(Branch& branch) {
    const std::optional<Extent> extent = may_be_loose(branch) ? extent_around(branch) : std::nullopt;
    if (extent && is_one_known(*extent)) return;
    const std::size_t widest = widest_arc(branch, extent);
    const double width = turn(branch, widest);
    const Decision whole = *branch[widest];
    const double between = ellipse(widest).between(whole);
    const bool finest = width < finest_arc || !(whole.begin < between && between < whole.end);
    if (width < narrowest_arc || finest) {
      judge_.decide(mode_of(branch, {}));
      const Rest rest = settle(branch);
      if (rest == Rest::nothing) return;
      if (rest == Rest::doubt || finest) return void(++unresolved_);
    }
    if (!possible(branch, fine)) return;
    if (redundant_ && holds_one_known(branch)) return;
    if (redundant_ && holds_continuum(branch, width)) {
      continuum_ = true;
      return;
    }
    branch[widest]->end = between;
    narrow(branch);
    branch[widest] = whole;
    branch[widest]->begin = between;
    narrow(branch);
  }

  // By how far friction or slip turns; where the extent of the branch is known, by how much that moves them. A loose
  // contact may turn as it likes.
  std::size_t widest_arc(const Branch& branch, const std::optional<Extent>& extent) const {
    std::size_t widest = 0;
    double most = -1;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]->friction != Friction::arc) continue;
      const double width = turn(branch, s) * (extent ? largest_on(problem_.sites[s], *extent) : 1);
      if (width <= most) continue;
      widest = s;
      most = width;
    }
    return widest;
  }

  // The larger of friction and slip at the corners of an extent.
  double largest_on(const Site& site, const Extent& extent) const {
    double largest = 0;
    for (const Vec& Lambda : extent.corners) {
      const Vec slip = problem_.G.middleRows(site.tangent, 2) * Lambda.cwiseQuotient(problem_.D) +
                       problem_.c.segment(site.tangent, 2);
      largest = std::max({largest, Lambda(site.normal) / problem_.D(site.normal) + site.offset, slip.norm()});
    }
    return largest;
  }

  NarrowEllipse ellipse(std::size_t s) const { return NarrowEllipse(problem_, problem_.sites[s]); }
  double turn(const Branch& branch, std::size_t s) const { return ellipse(s).turn(*branch[s]); }

  static std::vector<Decision> decided(const Branch& branch) {
    std::vector<Decision> decisions;
    decisions.reserve(branch.size());
    for (const auto& decision : branch) decisions.push_back(*decision);
    return decisions;
  }

  // No arcs, or one root in them: nothing is left to search.
  bool finish(const Branch& branch) {
    const std::vector<Decision> decisions = decided(branch);
    const bool slides = std::any_of(decisions.begin(), decisions.end(),
                                    [](const Decision& decision) { return decision.friction == Friction::arc; });
    if (!slides) {
      const ModeAnswer answer = judge_.decide(mode_of(branch, {}));
      if (!answer.decided && settle(branch) != Rest::nothing) ++unresolved_;
      return true;
    }
    const auto angles = only_root(problem_, decisions);
    if (!angles) return false;
    const ModeAnswer answer = judge_.decide(mode_of(branch, *angles));
    if (!answer.decided && !answer.xi) ++unresolved_;
    return true;
  }

  // Whether the branch holds a known solution, and no other velocities.
  bool holds_one_known(const Branch& branch) {
    const std::vector<Decision> decisions = decided(branch);
    std::optional<std::vector<SlideBounds>> bounds;
    for (const Vec& velocities : judge_.known()) {
      const Vec xi = problem_.D.cwiseProduct(velocities);
      if (!agree(decisions, xi)) continue;
      if (!bounds) bounds = slide_bounds(branch);
      if (bounds && have_one_velocity(problem_, K_, decisions, xi, *bounds)) return true;
    }
    return false;
  }

  // A loose contact, which neither pushes nor moves, solves the equations of sliding at every angle: no arc of it is
  // narrow enough for them to have one root.
  bool may_be_loose(const Branch& branch) const {
    const std::vector<Vec> known = judge_.known();
    return std::any_of(known.begin(), known.end(), [&](const Vec& xi) { return rests_on_arc(branch, xi); });
  }

  bool rests_on_arc(const Branch& branch, const Vec& xi) const {
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]->friction != Friction::arc) continue;
      const Index row = problem_.sites[s].tangent;
      const Vec slip = inclusion_.r.segment(row, 2).cwiseSqrt().cwiseProduct(xi.segment(row, 2));
      if (slip.norm() <= one_velocity * drive_) return true;
    }
    return false;
  }

  // Whether velocities are what the decisions say, directions within a neighbouring arc.
  bool agree(const std::vector<Decision>& decisions, const Vec& xi) const {
    for (std::size_t s = 0; s < decisions.size(); ++s) {
      const Decision& decision = decisions[s];
      const Site& site = problem_.sites[s];
      if ((std::abs(xi(site.normal)) <= rest_) != decision.held) return false;
      if (site.tangents == 0 || decision.friction == Friction::none) continue;
      const auto slip = xi.segment(site.tangent, site.tangents);
      if ((slip.norm() <= rest_ * site.smallest_friction) != (decision.friction == Friction::stick)) return false;
      if (decision.friction == Friction::slip && slip(0) * std::cos(decision.begin) < 0) return false;
      if (decision.friction == Friction::arc && slip.dot(on_circle(decision.middle())) < 0) return false;
    }
    return true;
  }

  // From linear programmes over the branch; the slip along the middle of the arc is less than |ξ_T|.
  std::optional<std::vector<SlideBounds>> slide_bounds(const Branch& branch) {
    const BranchCone cone(problem_, branch, rest_, fine);
    std::vector<SlideBounds> bounds(branch.size());
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]->friction != Friction::arc) continue;
      const Site& site = problem_.sites[s];
      const Vector2d e = on_circle(branch[s]->middle());
      const Vec along = problem_.G.middleCols(site.tangent, 2) * e;
      tests_ += 2;
      const auto hardest = cone.farthest(Vec::Unit(problem_.c.size(), site.normal));
      const auto slowest = cone.farthest(-along);
      if (!hardest || !slowest) return std::nullopt;
      bounds[s] = {(*hardest)(site.normal) + site.offset,
                   along.dot(*slowest) + e.dot(problem_.c.segment(site.tangent, 2))};
    }
    return bounds;
  }

  std::optional<Extent> extent_of(const Branch& branch) { return extents_.of(branch, fine, tests_); }
  // Rounding may place a solution beside a narrow arc that it is in, at most by what is not told apart.
  std::optional<Extent> extent_around(const Branch& branch) {
    auto extent = extent_of(branch);
    for (double share : {0.1, 1.0}) {
      if (!extent) extent = extent_of(widened(branch, share * narrowest_arc));
    }
    return extent;
  }

  // Whether solutions go on from the middle of the branch, or lie between two of its corners.
  bool holds_continuum(const Branch& branch, double width) {
    if (width > short_arc || continuations_++ >= most_continuations) return false;
    const auto extent = extent_of(branch);
    if (!extent) return false;
    const Mode mode = mode_of(branch, {});
    return judge_.continues(mode, extent->centre()) || join(mode, extent->corners);
  }

  enum class Rest { nothing, spread, doubt };  // what is left to search of a branch

  // Singular equations: what they leave open of the velocities is a convex set, or nearly so between narrow arcs. Its
  // extent tells whether it is one point.
  Rest settle(const Branch& branch) {
    if (!possible(branch, fine)) return Rest::nothing;
    const auto extent = extent_around(branch);
    if (!extent) return excluded_by_cuts(branch) ? Rest::nothing : Rest::doubt;
    const bool one = is_one(*extent);
    const Mode mode = mode_of(branch, {});
    const bool found = is_known(*extent) || (judge_.solution_near(mode, extent->centre()) && is_known(*extent));
    if (one && found) return Rest::nothing;
    if (!found && excluded_by_cuts(branch)) return Rest::nothing;
    if (one) return Rest::doubt;
    if (join(mode, extent->corners)) {
      continuum_ = true;
      return Rest::nothing;
    }
    return Rest::spread;
  }

  bool is_one(const Extent& extent) const { return extent.size <= one_velocity * drive_; }
  bool is_one_known(const Extent& extent) const { return is_one(extent) && is_known(extent); }

  static Branch widened(Branch branch, double beside) {
    for (auto& decision : branch) {
      if (decision->friction != Friction::arc) continue;
      decision->begin -= beside;
      decision->end += beside;
    }
    return branch;
  }

  // Whether a solution was found with velocities of this extent.
  bool is_known(const Extent& extent) const {
    const Vec xi = (*inclusion_.G) * extent.centre() + inclusion_.c;
    const std::vector<Vec> known = judge_.known();
    return std::any_of(known.begin(), known.end(), [&](const Vec& other) {
      return inclusion_.r.cwiseSqrt().cwiseProduct(xi - other).norm() <= extent.size + one_velocity * drive_;
    });
  }

  // The same test with discs instead of polygons: what a linear programme finds outside of a disc is cut off, until
  // nothing is left or what is left is inside.
  bool excluded_by_cuts(const Branch& branch) {
    Tangents cuts(branch.size());
    for (int round = 0; round < most_cuts; ++round) {
      const BranchCone cone(problem_, branch, rest_, fine, &cuts);
      tests_ += 2;
      if (cone.excludes()) return true;
      const auto lambda = cone.farthest(Vec::Zero(problem_.c.size()));
      if (!lambda || !cut_off(branch, *lambda, cuts)) return false;
    }
    return false;
  }

  bool cut_off(const Branch& branch, const Vec& lambda, Tangents& cuts) const {
    bool any = false;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      const Site& site = problem_.sites[s];
      if (site.tangents != 2 || branch[s]->friction != Friction::stick) continue;
      const Vector2d pull = -lambda.segment(site.tangent, 2);
      const double radius = lambda(site.normal) + site.offset;
      if (pull.norm() <= radius * (1 + digits) + on_disc * drive_) continue;
      cuts[s].push_back(std::atan2(pull(1), pull(0)));
      any = true;
    }
    return any;
  }

  // Whether solutions lie between two at corners.
  bool join(const Mode& mode, const std::vector<Vec>& corners) {
    std::optional<Vec> begin;
    return std::any_of(corners.begin(), corners.end(), [&](const Vec& corner) {
      const auto end = judge_.solution_near(mode, corner);
      if (!begin) begin = end;
      return end && judge_.are_joined(*begin, *end);
    });
  }

  Mode mode_of(const Branch& branch, const std::vector<double>& angles) const {
    Mode mode(inclusion_.sets.size());
    std::size_t arc = 0;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      const Site& site = problem_.sites[s];
      const Decision& decision = *branch[s];
      mode[site.normal_set].kind = decision.held ? Piece::Kind::held : Piece::Kind::free;
      if (decision.friction == Friction::stick) mode[site.friction_set].kind = Piece::Kind::held;
      if (decision.friction == Friction::slip)
        mode[site.friction_set] = {Piece::Kind::slip, decision.begin == 0 ? 1.0 : -1.0, 0};
      if (decision.friction == Friction::arc)
        mode[site.friction_set] = {Piece::Kind::slide, 0, angles.empty() ? decision.middle() : angles[arc++]};
    }
    return mode;
  }

  const Inclusion& inclusion_;
  UnitFriction problem_;
  Mat K_;  // G = KᵀK
  bool redundant_;
  double rest_;
  BranchExtent extents_;
  int most_tests_;
  ModeJudge& judge_;
  double drive_;
  int tests_ = 0;
  int unresolved_ = 0;
  int continuations_ = 0;
  bool may_creep_ = false;  // solutions may slip more slowly than is looked for
  bool looked_elsewhere_ = false;
  bool continuum_ = false;
};

}  // namespace

BranchingOutcome branch(const Inclusion& inclusion, int most_tests, ModeJudge& judge) {
  return BranchAndBound(inclusion, most_tests, judge).run();
}

}  // namespace carom
