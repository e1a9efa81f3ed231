#include "engine/thread_team.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace carom {

namespace {

std::atomic<int> wanted_threads = 0;  // 0: as many as there are cores
thread_local bool is_at_a_piece = false;

// A sleeping thread takes some 50 µs to wake; one call often follows another within that. Who waits looks for news this
// long before it sleeps.
constexpr std::chrono::microseconds longest_lookout(100);

template <class Condition>
bool holds_soon(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + longest_lookout;
  while (!condition())
    if (std::chrono::steady_clock::now() > end) return false;
  return true;
}

// The calling thread and others that wait for work between calls. They start with the first call. The caller waits for
// pieces that others have begun, not for those who come too late for any.
class Team {
 public:
  ~Team() { resize(0); }

  // False if the team is at someone else's work.
  bool share(std::size_t pieces, std::size_t threads, thread_team::Piece work, const void* task) {
    const std::unique_lock<std::mutex> mine(busy_, std::try_to_lock);
    if (!mine.owns_lock()) return false;
    if (others_.size() + 1 != threads) resize(threads - 1);
    work_.store(work, std::memory_order_relaxed);
    task_.store(task, std::memory_order_relaxed);
    pieces_.store(static_cast<std::uint32_t>(pieces), std::memory_order_relaxed);
    unfinished_.store(static_cast<int>(pieces), std::memory_order_relaxed);
    failed_piece_ = std::numeric_limits<std::size_t>::max();
    failure_ = nullptr;
    const std::uint32_t call = ++calls_;
    open_.store(std::uint64_t{call} << 32 | pieces);
    call_.store(static_cast<int>(call));
    call_.notify_all();
    work_off();
    wait_for_the_rest();
    if (failure_) std::rethrow_exception(failure_);
    return true;
  }

 private:
  void resize(std::size_t others) {
    leaving_ = true;
    call_.store(static_cast<int>(++calls_));
    call_.notify_all();
    for (std::thread& other : others_) other.join();
    others_.clear();
    leaving_ = false;
    while (others_.size() < others) others_.emplace_back([this, seen = call_.load()] { wait_for_calls(seen); });
  }

  void wait_for_calls(int seen) {
    for (;;) {
      if (!holds_soon([&] { return call_ != seen; })) call_.wait(seen);
      seen = call_;
      if (leaving_) return;
      work_off();
    }
  }

  void wait_for_the_rest() {
    if (holds_soon([&] { return unfinished_ == 0; })) return;
    for (int left = unfinished_; left != 0; left = unfinished_) unfinished_.wait(left);
  }

  // What is read of a call holds if open_ is still the same when a piece is taken: nothing of the next call is written
  // before every piece of this one is finished.
  void work_off() {
    is_at_a_piece = true;
    std::uint64_t open = open_;
    while (const auto left = static_cast<std::uint32_t>(open)) {
      const thread_team::Piece work = work_.load(std::memory_order_relaxed);
      const void* task = task_.load(std::memory_order_relaxed);
      const std::size_t piece = pieces_.load(std::memory_order_relaxed) - left;
      if (!open_.compare_exchange_weak(open, open - 1)) continue;
      do_piece(work, task, piece);
      if (--unfinished_ == 0) unfinished_.notify_one();
      open = open_;
    }
    is_at_a_piece = false;
  }

  void do_piece(thread_team::Piece work, const void* task, std::size_t piece) {
    try {
      work(task, piece);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failing_);
      if (piece < failed_piece_) {
        failed_piece_ = piece;
        failure_ = std::current_exception();
      }
    }
  }

  std::mutex busy_;
  std::vector<std::thread> others_;
  std::uint32_t calls_ = 0;
  std::atomic<int> call_ = 0;  // what the others wait on
  std::atomic<bool> leaving_ = false;

  std::atomic<std::uint64_t> open_ = 0;  // the number of the call, and in its lower half of the pieces not yet taken
  std::atomic<thread_team::Piece> work_ = nullptr;
  std::atomic<const void*> task_ = nullptr;
  std::atomic<std::uint32_t> pieces_ = 0;
  std::atomic<int> unfinished_ = 0;  // pieces

  std::mutex failing_;  // of what follows
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

namespace {

std::atomic<Team*> team_of_process = nullptr;

// A process that was forked has none of its parent's threads, and gets a team of its own; what is left of the other
// stays as it is. It lasts as long as the process does.
Team& team() {
  [[maybe_unused]] static const int watches_forks =
      ::pthread_atfork(nullptr, nullptr, [] { team_of_process = nullptr; });
  if (Team* there = team_of_process) return *there;
  auto fresh = std::make_unique<Team>();
  Team* there = nullptr;
  return team_of_process.compare_exchange_strong(there, fresh.get()) ? *fresh.release() : *there;
}

}  // namespace

void thread_team::share(std::size_t pieces, Piece work, const void* task) {
  const auto threads = static_cast<std::size_t>(step_threads());
  if (threads > 1 && pieces > 1 && !is_at_a_piece && team().share(pieces, threads, work, task)) return;
  for (std::size_t piece = 0; piece < pieces; ++piece) work(task, piece);
}

}  // namespace carom
