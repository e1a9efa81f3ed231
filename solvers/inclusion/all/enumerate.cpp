// Enumeration: every combination of open and held, stick and slip that may hold a solution, solved and kept if it is
// one. It finds all solutions, so that non-uniqueness and non-existence are reported, not hidden.
//
// Branch and bound leaves few of the combinations. In each the equations are linear, or, where contacts with two
// tangents slide, have been shown to have one root: the list is complete. Solutions are told apart by their velocities:
// where redundant contacts have many impulses for one velocity it is one solution, with the least ones. The list is not
// complete where branch and bound does not come to an end, or where the velocities are a continuum. Then the rest is a
// search (angles from a grid, or everything at random), and the outcome says so.
//
// Contacts that G does not couple are solved apart; every choice of their solutions is a solution.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "solvers/inclusion/all/all.h"
#include "solvers/inclusion/all/all_modes.h"
#include "solvers/inclusion/all/branching.h"
#include "solvers/inclusion/all/existence.h"
#include "solvers/inclusion/islands.h"
#include "solvers/inclusion/kind.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/path/path.h"
#include "solvers/inclusion/share/share.h"

namespace carom {

namespace {

constexpr int most_frictional = 10;  // contacts with friction, elements: larger problems are refused
constexpr int most_elements = 20;
constexpr double most_searches = 1e5;  // combinations with Newton's method on slip directions
// Newton's method from random impulses: where there are more combinations than that, for samples of a continuum of
// solutions, where one solution will do, and to learn whether solutions lie in a continuum.
constexpr int random_searches = 20000;
constexpr int continuum_searches = 1000;
constexpr int single_searches = 2000;
constexpr int continuum_starts = 100;
constexpr int most_tests = 500000;            // of branch and bound, linear programmes; some 20 s for 8 contacts
constexpr std::size_t most_products = 10000;  // of the solutions of uncoupled parts, listed together
constexpr std::size_t most_samples = 100;     // of a continuum of solutions, from which those listed are taken
constexpr std::ptrdiff_t most_compared = 30;  // solutions that a search has found
constexpr double same_velocity = 1e-6;        // relative; solutions farther apart can have others between them
constexpr double no_impulse = 1e-10;          // relative; what rounding leaves of a contact that only just touches

// Starting angles of each sliding contact but one, when so many slide at once.
int grid_angles(int sliding) { return sliding <= 2 ? 24 : sliding == 3 ? 12 : sliding == 4 ? 8 : 4; }

class Enumeration final : public ModeJudge {
 public:
  Enumeration(const Inclusion& inclusion, int tests)
      : inclusion_(inclusion), mode_(inclusion.sets.size()), most_tests_(tests) {}

  void run() { choose(0); }

  // All solutions, if it ends by itself and no mode holds more than one.
  bool branch_and_bound() {
    const BranchingOutcome outcome = branch(inclusion_, most_tests_, *this);
    tried_ += outcome.tests;
    continuum_ = outcome.continuum;
    redundant_ = outcome.redundant;
    return outcome.complete && !blurred_;
  }

  // Redundant contacts have many impulses, not all of them admissible: the least ones are tried too.
  ModeAnswer decide(const Mode& mode) override {
    ++tried_;
    const auto Lambda = solve_mode(inclusion_, mode);
    if (!Lambda) return {};
    const bool determined = determines_velocities(inclusion_, mode);
    if (keep(*Lambda)) return {velocities(*Lambda), determined};
    const LeastImpulses least = least_impulses(inclusion_, *Lambda);
    if (least.others.cols() == 0) return {{}, determined};
    if (least.found && keep(least.Lambda)) return {velocities(least.Lambda), determined};
    return {};
  }

  std::optional<Vec> solution_near(const Mode& mode, const Vec& Lambda) override {
    std::optional<Vec> near = solve_mode_near(inclusion_, mode, Lambda);
    if (!near) return std::nullopt;
    if (keep(*near)) return near;
    const LeastImpulses least = least_impulses(inclusion_, *near);
    if (least.found && keep(least.Lambda)) return least.Lambda;
    return std::nullopt;
  }

