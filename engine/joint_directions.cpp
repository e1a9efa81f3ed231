#include "engine/joint_directions.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "engine/step_failure.h"

namespace carom {

void direct_joints(const System& system, double t, const Vec& q, Rows& B, Vec& b) {
  B.clear();
  b.setZero(system.joint_rows());
  system.joint_directions(t, q, B, b);
  for (Index j = 0; j < b.size(); ++j) {
    if (!std::isfinite(b(j)))
      fail(t, fmt::format("the motion that '{}' prescribes has no finite velocity there", system.joint_name(j)));
  }
}

}  // namespace carom
