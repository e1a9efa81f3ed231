#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>

#include "tools/sweep/point_evaluator.h"

namespace carom {

namespace {

constexpr std::size_t first_probes = 16;  // for what there is to measure: axes may change the system
constexpr std::size_t most_probes = 256;  // for one point at least that can be built

// What a document with values set can be built to, or why not.
struct Probe {
  std::optional<Scene> scene;
  std::optional<ImpactFile> problem;
  std::string complaint;

  bool built() const { return scene || problem; }
};

Probe probe(const Document& document, bool raw) {
  Probe result;
  try {
    if (raw) {
      result.problem = read_impact_file(document, {"all"});  // what a law thinks of it is for the points
    } else {
      result.scene = read_scene(document);
    }
  } catch (const std::exception& e) {
    result.complaint = e.what();
  }
  return result;
}

Probe probe_point(const SweepFile& sweep, std::size_t point) {
  Document document = sweep.scene.copy();
  try {
    sweep.set_point(point, document);
  } catch (const BadInput& e) {
    return {{}, {}, e.what()};
  }
  return probe(document, sweep.raw);
}

// Why something alone cannot be put into the scene, and that be built with it, as the first of three positions of many
// says; nothing if it can.
template <class Put>
std::optional<std::string> complaint_about(const SweepFile& sweep, std::size_t positions, bool build, Put put) {
  std::string first;
  for (const std::size_t i : {std::size_t{0}, positions / 2, positions - 1}) {
    Document document = sweep.scene.copy();
    std::string complaint;
    try {
      put(i, document);
      if (!build) return std::nullopt;
      const Probe alone = probe(document, sweep.raw);
      if (alone.built()) return std::nullopt;
      complaint = alone.complaint;
    } catch (const BadInput& e) {
      complaint = e.what();
    }
    if (first.empty()) first = complaint;
  }
  return first;
}

std::size_t size_of(const Probe& probe) {
  return static_cast<std::size_t>(probe.problem ? probe.problem->velocity.size() : probe.scene->u.size());
}

// Of points spread over the sweep, the one with the most velocities: where others have fewer, measures are missing.
std::optional<Probe> largest_probe(const SweepFile& sweep, std::size_t most, std::string& first_complaint) {
  const std::size_t points = sweep.point_count();
  const std::size_t probes = std::min(points, most);
  std::optional<Probe> largest;
  for (std::size_t k = 0; k < probes; ++k) {
    const std::size_t point = probes == 1 ? 0 : k * (points - 1) / (probes - 1);
    Probe built = probe_point(sweep, point);
    if (!built.built()) {
      if (first_complaint.empty()) first_complaint = built.complaint;
    } else if (!largest || size_of(built) > size_of(*largest)) {
      largest = std::move(built);
    }
  }
  return largest;
}

MeasuredThing thing_of(const Probe& built, const SweepFile& sweep) {
  MeasuredThing thing;
  thing.finds_contacts = !sweep.raw && MapReader(sweep.scene.root()).has("collide");
  if (built.problem) {
    for (const Element& element : built.problem->elements) thing.elements.push_back(element.name);
    thing.velocities = static_cast<std::size_t>(built.problem->velocity.size());
    return thing;
  }
  const System& system = *built.scene->system;
  thing.system = &system;
  thing.velocities = system.velocities().size();
  for (std::size_t key = 0; key < system.named_contacts(); ++key) thing.elements.push_back(system.contact_name(key));
  Clutches clutches;
  system.clutches(built.scene->q, clutches);
  for (Index i = 0; i < clutches.W.count(); ++i) thing.elements.push_back(system.clutch_name(i));
  return thing;
}

[[noreturn]] void blame(const SweepFile& sweep, const std::string& first_complaint) {
  const Probe base = probe(sweep.scene.copy(), sweep.raw);
  Diagnostics diagnostics = sweep.diagnostics;
  for (const VariedAxis& axis : sweep.axes) {
    const auto put = [&](std::size_t i, Document& document) {
      for (const std::string& path : axis.paths) document.set(path, axis.value(i), "vary");
    };
    if (const auto complaint = complaint_about(sweep, axis.size(), base.built(), put))
      diagnostics.error(axis.place, "vary." + axis.name, *complaint);
  }
  for (const DerivedValue& derivation : sweep.derived) {
    const auto put = [&](std::size_t i, Document& document) { sweep.set_derived(derivation, i, document); };
    if (const auto complaint = complaint_about(sweep, sweep.point_count(), base.built(), put))
      diagnostics.error(derivation.place, "derived." + derivation.path, *complaint);
  }
  if (base.built() && diagnostics.ok())
    throw BadInput(
        fmt::format("{}: no point of this sweep can be built; the first says: {}", sweep.file, first_complaint));
  const std::string of_values = complaint_of([&] { diagnostics.throw_if_bad(); });
  const std::string others =
      base.built() ? complaint_of([&] { measurements_of(sweep, thing_of(base, sweep)); }) : base.complaint;
  throw BadInput(of_values + (of_values.empty() || others.empty() ? "" : "\n") + others);
}

}  // namespace

std::vector<Measurement> prepared_measurements(const SweepFile& sweep) {
  std::string first_complaint;
  std::optional<Probe> largest = largest_probe(sweep, first_probes, first_complaint);
  if (!largest) largest = largest_probe(sweep, most_probes, first_complaint);
  if (!largest) blame(sweep, first_complaint);
  return measurements_of(sweep, thing_of(*largest, sweep));
}

}  // namespace carom
