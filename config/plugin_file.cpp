#include "config/plugin_file.h"

#include <dlfcn.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "config/diagnostics.h"
#include "config/plugin.h"
#include "models/added_models.h"
#include "solvers/inclusion/added_solvers.h"
#include "solvers/laws/added_laws.h"

namespace carom {

const char* const others_by_plugin = "others come in with --plugin FILE.so";

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw BadInput(fmt::format("plug-in {}: {}", path, why));
}

fs::path place_of(const std::string& path) {
  std::error_code error;
  const fs::path place = fs::canonical(path, error);
  if (error) refuse(path, "there is no such file");
  if (!fs::is_regular_file(place)) refuse(path, "is no file");
  return place;
}

// What the plug-in was built for, from the bytes of its file; empty if it does not say.
std::string built_for(const fs::path& place) {
  std::ifstream in(place, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::string mark = CAROM_PLUGIN_MARK;
  const std::size_t at = bytes.find(mark);
  return at == std::string::npos ? "" : bytes.c_str() + at + mark.size();
}

void check_build(const std::string& path, const fs::path& place) {
  const std::string of_plugin = built_for(place), ours = CAROM_BUILT_FOR;
  if (of_plugin.empty()) refuse(path, "is no plug-in of carom: it has no CAROM_PLUGIN(...) of config/plugin.h");
  if (of_plugin != ours)
    refuse(path, fmt::format("was built for {}, and this is {}; build it again with find_package(carom) of this one",
                             of_plugin, ours));
}

// Everything of carom in it is this program's own; this module is made to show it where the program is none but a
// library of an interpreter.
void show_own_symbols() {
  Dl_info own;
  if (dladdr(reinterpret_cast<const void*>(&load_plugin), &own) != 0 && own.dli_fname)
    dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

Plugin contents_of(const std::string& path, const fs::path& place) {
  show_own_symbols();
  void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);  // for good: entries point into it
  if (!library) refuse(path, fmt::format("cannot be loaded: {}", dlerror()));
  const auto fill = reinterpret_cast<void (*)(Plugin&)>(dlsym(library, "carom_plugin_contents"));
  if (!fill) refuse(path, "is no plug-in of carom: it does not show carom_plugin_contents");
  Plugin plugin;
  try {
    fill(plugin);
  } catch (const std::exception& e) {
    refuse(path, fmt::format("failed while it was loaded: {}", e.what()));
  } catch (...) {
    refuse(path, "failed while it was loaded: it threw something that is no std::exception");
  }
  return plugin;
}

template <class Entry>
void check_entries(const std::vector<Entry>& entries, const OpenList<Entry>& list, const std::string& origin) {
  std::set<std::string> names;
  for (const Entry& entry : entries) {
    list.check(entry, origin);
    if (!names.insert(entry.name).second) throw std::invalid_argument(fmt::format("it has '{}' twice", entry.name));
  }
}

template <class Entry>
void add_entries(std::vector<Entry>& entries, OpenList<Entry>& list, const std::string& origin) {
  for (Entry& entry : entries) list.add(std::move(entry), origin);
}

std::set<fs::path>& loaded() {
  static std::set<fs::path> files;
  return files;
}

}  // namespace

void load_plugin(const std::string& path) {
  const fs::path place = place_of(path);
  if (loaded().count(place) > 0) return;
  check_build(path, place);
  Plugin plugin = contents_of(path, place);
  try {
    check_entries(plugin.laws, law_list(), path);
    check_entries(plugin.models, model_list(), path);
    check_entries(plugin.solvers, solver_list(), path);
  } catch (const std::invalid_argument& e) {
    refuse(path, e.what());
  }
  if (plugin.laws.empty() && plugin.models.empty() && plugin.solvers.empty())
    refuse(path, "has no laws, models or solvers");
  add_entries(plugin.laws, law_list(), path);
  add_entries(plugin.models, model_list(), path);
  add_entries(plugin.solvers, solver_list(), path);
  loaded().insert(place);
}

std::vector<std::string> plugins_of_environment() {
  const char* named = std::getenv("CAROM_PLUGINS");
  std::vector<std::string> files;
  for (std::string rest = named ? named : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) files.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return files;
}

}  // namespace carom
