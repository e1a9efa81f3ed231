// A contact that takes part in a step: where it is found, how it came, and what it does.

#pragma once

#include <cstdint>

#include "engine/linear_algebra.h"

namespace carom {

// In one cache line: long chains are as fast as they are read.
struct ActiveContact {
  std::uint64_t key = 0;
  double gamma = 0;                                   // normal velocity at the beginning of the step
  double kept_gap = 0;                                // of a sustained contact: the one it landed with
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // of the step before: the solve starts from it
  Index row = 0;                                      // first row in the W of the step
  std::uint32_t point = 0;                            // among the contact points at the beginning of the step
  std::int8_t tangents = 0;
  bool impacts : 1 = false;    // approaches, and was not closed before
  bool is_slow : 1 = false;    // impacts, no faster than the forces of a part of a step make it
  bool in_impact : 1 = false;  // acts on a contact that impacts, or is one
  bool turns : 1 = false;      // takes part in an impact within the inclusion of the step, along the middle of it
  bool swings : 1 = false;     // goes on, and its lever arms or joints turn within the step
  bool redundant : 1 = false;  // takes part in an impact with more rows than freedoms
  bool was_sustained : 1 = false;
  Index rows() const { return tangents + 1; }
  Index end_row() const { return row + rows(); }
};
static_assert(sizeof(ActiveContact) <= 64);

}  // namespace carom