  bool are_joined(const Vec& begin, const Vec& end) override {
    const double apart = distance(velocities(begin), velocities(end));
    if (apart <= same_velocity * distance(inclusion_.c, Vec::Zero(inclusion_.c.size()))) return false;
    constexpr std::array<double, 3> way = {0.25, 0.5, 0.75};
    return std::all_of(way.begin(), way.end(), [&](double t) {
      const Vec between = (1 - t) * begin + t * end;
      const auto near = solution_near(mode_at(inclusion_, between), between);
      return near && distance(velocities(*near), velocities(between)) < 0.1 * apart;
    });
  }

  bool continues(const Mode& mode, const Vec& Lambda) override {
    std::vector<InclusionSolution> line;
    for (const Vec& solution : neighbours(inclusion_, mode, Lambda)) {
      if (keep(solution)) line.push_back(with_residual(inclusion_, solution));
    }
    return std::any_of(line.begin(), line.end(),
                       [&](const InclusionSolution& s) { return !have_same_velocities(inclusion_, s, line.front()); });
  }

  bool finds_continuum() override {
    std::mt19937_64 random(2);
    for (int i = 0; i < continuum_starts; ++i) {
      ++tried_;
      const Vec Lambda = polish(inclusion_, random_impulses(random));
      if (!keep(Lambda)) continue;
      // Of all impulses with these velocities the least load most contacts: there is room to either side.
      const LeastImpulses least = least_impulses(inclusion_, Lambda);
      const Vec& shared = least.found ? least.Lambda : Lambda;
      if (continues(mode_at(inclusion_, shared), shared)) return true;
    }
    return false;
  }

  std::vector<Vec> known() const override {
    std::vector<Vec> velocities;
    for (const InclusionSolution& solution : found_) velocities.push_back(solution.xi);
    return velocities;
  }

  // Whether some of the solutions found are joined: a continuum that the search has come upon.
  void compare_found() {
    const std::vector<InclusionSolution> samples(
        found_.begin(), found_.begin() + std::min<std::ptrdiff_t>(std::ssize(found_), most_compared));
    for (std::size_t i = 0; i < samples.size() && !continuum_; ++i) {
      for (std::size_t j = 0; j < i && !continuum_; ++j) continuum_ = are_joined(samples[j].Lambda, samples[i].Lambda);
    }
  }

  // There are solutions with different velocities in one mode.
  bool continuum() const { return continuum_; }
  std::string cause_of_continuum() const {
    const auto normals = std::count_if(inclusion_.sets.begin(), inclusion_.sets.end(),
                                       [](const ForceSet& set) { return set.normal_row < 0; });
    if (!redundant_) return "friction that jams leaves";
    return normals > 1 ? "redundant contacts leave" : "a contact with dependent directions leaves";
  }

  void search_at_random(int count) {
    std::mt19937_64 random(1);
    for (int i = 0; i < count && !(continuum_ && found_.size() >= most_samples); ++i) {
      ++tried_;
      keep(polish(inclusion_, random_impulses(random)));
    }
  }

  // Redundant contacts that open as slowly as rounding count as closed: that they carry nothing is not asked there.
  void try_without_impulses() { keep(Vec::Zero(inclusion_.c.size())); }

  // What branch and bound takes for sticking may creep: the path from smoothed friction finds it.
  void follow_path() {
    InclusionOutcome end;
    solve_by_homotopy(inclusion_, {}, end);
    tried_ += end.iterations;
    if (!end.solutions.empty()) keep(end.solutions.front().Lambda);
    if (end.nearest) keep(end.nearest->Lambda);
  }

  // One solution, near where chance sends Newton's method: mostly much sooner than all are enclosed.
  bool finds_one() {
    std::mt19937_64 random(3);
    for (int i = 0; i < single_searches && found_.empty(); ++i) {
      ++tried_;
      keep(polish(inclusion_, random_impulses(random)));
    }
    return !found_.empty();
  }

  int tried() const { return tried_; }
  std::vector<InclusionSolution> solutions() {
    if (continuum_) thin_samples();
    return std::move(found_);
  }

 private:
  void choose(std::size_t s) {
    if (s == mode_.size()) return solve();
    const ForceSet& set = inclusion_.sets[s];
    const auto with = [&](Piece piece) {
      mode_[s] = piece;
      choose(s + 1);
    };
    if (set.shape == ForceSet::Shape::unilateral) {
      normal_held_ = false;
      with({Piece::Kind::free});
      normal_held_ = true;
      with({Piece::Kind::held});
      return;
    }
    const bool normal_held = normal_held_;
    if (!normal_held && set.offset <= 0) {
      with({Piece::Kind::free});
    } else {
      with({Piece::Kind::held});
      if (set.shape == ForceSet::Shape::line) {
        with({Piece::Kind::slip, 1, 0});
        with({Piece::Kind::slip, -1, 0});
      } else {
        with({Piece::Kind::slide});
      }
    }
    normal_held_ = normal_held;
  }

