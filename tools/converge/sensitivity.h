// How a run's end answers to what it starts from: derivatives of quantities with respect to values of the scene, by
// differences of runs to either side, extrapolated,
//
//   D(δ) = (v(x + δ) − v(x − δ)) / 2δ,    dv/dx ≈ (4D(δ) − D(2δ)) / 3,
//
// and by the same at half the step. Differences see what an impact does to a displacement (the saltation matrix: its
// instant moves, too) as long as all runs have impacts of the same contacts in the same order; otherwise the end is no
// smooth function of the value, or δ has to be smaller.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/document.h"
#include "tools/converge/watched_run.h"

namespace carom {

struct Derivative {
  double value = 0;
  double error = 0;  // estimated: by δ and 2δ, and by half the step
};

struct Sensitivity {
  std::string key;  // as --set has it, or q.NAME, u.NAME of the state it starts from
  double at = 0;
  double delta = 0;                     // of the nearest two runs
  std::size_t impacts = 0;              // in all of them
  std::vector<Derivative> derivatives;  // one a quantity; empty if there are none
  std::string why_not;
};

// One a key. BadInput where a key names no number of the scene.
std::vector<Sensitivity> find_sensitivities(const Document& scene, const std::vector<std::string>& keys,
                                            const std::vector<AskedQuantity>& asked);

}  // namespace carom
