// Inclusions kept in files, with what is known of them: posed on the way through scenes, and hard ones.
//
//   inclusion NAME
//   G n            entries G_ij, j ≤ i, a row a line       or   white n m   the white directions w̃ᵢ of G = W̃ᵀW̃,
//   ...                                                        ...          a row a line: column value column value ...
//   c, r           one entry a row
//   unilateral ROW | bilateral ROW | line ROW NORMAL μ OFFSET | ellipse ROW NORMAL μ₁ μ₂ OFFSET     a set a line
//   start          impulses to start from, where some are known
//   demand         tolerance, wanted part, one or all
//   answer         status, residual, whether all solutions are known
//   solution       ξ of one of them

#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "engine/inclusion.h"

namespace carom::testing {

struct Answer {
  InclusionOutcome::Status status = InclusionOutcome::Status::unsolved;
  double residual = 0;          // of the solution, or of the nearest impulses
  bool is_complete = false;     // the solutions are all there are
  std::vector<Vec> velocities;  // ξ of the solutions
};

// Holds what the inclusion and the demand point to, so it stays where it is.
struct KnownInclusion {
  KnownInclusion() = default;
  KnownInclusion(const KnownInclusion&) = delete;
  KnownInclusion& operator=(const KnownInclusion&) = delete;

  std::string name;
  Delassus G;
  Inclusion inclusion;
  Vec start;
  Demand demand;
  Answer answer;
};

using Corpus = std::vector<std::unique_ptr<KnownInclusion>>;

Corpus read_corpus(const std::string& file);  // throws where a line is none of the above
void write_inclusion(const KnownInclusion& known, std::ostream& out);

// What is known of an inclusion once it is solved: as it was demanded and, of few combinations, all solutions.
Answer answer_to(const KnownInclusion& known);

}  // namespace carom::testing