  void solve() {
    std::vector<std::size_t> sliding;
    for (std::size_t s = 0; s < mode_.size(); ++s) {
      if (mode_[s].kind == Piece::Kind::slide) sliding.push_back(s);
    }
    if (sliding.empty()) {
      try_mode();
    } else {
      search(sliding, 0);
    }
  }

  // Solves the equations of mode_ and keeps what satisfies its inequalities too.
  void try_mode() {
    ++tried_;
    if (const auto Lambda = solve_mode(inclusion_, mode_)) keep(*Lambda);
  }

  // Angles from the grid for all sliding contacts but the last, whose angles are roots.
  void search(const std::vector<std::size_t>& sliding, std::size_t k) {
    if (k + 1 < sliding.size()) {
      const int grid = grid_angles(static_cast<int>(sliding.size()));
      for (int i = 0; i < grid; ++i) {
        mode_[sliding[k]].angle = 2 * std::numbers::pi * (i + 0.37) / grid;
        search(sliding, k + 1);
      }
      return;
    }
    std::vector<double> angles = slide_angles(inclusion_, mode_, sliding[k]);
    if (angles.empty()) {  // redundant contacts: start from a few angles instead
      for (int i = 0; i < 8; ++i) angles.push_back(2 * std::numbers::pi * (i + 0.37) / 8);
    }
    for (double angle : angles) {
      mode_[sliding[k]].angle = angle;
      try_mode();
    }
  }

  Vec random_impulses(std::mt19937_64& random) const {
    Vec Lambda = Vec::Zero(inclusion_.c.size());
    std::normal_distribution<double> normal;
    for (const ForceSet& set : inclusion_.sets) {
      Eigen::Vector2d x(normal(random), normal(random));
      x *= inclusion_.r(set.row) * inclusion_.c.cwiseAbs().maxCoeff();
      set_rows_of(set, -project(set, x, Lambda), Lambda);
    }
    return Lambda;
  }

  double distance(const Vec& xi, const Vec& other) const {
    return inclusion_.r.cwiseSqrt().cwiseProduct(xi - other).norm();
  }
  Vec velocities(const Vec& Lambda) const { return (*inclusion_.G) * Lambda + inclusion_.c; }

  void thin_samples() {
    std::vector<Vec> speeds;
    for (const InclusionSolution& sample : found_) speeds.push_back(inclusion_.r.cwiseSqrt().cwiseProduct(sample.xi));
    std::vector<InclusionSolution> thinned;
    for (std::size_t i : spread(speeds, listed_samples)) thinned.push_back(std::move(found_[i]));
    found_ = std::move(thinned);
  }

  // Of redundant contacts that only just touch, singular equations leave impulses of either sign that are rounding of
  // others: without them the modes are followed again.
  InclusionSolution refined(const Vec& Lambda) const {
    InclusionSolution as_given = with_residual(inclusion_, Lambda);
    if (!(as_given.residual > residual_tolerance && as_given.residual <= accept_residual)) return as_given;
    const double drive = distance(inclusion_.c, Vec::Zero(inclusion_.c.size()));
    Vec lifted = Lambda;
    for (const ForceSet& set : inclusion_.sets) {
      const Index normal = set.normal_row < 0 ? set.row : set.normal_row;
      if (std::abs(Lambda(normal)) <= no_impulse * drive * std::sqrt(inclusion_.r(normal)))
        lifted.segment(set.row, set.size()).setZero();
    }
    InclusionSolution followed = with_residual(inclusion_, polish(inclusion_, std::move(lifted)));
    return followed.residual < as_given.residual ? followed : as_given;
  }

