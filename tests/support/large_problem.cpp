#include "tests/support/large_problem.h"

#include <cmath>
#include <vector>

namespace carom::testing {

using Eigen::Vector3d;

void LargeProblem::pose() {
  G.rebuild(W, M);
  inclusion.G = &G;
  inclusion.c.resize(W.count());
  inclusion.r.resize(W.count());
  for (Index i = 0; i < W.count(); ++i) {
    inclusion.c(i) = W.dot(i, u);
    inclusion.r(i) = 1 / G(i, i);
  }
}

void make_chain(const Vec& masses, const Vec& velocities, bool on_ground, LargeProblem& problem) {
  problem.M = MassMatrix::diagonal(masses);
  problem.M.factor();
  problem.u = velocities;
  for (Index i = on_ground ? -1 : 0; i + 1 < masses.size(); ++i) {
    ForceSet set;
    set.row = problem.W.count();
    problem.inclusion.sets.push_back(set);
    problem.W.open_row();
    if (i >= 0) problem.W.add(i, -1);
    problem.W.add(i + 1, 1);
  }
  problem.pose();
}

namespace {

// Bodies of unit radius and mass with velocity (v, ω), in space; the plane of the pile is z = 0.
class Pile {
 public:
  Pile(const PileOptions& options, LargeProblem& problem) : options_(options), problem_(problem) {}

  void build() {
    place_bodies();
    for (int copy = 0; copy < options_.copies; ++copy)
      for (int layer = 0; layer < options_.layers; ++layer)
        for (int i = 0; i < length(layer); ++i) connect(layer, i);
    problem_.pose();
  }

 private:
  int length(int layer) const { return options_.columns - layer % 2; }
  Index body(int layer, int i) const { return layer * options_.columns - layer / 2 + i; }

  void place_bodies() {
    const Index count = body(options_.layers, 0);
    problem_.M.resize(std::vector<Index>(static_cast<std::size_t>(count), 6));
    problem_.u.resize(6 * count);
    Random random(options_.seed);
    for (Index b = 0; b < count; ++b) {
      problem_.M.block(b).diagonal() << 1, 1, 1, 0.4, 0.4, 0.4;
      for (Index k = 0; k < 6; ++k) problem_.u(6 * b + k) = (k == 1 ? -0.01 : 0.0) + options_.noise * random.normal();
    }
    problem_.M.factor();
  }

  void connect(int layer, int i) {
    const Index a = body(layer, i);
    const double h = std::sqrt(0.75);
    if (layer == 0) contact(a, -1, {0, 1, 0});
    if (layer % 2 == 0 && i == 0) contact(a, -1, {1, 0, 0});
    if (layer % 2 == 0 && i + 1 == length(layer)) contact(a, -1, {-1, 0, 0});
    if (i + 1 < length(layer)) contact(body(layer, i + 1), a, {1, 0, 0});
    if (layer + 1 == options_.layers) return;
    const int left = layer % 2 == 0 ? i - 1 : i;
    if (left >= 0) contact(body(layer + 1, left), a, {-0.5, h, 0});
    if (left + 1 < length(layer + 1)) contact(body(layer + 1, left + 1), a, {0.5, h, 0});
  }

  // `a` on `b` (−1: a wall), with the normal towards a.
  void contact(Index a, Index b, const Vector3d& normal) {
    ForceSet set;
    set.row = row(a, b, normal, normal);
    problem_.inclusion.sets.push_back(set);
    if (options_.friction == FrictionKind::none) return;
    const Vector3d in_plane(-normal(1), normal(0), 0);
    ForceSet friction;
    friction.normal_row = set.row;
    friction.row = row(a, b, normal, in_plane);
    friction.shape = ForceSet::Shape::line;
    friction.friction(0) = options_.mu;
    if (options_.friction != FrictionKind::line) {
      row(a, b, normal, Vector3d::UnitZ());
      friction.shape = ForceSet::Shape::ellipse;
      friction.friction(1) = options_.friction == FrictionKind::disc ? options_.mu : 0.5 * options_.mu;
    }
    problem_.inclusion.sets.push_back(friction);
  }

  // The velocity of a's contact point (at −normal from its centre) over b's (at +normal), along a direction.
  Index row(Index a, Index b, const Vector3d& normal, const Vector3d& along) {
    problem_.W.open_row();
    add(a, -normal, along);
    if (b >= 0) add(b, normal, -along);
    return problem_.W.count() - 1;
  }
  void add(Index b, const Vector3d& arm, const Vector3d& along) {
    const Vector3d moment = arm.cross(along);
    for (Index k = 0; k < 3; ++k) {
      if (along(k) != 0) problem_.W.add(6 * b + k, along(k));
      if (moment(k) != 0) problem_.W.add(6 * b + 3 + k, moment(k));
    }
  }

  const PileOptions& options_;
  LargeProblem& problem_;
};

}  // namespace

void make_pile(const PileOptions& options, LargeProblem& problem) { Pile(options, problem).build(); }

}  // namespace carom::testing
