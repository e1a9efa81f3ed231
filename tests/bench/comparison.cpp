#include "tests/bench/comparison.h"

#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace carom::bench {

namespace {

// Fields of one line; those in quotation marks may hold commas.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::string change(double before, double now) {
  return before > 0 && now > 0 ? fmt::format("{:.3g} → {:.3g} ({:+.0f} %)", before, now, 100 * (now / before - 1))
                               : std::string("–");
}

double median(const std::optional<Timing>& timing) { return timing ? timing->median : 0; }

}  // namespace

std::map<std::string, FormerStanding> read_standings(const std::string& path) {
  std::ifstream csv(path);
  std::string line;
  if (!std::getline(csv, line)) throw std::runtime_error(path + " cannot be read");
  std::map<std::string, std::size_t> column;
  for (const std::string& name : fields_of(line)) column.emplace(name, column.size());
  for (const char* name : {"work", "carom", "times_floor", "times_siconos"})
    if (!column.count(name))
      throw std::runtime_error(fmt::format("{} has no column '{}': give a file written with --csv", path, name));
  std::map<std::string, FormerStanding> standings;
  while (std::getline(csv, line)) {
    const std::vector<std::string> fields = fields_of(line);
    const auto number = [&](const char* name) {
      return column[name] < fields.size() ? std::strtod(fields[column[name]].c_str(), nullptr) : 0.0;
    };
    standings[fields[column["work"]]] = {number("carom"), number("times_floor"), number("times_siconos")};
  }
  return standings;
}

void show_comparison(const std::map<std::string, FormerStanding>& before, const std::vector<Standing>& now) {
  fmt::print("\nAgainst the former run\n\n| work | ns | × floor | × faster than Siconos |\n|---|---|---|---|\n");
  for (const Standing& standing : now) {
    const auto found = before.find(standing.name);
    if (found == before.end()) {
      fmt::print("| {} | not in the former run | – | – |\n", standing.name);
      continue;
    }
    const FormerStanding& former = found->second;
    fmt::print("| {} | {} | {} | {} |\n", standing.name, change(former.carom * 1e9, standing.carom.median * 1e9),
               change(former.times_floor, median(standing.times_floor)),
               change(former.times_siconos, median(standing.times_siconos)));
  }
}

}  // namespace carom::bench
