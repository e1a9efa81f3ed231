#include "engine/step/notices.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "engine/step_failure.h"

namespace carom {

void Notices::tell_once(const std::string& kind, const std::string& text) {
  if (!note_ || std::find(told_.begin(), told_.end(), kind) != told_.end()) return;
  told_.push_back(kind);
  note_(text);
}

void Notices::fail_or_warn(double t, const char* kind, const std::string& why) {
  if (!warn_on_failure_) fail(t, why);
  is_unsolved_ = true;
  tell_once(kind, fmt::format("at t = {:.9g} s: {} (going on: on_failure is warn)", t, why));
}

void Notices::go_on(double t, const char* kind, const std::string& why) {
  is_unsolved_ = true;
  tell_once(kind, fmt::format("from t = {:.4g} s on {}", t, why));
}

void Notices::go_on_with(double t, double residual) {
  if (!(residual > tolerance_) || is_unsolved_) return;
  go_on(t, "impulses",
        fmt::format("some steps go on with impulses that miss a solution, here by {:.2g} of what drives "
                    "them (integrator.tolerance is {:g}); they are counted",
                    residual, tolerance_));
}

}  // namespace carom
