// The result of a sweep in HDF5: coordinates and measures as arrays of the grid's shape (the layout is in README.md).
// A file is written whole under another name and then takes the place of the one before, so that what stands at a path
// is complete at any moment, also after a kill.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/run_file/result_file.h"

namespace carom {

// What became of a point. Where it is not ok, there is a reason, and what could not be measured is NaN.
enum class PointStatus : std::uint8_t {
  ok,
  refused,    // by the law or by the scene: the values do not make a problem in its domain
  failed,     // while running
  no_impact,  // nothing impacts within the scene's duration, so the first impact has no measures
};
const std::vector<std::string>& point_status_names();

struct SweepAxis {
  std::string name;
  std::string units;
  std::vector<double> numbers;     // its values,
  std::vector<std::string> texts;  // or the words they are

  std::size_t size() const { return texts.empty() ? numbers.size() : texts.size(); }
};

struct SweepMeasure {
  std::string name, units, meaning;
  std::vector<std::string> states;  // names of the values 0, 1, ..., where the measure counts states
  std::vector<double> values;       // one a point, the last axis runs fastest; NaN: missing
};

struct SweepArrays {
  std::string name, about, mode;  // grid, zip, sampled
  std::string status;             // running, interrupted, complete; "shard 2/4" of a finished one
  std::string scene_yaml, sweep_yaml;
  std::string carom_version;
  std::vector<SweepAxis> axes;  // grid: one an extent; else coordinates of the points
  std::vector<SweepMeasure> measures;
  std::vector<std::uint8_t> point_status;
  std::vector<std::uint8_t> done;              // 1 where a point has been computed
  std::map<std::size_t, std::string> reasons;  // of points that are not ok

  bool is_grid() const { return mode == "grid"; }
  std::vector<std::size_t> shape() const;
  std::size_t position(std::size_t axis, std::size_t point) const;  // of a point's value in an axis
  std::size_t points() const { return done.size(); }
  std::size_t done_count() const;
};

// Throws RunFileError if it cannot be written; a file that was there is then still the old one.
void write_sweep_arrays(const std::string& path, const SweepArrays& arrays);

// BadRunFile: not a sweep, damaged.
SweepArrays read_sweep_arrays(const ResultFile& file);

}  // namespace carom