  // False if it is no solution.
  bool keep(const Vec& Lambda) {
    InclusionSolution candidate = refined(Lambda);
    if (!(candidate.residual <= accept_residual)) return false;
    for (InclusionSolution& known : found_) {
      if (!are_one(inclusion_, known, candidate)) continue;
      const bool same = have_same_velocities(inclusion_, known, candidate);
      blurred_ = blurred_ || (!same && std::max(known.residual, candidate.residual) <= exact_residual);
      const bool better = same ? is_better(inclusion_, candidate, known) : candidate.residual < known.residual;
      if (better) known = std::move(candidate);
      return true;
    }
    if (!continuum_ || found_.size() < most_samples) found_.push_back(std::move(candidate));
    return true;
  }

  const Inclusion& inclusion_;
  Mode mode_;
  int most_tests_;
  bool normal_held_ = false;
  int tried_ = 0;
  bool continuum_ = false;
  bool redundant_ = false;
  bool blurred_ = false;  // two solutions may count as one
  std::vector<InclusionSolution> found_;
};

class Enumerate final : public InclusionSolver {
 public:
  explicit Enumerate(int tests) : most_tests_(tests) {}

  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    if (!solve_all_modes(inclusion, demand, outcome)) outcome = solve_parts(inclusion, demand.every);
  }

 private:
  // To rounding, whatever the tolerance is: solutions are told apart by their velocities.
  InclusionOutcome solve_parts(const Inclusion& inclusion, bool every) const {
    InclusionOutcome outcome;
    outcome.solver = "enumerate";
    outcome.exhaustive = true;
    std::vector<Vec> products = {Vec::Zero(inclusion.c.size())};
    for (const Island& island : islands(inclusion)) {
      Delassus G;
      const Inclusion part = restricted(inclusion, island, G);
      InclusionOutcome solved = solve_part(part, every);
      outcome.iterations += solved.iterations;
      if (solved.status != InclusionOutcome::Status::solved) {
        solved.iterations = outcome.iterations;
        if (part.c.size() < inclusion.c.size()) solved.nearest.reset();
        return solved;
      }
      outcome.exhaustive = outcome.exhaustive && solved.exhaustive;
      if (!solved.note.empty()) outcome.note = solved.note;
      outcome.samples = outcome.samples || solved.samples;
      products = multiply(products, island, solved.solutions, outcome.exhaustive);
    }
    for (Vec& Lambda : products) outcome.solutions.push_back(with_residual(inclusion, std::move(Lambda)));
    outcome.status = InclusionOutcome::Status::solved;
    if (!outcome.exhaustive && outcome.note.empty())
      outcome.note = "there are too many combinations of the uncoupled contacts' solutions to list them all";
    return outcome;
  }

  static std::vector<Vec> multiply(const std::vector<Vec>& products, const Island& island,
                                   const std::vector<InclusionSolution>& solutions, bool& exhaustive) {
    std::vector<Vec> longer;
    for (const Vec& product : products) {
      for (const InclusionSolution& solution : solutions) {
        if (longer.size() == most_products) {
          exhaustive = false;
          return longer;
        }
        longer.push_back(product);
        longer.back()(island.rows) = solution.Lambda;
      }
    }
    return longer;
  }

  InclusionOutcome solve_part(const Inclusion& inclusion, bool every) const {
    InclusionOutcome outcome;
    outcome.solver = "enumerate";
    const auto frictional = std::count_if(inclusion.sets.begin(), inclusion.sets.end(),
                                          [](const ForceSet& set) { return set.normal_row >= 0; });
    if (frictional > most_frictional || static_cast<int>(inclusion.sets.size()) - frictional > most_elements) {
      outcome.status = InclusionOutcome::Status::unsuited;
      outcome.reason = "enumerate takes up to " + std::to_string(most_frictional) +
                       " coupled contacts with friction (or " + std::to_string(most_elements) +
                       " elements without); use lemke or gauss-seidel";
      return outcome;
    }
    if (inclusion.c.isZero(0)) {
      // At rest: Λᵢξᵢ ≤ 0 for every set, so that ΛᵀGΛ = Λᵀξ ≤ 0 leaves no velocity but ξ = 0.
      outcome.status = InclusionOutcome::Status::solved;
      outcome.exhaustive = true;
      outcome.solutions = {with_residual(inclusion, Vec::Zero(inclusion.c.size()))};
      return outcome;
    }
    Enumeration enumeration(inclusion, most_tests_);
    enumeration.try_without_impulses();
    if (!kind_of(inclusion).planar) enumeration.follow_path();
    const bool one_will_do = !every && enumeration.finds_one();
    outcome.exhaustive = !one_will_do && enumeration.branch_and_bound();
    if (!outcome.exhaustive && !one_will_do) {
      if (enumeration.continuum()) {
        enumeration.search_at_random(continuum_searches);
      } else if (combinations(inclusion) > std::min<double>(most_searches, most_tests_)) {
        enumeration.search_at_random(std::min(random_searches, most_tests_));
        enumeration.compare_found();
      } else {
        enumeration.run();
        enumeration.compare_found();
      }
      outcome.samples = enumeration.continuum();
      outcome.note = outcome.samples ? enumeration.cause_of_continuum() + " " + samples_of_continuum
                                     : "some solutions were searched for, not enclosed: there may be more";
    }
    outcome.iterations = enumeration.tried();
    outcome.solutions = enumeration.solutions();
    if (!outcome.solutions.empty()) {
      outcome.status = InclusionOutcome::Status::solved;
      leave_out_inexact(residual_tolerance, outcome);
    } else if (outcome.exhaustive) {
      report_none(inclusion, outcome);
    } else {
      outcome.status = InclusionOutcome::Status::unsolved;
      outcome.reason = "no solution found by enumeration, which had to search and may have missed one";
    }
    return outcome;
  }

