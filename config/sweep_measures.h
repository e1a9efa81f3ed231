// What a sweep can measure: one table, for the reader of the file, the schema and the documentation.

#pragma once

#include <string>
#include <vector>

#include "config/document.h"

namespace carom {

enum class MeasureKind {
  // Of the first impact. Nothing beyond it is computed if only these are asked for.
  work,
  kinetic_before,
  kinetic_after,
  created_energy,
  relative_gain,
  impact_time,
  kinematic,
  kinetic,
  energetic,
  consistent,
  solutions,
  state,
  impulse,
  gamma_before,
  gamma_after,
  velocity_before,
  velocity_after,
  // Of the whole run.
  impacts,
  inconsistent_impacts,
  created_energy_of_run,
  end_time,
  smallest,
  largest,
  end,
};

struct MeasureSpec {
  MeasureKind kind = MeasureKind::work;
  std::string name;      // in the file
  std::string argument;  // what has to stand behind it: contact, direction, velocity, quantity; empty: nothing
  std::string units;     // empty where they depend on the argument
  std::string meaning;
  bool of_run = false;
};

const std::vector<MeasureSpec>& measure_specs();

// One entry of `measures`. A vector (velocity_after, end: u) without the name of an entry stands for all of them.
struct MeasureChoice {
  const MeasureSpec* spec = nullptr;
  std::string argument;
  std::string name;  // as the user calls it; empty: as the file does
  Place place;
  std::string path;  // in messages
};

std::vector<MeasureChoice> read_measures(const Node& node);

// "work", "state_tip", "max_energy_total".
std::string measure_name(const MeasureSpec& spec, const std::string& argument);

}  // namespace carom
