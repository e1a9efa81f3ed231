// One run as convergence sees it: quantities at its end, its impacts, and its motion at some instants.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/scene.h"
#include "tools/sweep/measurement.h"

namespace carom {

// A number that a run ends with: a path in a run file at the end (q.NAME, energy/total), `impacts`, their number, or
// `impact_time.N`, when the N-th was, from 1; `impact_time` is the last one that all runs have.
struct AskedQuantity {
  enum class Kind { logged, impacts, impact_time };

  std::string name;
  Kind kind = Kind::logged;
  std::optional<LoggedQuantity> logged = {};
  std::size_t impact = 0;  // from 1; 0: the last
  std::string units = {};
};

// BadInput if the system has none such. Nothing asked: all positions, the energy and the last impact.
std::vector<AskedQuantity> quantities_of(const std::vector<std::string>& names, const System& system);

struct SeenImpact {
  double time = 0;
  std::uint64_t contacts = 0;  // the same where the same contacts carry impulses
};

struct WatchedRun {
  double step = 0;
  double duration = 0;         // until its end, or where it failed
  std::string why_failed;      // empty: it came to its end
  bool stopped = false;        // by a signal
  std::vector<double> values;  // of the quantities but those of impacts, which `impacts` tells
  std::vector<SeenImpact> impacts;
  std::vector<double> times;   // of the instants
  std::vector<Vec> positions;  // at them
  std::vector<std::string> notes;

  double value(const std::vector<AskedQuantity>& asked, std::size_t quantity, std::size_t common_impacts) const;
};

// Instants are after every `every` steps.
WatchedRun watch_run(const Scene& scene, const std::vector<AskedQuantity>& asked, std::int64_t every);

// How many impacts from the first on are of the same contacts.
std::size_t common_impacts(const WatchedRun& a, const WatchedRun& b);

}  // namespace carom
