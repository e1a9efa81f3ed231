// What is written is what is read.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/run_file/falling_bodies.h"

using namespace carom;
using namespace carom::testing;
namespace fs = std::filesystem;

namespace {

RunEnd ended(const std::string& status) {
  RunEnd end;
  end.status = status;
  end.steps = 100;
  end.wall_seconds = 0.5;
  return end;
}

void write_run(const std::string& path, const FallingBodies& system, std::int64_t steps, std::int64_t every = 1,
               const RunFileOptions& options = {}, const RunSelection& selection = {}) {
  RunFile file(path, options);
  RunFileWriter& run = file.add_run("/", description_of(steps / every + 1, every), system, 2, selection);
  file.start();
  record(run, system, 0, steps, every);
  run.finish(ended("complete"));
  CHECK(file.finish().empty());
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const RunFileError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a run reads back as it was recorded, of any length") {
  const FallingBodies system(2);
  for (const std::int64_t steps : {0, 1, 2, 100, 4095, 4096, 4097, 20000}) {
    CAPTURE(steps);
    const std::string path = path_in_folder("run.h5");
    write_run(path, system, steps);
    CHECK(!fs::exists(path + ".part"));
    const RunFileReader run(path);
    CHECK(run.status() == "complete");
    CHECK(run.text("scene") == "falling bodies — ε");
    CHECK(run.scene_yaml() == "scene: falling\n# ε\n");
    CHECK(run.number("wall_seconds") == 0.5);
    CHECK(run.dataset("/q").names.at(2) == "body0.angle");
    CHECK(run.samples() == steps);
    CHECK(run.impacts() == (steps + 2) / 3);
    CHECK(check_rows(run, system) == steps);
  }
}

TEST_CASE("a short run gives a small file, and compression a smaller one with the same rows") {
  const FallingBodies system(2);
  const std::string small = path_in_folder("small.h5");
  write_run(small, system, 10);
  CHECK(fs::file_size(small) < 100'000);
  const std::string plain = path_in_folder("plain.h5"), compressed = path_in_folder("compressed.h5");
  write_run(plain, system, 20000);
  write_run(compressed, system, 20000, 1, {.overwrite = Overwrite::nothing, .compression = 1});
  CHECK(check_rows(RunFileReader(compressed), system) == 20000);
  CHECK(RunFileReader(compressed).scene_yaml() == RunFileReader(plain).scene_yaml());
  CHECK(fs::file_size(compressed) < fs::file_size(plain) * 2 / 3);
}

TEST_CASE("only what is selected is written") {
  const FallingBodies system(1, 3);
  const std::string path = path_in_folder("selection.h5");
  RunSelection selection;
  selection.poses = selection.energy = selection.impacts = false;
  selection.contact_names = {"floor1"};
  write_run(path, system, 50, 5, {}, selection);
  const RunFileReader run(path);
  std::string paths;
  for (const DatasetInfo& info : run.datasets()) paths += info.path + " ";
  CHECK(paths ==
        "contacts/floor1/gap contacts/floor1/impulse contacts/floor1/state contacts/floor1/velocity directions "
        "log/level log/step log/text log/time "
        "penetration/contact penetration/depth penetration/lasted penetration/size penetration/time q q_names "
        "scene_yaml step time u u_names ");
  CHECK(run.samples() == 10);
  CHECK(run.read("contacts/floor1/gap")[1] == doctest::Approx(0.1 * 1005));
  CHECK(run.checkpoint() == std::nullopt);
}

TEST_CASE("thousands of bodies and contacts share one table") {
  const FallingBodies system(1500, 2000);
  const std::string path = path_in_folder("many.h5");
  write_run(path, system, 30);
  const RunFileReader run(path);
  CHECK(run.datasets().size() < 60);
  const DatasetInfo& pose = run.dataset("bodies/pose");
  CHECK(pose.shape == std::vector<std::int64_t>{1500, 3});
  CHECK(pose.names.at(1499) == "body1499");
  CHECK(run.read("bodies/pose", 7, 1).at(3 * 1499 + 2) == run.read("q", 7, 1).at(3 * 1499 + 2));
  CHECK(run.read("contacts/gap", 3, 1).at(1999) == doctest::Approx(0.1 * (3 + 1999e3)));
  CHECK(run.read("contacts/velocity", 3, 1).at(2 * 1999 + 1) == -(3 + 1999e3));
  CHECK(check_rows(run, system) == 30);
}

TEST_CASE("names with slashes, alike names and names longer than their column are kept apart") {
  class Named final : public System {
   public:
    std::vector<Coordinate> positions() const override { return {}; }
    std::vector<Coordinate> velocities() const override { return {}; }
    void mass(const Vec&, MassMatrix&) const override {}
    double potential(double, const Vec&) const override { return 0; }
    void forces(double, const Vec&, const Vec&, Vec&, Vec&) const override {}
    std::size_t named_contacts() const override { return 4; }
    std::string contact_name(std::uint64_t key) const override {
      return std::vector<std::string>{"a/b", "a_b", "..", ""}.at(key);
    }
  };
  const Named system;
  const std::string path = path_in_folder("names.h5");
  const std::string long_name(300, 'x');
  {
    RunFile file(path);
    RunFileWriter& run = file.add_run("/", description_of(4), system, 2);
    file.start();
    const Vec none;
    const std::vector<ContactSample> contacts(4);
    run.sample({0, 0, &none, &none, {}, contacts});
    ImpactRecord impact;
    impact.elements.resize(2);
    impact.elements[0].name = long_name + "1";
    impact.elements[1].name = long_name + "2";
    run.impact(impact);
    run.finish(ended("complete"));
    file.finish();
  }
  const RunFileReader run(path);
  for (const char* name : {"a_b", "a_b_2", "_", "__2"}) CHECK(run.find(std::string("contacts/") + name + "/gap"));
  CHECK(run.read_texts("impacts/element_names") == std::vector<std::string>{long_name + "1", long_name + "2"});
}

TEST_CASE("a checkpoint keeps every bit") {
  const FallingBodies system(1);
  const std::string path = path_in_folder("checkpoint.h5");
  SimulationState state;
  state.step = (std::int64_t{1} << 53) + 1;
  state.time = 0.1;
  state.q = Vec::LinSpaced(3, 0.1, 1.0 / 3);
  state.u = -state.q;
  state.energy = {0.1, 0.2, -0.3, 1e-300, 5e-324, 1.0 / 3};
  state.impulses = {{0xfedcba9876543210u, {0.1, 0.2, 0.3}, true, false, 0}, {7, {1, -0.0, 3}, false, true, 0.1}};
  state.penetrations = {{0xfedcba9876543210u, 0.1, 0.2, 0.3, 1e-300, 1.0 / 3, -1}, {7, 0.4, 1, 0, 0, 0.1, 12}};
  {
    RunFile file(path);
    RunFileWriter& run = file.add_run("/", description_of(4), system, 2);
    file.start();
    record(run, system, 0, 3);
    RunEnd end = ended("interrupted");
    end.state = state;
    end.counts = {5, 2, 0.7, 3, 4, 1};
    run.finish(end);
    file.finish();
  }
  const Checkpoint found = RunFileReader(path).checkpoint().value();
  CHECK(found.exact);
  CHECK(found.state.step == state.step);
  CHECK(found.state.time == state.time);
  CHECK(found.state.q == state.q);
  CHECK(found.state.u == state.u);
  CHECK(found.state.energy.work_applied == state.energy.work_applied);
  CHECK(found.state.energy.initial == state.energy.initial);
  REQUIRE(found.state.impulses.size() == 2);
  CHECK(found.state.impulses[0].key == 0xfedcba9876543210u);
  CHECK(found.state.impulses[1].value == state.impulses[1].value);
  CHECK(found.state.impulses[0].sustained);
  CHECK(!found.state.impulses[1].sustained);
  CHECK(!found.state.impulses[0].keeps_gap);
  CHECK(found.state.impulses[1].keeps_gap);
  CHECK(found.state.impulses[1].gap == 0.1);
  CHECK(std::signbit(found.state.impulses[1].value(1)));
  REQUIRE(found.state.penetrations.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& [key, depth, time, size, lasted, deep_since, deep_at] = found.state.penetrations[i];
    CHECK(key == state.penetrations[i].key);
    CHECK(depth == state.penetrations[i].depth);
    CHECK(time == state.penetrations[i].time);
    CHECK(size == state.penetrations[i].size);
    CHECK(lasted == state.penetrations[i].lasted);
    CHECK(deep_since == state.penetrations[i].deep_since);
    CHECK(deep_at == state.penetrations[i].deep_at);
  }
  CHECK(found.counts.impacts == 5);
  CHECK(found.counts.inconsistent == 2);
  CHECK(found.counts.energy_created == 0.7);
  CHECK(found.counts.unsolved == 3);
  CHECK(found.counts.still_approaching == 4);
  CHECK(found.counts.outside_set == 1);
}

TEST_CASE("how deep bodies were in each other is written at the end of a run, the deepest first") {
  const FallingBodies system(2);
  const std::string path = path_in_folder("deep.h5");
  {
    RunFile file(path);
    RunFileWriter& run = file.add_run("/", description_of(4), system, 2);
    file.start();
    record(run, system, 0, 3);
    RunEnd end = ended("complete");
    end.penetrations = {{0, 0.1, 0.2, 0.3, 0.4, 0, -1}, {1, 0.5, 0.6, 0, 0, 0, -1}};
    run.finish(end);
    file.finish();
  }
  const RunFileReader run(path);
  CHECK(run.read_texts("penetration/contact") == std::vector{system.contact_name(1), system.contact_name(0)});
  CHECK(run.read("penetration/depth") == std::vector{0.5, 0.1});
  CHECK(run.read("penetration/time") == std::vector{0.6, 0.2});
  CHECK(run.read("penetration/size") == std::vector{0.0, 0.3});
  CHECK(run.read("penetration/lasted") == std::vector{0.0, 0.4});
  CHECK(run.dataset("penetration/depth").units == "m");
  CHECK(run.samples() == 3);
}

TEST_CASE("a run continued from an earlier part holds the same rows as one that went through") {
  const FallingBodies system(2);
  for (const std::int64_t cut : {1, 37, 4500}) {
    CAPTURE(cut);
    const std::int64_t every = 7, steps = 9000;
    const std::string first = path_in_folder("first.h5"), second = path_in_folder("second.h5");
    write_run(first, system, cut, every);
    {
      const RunFileReader earlier(first);
      RunFile file(second);
      RunFileWriter& run = file.add_run("/", description_of(steps / every + 1, every), system, 2);
      file.start();
      run.copy_rows(earlier, cut);
      record(run, system, cut, steps, every);
      run.finish(ended("complete"));
      file.finish();
    }
    const std::string through = path_in_folder("through.h5");
    write_run(through, system, steps, every);
    const RunFileReader a(second), b(through);
    CHECK(check_rows(a, system, every) == (steps + every - 1) / every);
    REQUIRE(a.datasets().size() == b.datasets().size());
    for (const DatasetInfo& info : b.datasets()) {
      CAPTURE(info.path);
      if (info.is_text) {
        CHECK(a.read_texts(info.path) == b.read_texts(info.path));
      } else {
        // Bit by bit, so that NaN equals itself.
        const std::vector<double> x = a.read(info.path), y = b.read(info.path);
        REQUIRE(x.size() == y.size());
        CHECK(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
      }
    }
  }
}

TEST_CASE("a file can hold several runs") {
  const FallingBodies one(1), two(2);
  const std::string path = path_in_folder("several.h5");
  {
    RunFile file(path, {.overwrite = Overwrite::nothing, .compression = 1});
    file.describe({});
    RunFileWriter& a = file.add_run("/laws/newton", description_of(100), one, 2);
    RunFileWriter& b = file.add_run("/laws/poisson", description_of(5000), two, 2);
    file.start();
    record(b, two, 0, 5000);
    record(a, one, 0, 100);
    a.finish(ended("complete"));
    b.finish(ended("failed: no solution"));
    file.finish();
  }
  const RunFileReader a(path, "/laws/newton"), b(path, "/laws/poisson");
  CHECK(check_rows(a, one) == 100);
  CHECK(check_rows(b, two) == 5000);
  CHECK(a.status() == "complete");
  CHECK(b.status() == "failed: no solution");
  CHECK(message_of([&] { RunFileReader(path, "/laws/stronge"); }).find("has no run /laws/stronge") !=
        std::string::npos);
}

TEST_CASE("nothing is overwritten unasked") {
  const FallingBodies system(1);
  const std::string path = path_in_folder("there.h5");
  write_run(path, system, 5);
  CHECK(message_of([&] { check_destination(path, Overwrite::nothing); }).find("--force") != std::string::npos);
  CHECK(message_of([&] { check_destination(path, Overwrite::file_and_part); }) == "no error");
  CHECK(message_of([&] { check_destination(folder(), Overwrite::file_and_part); }).find("is a folder") !=
        std::string::npos);
  CHECK(message_of([&] { check_destination("/dev/null", Overwrite::file_and_part); }).find("not a file") !=
        std::string::npos);
  CHECK(message_of([&] { check_destination(folder() + "/none/run.h5", Overwrite::nothing); }).find("no such folder") !=
        std::string::npos);

  const std::string other = path_in_folder("other.h5");
  {
    RunFile file(other);
    RunFileWriter& run = file.add_run("/", description_of(5), system, 2);
    file.start();
    record(run, system, 0, 3);
    CHECK(message_of([&] { check_destination(other, Overwrite::file_and_part); }).find("being written") !=
          std::string::npos);
    run.flush();
  }  // not finished
  CHECK(fs::exists(other + ".part"));
  CHECK(message_of([&] { check_destination(other, Overwrite::nothing); }).find("carom recover") != std::string::npos);
  write_run(other, system, 9, 1, {.overwrite = Overwrite::file_and_part});
  CHECK(RunFileReader(other).samples() == 9);
  CHECK(!fs::exists(other + ".part"));
}

TEST_CASE("a file of many datasets is readable from its first flush on, and whole without one") {
  const FallingBodies system(2, 150);
  const std::string path = path_in_folder("many.h5"), part = path + ".part";
  for (const bool flushes : {false, true}) {
    RunFile file(path, {.overwrite = Overwrite::file_and_part});
    RunFileWriter& run = file.add_run("/", description_of(40), system, 2);
    file.start();
    record(run, system, 0, 50);  // more than a chunk
    if (flushes) {
      run.flush();
      CHECK(check_rows(RunFileReader(part), system) == 50);
      record(run, system, 50, 100);
      run.flush();
      CHECK(check_rows(RunFileReader(part), system) == 100);
    }
    run.finish({.status = "complete"});
    file.finish();
    CHECK(check_rows(RunFileReader(path), system) == (flushes ? 100 : 50));
  }
}

TEST_CASE("a run that never began leaves nothing") {
  const FallingBodies system(1);
  const std::string path = path_in_folder("none.h5");
  {
    RunFile file(path);
    file.add_run("/", description_of(5), system, 2);
    file.start();
  }
  CHECK(!fs::exists(path));
  CHECK(!fs::exists(path + ".part"));
}

TEST_CASE("what is not a run file is refused in a sentence") {
  const auto refusal = [](const std::string& path) { return message_of([&] { RunFileReader reader(path); }); };
  const auto file = [](const std::string& text) {
    const std::string path = path_in_folder("bad.h5");
    std::ofstream(path, std::ios::binary) << text;
    return path;
  };
  CHECK(refusal(folder() + "/nowhere.h5").find("no such file") != std::string::npos);
  CHECK(refusal(folder()).find("is a folder") != std::string::npos);
  CHECK(refusal(file("")).find("is empty") != std::string::npos);
  CHECK(refusal(file("scene: ball\n")).find("not HDF5") != std::string::npos);
  CHECK(refusal(file("\x89HDF\r\n\x1a\n")).find("damaged") != std::string::npos);

  const std::string path = path_in_folder("cut.h5");
  write_run(path, FallingBodies(1), 5000);
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (const std::size_t size :
       {std::size_t{9}, std::size_t{100}, std::size_t{3000}, bytes.size() / 2, bytes.size() - 1}) {
    CAPTURE(size);
    CHECK(refusal(file(bytes.substr(0, size))).find("damaged or cut short") != std::string::npos);
  }
}

TEST_CASE("h5py reads the file without carom") {
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) {
    MESSAGE("skipped: /usr/bin/python3 has no h5py");
    return;
  }
  const FallingBodies system(2);
  const std::string path = path_in_folder("h5py.h5"), script = path_in_folder("read.py");
  write_run(path, system, 5000);
  std::ofstream(script) << R"(
import sys, h5py
f = h5py.File(sys.argv[1])
assert f.attrs['format'] == 'carom-run' and f.attrs['format_version'] == 1 and f.attrs['status'] == 'complete'
assert f.attrs['scene'] == 'falling bodies — ε'
assert f['scene_yaml'][()].decode() == 'scene: falling\n# ε\n'
assert f['time'].shape == (5000,) and f['q'].shape == (5000, 6)
assert abs(f['time'][4999] - 4.999) < 1e-12
assert list(f['q'].attrs['names'])[2] == 'body0.angle' and list(f['u'].attrs['units'])[2] == 'rad/s'
assert (f['bodies/body1/pose'][:] == f['q'][:, 3:]).all()
assert f['contacts/floor0/state'].dtype == 'uint8'
assert list(f['contacts/floor0/state'].attrs['states']) == ['open', 'closed', 'stick', 'slip', 'reverse']
e = f['impacts/elements/element'][:]
names = f['impacts/element_names'][:]
assert names[e[0]] == b'floor0' and names[e[1]] == b'pair0' and names[e[3]] == b'pair3'
assert set(f['energy']) == {'kinetic', 'potential', 'total', 'work_impacts', 'work_contact', 'work_applied', 'drift'}
)";
  CHECK(std::system(("/usr/bin/python3 " + script + " " + path).c_str()) == 0);
}
