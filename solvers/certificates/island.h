// What acts on each other in an impact. G couples no two islands, so their work adds up and each may be judged alone.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/impact_problem.h"
#include "solvers/certificates/proof.h"

namespace carom {

struct ContactIsland {
  std::vector<std::size_t> elements;
  std::vector<Index> rows;  // of the problem: those that can carry an impulse (no tangent without friction)
  Mat G;
  Vec epsilon;  // every row's own restitution
  std::size_t frictional = 0, frictionless = 0, clutches = 0;

  // The cone of admissible impulses as {rays·x : x ≥ 0}: exact for line friction, around the cone for discs and
  // ellipses.
  Mat rays;
  bool rays_exact = true;

  // The same as cones |Λ_T/μ| ≤ Λ_N, by rows of the island; tangents follow their normal.
  struct Cone {
    Index normal, tangents;
    Eigen::Vector2d friction;
  };
  std::vector<Cone> cones;

  bool coefficients_within(double lowest, double highest) const;
  bool coefficients_equal() const { return epsilon.size() == 0 || epsilon.minCoeff() == epsilon.maxCoeff(); }
};

std::vector<ContactIsland> contact_islands(const ImpactProblem& problem);

// All of them as one.
ContactIsland all_contacts(const ImpactProblem& problem);

// The slowest u⁻ (kinetically) with these relative velocities in these rows; none if they cannot all have them.
std::optional<Vec> slowest_velocity(const ImpactProblem& problem, const std::vector<Index>& rows, const Vec& gamma);

// A law does not gain if it does not in any island. The first that cannot be proven tells why.
Proof prove_each_island(const ImpactProblem& problem, const std::function<Proof(const ContactIsland&)>& prove);

// 'a', 'b' and 'c'
std::string names_of(const ImpactProblem& problem, const std::vector<std::size_t>& elements);

}  // namespace carom
