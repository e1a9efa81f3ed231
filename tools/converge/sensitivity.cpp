#include "tools/converge/sensitivity.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "config/diagnostics.h"
#include "engine/suggestion.h"
#include "tools/stepping.h"
#include "tools/workers.h"

namespace carom {

namespace {

constexpr double first_delta = 1e-3;  // of the value, or of 1
constexpr double rounds_in_value = 4 * std::numeric_limits<double>::epsilon();
constexpr int most_shrinkings = 6;  // each with a quarter of the one before
constexpr std::array<double, 4> places = {-2, -1, 1, 2};

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// As --set goes to it: keys of maps, positions in lists.
std::optional<Node> node_at(Node at, const std::string& path) {
  for (const std::string& part : parts_of(path)) {
    std::optional<Node> next;
    if (at.is_map()) {
      for (const auto& [key, node] : at.entries())
        if (key == part) next = node;
    } else if (at.is_list()) {
      const auto position = whole_number(part);
      const std::vector<Node> items = at.items();
      if (position && *position < items.size()) next = items[*position];
    }
    if (!next) return std::nullopt;
    at = *next;
  }
  return at;
}

// The runs with a value in place of the scene's.
class Displaced {
 public:
  Displaced(const Document& scene, const std::string& key, const std::vector<AskedQuantity>& asked)
      : document_(scene.copy()), key_(key), asked_(asked) {
    const Scene as_given = read_scene(document_);
    step_ = as_given.integrator.step;
    duration_ = step_ * static_cast<double>(as_given.integrator.step_count());
    if (key.starts_with("q.") || key.starts_with("u.")) {
      find_coordinate(as_given);
    } else {
      find_value();
    }
  }

  double at() const { return at_; }

  WatchedRun run(double value, double parts_of_step) {
    Scene scene = scene_with(value);
    scene.integrator.step = step_ / parts_of_step;
    scene.integrator.duration = duration_;
    WatchedRun run = watch_run(scene, asked_, scene.integrator.step_count());
    for (std::size_t i = 0; i < asked_.size(); ++i) run.values[i] = run.value(asked_, i, run.impacts.size());
    return run;
  }

 private:
  void find_coordinate(const Scene& scene) {
    const std::string name = key_.substr(2);
    is_position_ = key_.front() == 'q';
    const std::vector<Coordinate> all = is_position_ ? scene.system->positions() : scene.system->velocities();
    std::vector<std::string> names;
    for (const Coordinate& coordinate : all) names.push_back(coordinate.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw BadInput(fmt::format("--sensitivity {}: there is no coordinate '{}'{}; there are {}", key_, name,
                                 suggestion(name, names), fmt::join(names, ", ")));
    if (scene.system->joint_rows() > 0)
      throw BadInput(
          fmt::format("--sensitivity {}: joints tie the coordinates to each other; name a value of the scene "
                      "instead, as --set does",
                      key_));
    coordinate_ = found - names.begin();
    at_ = (is_position_ ? scene.q : scene.u)(*coordinate_);
  }

  void find_value() {
    const auto node = node_at(document_.root(), key_);
    if (!node)
      throw BadInput(
          fmt::format("--sensitivity {0}: the scene does not give it; a key as --set has it, with --set "
                      "{0}=VALUE if it is left to its default, or q.NAME, u.NAME of the initial state",
                      key_));
    const auto number = node->is_scalar() ? node->number() : std::nullopt;
    document_.diagnostics().throw_if_bad();
    if (!number) throw BadInput(fmt::format("--sensitivity {}: is not a number in the scene", key_));
    at_ = *number;
  }

  Scene scene_with(double value) {
    if (!coordinate_) {
      document_.set(key_, DocumentValue(value), "--sensitivity");
      return read_scene(document_);
    }
    Scene scene = read_scene(document_);
    (is_position_ ? scene.q : scene.u)(*coordinate_) = value;
    return scene;
  }

  Document document_;
  std::string key_;
  const std::vector<AskedQuantity>& asked_;
  double step_ = 0, duration_ = 0, at_ = 0;
  std::optional<Index> coordinate_;
  bool is_position_ = false;
};

bool same_sequence(const WatchedRun& a, const WatchedRun& b) {
  return a.impacts.size() == b.impacts.size() && common_impacts(a, b) == a.impacts.size();
}

struct Differences {
  std::vector<double> near, far, extrapolated, size;
};

class Search {
 public:
  Search(const Document& scene, const std::string& key, const std::vector<AskedQuantity>& asked)
      : runs_(scene, key, asked) {
    found_.key = key;
    found_.at = runs_.at();
  }

