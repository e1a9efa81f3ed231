// Seeded random impact problems: the same seed gives the same problem.

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "engine/element.h"
#include "engine/impact_problem.h"

namespace carom::testing {

struct ProblemParts {
  Mat M;
  Vec u_minus;
  std::vector<Element> elements;

  ImpactProblem build() const { return ImpactProblem(M, u_minus, elements); }
};

enum class FrictionKind { none, line, disc, ellipse };

struct RandomOptions {
  int contacts = 2;
  int clutches = 0;
  int bilaterals = 0;
  FrictionKind friction = FrictionKind::line;
  double largest_friction = 1.5;
  bool equal_restitution = false;       // one ε everywhere, tangents too
  bool tangential_restitution = false;  // ε_T ≤ ε_N, otherwise 0
  bool approaching = false;             // contacts γ⁻ ≤ 0, clutches γ⁻ ≥ 0: kinematically admissible
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec vector(Index n);
  Mat mass_matrix(Index n);

 private:
  std::mt19937_64 engine_;
};

ProblemParts random_problem(std::uint64_t seed, const RandomOptions& options);

}  // namespace carom::testing
