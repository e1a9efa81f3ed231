// A damaged file is read, or refused with a sentence that names it. Nothing crashes and nothing hangs: HDF5 1.10 does,
// where a byte of the heap is wrong in which it keeps texts.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/run_file/falling_bodies.h"

using namespace carom;
using namespace carom::testing;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string whole_run() {
  const std::string path = path_in_folder("whole.h5");
  const FallingBodies system(2);
  RunFile file(path);
  RunFileWriter& run = file.add_run("/", description_of(50), system, 2);
  file.start();
  record(run, system, 0, 50);
  RunEnd end;
  end.status = "complete";
  end.state = SimulationState{};
  run.finish(end);
  file.finish();
  return path;
}

std::vector<std::size_t> heaps_in(const std::string& bytes) {
  std::vector<std::size_t> places;
  for (std::size_t at = bytes.find("GCOL"); at != std::string::npos; at = bytes.find("GCOL", at + 1))
    places.push_back(at);
  return places;
}

// Reads everything there is. Returns what is wrong, or nothing.
std::string read_all(const std::string& path) {
  try {
    const RunFileReader run(path);
    for (const DatasetInfo& info : run.datasets()) {
      if (info.is_text) {
        run.read_texts(info.path);
      } else {
        run.read(info.path);
      }
    }
    for (const char* attribute : {"scene", "law", "status"}) run.text(attribute);
    run.checkpoint();
    return {};
  } catch (const BadRunFile& e) {
    return e.what();
  }
}

// Damages a copy of the run many times. Returns how often it was refused.
template <class Damage>
int refusals(int times, const Damage& damage) {
  const std::string whole = bytes_of(whole_run()), path = path_in_folder("damaged.h5");
  REQUIRE(!heaps_in(whole).empty());
  int refused = 0;
  for (int seed = 0; seed < times; ++seed) {
    std::string bytes = whole;
    std::mt19937 random(static_cast<unsigned>(seed));
    damage(bytes, [&](std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random); });
    std::ofstream(path, std::ios::binary) << bytes;
    CAPTURE(seed);
    const std::string wrong = read_all(path);
    if (wrong.empty()) continue;
    CHECK(wrong.rfind(path, 0) == 0);
    CHECK(wrong.find('\n') == std::string::npos);
    ++refused;
  }
  return refused;
}

}  // namespace

TEST_CASE("damaged texts") {
  CHECK(refusals(150, [](std::string& bytes, const auto& below) {
          const std::vector<std::size_t> heaps = heaps_in(bytes);
          const std::size_t at = heaps[below(heaps.size())] + below(400);
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        }) > 10);
}

TEST_CASE("damaged bytes anywhere") {
  CHECK(refusals(50, [](std::string& bytes, const auto& below) {
          for (int i = 0; i < 20; ++i) bytes[below(bytes.size())] = static_cast<char>(below(256));
        }) > 10);
}

TEST_CASE("files that are cut") {
  CHECK(refusals(30, [](std::string& bytes, const auto& below) { bytes.resize(below(bytes.size())); }) == 30);
}

TEST_CASE("the sentence about a damaged text says which") {
  std::string bytes = bytes_of(whole_run());
  constexpr std::size_t second_text = 48;  // of a heap: the first one, `format`, stays
  for (const std::size_t heap : heaps_in(bytes)) bytes.replace(heap + second_text, 200, std::string(200, '\xff'));
  const std::string path = path_in_folder("texts.h5");
  std::ofstream(path, std::ios::binary) << bytes;
  const std::string wrong = read_all(path);
  CAPTURE(wrong);
  CHECK(wrong.rfind(path, 0) == 0);
  CHECK(wrong.find("attribute '") != std::string::npos);
  CHECK(wrong.find("damaged") != std::string::npos);
}
