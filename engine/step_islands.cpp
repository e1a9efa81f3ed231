#include "engine/step_islands.h"

namespace carom {

namespace {

// Rows that share one impulse act together: normal and tangents of a contact, though each may move coordinates that
// the mass matrix keeps apart.
void join_rows(const Rows& rows, Index begin, Index count, const MassMatrix& M, DisjointSets& sets) {
  Index first = -1;
  for (Index row = begin; row < begin + count; ++row) {
    for (const Rows::Entry& entry : rows[row]) {
      const Index block = M.block_of(entry.column);
      if (first >= 0) sets.join(first, block);
      first = block;
    }
  }
}

}  // namespace

void StepIslands::join_blocks(const StepElements& elements) {
  const MassMatrix& M = elements.M;
  const Rows& W = elements.W;
  joined_blocks_.separate(M.block_count());
  for (const ActiveContact& active : elements.active) join_rows(W, active.row, active.rows(), M, joined_blocks_);
  for (Index i = W.count() - elements.clutches.W.count(); i < W.count(); ++i) join_rows(W, i, 1, M, joined_blocks_);
  for (Index j = 0; j < elements.B.count(); ++j) join_rows(elements.B, j, 1, M, joined_blocks_);
}

void StepIslands::group(const StepElements& elements) {
  const MassMatrix& M = elements.M;
  const Rows& B = elements.B;
  const Clutches& clutches = elements.clutches;
  const std::span<const ActiveContact> active = elements.active;
  join_blocks(elements);
  clear();
  island_of_block_.assign(static_cast<std::size_t>(M.block_count()), -1);
  const auto island_of_row = [&](const Rows& rows, Index row) -> Index& {
    return island_of_block_[static_cast<std::size_t>(joined_blocks_.root(M.block_of(rows[row].begin()->column)))];
  };
  for (std::size_t i = 0; i < active.size(); ++i) {
    Index& island = island_of_row(elements.W, active[i].row);
    if (island < 0) island = add();
    StepIsland& own = islands_[static_cast<std::size_t>(island)];
    own.contacts.push_back(i);
    own.impacts = own.impacts || active[i].impacts;
  }
  for (Index i = 0; i < clutches.W.count(); ++i) {
    const bool overrun = elements.overrun[static_cast<std::size_t>(i)];
    Index& island = island_of_row(clutches.W, i);
    if (island < 0 && overrun) island = add();
    if (island < 0) continue;
    StepIsland& own = islands_[static_cast<std::size_t>(island)];
    own.clutches.push_back(i);
    own.impacts = own.impacts || overrun;
  }
  for (Index j = 0; j < B.count(); ++j) {
    const Index island = island_of_row(B, j);
    if (island >= 0) islands_[static_cast<std::size_t>(island)].joints.push_back(j);
  }
  for (Index i = 0; i < M.size(); ++i) {
    const Index island = island_of_block_[static_cast<std::size_t>(joined_blocks_.root(M.block_of(i)))];
    if (island >= 0) islands_[static_cast<std::size_t>(island)].coordinates.push_back(i);
  }
}

// Empty, in storage kept from earlier ones; its number.
Index StepIslands::add() {
  if (islands_.size() == in_use_) islands_.emplace_back();
  StepIsland& island = islands_[in_use_++];
  island.contacts.clear();
  island.clutches.clear();
  island.joints.clear();
  island.coordinates.clear();
  island.impacts = false;
  return static_cast<Index>(in_use_) - 1;
}

void StepIslands::mark_impacts(std::span<ActiveContact> active) const {
  for (const StepIsland& island : *this) {
    if (!island.impacts) continue;
    auto rows = static_cast<Index>(island.clutches.size() + island.joints.size());
    for (const std::size_t i : island.contacts) rows += active[i].rows();
    for (const std::size_t i : island.contacts) {
      active[i].in_impact = true;
      active[i].redundant = rows > static_cast<Index>(island.coordinates.size());
    }
  }
}

}  // namespace carom
