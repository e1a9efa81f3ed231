#include "tools/sweep/compute.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <limits>

#include "engine/thread_team.h"
#include "tools/stepping.h"
#include "tools/version.h"
#include "tools/watched_work.h"

namespace carom {

namespace {

constexpr std::size_t block = 16;  // points that go to a worker together

SweepAxis coordinates_of(const VariedAxis& axis) {
  SweepAxis list{axis.name, axis.in_degrees ? "deg" : "", axis.numbers, {}};
  for (const DocumentValue& choice : axis.choices) list.texts.push_back(choice.text());
  return list;
}

}  // namespace

SweepArrays empty_arrays(const SweepFile& sweep, const std::vector<Measurement>& measurements) {
  SweepArrays arrays;
  arrays.name = sweep.name;
  arrays.about = sweep.about;
  arrays.mode = name_of(sweep.mode);
  arrays.status = "running";
  arrays.scene_yaml = sweep.scene.yaml();
  arrays.sweep_yaml = sweep.yaml;
  arrays.carom_version = version();
  for (const VariedAxis& axis : sweep.axes) arrays.axes.push_back(coordinates_of(axis));
  const std::size_t points = sweep.point_count();
  for (const Measurement& m : measurements)
    arrays.measures.push_back({m.name, m.units, m.spec->meaning, m.states,
                               std::vector<double>(points, std::numeric_limits<double>::quiet_NaN())});
  arrays.point_status.assign(points, 0);
  arrays.done.assign(points, 0);
  return arrays;
}

bool ResultStore::is_done(std::size_t point) const {
  return std::atomic_ref(arrays_.done[point]).load(std::memory_order_acquire) != 0;
}

void ResultStore::store(std::size_t point, const PointResult& result) {
  for (std::size_t m = 0; m < result.values.size(); ++m) arrays_.measures[m].values[point] = result.values[m];
  arrays_.point_status[point] = static_cast<std::uint8_t>(result.status);
  if (result.status != PointStatus::ok) {
    const std::lock_guard lock(reasons_mutex_);
    arrays_.reasons[point] = result.reason;
    ++not_ok_;
  }
  std::atomic_ref(arrays_.done[point]).store(1, std::memory_order_release);
  ++stored_;
}

SweepArrays ResultStore::snapshot() const {
  SweepArrays copy;
  copy.name = arrays_.name;
  copy.about = arrays_.about;
  copy.mode = arrays_.mode;
  copy.status = arrays_.status;
  copy.scene_yaml = arrays_.scene_yaml;
  copy.sweep_yaml = arrays_.sweep_yaml;
  copy.carom_version = arrays_.carom_version;
  copy.axes = arrays_.axes;
  const std::size_t points = arrays_.done.size();
  copy.done.assign(points, 0);
  copy.point_status.assign(points, 0);
  for (std::size_t p = 0; p < points; ++p) copy.done[p] = is_done(p);
  for (const SweepMeasure& measure : arrays_.measures) {
    copy.measures.push_back({measure.name, measure.units, measure.meaning, measure.states,
                             std::vector<double>(points, std::numeric_limits<double>::quiet_NaN())});
    for (std::size_t p = 0; p < points; ++p) {
      if (copy.done[p]) copy.measures.back().values[p] = measure.values[p];
    }
  }
  for (std::size_t p = 0; p < points; ++p) {
    if (copy.done[p]) copy.point_status[p] = arrays_.point_status[p];
  }
  const std::lock_guard lock(reasons_mutex_);
  for (const auto& [point, reason] : arrays_.reasons) {
    if (copy.done[point]) copy.reasons.emplace_hint(copy.reasons.end(), point, reason);
  }
  return copy;
}

bool compute_points(const SweepFile& sweep, const std::vector<Measurement>& measurements, const Shard& shard,
                    std::size_t workers, ResultStore& results, const std::function<void()>& watch) {
  if (workers > 1) set_step_threads(1);  // the points share the cores
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena arena(static_cast<int>(workers));
  tbb::enumerable_thread_specific<PointEvaluator> evaluators([&] { return PointEvaluator(sweep, measurements); });
  std::atomic<bool> stopped = false;
  const auto compute = [&](const tbb::blocked_range<std::size_t>& points) {
    PointEvaluator& evaluator = evaluators.local();
    for (std::size_t point = points.begin(); point < points.end(); ++point) {
      if (!shard.owns(point) || results.is_done(point)) continue;
      if (StopSignals::stop_asked()) {
        stopped = true;
        return;
      }
      const PointResult& result = evaluator.evaluate(point);
      if (!result.stopped) results.store(point, result);
    }
  };
  const tbb::blocked_range<std::size_t> all(0, sweep.point_count(), block);
  work_watched([&] { arena.execute([&] { tbb::parallel_for(all, compute, tbb::simple_partitioner()); }); }, watch);
  return !stopped && !StopSignals::stop_asked();
}

}  // namespace carom
