#include "tools/converge/watched_run.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>

#include "config/diagnostics.h"
#include "config/scene_run.h"
#include "tools/stepping.h"
#include "tools/workers.h"

namespace carom {

namespace {

const std::string impact_time = "impact_time";

// Of the contacts that carry an impulse, whatever their order (FNV-1a of their names, added).
std::uint64_t mark_of(const ImpactRecord& impact) {
  std::uint64_t sum = 0;
  for (const ImpactElementRecord& element : impact.elements) {
    if (element.impulse.isZero(0)) continue;
    std::uint64_t mark = 14695981039346656037u;
    for (const char c : element.name) mark = (mark ^ static_cast<unsigned char>(c)) * 1099511628211u;
    sum += mark;
  }
  return sum;
}

class Watch final : public Recorder {
 public:
  Watch(WatchedRun& run, const std::vector<AskedQuantity>& asked) : run_(run), asked_(asked) {}

  void sample(const Sample& sample) override {
    run_.times.push_back(sample.time);
    run_.positions.push_back(*sample.q);
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (asked_[i].logged) run_.values[i] = (*asked_[i].logged)(sample);
  }
  void impact(const ImpactRecord& impact) override { run_.impacts.push_back({impact.time, mark_of(impact)}); }

 private:
  WatchedRun& run_;
  const std::vector<AskedQuantity>& asked_;
};

std::optional<AskedQuantity> of_impacts(const std::string& name) {
  if (name == "impacts") return AskedQuantity{name, AskedQuantity::Kind::impacts};
  if (name == impact_time) return AskedQuantity{name, AskedQuantity::Kind::impact_time, {}, 0, "s"};
  if (!name.starts_with(impact_time + ".")) return std::nullopt;
  const auto number = whole_number(name.substr(impact_time.size() + 1));
  if (!number || *number == 0)
    throw BadInput(fmt::format("--of {}: impacts are counted from 1, as in impact_time.3", name));
  return AskedQuantity{name, AskedQuantity::Kind::impact_time, {}, *number, "s"};
}

}  // namespace

std::vector<AskedQuantity> quantities_of(const std::vector<std::string>& names, const System& system) {
  std::vector<std::string> all;
  const auto add_coordinates = [&](const std::string& which, const std::vector<Coordinate>& coordinates) {
    for (const Coordinate& coordinate : coordinates) all.push_back(which + "." + coordinate.name);
  };
  for (const std::string& name : names.empty() ? std::vector<std::string>{"q", "energy/total", impact_time} : names) {
    if (name == "q") {
      add_coordinates("q", system.positions());
    } else if (name == "u") {
      add_coordinates("u", system.velocities());
    } else {
      all.push_back(name);
    }
  }
  std::vector<AskedQuantity> asked;
  for (const std::string& name : all) {
    if (auto quantity = of_impacts(name)) {
      asked.push_back(std::move(*quantity));
      continue;
    }
    std::string why;
    const auto logged = LoggedQuantity::find(name, system, &why);
    if (!logged) throw BadInput(fmt::format("--of {}: {}; besides, there are impact_time and impacts", name, why));
    asked.push_back({name, AskedQuantity::Kind::logged, logged, 0, logged->units()});
  }
  return asked;
}

double WatchedRun::value(const std::vector<AskedQuantity>& asked, std::size_t quantity, std::size_t common) const {
  const AskedQuantity& which = asked[quantity];
  if (which.kind == AskedQuantity::Kind::logged) return values[quantity];
  if (which.kind == AskedQuantity::Kind::impacts) return static_cast<double>(impacts.size());
  const std::size_t number = which.impact == 0 ? common : which.impact;
  return number > 0 && number <= impacts.size() ? impacts[number - 1].time : missing;
}

WatchedRun watch_run(const Scene& scene, const std::vector<AskedQuantity>& asked, std::int64_t every) {
  WatchedRun watched;
  watched.step = scene.integrator.step;
  watched.values.assign(asked.size(), missing);
  Watch watch(watched, asked);
  try {
    SceneRun run(scene, [&](const std::string& note) { watched.notes.push_back(note); });
    run.start();
    watch.sample(run.simulation().sample());
    const SteppingEnd end = step_to_end(run.simulation(), watch, every, {});
    watched.stopped = end.reason == SteppingEnd::Reason::stopped;
    if (end.reason == SteppingEnd::Reason::failed) watched.why_failed = end.why;
  } catch (const SimulationFailure& failure) {
    watched.why_failed = failure.what();
  }
  watched.duration = watched.times.empty() ? 0 : watched.times.back();
  return watched;
}

std::size_t common_impacts(const WatchedRun& a, const WatchedRun& b) {
  std::size_t count = 0;
  while (count < a.impacts.size() && count < b.impacts.size() && a.impacts[count].contacts == b.impacts[count].contacts)
    ++count;
  return count;
}

}  // namespace carom
