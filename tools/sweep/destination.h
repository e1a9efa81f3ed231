// Where the results of a sweep go, and what earlier runs left there.
//
//   OUT.h5                   the result; after Ctrl-C what there is of it
//   OUT.h5.part              written while computing, for the case of a kill (OUT.h5.part-3: by rank 3 of mpirun)
//   OUT.shard-2-of-4.h5      the points of --shard 2/4; --join makes OUT.h5 of all of them

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tools/run_file/sweep_file.h"
#include "tools/sweep/compute.h"
#include "tools/sweep/shard.h"

namespace carom {

// OUT.shard-2-of-4.h5 for OUT.h5.
std::string shard_path(const std::string& path, const Shard& shard);
std::vector<std::string> shard_paths_at(const std::string& path);  // those that are there, by name

std::vector<std::string> parts_at(const std::string& path);  // that are there
void remove_parts(const std::string& path);

// BadRunFile if what was found in a file is of another sweep.
void check_same_sweep(const SweepArrays& found, const SweepArrays& expected, const std::string& file);

// Points that `from` has done and `into` has not.
void take_over(const SweepArrays& from, SweepArrays& into);

// The snapshot that a killed sweep goes on from: written a few times a second, and so that it takes a small share of
// the time however large the sweep is.
class Journal {
 public:
  // What goes wrong is told once, by `note`; the sweep goes on, and so do the attempts.
  Journal(const std::string& path, std::size_t rank, std::function<void(const std::string&)> note);

  void write_if_due(const ResultStore& results);
  void write(const ResultStore& results);

 private:
  using Clock = std::chrono::steady_clock;

  std::string part_;
  std::function<void(const std::string&)> note_;
  std::size_t written_points_ = 0;
  Clock::duration pause_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace carom
