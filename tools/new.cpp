// carom new: a commented file to begin with.

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/embedded.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/table.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string name;
  std::string output;
  bool force = false;
};

std::string name_of(const EmbeddedFile& file) { return fs::path(file.name).stem().string(); }

// What its first line says.
std::string about(const EmbeddedFile& file) { return file.text.substr(2, file.text.find('\n') - 2); }

std::string list() {
  Table table({"starter", "what it is"});
  for (const EmbeddedFile& file : starter_files()) table.add({name_of(file), about(file)});
  return table.prose("") + "\nWrite one: carom new NAME\n";
}

EmbeddedFile starter(const std::string& name) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : starter_files()) {
    if (name_of(file) == name) return file;
    names.push_back(name_of(file));
  }
  throw BadInput(fmt::format("carom new: there is no starter '{}'{}; there are {}", name, suggestion(name, names),
                             fmt::join(names, ", ")));
}

int run(const Options& options) {
  if (options.name.empty()) {
    std::cout << list();
    return done;
  }
  const EmbeddedFile file = starter(options.name);
  const std::string path = options.output.empty() ? file.name : options.output;
  if (fs::exists(path) && !options.force)
    throw BadInput(fmt::format("{} is there already; -o FILE writes elsewhere, --force over it", path));
  write_whole({{path, file.text}});
  std::cout << path << '\n';
  return done;
}

}  // namespace

Subcommand new_subcommand() {
  return {"new", "write a commented scene or sweep to begin with; without NAME list them", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("NAME", options->name, "pendulum, block, chain, spatial or sweep", false);
            line.option("-o,--output", options->output, "where to write it (default: NAME.yaml)");
            line.flag("--force", options->force, "write over a file that is there");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
