// carom report as a user runs it; what the page shows is tested in a browser (tests/report).

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/cli/program.h"

using namespace carom::testing;
namespace fs = std::filesystem;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A run of the ball, at a path of its own.
std::string run_file(const std::string& name, const std::string& more = "") {
  const std::string path = free_path(name);
  fs::remove(fs::path(path).replace_extension(".html"));
  const Run run =
      run_carom("simulate " CAROM_SOURCE "/config/scenes/bouncing-ball.yaml -o " + path + " --quiet " + more);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return path;
}

}  // namespace

TEST_CASE("report writes one page beside the run that asks nothing of the network") {
  const std::string file = run_file("page.h5");
  const std::string page = fs::path(file).replace_extension(".html").string();
  const Run run = run_carom("report " + file);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  CHECK(run.out.find(page) != std::string::npos);
  const std::string text = text_of(page);
  CHECK(text.find("<!doctype html>") == 0);
  CHECK(text.find("\"kind\":\"run\"") != std::string::npos);
  for (const char* outside : {"src=", "href=\"http", "@import", "url(http", "url(\"http", "fetch("}) {
    CAPTURE(outside);
    CHECK(text.find(outside) == std::string::npos);
  }
  for (const char* mark : {"/*style*/", "/*script*/", "/*data*/", "<!--title-->"}) {
    CAPTURE(mark);
    CHECK(text.find(mark) == std::string::npos);
  }
}

TEST_CASE("report is the same for the same file") {
  const std::string file = run_file("same.h5");
  REQUIRE(run_carom("report " + file).code == 0);
  const std::string page = fs::path(file).replace_extension(".html").string(), first = text_of(page);
  REQUIRE(run_carom("report " + file + " --force").code == 0);
  CHECK(text_of(page) == first);
}

TEST_CASE("report replaces no page unless it is told to") {
  const std::string file = run_file("kept.h5");
  const std::string page = write_file("kept-page.html", "mine");
  refused("report " + file + " -o " + page, "exists already; --force replaces it");
  CHECK(text_of(page) == "mine");
  CHECK(run_carom("report " + file + " -o " + page + " --force").code == 0);
  CHECK(text_of(page) != "mine");
  refused("report " + file + " --force -o " + file, "is the file to be shown");
}

TEST_CASE("report names the file that it cannot read") {
  refused("report no-such.h5", "no-such.h5: no such file");
  const std::string words = write_file("words.h5", "these are words, not HDF5");
  refused("report " + words + " --force", words + ": is not a run file (not HDF5)");
  const std::string file = run_file("whole.h5"), cut = write_file("cut.h5", text_of(file).substr(0, 9000));
  refused("report " + cut + " --force", "damaged or cut short");
  refused("report " + file + " -o " + fs::path(file).parent_path().string(), "is a folder");
  refused("report " + file + " -o /no/such/folder/page.html", "no such folder: /no/such/folder");
}

TEST_CASE("a name in the scene cannot break the page") {
  const std::string scene = write_file("evil.yaml",
                                       "scene: \"</script><b>\"\n"
                                       "gravity: [0, -9.81]\n"
                                       "bodies:\n"
                                       "  \"<!--ball\": {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}\n"
                                       "integrator: {step: 1e-2, duration: 0.1}\n");
  const std::string file = write_file("evil.h5", "");
  fs::remove(file);
  const Run simulated = run_carom("simulate " + scene + " -o " + file + " --quiet");
  CAPTURE(simulated.err);
  REQUIRE(simulated.code == 0);
  const std::string page = fs::path(file).replace_extension(".html").string();
  REQUIRE(run_carom("report " + file + " --force").code == 0);
  const std::string text = text_of(page);
  CHECK(text.find("</script><b>") == std::string::npos);
  CHECK(text.find("<!--ball") == std::string::npos);
  CHECK(text.find("&lt;/script&gt;&lt;b&gt;") != std::string::npos);
}
