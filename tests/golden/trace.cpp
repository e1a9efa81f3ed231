#include "tests/golden/trace.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <string_view>

#include "config/scene_run.h"

namespace carom::testing {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
constexpr char nothing_new = '.';
constexpr Index spread_values = 3;

// Chained FNV-1a. Zeros of both signs are one number, and all that are none are one.
class Hash {
 public:
  void add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ (value & 0xff)) * 0x100000001b3;
      value >>= 8;
    }
    is_new_ = true;
  }
  void add(double value) { add(std::isnan(value) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(value + 0.0)); }
  void add(const Eigen::Ref<const Vec>& values) {
    for (const double value : values) add(value);
  }
  void add(std::string_view text) {
    for (const char letter : text) add(static_cast<std::uint64_t>(letter));
  }

  char mark() {
    if (!is_new_) return nothing_new;
    is_new_ = false;
    return alphabet[state_ >> 58];
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
  bool is_new_ = false;
};

std::vector<double> figures_of(const EnergyLedger& energy) {
  std::vector<double> figures;
  for (const LedgerColumn& column : ledger_columns())
    if (column.entry) figures.push_back(column.of(energy));
  figures.push_back(energy.initial);
  return figures;
}

std::vector<double> spread(const Vec& from) {
  if (from.size() <= spread_values) return {from.begin(), from.end()};
  std::vector<double> values;
  for (Index i = 0; i < spread_values; ++i) values.push_back(from(i * (from.size() - 1) / (spread_values - 1)));
  return values;
}

class Tracer final : public Recorder {
 public:
  void impact(const ImpactRecord& impact) override {
    Hash& hash = hashes_[impacts];
    hash.add(static_cast<std::uint64_t>(impact.step));
    hash.add(*impact.q);
    hash.add(*impact.u);
    for (const double value : {impact.time, impact.kinetic_before, impact.kinetic_after, impact.work, impact.residual})
      hash.add(value);
    for (const int value :
         {int{impact.kinematic}, int{impact.kinetic}, int{impact.energetic}, impact.solutions, impact.iterations})
      hash.add(static_cast<std::uint64_t>(value));
    for (const ImpactElementRecord& element : impact.elements) {
      hash.add(element.name);
      hash.add(static_cast<std::uint64_t>(element.state));
      for (const Eigen::Vector3d* value : {&element.velocity_before, &element.velocity_after, &element.impulse,
                                           &element.compression, &element.decompression})
        hash.add(*value);
    }
  }

  void sample(const Sample& sample) override {
    hashes_[positions].add(*sample.q);
    hashes_[velocities].add(*sample.u);
    for (const double value : figures_of(sample.energy)) hashes_[ledger].add(value);
    for (const ContactSample& contact : sample.contacts) {
      if (contact.impulse.isZero(0)) continue;
      hashes_[impulses].add(contact.impulse);
      hashes_[impulses].add(contact.velocity);
      hashes_[impulses].add(static_cast<std::uint64_t>(contact.state));
    }
  }

  void carried(const SimulationState& state) {
    for (const SimulationState::Impulse& impulse : state.impulses) hashes_[impulses].add(impulse.value);
  }

  void note(const std::string& text) { hashes_[notes].add(text); }

  void mark(Trace& trace) {
    for (std::size_t i = 0; i < hashes_.size(); ++i) trace.marks[i] += hashes_[i].mark();
  }

 private:
  std::array<Hash, quantity_names.size()> hashes_;
};

KeptValues values_of(const SimulationState& state) {
  return {state.step, {spread(state.q), spread(state.u), figures_of(state.energy)}};
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Trace trace_of(const Scene& scene, const TraceLength& length, double seconds) {
  Trace trace{length, {}, {}};
  Tracer tracer;
  SceneRun run(scene, [&](const std::string& note) { tracer.note(note); });
  Simulation& simulation = run.simulation();
  const double begin = processor_seconds();
  const std::int64_t half = std::min(length.steps, scene.integrator.step_count()) / 2;
  try {
    run.start();
    while (!simulation.finished() && simulation.state().step < length.steps) {
      simulation.step(&tracer);
      tracer.sample(simulation.sample());
      tracer.carried(simulation.state());
      if (simulation.state().step == half) trace.kept.push_back(values_of(simulation.state()));
      if (simulation.state().step % length.every != 0) continue;
      tracer.mark(trace);
      if (processor_seconds() - begin > seconds) break;
    }
    trace.length.steps = simulation.state().step;
    trace.kept.push_back(values_of(simulation.state()));
  } catch (const SimulationFailure& failure) {
    tracer.note(failure.what());
    tracer.mark(trace);
  }
  return trace;
}

std::optional<std::string> difference_of_bits(const Trace& golden, const Trace& found) {
  const auto first_in = [&](std::size_t i) {
    const std::string &a = golden.marks[i], &b = found.marks[i];
    return static_cast<std::int64_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  };
  if (golden == found) return std::nullopt;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < quantity_names.size(); ++i)
    if (golden.marks[i] != found.marks[i]) first = std::min(first, first_in(i));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < quantity_names.size(); ++i)
    if (golden.marks[i] != found.marks[i] && first_in(i) == first) names.push_back(quantity_names[i]);
  const std::int64_t every = golden.length.every, last = (first + 1) * every;
  const std::string where =
      every == 1 ? fmt::format("step {}", last) : fmt::format("steps {} to {}", last - every + 1, last);
  return fmt::format("{}: other {}", where, fmt::join(names, ", "));
}

std::optional<std::string> difference_of_values(const Trace& golden, const Trace& found, double tolerance) {
  if (golden.kept.size() != found.kept.size()) return "the run ends elsewhere";
  for (std::size_t k = 0; k < golden.kept.size(); ++k) {
    for (std::size_t i = 0; i < golden.kept[k].values.size(); ++i) {
      double size = 0, apart = 0;
      for (const KeptValues& kept : golden.kept)
        for (const double value : kept.values[i]) size = std::max(size, std::abs(value));
      const std::vector<double>&a = golden.kept[k].values[i], &b = found.kept[k].values[i];
      if (a.size() != b.size()) return fmt::format("another number of {}", quantity_names[i]);
      for (std::size_t j = 0; j < a.size(); ++j) apart = std::max(apart, std::abs(a[j] - b[j]));
      if (!(apart <= tolerance * size))
        return fmt::format("step {}: {} by {:.2g} of {:.3g}", golden.kept[k].step, quantity_names[i], apart, size);
    }
  }
  return std::nullopt;
}

}  // namespace carom::testing
