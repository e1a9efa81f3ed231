// The most energy that a restitution matrix can create from any velocity, exactly.
//
// The law is linear as long as the same contacts approach and the same of the others are pushed (matrix_pieces). On
// each of these cones the gain is a quotient (cone_quotient.h). At a given v the energy afterwards is convex in ℰ, so
// within ranges of the contacts' own coefficients, which are the diagonal of ℰ_nn unless the law gives it, a corner is
// the worst.

#pragma once

#include <cstdint>

#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

struct MatrixWorst {
  double gain = 0;
  double bound = 0;  // ∞ where the law is not known by pieces
  Vec u_minus;       // empty if nothing gains
  std::int64_t faces = 0;
};

MatrixWorst restitution_matrix_worst(const ImpactProblem& problem, const Parameters& parameters,
                                     std::int64_t most_faces);

}  // namespace carom
