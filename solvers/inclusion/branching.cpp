#include "solvers/inclusion/branching.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "solvers/inclusion/cone.h"
#include "solvers/inclusion/slide_roots.h"

namespace carom {

namespace {

using Eigen::Vector2d;
using Friction = Decision::Friction;

constexpr double narrowest_arc = 1e-8;  // a root that cannot be told from others within this is left undecided
constexpr int most_unresolved = 50;

using Branch = std::vector<std::optional<Decision>>;  // one entry a site; nothing: not decided yet

Vector2d on_circle(double angle) { return {std::cos(angle), std::sin(angle)}; }

// The equations ξ − Gλ = c of a branch as one cone: what is known of a site contributes directions.
class BranchCone {
 public:
  BranchCone(const UnitFriction& problem, const Branch& branch) : problem_(problem), offset_rows_(0) {
    const Index n = problem.c.size();
    for (const Site& site : problem.sites) offset_rows_ += site.tangents > 0 && site.offset > 0;
    A_ = Mat::Zero(n + offset_rows_, 14 * static_cast<Index>(branch.size()));
    b_ = Vec::Zero(n + offset_rows_);
    b_.head(n) = problem.c;
    Index offset_row = n;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      const Site& site = problem.sites[s];
      add_velocities(site, branch[s]);
      add_impulses(site, branch[s], site.tangents > 0 && site.offset > 0 ? offset_row++ : -1);
    }
    for (Index row = n; row < n + offset_rows_; ++row) rows_.push_back(row);
  }

  bool excludes() const { return outside_cone(A_(rows_, Eigen::seqN(0, columns_)), b_(rows_)); }

 private:
  // ξ: known to be zero, in a cone, or anything, in which case the row says nothing.
  void add_velocities(const Site& site, const std::optional<Decision>& decision) {
    rows_.push_back(site.normal);
    if (!decision || !decision->held) A_(site.normal, columns_++) = 1;
    if (!decision || decision->friction == Friction::none) return;
    for (Index k = 0; k < site.tangents; ++k) rows_.push_back(site.tangent + k);
    if (decision->friction == Friction::slip) A_(site.tangent, columns_++) = std::cos(decision->begin);
    if (decision->friction == Friction::arc) {
      A_.block(site.tangent, columns_++, 2, 1) = on_circle(decision->begin);
      A_.block(site.tangent, columns_++, 2, 1) = on_circle(decision->end);
    }
  }

  // λ: the normal impulse, and friction −λ_T = Σαv over the corners v of a polygon around the set, Σα = R.
  void add_impulses(const Site& site, const std::optional<Decision>& decision, Index offset_row) {
    const bool pushes = !decision || decision->held;
    if (site.tangents == 0) {
      if (pushes) A_.col(columns_++).head(problem_.c.size()) = -problem_.G.col(site.normal);
      return;
    }
    if (decision && decision->friction == Friction::none) return;
    for (const Vector2d& corner : corners(site, decision)) {
      auto column = A_.col(columns_++);
      auto effect = column.head(problem_.c.size());
      for (Index k = 0; k < site.tangents; ++k) effect += corner(k) * problem_.G.col(site.tangent + k);
      if (offset_row < 0) effect -= problem_.G.col(site.normal);
      if (offset_row >= 0) column(offset_row) = 1;
    }
    if (offset_row < 0) return;
    b_(offset_row) = site.offset;
    if (!pushes) return;
    A_.col(columns_).head(problem_.c.size()) = -problem_.G.col(site.normal);
    A_(offset_row, columns_++) = -1;
  }

  static std::vector<Vector2d> corners(const Site& site, const std::optional<Decision>& decision) {
    if (site.tangents == 1) {
      if (decision && decision->friction == Friction::slip) return {{std::cos(decision->begin), 0}};
      return {{1, 0}, {-1, 0}};
    }
    if (decision && decision->friction == Friction::arc) {
      const double reach = 1 / std::cos(0.5 * decision->width());
      return {on_circle(decision->begin), on_circle(decision->end), reach * on_circle(decision->middle())};
    }
    std::vector<Vector2d> octagon;
    for (int k = 0; k < 8; ++k) octagon.push_back(on_circle(k * std::numbers::pi / 4) / std::cos(std::numbers::pi / 8));
    return octagon;
  }

  const UnitFriction& problem_;
  Index offset_rows_;
  Mat A_;
  Vec b_;
  std::vector<Index> rows_;
  Index columns_ = 0;
};

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
      for (int k = 0; k < 4; ++k)
        list.push_back({held, Friction::arc, k * std::numbers::pi / 2, (k + 1) * std::numbers::pi / 2});
    }
  }
  return list;
}

