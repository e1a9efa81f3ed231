#include "engine/thread_team.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace carom {

namespace {

std::atomic<int> wanted_threads = 0;  // 0: as many as there are cores
thread_local bool is_at_a_piece = false;

// The calling thread and others that wait for work between calls. They start with the first call.
class Team {
 public:
  ~Team() { resize(0); }

  // False if the team is at someone else's work.
  bool share(std::size_t pieces, std::size_t threads, thread_team::Piece work, const void* task) {
    const std::unique_lock<std::mutex> mine(busy_, std::try_to_lock);
    if (!mine.owns_lock()) return false;
    if (others_.size() + 1 != threads) resize(threads - 1);
    {
      const std::lock_guard<std::mutex> lock(state_);
      work_ = work;
      task_ = task;
      pieces_ = pieces;
      next_ = 0;
      failed_piece_ = std::numeric_limits<std::size_t>::max();
      failure_ = nullptr;
      at_work_ = others_.size();
      ++call_;
    }
    called_.notify_all();
    work_off();
    std::unique_lock<std::mutex> lock(state_);
    done_.wait(lock, [&] { return at_work_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
    return true;
  }

 private:
  void resize(std::size_t others) {
    {
      const std::lock_guard<std::mutex> lock(state_);
      leaving_ = true;
    }
    called_.notify_all();
    for (std::thread& other : others_) other.join();
    others_.clear();
    leaving_ = false;
    while (others_.size() < others) others_.emplace_back([this, seen = call_] { wait_for_calls(seen); });
  }

  void wait_for_calls(std::size_t seen) {
    std::unique_lock<std::mutex> lock(state_);
    for (;;) {
      called_.wait(lock, [&] { return leaving_ || call_ != seen; });
      if (leaving_) return;
      seen = call_;
      lock.unlock();
      work_off();
      lock.lock();
      if (--at_work_ == 0) done_.notify_one();
    }
  }

  void work_off() {
    is_at_a_piece = true;
    for (std::size_t piece = next_++; piece < pieces_; piece = next_++) {
      try {
        work_(task_, piece);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(state_);
        if (piece < failed_piece_) {
          failed_piece_ = piece;
          failure_ = std::current_exception();
        }
      }
    }
    is_at_a_piece = false;
  }

  std::mutex busy_;
  std::vector<std::thread> others_;

  std::mutex state_;  // of what follows
  std::condition_variable called_, done_;
  std::size_t call_ = 0;  // counts the calls
  bool leaving_ = false;
  thread_team::Piece work_ = nullptr;
  const void* task_ = nullptr;
  std::size_t pieces_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::size_t at_work_ = 0;  // others that have not yet found everything taken
  std::size_t failed_piece_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

int step_threads() {
  static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int wanted = wanted_threads;
  return wanted > 0 ? wanted : cores;
}

void set_step_threads(int count) { wanted_threads = std::max(1, count); }

void thread_team::share(std::size_t pieces, Piece work, const void* task) {
  static Team team;
  const auto threads = static_cast<std::size_t>(step_threads());
  if (threads > 1 && pieces > 1 && !is_at_a_piece && team.share(pieces, threads, work, task)) return;
  for (std::size_t piece = 0; piece < pieces; ++piece) work(task, piece);
}

}  // namespace carom
