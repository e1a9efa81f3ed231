// What tells systems apart whose results are kept by thread: never given twice in a process.

#pragma once

#include <atomic>
#include <cstdint>

namespace carom {

inline std::uint64_t next_instance_number() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace carom
