// Islands of contacts, clutches and joints that act on each other through bodies: an impact anywhere in one is an
// impact of all of it, and of nothing else.

#pragma once

#include <span>
#include <vector>

#include "engine/active_contact.h"
#include "engine/disjoint_sets.h"
#include "engine/mass_matrix.h"
#include "engine/rows.h"
#include "engine/system.h"

namespace carom {

// What can carry an impulse in a step, and the mass it acts on; a view.
struct StepElements {
  const MassMatrix& M;
  std::span<const ActiveContact> active;
  std::span<const ContactPoint> points;  // those that are active among them
  const Rows& W;                         // of the active contacts, then of the clutches
  const Clutches& clutches;
  const std::vector<bool>& overrun;  // of each clutch
  const Rows& B;                     // of the joints
};

struct StepIsland {
  std::vector<std::size_t> contacts;  // among the active ones
  std::vector<Index> clutches;
  std::vector<Index> joints;       // rows of B
  std::vector<Index> coordinates;  // of its bodies
  bool impacts = false;            // a contact of it approaches that was not closed before, or a clutch is overrun
};

// Those that hold an active contact or an overrun clutch, in storage kept from step to step.
class StepIslands {
 public:
  void clear() { in_use_ = 0; }
  void group(const StepElements& elements);
  void mark_impacts(std::span<ActiveContact> active) const;  // contacts of islands that impact

  bool empty() const { return in_use_ == 0; }
  const StepIsland* begin() const { return islands_.data(); }
  const StepIsland* end() const { return islands_.data() + in_use_; }

 private:
  void join_blocks(const StepElements& elements);
  Index add();

  std::vector<StepIsland> islands_;
  std::size_t in_use_ = 0;
  DisjointSets joined_blocks_;  // of the mass matrix
  std::vector<Index> island_of_block_;
};

}  // namespace carom
