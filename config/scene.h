// A scene: a system in YAML, with its law, integrator and output. Read strictly; every mistake is named with its place.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/document.h"
#include "engine/parameters.h"
#include "engine/simulation.h"
#include "engine/system.h"

namespace carom {

struct OutputOptions {
  std::int64_t every = 1;                       // steps between samples
  bool state = true;                            // /q and /u
  bool poses = true;                            // /bodies/*/pose
  bool energy = true;                           // /energy/*
  bool contacts = true;                         // /contacts/*
  bool impacts = true;                          // /impacts/*
  std::vector<std::string> contact_names = {};  // only these; empty: all named ones
  int compression = 0;                          // gzip level
};

struct Scene {
  std::string name;
  std::string about;
  std::shared_ptr<const System> system;
  Vec q, u;  // initial state, on the joints
  LawChoice law;
  std::string law_place;                     // file:line:column, or the option that gives it
  bool sequential_for_several = true;        // law.several: sequential (default) or refuse
  std::optional<double> common_restitution;  // law.restitution: of every contact, in place of its own
  // That all contacts have, also those which `collide` may find: for a law with one ε for the whole system (Moreau's)
  // that is given none. It holds also where no contact takes part in an impact, only clutches do.
  std::optional<double> shared_restitution;
  std::string solver = "auto";
  IntegratorOptions integrator;
  OutputOptions output;
  std::string effective_yaml;  // the scene after overrides and defaults of the command line: runs the same again
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // what was changed because it was asked for
};

LawChoice law_of_run(const Scene& scene);  // with what it takes from the scene's contacts

struct SceneOptions {
  std::vector<Setting> overrides;
  bool fix = false;      // project the initial state on joints and contacts instead of refusing it
  bool goes_on = false;  // a run with a state of its own: what the initial one is does not matter
};

// BadInput with every mistake.
Scene read_scene(const std::string& path, const SceneOptions& options = {});
Scene read_scene_text(const std::string& text, const std::string& name, const SceneOptions& options = {});
Scene read_scene(const Document& document);  // without its effective_yaml, which is document.yaml()

}  // namespace carom
