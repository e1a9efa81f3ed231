#include "tests/run_file/falling_bodies.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace carom::testing {

namespace {

constexpr double h = 1e-3;

double q_at(std::int64_t step, Index i) { return std::sin(0.01 * static_cast<double>(step)) + static_cast<double>(i); }
double u_at(std::int64_t step, Index i) { return std::cos(0.01 * static_cast<double>(step)) - static_cast<double>(i); }

EnergyLedger energy_at(std::int64_t step) {
  const double s = static_cast<double>(step);
  return {1 + s, 2 * s, -0.5 * s, -0.25 * s, 0.125 * s, 1};
}

ContactSample contact_at(std::int64_t step, std::size_t contact) {
  const double s = static_cast<double>(step) + 1000 * static_cast<double>(contact);
  return {0.1 * s, {s, -s, 7}, {2 * s, -2 * s, 7}, static_cast<State>(step % 5)};
}

std::string name_at(std::int64_t step, int element) {
  return element == 0 ? "floor0" : "pair" + std::to_string(step % 30);  // names that turn up on the way
}

}  // namespace

std::vector<Coordinate> FallingBodies::positions() const {
  std::vector<Coordinate> list;
  for (std::size_t b = 0; b < bodies_; ++b) {
    list.push_back({"body" + std::to_string(b) + ".x"});
    list.push_back({"body" + std::to_string(b) + ".y"});
    list.push_back({"body" + std::to_string(b) + ".angle", Coordinate::Kind::angle});
  }
  return list;
}

std::vector<Coordinate> FallingBodies::velocities() const {
  std::vector<Coordinate> list = positions();
  for (Coordinate& c : list) c.is_rate = true;
  return list;
}

PoseLayout FallingBodies::poses() const {
  PoseLayout layout;
  for (std::size_t b = 0; b < bodies_; ++b) layout.bodies.push_back("body" + std::to_string(b));
  return layout;
}

void FallingBodies::pose(const Vec& q, Index body, double* out) const {
  for (Index i = 0; i < 3; ++i) out[i] = q(3 * body + i);
}

void record(Recorder& recorder, const FallingBodies& system, std::int64_t first, std::int64_t end, std::int64_t every) {
  const auto n = static_cast<Index>(system.positions().size());
  Vec q(n), u(n);
  std::vector<ContactSample> contacts(system.named_contacts());
  for (std::int64_t step = first; step < end; ++step) {
    for (Index i = 0; i < n; ++i) {
      q(i) = q_at(step, i);
      u(i) = u_at(step, i);
    }
    if (step % every == 0) {
      for (std::size_t c = 0; c < contacts.size(); ++c) contacts[c] = contact_at(step, c);
      recorder.sample({step, h * static_cast<double>(step), &q, &u, energy_at(step), contacts});
    }
    if (step % 3 == 0) {
      ImpactRecord impact;
      impact.step = step;
      impact.time = h * static_cast<double>(step);
      impact.q = &q;
      impact.u = &u;
      impact.kinetic_before = static_cast<double>(step);
      impact.work = -static_cast<double>(step);
      impact.energetic = step % 2 == 0;
      for (int e = 0; e < 2; ++e) {
        ImpactElementRecord element;
        element.name = name_at(step, e);
        element.impulse = Eigen::Vector3d(static_cast<double>(step), e, 7);
        element.state = State::slip;
        impact.elements.push_back(element);
      }
      recorder.impact(impact);
    }
  }
}

RunDescription description_of(std::int64_t expected_samples, std::int64_t every) {
  RunDescription description;
  description.scene = "falling bodies — ε";
  description.law = "newton";
  description.scene_yaml = "scene: falling\n# ε\n";
  description.step = h;
  description.every = every;
  description.expected_samples = expected_samples;
  description.facts = {{"carom_version", "test"}};
  return description;
}

std::int64_t check_rows(const RunFileReader& run, const FallingBodies& system, std::int64_t every) {
  const auto n = static_cast<Index>(system.positions().size());
  const auto samples = static_cast<std::size_t>(run.samples());
  const std::vector<double> time = run.read("time"), step = run.read("step"), q = run.read("q"), u = run.read("u"),
                            drift = run.read("energy/drift"), total = run.read("energy/total");
  REQUIRE(time.size() == samples);
  REQUIRE(q.size() == samples * static_cast<std::size_t>(n));
  std::int64_t wrong = 0;
  const auto expect = [&](double found, double expected) { wrong += found != expected; };
  for (std::size_t i = 0; i < samples; ++i) {
    const std::int64_t s = static_cast<std::int64_t>(i) * every;
    expect(step[i], static_cast<double>(s));
    expect(time[i], h * static_cast<double>(s));
    for (Index j = 0; j < n; ++j) {
      const std::size_t k = i * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
      expect(q[k], q_at(s, j));
      expect(u[k], u_at(s, j));
    }
    expect(total[i], energy_at(s).total());
    expect(drift[i], energy_at(s).drift());
  }
  if (run.find("contacts/floor0/impulse")) {
    const std::vector<double> impulse = run.read("contacts/floor0/impulse"), state = run.read("contacts/floor0/state");
    for (std::size_t i = 0; i < samples; ++i) {
      const ContactSample contact = contact_at(static_cast<std::int64_t>(i) * every, 0);
      expect(impulse[2 * i], contact.impulse(0));
      expect(impulse[2 * i + 1], contact.impulse(1));
      expect(state[i], static_cast<double>(contact.state));
    }
  }
  const auto impacts = static_cast<std::size_t>(run.impacts());
  const std::vector<double> of_impact = run.read("impacts/elements/impact"),
                            impulse = run.read("impacts/elements/impulse"),
                            element = run.read("impacts/elements/element"), work = run.read("impacts/work");
  const std::vector<std::string> names = run.read_texts("impacts/element_names");
  REQUIRE(of_impact.size() == 2 * impacts);  // every impact that is there has all its elements
  for (std::size_t i = 0; i < of_impact.size(); ++i) {
    const auto s = static_cast<std::int64_t>(3 * (i / 2));
    expect(of_impact[i], static_cast<double>(i / 2));
    expect(impulse[2 * i], static_cast<double>(s));
    expect(work[i / 2], -static_cast<double>(s));
    wrong += names.at(static_cast<std::size_t>(element[i])) != name_at(s, static_cast<int>(i % 2));
  }
  // All impacts before the last sample.
  if (samples > 0) CHECK(3 * run.impacts() >= static_cast<std::int64_t>(step.back()));
  CHECK(wrong == 0);
  return run.samples();
}

std::string folder() {
  static const std::string path = [] {
    const auto p = std::filesystem::temp_directory_path() / ("carom-run-file-" + std::to_string(::getpid()));
    std::filesystem::create_directories(p);
    static const std::string kept = p.string();
    static const pid_t owner = ::getpid();
    std::atexit([] {
      std::error_code error;
      if (::getpid() == owner) std::filesystem::remove_all(kept, error);
    });
    return kept;
  }();
  return path;
}

std::string path_in_folder(const std::string& name) {
  static int count = 0;
  return folder() + "/" + std::to_string(++count) + "-" + name;
}

}  // namespace carom::testing
