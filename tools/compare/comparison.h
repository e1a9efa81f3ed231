// A scene or a raw problem by several laws, side by side: at its first impact and through time.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/compare/compare_impact.h"
#include "tools/compare/compare_runs.h"
#include "tools/input_file.h"
#include "tools/json.h"
#include "tools/run_file/destination.h"

namespace carom {

struct CompareOptions {
  InputFile input;
  std::vector<std::string> laws = {"all"};
  std::vector<std::string> sets = {};
  std::string match = "restitution";
  std::string reference = {};
  std::string duration = {}, step = {};
  bool impact_only = false;
  bool fix = false;
};

// What is compared: a scene, or a raw problem.
struct ComparedSubject {
  std::optional<Scene> scene;
  std::optional<ImpactFile> problem;
  std::string name;
  std::vector<std::string> laws;
  std::string reference;
  Matching matching = Matching::restitution;
};

struct Comparison {
  ComparedSubject subject;
  std::optional<ComparedImpact> impact;
  std::string no_impact;  // why
  bool through_time = false;
  std::vector<ComparedRun> runs;

  const ComparedImpact* at_impact() const { return impact ? &*impact : nullptr; }
  bool was_interrupted() const;
};

// BadInput with every mistake of the file or the options.
ComparedSubject read_subject(const CompareOptions& options);
// BadInput if the impact alone is asked for and there is none.
Comparison compare_at_impact(const CompareOptions& options, ComparedSubject subject);

struct ComparedRuns {
  std::string path = {};  // a file of all runs; empty: none
  Overwrite overwrite = Overwrite::nothing;
  std::size_t workers = 1;
  bool quiet = false;
};

// The runs, where there are any. Returns a note on the file if not all went as asked.
std::string compare_through_time(const CompareOptions& options, const ComparedRuns& how, Comparison& comparison);

Json comparison_json(const Comparison& comparison);
std::string comparison_text(const Comparison& comparison);

}  // namespace carom