  int most_tests_;
};

}  // namespace

std::unique_ptr<InclusionSolver> make_enumeration(int tests) { return std::make_unique<Enumerate>(tests); }

void enumerate(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  Enumerate(most_tests).solve_into(inclusion, demand, outcome);
}

void solve_one_element(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  const std::vector<ForceSet>& sets = inclusion.sets;
  const bool single = sets.size() == 1 || (sets.size() == 2 && sets[1].normal_row >= 0);
  if (single && solve_all_modes(inclusion, demand, outcome) && outcome.solutions.size() == 1 &&
      outcome.solutions.front().residual <= demand.tolerance)
    return;
  outcome = {};
  outcome.status = InclusionOutcome::Status::unsuited;
}

double combinations(const Inclusion& inclusion) {
  constexpr std::size_t most_discs = 32;           // beyond, there are too many anyway
  std::array<double, most_discs + 1> count = {1};  // by how many of the contacts with two tangents slide
  std::size_t discs = 0;
  const auto multiply = [&](double straight, double sliding) {
    if (sliding > 0) discs = std::min(discs + 1, most_discs);
    for (std::size_t k = discs; k > 0; --k) count[k] = count[k] * straight + count[k - 1] * sliding;
    count[0] *= straight;
  };
  for (std::size_t s = 0; s < inclusion.sets.size(); ++s) {
    if (inclusion.sets[s].shape != ForceSet::Shape::unilateral) continue;
    const bool frictional = s + 1 < inclusion.sets.size() && inclusion.sets[s + 1].normal_row == inclusion.sets[s].row;
    if (!frictional) {
      multiply(2, 0);
      continue;
    }
    const ForceSet& friction = inclusion.sets[s + 1];
    const double normal_pieces = friction.offset > 0 ? 2 : 1;
    const double idle = friction.offset > 0 ? 0 : 1;
    if (friction.shape == ForceSet::Shape::line) {
      multiply(idle + 3 * normal_pieces, 0);
    } else {
      multiply(idle + normal_pieces, normal_pieces);
    }
  }
  double total = count[0];
  for (std::size_t k = 1; k <= discs; ++k)
    total += count[k] * 4 * std::pow(grid_angles(static_cast<int>(k)), static_cast<double>(k) - 1);
  return total;
}

SolverEntry enumerate_solver() {
  return {
      .name = "enumerate",
      .statement = "every solution of the inclusion, by trying all combinations of open, stick and slip",
      .method =
          "branch and bound over the combinations, a linear programme a branch; one linear system a combination, and "
          "Newton's method with a proof of one root where contacts with two tangents slide",
      .source = "case distinction as in Glocker 2014, sect. 9",
      .domain = "up to 10 coupled contacts with friction, planar or spatial, 20 elements without",
      .failures =
          "the list is complete up to rounding unless the result's note says otherwise: redundant contacts and "
          "contacts "
          "that jam can have a continuum of solutions, and very strong friction can exhaust branch and bound; what is "
          "left is then searched, which is no proof",
      .solve = enumerate,
  };
}

}  // namespace carom
