// A sweep: a scene or a raw impact problem, values of it that vary, and what is measured at every point.
//
//   scene: ../scenes/kane.yaml
//   vary:
//     restitution: {path: model.restitution, from: 0, to: 1, count: 101}
//     friction: {path: model.friction, from: 0.01, to: 10, count: 61, scale: log}
//     law.type: [newton, poisson, stronge]
//   measures: [work, relative_gain, {state: tip}]

#pragma once

#include <string>
#include <vector>

#include "config/document.h"
#include "config/schema.h"
#include "config/sweep_measures.h"

namespace carom {

// Why something cannot be read or built; nothing if it can.
template <class Read>
std::string complaint_of(Read read) {
  try {
    read();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

inline constexpr double most_sweep_points = 1e7;

enum class SweepMode {
  grid,     // every value of an axis with every value of the others; the last axis runs fastest
  zip,      // the first values of all axes, the second ones, ...
  sampled,  // all values drawn at random
};
const char* name_of(SweepMode mode);

// One name with its values, which go to one place of the scene or to several.
struct VariedAxis {
  std::string name;
  std::vector<std::string> paths;
  bool in_degrees = false;             // the scene gets radians
  std::vector<double> numbers;         // its values, if they are numbers;
  std::vector<DocumentValue> choices;  // else words, lists or maps
  Place place;

  std::size_t size() const { return choices.empty() ? numbers.size() : choices.size(); }
  DocumentValue value(std::size_t i) const;
};

// A value that follows from those of axes: an expression in which {name} stands for the value the scene gets.
struct DerivedValue {
  std::string path;
  std::string expression;
  Place place;
};

struct SweepFile {
  std::string name = {}, about = {};
  std::string file = {};
  Document scene;    // before anything varies
  bool raw = false;  // a raw impact problem
  SweepMode mode = SweepMode::grid;
  std::vector<VariedAxis> axes = {};
  std::vector<DerivedValue> derived = {};
  std::vector<MeasureChoice> measures = {};
  std::string yaml = {};                      // the sweep after overrides: computes the same again
  Diagnostics diagnostics = Diagnostics("");  // without mistakes; knows the file and the options that places name

  std::vector<std::size_t> shape() const;  // of the arrays: one extent an axis of a grid, else the number of points
  std::size_t point_count() const;
  // Puts the values of a point into a copy of the scene. BadInput if there is no such place in it.
  void set_point(std::size_t point, Document& copy) const;
  // Only what follows from the values of a point.
  void set_derived(const DerivedValue& derivation, std::size_t point, Document& copy) const;
};

// BadInput with every mistake.
SweepFile read_sweep_file(const std::string& path, const std::vector<Setting>& overrides = {});
SweepFile read_sweep_text(const std::string& text, const std::string& name);

// Every map of a sweep; the first is the sweep itself.
const std::vector<MapSpec>& sweep_schema();

}  // namespace carom
