// The points of a sweep computed on all cores.

#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "config/sweep_file.h"
#include "tools/run_file/sweep_file.h"
#include "tools/sweep/point_evaluator.h"
#include "tools/sweep/shard.h"

namespace carom {

// Empty arrays of a sweep: coordinates filled in, no point done.
SweepArrays empty_arrays(const SweepFile& sweep, const std::vector<Measurement>& measurements);

// Results as they come in from several threads. A point is marked done after its values are in place, so a snapshot
// holds whole points only.
class ResultStore {
 public:
  explicit ResultStore(SweepArrays& arrays) : arrays_(arrays) {}

  bool is_done(std::size_t point) const;
  void store(std::size_t point, const PointResult& result);
  SweepArrays snapshot() const;

  std::size_t stored() const { return stored_; }  // since it was made
  std::size_t not_ok() const { return not_ok_; }

 private:
  SweepArrays& arrays_;
  mutable std::mutex reasons_mutex_;
  std::atomic<std::size_t> stored_ = 0, not_ok_ = 0;
};

// Computes the points of a shard that are not done. `watch` is called a few times a second in the calling thread.
// Returns false if a signal stopped it.
bool compute_points(const SweepFile& sweep, const std::vector<Measurement>& measurements, const Shard& shard,
                    std::size_t workers, ResultStore& results, const std::function<void()>& watch);

}  // namespace carom
