#include "tests/cli/program.h"

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace carom::testing {

namespace {

std::filesystem::path folder() {
  static const std::filesystem::path path = [] {
    auto p = std::filesystem::temp_directory_path() / ("carom-cli-" + std::to_string(::getpid()));
    std::filesystem::create_directories(p);
    std::atexit([] {
      std::filesystem::remove_all(std::filesystem::temp_directory_path() / ("carom-cli-" + std::to_string(::getpid())));
    });
    return p;
  }();
  return path;
}

std::string slurp(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

Run run_carom(const std::string& arguments, const std::string& before) {
  const auto out = folder() / "out";
  const auto err = folder() / "err";
  const std::string command =
      fmt::format("{} {} {} >{} 2>{}", before, CAROM_PROGRAM, arguments, out.string(), err.string());
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(err)};
}

void refused(const std::string& arguments, const std::string& says) {
  const Run run = run_carom(arguments);
  CAPTURE(arguments);
  CAPTURE(run.err);
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(run.err.find(says) != std::string::npos);
}

int run_carom_until(const std::string& file, const std::string& arguments, const std::string& then) {
  const std::string script =
      write_file("until.sh", fmt::format("{} {} >/dev/null 2>&1 & p=$!\n"
                                         "while ! [ -e {} ] && kill -0 $p 2>/dev/null; do sleep 0.02; done\n"
                                         "{}\nwait $p\n",
                                         CAROM_PROGRAM, arguments, file, then));
  return WEXITSTATUS(std::system(("bash " + script + " 2>/dev/null").c_str()));
}

std::string write_file(const std::string& name, const std::string& text) {
  const auto path = folder() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string free_path(const std::string& name) {
  const std::string path = (folder() / name).string();
  for (const char* ending : {"", ".part", ".part.state", ".xdmf"}) std::filesystem::remove(path + ending);
  return path;
}

std::vector<std::vector<double>> rows_of(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

const std::string ball_scene =
    "scene: ball\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1.1], velocity: [0.3, 0]}\n"
    "contacts:\n"
    "  floor: {body: ball, plane: {point: [0, 0]}, restitution: 0.5, friction: 0.3}\n"
    "law: newton\n"
    "integrator: {step: 1e-3, duration: 1}\n"
    "output: {every: 10}\n";

std::string ball_file() { return write_file("ball.yaml", ball_scene); }

}  // namespace carom::testing
