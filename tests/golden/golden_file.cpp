#include "tests/golden/golden_file.h"

#include <spdlog/fmt/fmt.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tools/version.h"

namespace carom::testing {

namespace {

constexpr const char* heading =
    "# A run's marks, a character a quantity and mark ('.': nothing to tell), and figures of a few steps. Written by\n"
    "# tests/golden/renew; to guard more of the scene change steps and every, and renew. A law without marks of its "
    "own\n"
    "# has those of another, does not take the scene, or has fewer steps because they take long.\n";

std::string mathematical_functions() {
  std::uint64_t hash = 0;
  const auto add = [&](double value) { hash = hash * 0x100000001b3 + std::bit_cast<std::uint64_t>(value); };
  for (int k = 1; k <= 1000; ++k) {
    const double x = 0.013 * k;
    for (const double value : {std::sin(x), std::cos(x), std::tan(x), std::exp(x), std::log(x), std::atan2(x, 2.0),
                               std::pow(x, 1.5), std::cbrt(x), std::acos(x / 14), std::hypot(x, 1.1)})
      add(value);
  }
  return fmt::format("{:016x}", hash);
}

std::string text_of(const Trace& trace) {
  std::string text;
  for (std::size_t i = 0; i < quantity_names.size(); ++i) {
    if (trace.marks[i].find_first_not_of('.') != std::string::npos)
      text += fmt::format("  {} {}\n", quantity_names[i], trace.marks[i]);
  }
  for (const KeptValues& kept : trace.kept) {
    text += fmt::format("  at {}", kept.step);
    for (std::size_t i = 0; i < kept.values.size(); ++i)
      text += fmt::format(" {} {} {:.12g}", quantity_names[i], kept.values[i].size(), fmt::join(kept.values[i], " "));
    text += '\n';
  }
  return text;
}

KeptValues kept_from(std::istringstream& line) {
  KeptValues kept;
  line >> kept.step;
  for (std::vector<double>& values : kept.values) {
    std::string name;
    std::size_t count = 0;
    line >> name >> count;
    values.resize(count);
    for (double& value : values) line >> value;
  }
  return kept;
}

// A line of the trace of a law. A quantity that never has anything to tell has no line.
void read_line_of_trace(const std::string& word, std::istringstream& line, Trace& trace) {
  if (word == "at") {
    trace.kept.push_back(kept_from(line));
    return;
  }
  const auto name = std::find(quantity_names.begin(), quantity_names.end(), word);
  if (name == quantity_names.end()) throw std::runtime_error("golden file: '" + word + "'");
  std::string& marks = trace.marks[static_cast<std::size_t>(name - quantity_names.begin())];
  line >> marks;
  for (std::string& of : trace.marks) of.resize(marks.size(), '.');
}

}  // namespace

std::string toolchain() {
  return fmt::format("{} | {} | Eigen {}.{}.{} | functions {}", compiler(), compiler_flags(), EIGEN_WORLD_VERSION,
                     EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, mathematical_functions());
}

std::optional<GoldenFile> read_golden(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  GoldenFile golden;
  Trace* trace = nullptr;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with("#")) continue;
    std::istringstream line(text);
    std::string word, name, how, other;
    line >> word;
    if (word == "made") {
      golden.made_with = text.substr(std::string("made with ").size());
    } else if (word == "steps") {
      line >> golden.length.steps >> word >> golden.length.every;
    } else if (word == "law") {
      line >> name >> how;
      std::optional<Trace>& of_law = golden.laws[name];
      if (how == "refused") continue;
      of_law.emplace();
      trace = &*of_law;
      trace->length = golden.length;
      if (how == "steps") line >> trace->length.steps;
      if (how == "as" && line >> other) *trace = golden.laws.at(other).value();
    } else if (trace) {
      read_line_of_trace(word, line, *trace);
    }
  }
  return golden;
}

void write_golden(const std::string& path, const GoldenFile& golden) {
  std::ofstream file(path);
  file << heading << "made with " << golden.made_with << '\n';
  file << fmt::format("steps {} every {}\n", golden.length.steps, golden.length.every);
  for (auto law = golden.laws.begin(); law != golden.laws.end(); ++law) {
    if (!law->second) {
      file << "law " << law->first << " refused\n";
      continue;
    }
    const auto same =
        std::find_if(golden.laws.begin(), law, [&](const auto& other) { return other.second == law->second; });
    if (same != law) {
      file << "law " << law->first << " as " << same->first << '\n';
      continue;
    }
    const bool shorter = law->second->length.steps < golden.length.steps;
    file << "law " << law->first << (shorter ? fmt::format(" steps {}", law->second->length.steps) : "") << '\n'
         << text_of(*law->second);
  }
}

}  // namespace carom::testing
