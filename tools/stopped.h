// Work that keeps nothing on its way is left where a stop is asked for (stepping.h).

#pragma once

#include <exception>

#include "tools/stepping.h"

namespace carom {

class Stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

inline void stop_if_asked() {
  if (StopSignals::stop_asked()) throw Stopped();
}

}  // namespace carom
