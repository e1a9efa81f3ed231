// The same program on several machines at once, started by mpirun. Without it there is one rank, which is the first.

#pragma once

#include <string>

#include "tools/run_file/sweep_file.h"
#include "tools/sweep/shard.h"

namespace carom {

class Ranks {
 public:
  Ranks();  // BadInput if mpirun started several and this program was built without MPI
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::size_t rank() const { return rank_; }
  std::size_t count() const { return count_; }
  bool is_first() const { return rank_ == 0; }
  Shard shard() const { return {rank_, count_}; }

  // From here on the others wait for this rank.
  void begin_work() { working_ = true; }
  // To be called where it fails: ends all ranks if others wait for it, else every rank has failed alike.
  void fail(const std::string& why) const;
  bool all_of(bool mine) const;  // true if it is at every rank
  // The points of every rank come together at the first one.
  void gather(SweepArrays& arrays) const;

 private:
  std::size_t rank_ = 0, count_ = 1;
  bool joined_ = false, working_ = false;
};

}  // namespace carom
