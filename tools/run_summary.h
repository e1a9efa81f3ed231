// What a run file tells, in figures. Long runs are read block by block.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/run_file/reader.h"

namespace carom {

struct EnergySummary {
  struct Column {
    std::string name;  // kinetic, potential, total
    double first = 0, last = 0;
    double lowest = 0, lowest_time = 0;
    double highest = 0, highest_time = 0;
  };
  struct Work {
    std::string name, called;
    double value = 0;  // from start to end
  };
  std::vector<Column> columns;
  std::vector<Work> works;
};

struct ImpactSummary {
  struct Element {
    std::string name, state;
    std::vector<double> velocity_before, velocity_after, impulse;
  };
  std::int64_t number = 0, step = 0;
  double time = 0, kinetic_before = 0, kinetic_after = 0, work = 0;
  bool kinematic = true, kinetic = true, energetic = true;
  std::int64_t solutions = 0, iterations = 0;
  double residual = 0;
  std::vector<Element> elements;
};

// A named contact, or one found on the way that had an impact.
struct ContactSummary {
  std::string name;
  std::int64_t impacts = 0;
  bool sampled = false;  // the rest is known
  std::int64_t closed = 0;
  double smallest_gap = 0, largest_gap = 0;
};

struct PenetrationSummary {
  std::string contact;
  Penetration figures;  // its key is not in the file
};

struct RunSummary {
  std::string file, scene, law, scheme, status, version, compiler;
  bool recovered = false;
  double step = 0, theta = 0, wall_seconds = 0;
  std::int64_t unsolved = 0;  // steps that went on without a solution
  std::int64_t every = 1, steps = 0, samples = 0;
  double length = 0;  // the largest gap or coordinate: what rounding of gaps is measured by
  double first_time = 0, last_time = 0;
  std::optional<EnergySummary> energy;
  bool has_impacts = false;
  std::int64_t impacts = 0, creating_energy = 0, still_approaching = 0, outside_set = 0;
  double energy_created = 0;
  bool some_take_part = false;  // an impact leaves bodies out, whose energy T⁻ and T⁺ do not count
  std::vector<ContactSummary> contacts;
  std::vector<RunMessage> log;                                  // what was told on the way
  std::optional<std::vector<PenetrationSummary>> penetrations;  // the deepest first; not known before the end of a run
};

RunSummary summarise(const RunFileReader& run);
std::vector<ImpactSummary> read_impacts(const RunFileReader& run, std::int64_t most);

}  // namespace carom
