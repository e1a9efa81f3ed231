#include "tools/sweep/destination.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

namespace carom {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds shortest_pause{300};
constexpr int share_of_time = 20;  // one part in so many goes into snapshots, at most

std::vector<std::string> files_beside(const std::string& path, const std::string& prefix, const std::string& suffix) {
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= prefix.size() + suffix.size() && name.starts_with(prefix) && name.ends_with(suffix))
      found.push_back((fs::path(path).parent_path() / name).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool are_equal(const std::vector<SweepAxis>& a, const std::vector<SweepAxis>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SweepAxis& x, const SweepAxis& y) {
    return x.numbers == y.numbers && x.texts == y.texts;
  });
}

}  // namespace

std::string shard_path(const std::string& path, const Shard& shard) {
  fs::path result(path);
  const std::string extension = result.extension().string();
  result.replace_extension();
  return fmt::format("{}.shard-{}-of-{}{}", result.string(), shard.number + 1, shard.count, extension);
}

std::vector<std::string> shard_paths_at(const std::string& path) {
  return files_beside(path, fs::path(path).stem().string() + ".shard-", fs::path(path).extension().string());
}

std::vector<std::string> parts_at(const std::string& path) {
  const std::string part = fs::path(path).filename().string() + ".part";
  std::vector<std::string> parts = files_beside(path, part, "");
  std::erase_if(parts, [](const std::string& name) { return name.ends_with(".new"); });
  return parts;
}

void remove_parts(const std::string& path) {
  std::error_code error;
  for (const std::string& part : parts_at(path)) fs::remove(part, error);
}

void check_same_sweep(const SweepArrays& found, const SweepArrays& expected, const std::string& file) {
  std::string why;
  if (found.sweep_yaml != expected.sweep_yaml) {
    why = "the sweep file has changed since";
  } else if (found.scene_yaml != expected.scene_yaml) {
    why = "the scene has changed since";
  } else if (found.carom_version != expected.carom_version) {
    why = fmt::format("carom {} wrote it", found.carom_version);
  } else if (!are_equal(found.axes, expected.axes) || found.measures.size() != expected.measures.size()) {
    why = "its axes or measures are others";
  }
  if (!why.empty()) throw BadRunFile(fmt::format("{}: cannot be taken over: {}", file, why));
}

void take_over(const SweepArrays& from, SweepArrays& into) {
  for (std::size_t point = 0; point < into.points(); ++point) {
    if (!from.done[point] || into.done[point]) continue;
    into.done[point] = 1;
    into.point_status[point] = from.point_status[point];
    for (std::size_t m = 0; m < into.measures.size(); ++m)
      into.measures[m].values[point] = from.measures[m].values[point];
  }
  for (const auto& [point, reason] : from.reasons) into.reasons.emplace(point, reason);
}

Journal::Journal(const std::string& path, std::size_t rank, std::function<void(const std::string&)> note)
    : part_(path + ".part" + (rank > 0 ? fmt::format("-{}", rank) : "")),
      note_(std::move(note)),
      pause_(shortest_pause) {}

void Journal::write_if_due(const ResultStore& results) {
  if (results.stored() > written_points_ && Clock::now() - last_ >= pause_) write(results);
}

void Journal::write(const ResultStore& results) {
  const Clock::time_point begin = Clock::now();
  written_points_ = results.stored();
  try {
    write_sweep_arrays(part_, results.snapshot());
  } catch (const RunFileError& e) {
    if (note_) note_(fmt::format("{}; the sweep goes on, but a kill would lose it", e.what()));
    note_ = nullptr;
  }
  last_ = Clock::now();
  pause_ = std::max<Clock::duration>(shortest_pause, share_of_time * (last_ - begin));
}

}  // namespace carom