  Sensitivity run() {
    found_.delta = 0.5 * first_delta * (found_.at != 0 ? std::abs(found_.at) : 1);
    for (int attempt = 0; attempt < most_shrinkings; ++attempt, found_.delta /= 4) {
      found_.why_not.clear();
      const auto whole = differences(1);
      const auto half = whole ? differences(2) : std::nullopt;
      if (half) return with_derivatives(*whole, *half);
      if (StopSignals::stop_asked()) break;
    }
    found_.delta *= 4;
    return std::move(found_);
  }

 private:
  std::optional<Differences> differences(double parts_of_step) {
    std::optional<WatchedRun> base = tried(0, parts_of_step);
    std::vector<WatchedRun> all;
    for (const double place : places) {
      auto run = base ? tried(place * found_.delta, parts_of_step) : std::nullopt;
      if (!run) return std::nullopt;
      if (!same_sequence(*base, *run)) {
        tell_difference(*base, *run);
        return std::nullopt;
      }
      all.push_back(std::move(*run));
    }
    found_.impacts = base->impacts.size();
    Differences found;
    for (std::size_t i = 0; i < base->values.size(); ++i) {
      const double near = (all[2].values[i] - all[1].values[i]) / (2 * found_.delta);
      const double far = (all[3].values[i] - all[0].values[i]) / (4 * found_.delta);
      found.near.push_back(near);
      found.far.push_back(far);
      found.size.push_back(std::abs(base->values[i]));
      found.extrapolated.push_back((4 * near - far) / 3);
    }
    return found;
  }

  std::optional<WatchedRun> tried(double by, double parts_of_step) {
    try {
      WatchedRun run = runs_.run(found_.at + by, parts_of_step);
      if (run.why_failed.empty() && !run.stopped) return run;
      found_.why_not = run.stopped ? "interrupted" : run.why_failed;
    } catch (const BadInput& mistake) {
      found_.why_not = fmt::format("with {} = {:.9g}: {}", found_.key, found_.at + by, mistake.what());
    }
    return std::nullopt;
  }

  void tell_difference(const WatchedRun& base, const WatchedRun& run) {
    const std::size_t common = common_impacts(base, run);
    const auto time = [&](const WatchedRun& of) {
      return common < of.impacts.size() ? of.impacts[common].time : HUGE_VAL;
    };
    found_.why_not = fmt::format(
        "the impacts are others from t = {:.6g} s on, where the value changes by {:.2g}: the end is no smooth function "
        "of it there",
        std::min(time(base), time(run)), found_.delta);
  }

  Sensitivity with_derivatives(const Differences& whole, const Differences& half) {
    for (std::size_t i = 0; i < whole.near.size(); ++i) {
      const double value = half.extrapolated[i];
      // What D(δ) and D(2δ) leave of the next order, and rounding of the values.
      const double by_delta = std::abs(half.near[i] - half.far[i]) / 15 + rounds_in_value * half.size[i] / found_.delta;
      const double by_step = std::abs(whole.extrapolated[i] - value);
      found_.derivatives.push_back({value, by_delta + by_step});
    }
    return std::move(found_);
  }

  Displaced runs_;
  Sensitivity found_;
};

}  // namespace

std::vector<Sensitivity> find_sensitivities(const Document& scene, const std::vector<std::string>& keys,
                                            const std::vector<AskedQuantity>& asked) {
  std::vector<Sensitivity> all;
  for (const std::string& key : keys) all.push_back(Search(scene, key, asked).run());
  return all;
}

}  // namespace carom
