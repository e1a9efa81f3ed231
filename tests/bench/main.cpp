// carom_bench [--csv FILE] [--against FILE] [--svg FILE] [--full] [NAME...]: speed of carom beside Siconos and
// hand-written loops.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/bench/comparison.h"
#include "tests/bench/contests.h"
#include "tests/bench/growth.h"
#include "tests/bench/scenes.h"
#include "tests/bench/siconos.h"

namespace {

using namespace carom::bench;

std::string machine() {
  std::string name = "unknown processor", line;
  int processors = 0;
  std::ifstream info("/proc/cpuinfo");
  while (std::getline(info, line)) {
    if (line.rfind("model name", 0) != 0) continue;
    name = line.substr(line.find(':') + 2);
    ++processors;
  }
  double load = 0;
  std::ifstream("/proc/loadavg") >> load;
  return fmt::format("{} × {}, load {:.1f}, compiler {}", processors, name, load, __VERSION__);
}

std::string duration(double seconds) {
  for (const auto& [unit, name] : {std::pair{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}})
    if (seconds >= unit) return fmt::format("{:.3g} {}", seconds / unit, name);
  return fmt::format("{:.3g} ns", seconds * 1e9);
}

std::string duration(const Timing& timing) {
  return fmt::format("{} ({:.0f} %)", duration(timing.median), 100 * (timing.highest - timing.lowest) / timing.median);
}

std::string times(const std::optional<Timing>& ratio) {
  return ratio ? fmt::format("{:.3g}", ratio->median) : std::string("–");
}

void print(const Standing& s) {
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", s.name, duration(s.carom),
             s.floor ? duration(*s.floor) : "–", times(s.times_floor), s.siconos ? duration(*s.siconos) : "–",
             times(s.times_siconos), s.target.empty() ? "–" : s.target,
             s.target.empty() ? s.remark : (s.met ? "yes" : "NO") + (s.remark.empty() ? "" : "; " + s.remark));
  std::fflush(stdout);
}

void write(std::ofstream& csv, const Standing& s) {
  const auto number = [](const std::optional<Timing>& t) { return t ? fmt::format("{:.6g}", t->median) : ""; };
  csv << fmt::format("\"{}\",{},{:.6g},{:.6g},{:.6g},{},{},{},{},\"{}\",{},\"{}\"\n", s.name, s.unit, s.carom.median,
                     s.carom.lowest, s.carom.highest, number(s.floor), number(s.times_floor), number(s.siconos),
                     number(s.times_siconos), s.target, s.met, s.remark);
  csv.flush();
}

struct Options {
  std::string csv, against, svg;
  bool full = false;
  std::vector<std::string> names;
  bool wants(const std::string& name) const {
    if (names.empty()) return true;
    for (const std::string& n : names)
      if (name.find(n) != std::string::npos) return true;
    return false;
  }
};

Options read(int count, char** arguments) {
  Options options;
  const std::map<std::string, std::string*> files = {
      {"--csv", &options.csv}, {"--against", &options.against}, {"--svg", &options.svg}};
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--full") {
      options.full = true;
    } else if (const auto file = files.find(argument); file != files.end() && i + 1 < count) {
      *file->second = arguments[++i];
    } else if (argument.rfind("--", 0) == 0) {
      fmt::print(stderr, "usage: carom_bench [--full] [--csv FILE] [--against FILE] [--svg FILE] [NAME...]\n");
      std::exit(2);
    } else {
      options.names.push_back(argument);
    }
  }
  return options;
}

std::vector<std::pair<std::string, std::function<Contest()>>> contests(const Options& options) {
  return {
      {"ball", ball_contest},
      {"kane", kane_contest},
      {"located-flight", [] { return located_contest("a ball in flight", ball_scene(), 400); }},
      {"located-kane", [] { return located_contest("Kane's pendulum", kane_scene("newton"), 10000); }},
      {"located-chain", [] { return located_contest("100 balls at rest", resting_chain_scene(100), 200); }},
      {"chain-10", [] { return resting_chain_contest(10, true); }},
      {"chain-100", [] { return resting_chain_contest(100, true); }},
      {"chain-1000", [] { return resting_chain_contest(1000, true); }},
      {"cold-1000", [] { return cold_chain_contest(1000, true); }},
      {"cold-10000", [&] { return cold_chain_contest(10000, options.full); }},
      {"pile-1e-4", [] { return pile_contest(1000, 1e-4); }},
      {"pile-1e-8", [] { return pile_contest(1000, 1e-8); }},
      {"compliant", compliant_contest},
      {"impact-newton", [] { return impact_contest("newton"); }},
      {"impact-poisson", [] { return impact_contest("poisson"); }},
      {"impact-stronge", [] { return impact_contest("stronge"); }},
      {"recorder", recorder_contest},
  };
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = read(count, arguments);
  std::map<std::string, FormerStanding> former;
  try {
    if (!options.against.empty()) former = read_standings(options.against);
  } catch (const std::exception& error) {
    fmt::print(stderr, "--against: {}\n", error.what());
    return 2;
  }
  fmt::print("{}\n", machine());
  if (!has_siconos())
    fmt::print(
        "Siconos is not installed; to compare with it: apt-get install libsiconos-kernel-dev, then build anew\n");
  fmt::print("Medians of rounds taken in turn; in brackets the spread, (highest − lowest)/median.\n\n");
  fmt::print(
      "| work | carom | floor | × floor | Siconos | × faster | target | met |\n|---|---|---|---|---|---|---|---|\n");
  std::ofstream csv;
  if (!options.csv.empty()) {
    csv.open(options.csv);
    csv << "work,unit,carom,carom_lowest,carom_highest,floor,times_floor,siconos,times_siconos,target,met,remark\n";
  }
  std::vector<Standing> standings;
  for (const auto& [name, contest] : contests(options)) {
    if (!options.wants(name)) continue;
    standings.push_back(hold(contest()));
    print(standings.back());
    if (csv.is_open()) write(csv, standings.back());
  }
  if (!options.against.empty()) show_comparison(former, standings);
  show_growth(options.wants("growth-chain"), options.wants("growth-pile"),
              options.csv.empty() ? "" : options.csv + ".growth.csv", options.svg);
}
