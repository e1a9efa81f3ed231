#include "solvers/certificates/island.h"

#include <algorithm>
#include <cmath>

#include "solvers/certificates/friction_cones.h"
#include "solvers/inclusion/islands.h"
#include "solvers/laws/inclusion_form.h"

namespace carom {

namespace {

constexpr double uncoupled = 1e-14;  // relative entry of G that is rounding

// G without what rounding has left of couplings that are not there.
Mat cleaned(const Mat& G) {
  Mat clean = G;
  for (Index i = 0; i < G.rows(); ++i) {
    for (Index j = 0; j < G.cols(); ++j) {
      if (i != j && std::abs(G(i, j)) <= uncoupled * std::sqrt(G(i, i) * G(j, j))) clean(i, j) = 0;
    }
  }
  return clean;
}

void count(const Element& element, ContactIsland& island) {
  if (element.clutch()) {
    ++island.clutches;
  } else if (element.contact()->has_friction()) {
    ++island.frictional;
  } else {
    ++island.frictionless;
  }
}

Index place(const std::vector<Index>& rows, Index row) {
  return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
}

std::vector<Vec> rays_of(const ForceSet& normal, const ForceSet* friction, const ContactIsland& island) {
  const Index size = static_cast<Index>(island.rows.size());
  const Vec along_normal = Vec::Unit(size, place(island.rows, normal.row));
  if (!friction) return {along_normal};
  const Index row = place(island.rows, friction->row);
  std::vector<Vec> rays;
  if (friction->shape == ForceSet::Shape::line) {
    for (double side : {-1.0, 1.0}) rays.push_back(along_normal + side * friction->friction(0) * Vec::Unit(size, row));
    return rays;
  }
  for (const Eigen::Vector2d& corner : octagon_around(friction->friction))
    rays.push_back(along_normal + corner(0) * Vec::Unit(size, row) + corner(1) * Vec::Unit(size, row + 1));
  return rays;
}

void add_cone(const Inclusion& inclusion, const std::vector<std::size_t>& sets, ContactIsland& island) {
  std::vector<Vec> rays;
  for (std::size_t s : sets) {
    const ForceSet& set = inclusion.sets[s];
    if (set.shape != ForceSet::Shape::unilateral) continue;
    const ForceSet* friction = nullptr;
    for (std::size_t t : sets) {
      const ForceSet& other = inclusion.sets[t];
      if (other.shape != ForceSet::Shape::unilateral && other.normal_row == set.row) friction = &other;
    }
    if (friction && friction->shape == ForceSet::Shape::ellipse) island.rays_exact = false;
    island.cones.push_back({place(island.rows, set.row), friction ? friction->size() : 0,
                            friction ? Eigen::Vector2d(friction->friction) : Eigen::Vector2d::Zero()});
    for (Vec& ray : rays_of(set, friction, island)) rays.push_back(std::move(ray));
  }
  island.rays.resize(static_cast<Index>(island.rows.size()), static_cast<Index>(rays.size()));
  for (std::size_t k = 0; k < rays.size(); ++k) island.rays.col(static_cast<Index>(k)) = rays[k];
}

ContactIsland made(const ImpactProblem& problem, const Inclusion& inclusion, const Island& found) {
  ContactIsland island;
  island.rows = found.rows;
  island.G = inclusion.G->dense()(found.rows, found.rows);
  island.epsilon = restitution_by_rows(problem)(found.rows);
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.row_count(i) == 0 || !std::binary_search(found.rows.begin(), found.rows.end(), problem.first_row(i)))
      continue;
    island.elements.push_back(i);
    count(problem.elements()[i], island);
  }
  add_cone(inclusion, found.sets, island);
  return island;
}

}  // namespace

bool ContactIsland::coefficients_within(double lowest, double highest) const {
  return (epsilon.array() >= lowest).all() && (epsilon.array() <= highest).all();
}

std::vector<ContactIsland> contact_islands(const ImpactProblem& problem) {
  const Delassus G = Delassus::from_matrix(cleaned(problem.G().dense()));
  Inclusion inclusion = pose(problem, problem.gamma_minus());
  inclusion.G = &G;
  std::vector<ContactIsland> result;
  for (const Island& island : islands(inclusion)) result.push_back(made(problem, inclusion, island));
  return result;
}

ContactIsland all_contacts(const ImpactProblem& problem) {
  const Inclusion inclusion = pose(problem, problem.gamma_minus());
  Island all;
  for (std::size_t s = 0; s < inclusion.sets.size(); ++s) {
    all.sets.push_back(s);
    for (Index k = 0; k < inclusion.sets[s].size(); ++k) all.rows.push_back(inclusion.sets[s].row + k);
  }
  std::sort(all.rows.begin(), all.rows.end());
  return made(problem, inclusion, all);
}

std::optional<Vec> slowest_velocity(const ImpactProblem& problem, const std::vector<Index>& rows, const Vec& gamma) {
  const Mat W = problem.white_directions()(Eigen::all, rows);
  Eigen::CompleteOrthogonalDecomposition<Mat> solve;
  solve.setThreshold(1e-11);
  solve.compute(W.transpose());
  const Vec v = solve.solve(gamma);
  if ((W.transpose() * v - gamma).norm() > 1e-9 * gamma.norm()) return std::nullopt;
  return problem.from_white(v);
}

Proof prove_each_island(const ImpactProblem& problem, const std::function<Proof(const ContactIsland&)>& prove) {
  std::string theorem;
  for (const ContactIsland& island : contact_islands(problem)) {
    Proof proof = prove(island);
    if (!proof.proven) return proof;
    if (theorem.find(proof.theorem) == std::string::npos) theorem += (theorem.empty() ? "" : "; ") + proof.theorem;
  }
  return Proof::by(theorem.empty() ? "nothing can collide" : theorem);
}

std::string names_of(const ImpactProblem& problem, const std::vector<std::size_t>& elements) {
  std::string text;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (k > 0) text += k + 1 == elements.size() ? " and " : ", ";
    text += "'" + problem.elements()[elements[k]].name + "'";
    if (k == 5 && elements.size() > 7) return text + " and " + std::to_string(elements.size() - 6) + " more";
  }
  return text;
}

}  // namespace carom