class BranchAndBound {
 public:
  BranchAndBound(const Inclusion& inclusion, int most_tests, const std::function<void(const Mode&)>& hand_over)
      : problem_(inclusion), sets_(inclusion.sets.size()), most_tests_(most_tests), hand_over_(hand_over) {}

  BranchingOutcome run() {
    decide(Branch(problem_.sites.size()));
    return {unresolved_ == 0 && tests_ < most_tests_, tests_};
  }

 private:
  bool stopped() const { return tests_ >= most_tests_ || unresolved_ >= most_unresolved; }

  bool possible(const Branch& branch) {
    ++tests_;
    return !BranchCone(problem_, branch).excludes();
  }

  // Decides the site that has the fewest ways left.
  void decide(Branch branch) {
    if (stopped()) return;
    std::optional<std::size_t> narrowest;
    std::vector<Decision> ways;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]) continue;
      std::vector<Decision> left = possible_decisions(branch, s);
      if (left.empty()) return;
      if (left.size() == 1) {
        branch[s] = left.front();
      } else if (!narrowest || left.size() < ways.size()) {
        narrowest = s;
        ways = std::move(left);
      }
    }
    if (!narrowest) return narrow(std::move(branch));
    for (const Decision& way : ways) {
      branch[*narrowest] = way;
      decide(branch);
    }
  }

  std::vector<Decision> possible_decisions(Branch branch, std::size_t s) {
    std::vector<Decision> left;
    for (const Decision& decision : decisions_of(problem_.sites[s])) {
      branch[s] = decision;
      if (possible(branch)) left.push_back(decision);
    }
    return left;
  }

  // Every site is decided: halves arcs, without branching where one half is impossible.
  void narrow(Branch branch) {
    for (bool narrower = true; narrower;) {
      if (stopped()) return;
      if (finish(branch)) return;
      narrower = false;
      for (std::size_t s = 0; s < branch.size(); ++s) {
        if (branch[s]->friction != Friction::arc || branch[s]->width() < narrowest_arc) continue;
        const Decision whole = *branch[s];
        const bool low = possible_half(branch, s, whole, whole.begin, whole.middle());
        const bool high = possible_half(branch, s, whole, whole.middle(), whole.end);
        if (!low && !high) return;
        branch[s] = whole;
        if (low && high) continue;
        (low ? branch[s]->end : branch[s]->begin) = whole.middle();
        narrower = true;
      }
    }
    split_widest(branch);
  }

  bool possible_half(Branch& branch, std::size_t s, Decision half, double begin, double end) {
    half.begin = begin;
    half.end = end;
    branch[s] = half;
    return possible(branch);
  }

  void split_widest(Branch& branch) {
    std::size_t widest = 0;
    double width = -1;
    for (std::size_t s = 0; s < branch.size(); ++s) {
      if (branch[s]->friction != Friction::arc || branch[s]->width() <= width) continue;
      widest = s;
      width = branch[s]->width();
    }
    if (width < narrowest_arc) {
      ++unresolved_;
      return hand_over_(mode_of(branch, {}));
    }
    const Decision whole = *branch[widest];
    branch[widest]->end = whole.middle();
    narrow(branch);
    branch[widest] = whole;
    branch[widest]->begin = whole.middle();
    narrow(branch);
  }

  // No arcs, or one root in them: nothing is left to search.
  bool finish(const Branch& branch) {
    std::vector<Decision> decisions;
    bool slides = false;
    for (const auto& decision : branch) {
      decisions.push_back(*decision);
      slides = slides || decision->friction == Friction::arc;
    }
    if (!slides) {
      hand_over_(mode_of(branch, {}));
      return true;
    }
    const auto angles = only_root(problem_, decisions);
    if (angles) hand_over_(mode_of(branch, *angles));
    return angles.has_value();
  }

  Mode mode_of(const Branch& branch, const std::vector<double>& angles) const {
    Mode mode(sets_);
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

  UnitFriction problem_;
  std::size_t sets_;
  int most_tests_;
  const std::function<void(const Mode&)>& hand_over_;
  int tests_ = 0;
  int unresolved_ = 0;
};

}  // namespace

BranchingOutcome branch(const Inclusion& inclusion, int most_tests, const std::function<void(const Mode&)>& hand_over) {
  return BranchAndBound(inclusion, most_tests, hand_over).run();
}

}  // namespace carom
