// A run written to HDF5 (the layout is in README.md). While it is written the file is called RUN.h5.part and can be
// read at any moment (HDF5's SWMR mode), also after the writer was killed; `finish` gives it its name.
//
// A run lives in a group, so that a file can hold several: all are added before the first row is written.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/recorder.h"
#include "engine/simulation.h"
#include "engine/system.h"
#include "tools/run_file/destination.h"

namespace carom {

class RunFileReader;

// What is logged.
struct RunSelection {
  bool state = true;                            // /q and /u
  bool poses = true;                            // /bodies
  bool energy = true;                           // /energy
  bool contacts = true;                         // /contacts
  bool impacts = true;                          // /impacts
  std::vector<std::string> contact_names = {};  // only these; empty: all named ones
};

// What is known before the first step.
struct RunDescription {
  std::string scene, law;
  std::string scene_yaml;
  double step = 0, theta = 0, duration = 0;
  std::int64_t every = 1;
  std::int64_t expected_samples = 0;                            // sizes the chunks: a short run gets a small file
  std::size_t runs_in_file = 1;                                 // that share what is free on the disk
  std::vector<std::pair<std::string, std::string>> facts = {};  // more root attributes: versions, compiler, solver
};

// What was told on the way.
struct RunMessage {
  double time = 0;
  std::int64_t step = 0;
  std::string level, text;  // note, warning, error
};

// How it ended. A run can be continued from its state.
struct RunEnd {
  std::string status;  // complete, interrupted, failed: why
  double wall_seconds = 0;
  std::int64_t steps = 0;
  SimulationCounts counts = {};
  std::vector<Penetration> penetrations = {};
  std::optional<SimulationState> state = {};
};

// Up to this many bodies or contacts each has a group of its own; more are written as one table for all.
inline constexpr std::size_t most_groups = 1000;

// Numbers of a contact's velocity and impulse: normal and one tangent in the plane, two in space.
int contact_size(const System& system, const Vec& q, const Vec& u);

class RunFileWriter final : public Recorder {
 public:
  ~RunFileWriter() override;

  // Throw RunFileError if the rows cannot be written; those before stay readable.
  void sample(const Sample& sample) override;
  void impact(const ImpactRecord& impact) override;

  void log(const RunMessage& message);

  void flush();  // everything so far to the file
  // Where a killed run could go on, kept beside the file whenever rows have reached it since the last time.
  void keep(const SimulationState& state, const SimulationCounts& counts);
  void finish(RunEnd end);  // no rows after this
  std::int64_t bytes_a_sample() const;

  // The rows of an earlier part of the same run: the samples up to and with a step, the impacts before it.
  void copy_rows(const RunFileReader& earlier, std::int64_t last_step);

 private:
  friend class RunFile;
  struct Parts;
  explicit RunFileWriter(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

struct RunFileOptions {
  Overwrite overwrite = Overwrite::nothing;
  int compression = 0;  // gzip level. Applied when the run is finished: a compressed chunk cannot grow in its place
};

// What a comparison, a file of several runs, says about all of them.
struct CollectionDescription {
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::vector<std::pair<std::string, std::string>> documents = {};  // datasets of one text each
};

class RunFile {
 public:
  explicit RunFile(const std::string& path, const RunFileOptions& options = {});
  ~RunFile();  // not finished: leaves the .part, unless no row is in it

  void describe(const CollectionDescription& collection);  // before start()

  // All runs of the file before its first row. `group` is "/" for a file of one run; groups above it are made.
  RunFileWriter& add_run(const std::string& group, const RunDescription& description, const System& system,
                         int contact_size, const RunSelection& selection = {});
  void start();  // readable from now on

  // Every run is finished: writes how they ended and gives the file its name. Returns a note if not all went as
  // asked (no room to compress), else nothing. A collection has a status of its own.
  std::string finish(const std::string& status_of_collection = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom
