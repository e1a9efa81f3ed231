#include "tools/watched_work.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace carom {

namespace {

constexpr std::chrono::milliseconds watch_interval{200};

}  // namespace

void work_watched(const std::function<void()>& work, const std::function<void()>& watch) {
  std::mutex mutex;
  std::condition_variable ended;
  bool finished = false;
  std::exception_ptr error;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    finished = true;
    ended.notify_one();
  });
  {
    const std::unique_ptr<std::thread, void (*)(std::thread*)> joined(&worker, [](std::thread* t) { t->join(); });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, watch_interval, [&] { return finished; })) {
      lock.unlock();
      watch();
      lock.lock();
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace carom
