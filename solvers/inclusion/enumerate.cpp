// Enumeration: every combination of open and held, stick and slip, solved and kept if it is a solution. It
// finds all solutions, so that non-uniqueness and non-existence are reported, not hidden.
//
// With one tangent a contact the equations of each combination are linear and the list is complete. With two
// tangents the slip direction is an unknown angle. One sliding contact has at most four, the roots of a
// trigonometric polynomial of degree two, and the list is complete again. Of several sliding contacts all but
// one take their angles from a grid, the last one its roots, and Newton's method goes on from there: a search,
// fine enough to find solutions but no proof.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "solvers/inclusion/enumerate.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"

namespace carom {

namespace {

constexpr double accept_residual = 1e-10;  // a candidate at the seam of two modes misses by rounding only
constexpr double same_velocity = 1e-8;     // relative; closer solutions are one
constexpr double most_combinations = 2e6;  // 8 planar frictional contacts, in both phases of Poisson's law
constexpr double most_searches = 1e5;      // combinations with Newton's method on slip directions
constexpr int random_searches = 20000;

// Starting angles of each sliding contact but one, when so many slide at once.
int grid_angles(int sliding) { return sliding <= 2 ? 24 : sliding == 3 ? 12 : sliding == 4 ? 8 : 4; }

class Enumeration {
 public:
  explicit Enumeration(const Inclusion& inclusion) : inclusion_(inclusion), mode_(inclusion.sets.size()) {}

  void run() { choose(0); }

  void search_at_random(int count) {
    std::mt19937_64 random(1);
    for (int i = 0; i < count; ++i) {
      Vec Lambda = Vec::Zero(inclusion_.c.size());
      std::normal_distribution<double> normal;
      for (const ForceSet& set : inclusion_.sets) {
        Eigen::Vector2d x(normal(random), normal(random));
        x *= inclusion_.r(set.row) * inclusion_.c.cwiseAbs().maxCoeff();
        set_rows_of(set, -project(set, x, Lambda), Lambda);
      }
      ++tried_;
      keep(polish(inclusion_, Lambda));
    }
  }

  int tried() const { return tried_; }
  std::vector<InclusionSolution> solutions() { return std::move(found_); }

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

  void keep(const Vec& Lambda) {
    InclusionSolution candidate = with_residual(inclusion_, Lambda);
    if (!(candidate.residual <= accept_residual)) return;
    for (InclusionSolution& known : found_) {
      if (!same(known, candidate)) continue;
      if (better(candidate, known)) known = std::move(candidate);
      return;
    }
    found_.push_back(std::move(candidate));
  }

  bool same(const InclusionSolution& a, const InclusionSolution& b) const {
    const Vec r_root = inclusion_.r.cwiseSqrt();
    const double scale = std::max(r_root.cwiseProduct(inclusion_.c).norm(), r_root.cwiseProduct(a.xi).norm());
    return r_root.cwiseProduct(a.xi - b.xi).norm() <= same_velocity * scale;
  }

  // Of solutions with the same velocities: the clearly smaller residual, then the smaller impulses.
  bool better(const InclusionSolution& a, const InclusionSolution& b) const {
    if (a.residual > residual_tolerance || b.residual > residual_tolerance) return a.residual < b.residual;
    const Vec weight = inclusion_.r.cwiseSqrt().cwiseInverse();
    return weight.cwiseProduct(a.Lambda).norm() < weight.cwiseProduct(b.Lambda).norm() * (1 - 1e-9);
  }

  const Inclusion& inclusion_;
  Mode mode_;
  bool normal_held_ = false;
  int tried_ = 0;
  std::vector<InclusionSolution> found_;
};

class Enumerate final : public InclusionSolver {
 public:
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    InclusionOutcome outcome;
    outcome.solver = "enumerate";
    const auto ellipses = std::count_if(inclusion.sets.begin(), inclusion.sets.end(),
                                        [](const ForceSet& set) { return set.shape == ForceSet::Shape::ellipse; });
    const double count = combinations(inclusion);
    if (ellipses == 0 && count > most_combinations) {
      outcome.status = InclusionOutcome::Status::unsuited;
      outcome.reason =
          "enumerate takes up to 8 contacts with friction (or 20 elements without); use lemke or gauss-seidel";
      return outcome;
    }
    Enumeration enumeration(inclusion);
    if (ellipses > 0 && count > most_searches) {
      enumeration.search_at_random(random_searches);
    } else {
      enumeration.run();
    }
    outcome.iterations = enumeration.tried();
    outcome.solutions = enumeration.solutions();
    outcome.exhaustive = ellipses <= 1;
    outcome.status = outcome.solutions.empty() ? InclusionOutcome::Status::unsolved : InclusionOutcome::Status::solved;
    if (outcome.solutions.empty()) {
      outcome.reason = outcome.exhaustive
                           ? "the impact has no solution: none of the " + std::to_string(outcome.iterations) +
                                 " combinations of open, stick and slip is one"
                           : "no solution found by enumeration";
    }
    return outcome;
  }
};

}  // namespace

double combinations(const Inclusion& inclusion) {
  std::vector<double> count = {1};  // by the number of sliding contacts with two tangents
  const auto multiply = [&](double straight, double sliding) {
    std::vector<double> product(count.size() + (sliding > 0 ? 1 : 0), 0.0);
    for (std::size_t k = 0; k < count.size(); ++k) {
      product[k] += count[k] * straight;
      if (sliding > 0) product[k + 1] += count[k] * sliding;
    }
    count = std::move(product);
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
  double total = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    total += count[k] * (k == 0 ? 1 : 4 * std::pow(grid_angles(static_cast<int>(k)), static_cast<double>(k) - 1));
  }
  return total;
}

SolverEntry enumerate_solver() {
  return {
      .name = "enumerate",
      .statement = "every solution of the inclusion, by trying all combinations of open, stick and slip",
      .method = "one linear system a combination; Newton's method on slip directions where a contact has two tangents",
      .source = "case distinction as in Glocker 2014, sect. 9",
      .domain =
          "up to 8 frictional contacts in the plane, 20 elements without friction; in space the slip directions of "
          "several sliding contacts are searched from a grid, or at random beyond 100 000 combinations",
      .failures = "cost grows exponentially with the number of contacts",
      .make = [] { return std::unique_ptr<InclusionSolver>(std::make_unique<Enumerate>()); },
  };
}

}  // namespace carom
