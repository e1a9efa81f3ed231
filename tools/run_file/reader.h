// A run file read: complete, interrupted, still being written or left by a killed run. Tables whose columns differ in
// length, as a kill between two writes leaves them, are cut to the shortest.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "tools/run_file/result_file.h"
#include "tools/run_file/run_file.h"

namespace carom {

// Where a run can go on, with what was counted until there.
struct Checkpoint {
  SimulationState state;
  SimulationCounts counts;
  bool exact = true;  // else from the last sample: without the impulses the next solve would start from
};

struct DatasetInfo {
  std::string path;                     // without the leading '/'
  std::int64_t rows = 0;                // after cutting
  std::vector<std::int64_t> shape;      // of a row; empty: one number
  std::vector<std::string> names;       // of what its first extent runs over, where that has names
  std::vector<std::string> directions;  // normal, tangential: of a contact's vectors
  std::string units;
  bool is_text = false;

  std::int64_t width() const;  // numbers a row
};

class RunFileReader {
 public:
  // BadRunFile: not a run, damaged. All that read throw it too.
  explicit RunFileReader(const ResultFile& file, const std::string& group = "/");
  RunFileReader(RunFileReader&&) noexcept;
  ~RunFileReader();

  const std::string& path() const;
  const std::string& group() const;
  std::string status() const;  // "running" if it was never finished
  bool finished() const { return status() != "running"; }

  std::string text(const std::string& attribute) const;  // empty if there is none
  double number(const std::string& attribute, double otherwise = 0) const;
  std::string scene_yaml() const;

  std::int64_t samples() const;
  std::int64_t impacts() const;
  const std::vector<DatasetInfo>& datasets() const;  // in alphabetical order
  const DatasetInfo* find(const std::string& path) const;
  const DatasetInfo& dataset(const std::string& path) const;  // BadRunFile says what there is

  // Rows [first, first + count), `width` numbers each; count < 0: all that follow.
  std::vector<double> read(const std::string& path, std::int64_t first = 0, std::int64_t count = -1) const;
  std::vector<std::string> read_texts(const std::string& path) const;
  std::vector<RunMessage> log() const;  // what was told on the way

  // At a sample that has state and energy, without the impulses of its contacts.
  std::optional<SimulationState> state_at(std::int64_t sample) const;
  // The stored checkpoint, or the last sample if it has state and energy.
  std::optional<Checkpoint> checkpoint() const;

 private:
  friend class RunFileWriter;
  std::int64_t group_id() const;  // of HDF5
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A comparison: a file of several runs, with what it says about all of them.
struct RunCollection {
  std::string scene, reference, match, status;
  std::string impact_json, match_json;  // what carom compare --json prints; empty if it is not there
  std::vector<std::string> groups;      // of the runs, in alphabetical order
};

RunCollection read_collection(const ResultFile& file);

// The run of a file, or all of a comparison.
std::vector<RunFileReader> read_runs(const ResultFile& file);

}  // namespace carom
