// carom converge as a user runs it: orders, errors and derivatives against closed forms, and where convergence ends.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"

using namespace carom::testing;
using Json = nlohmann::json;

namespace {

const std::string scenes = std::string(CAROM_SOURCE) + "/config/scenes/";

Json converge(const std::string& arguments) {
  const Run run = run_carom("converge " + arguments + " --json");
  INFO(arguments);
  INFO(run.err);
  REQUIRE(run.code == 0);
  return Json::parse(run.out);
}

const Json& named(const Json& list, const std::string& key, const std::string& name) {
  for (const Json& item : list)
    if (item[key] == name) return item;
  INFO(name);
  REQUIRE(false);
  return list;
}

std::string elastic_ball(double step) {
  return write_file(
      "converge-ball.yaml",
      fmt::format("model: {{type: ball, radius: 0.1, position: 0.61, velocity: -5, gravity: 0, "
                  "restitution: 1}}\nlaw: newton\nintegrator: {{scheme: located, step: {}, duration: 1}}\n",
                  step));
}

}  // namespace

TEST_CASE("converge: the end of an elastic ball answers to its start as in closed form, for any step") {
  for (const double h : {0.01, 0.0173, 0.3}) {
    CAPTURE(h);
    const Json found = converge(elastic_ball(h) + " --sensitivity model.position,u.ball.y");
    const double T = found["studies"][0]["duration"];  // x = 0.1 + 5T − 0.51, from x₀ on by the slope −1
    CHECK(found["sensitivity"]["captured_impacts"] == false);
    const Json& by = found["sensitivity"]["values"];
    const auto derivative = [&](const std::string& key, const std::string& of) {
      return named(named(by, "by", key)["derivatives"], "of", of)["value"].get<double>();
    };
    CHECK(derivative("model.position", "q.ball.y") == doctest::Approx(-1).epsilon(1e-9));
    CHECK(derivative("model.position", "impact_time") == doctest::Approx(0.2).epsilon(1e-9));
    CHECK(derivative("u.ball.y", "q.ball.y") == doctest::Approx(-T).epsilon(1e-8));
    CHECK(derivative("u.ball.y", "energy/total") == doctest::Approx(-5).epsilon(1e-8));
    CHECK(named(found["studies"][0]["quantities"], "name", "q.ball.y")["verdict"] == "to rounding");
  }
}

TEST_CASE("converge: two balls in a row answer to all they start from as in closed form") {
  const double e = 0.6, T = 1.02, x1 = 0, x2 = 0.5, v1 = 1.1, v2 = -0.2;
  const std::string file =
      write_file("converge-two.yaml",
                 fmt::format("model: {{type: two-point-masses, mass: 1, position: [{}, {}], velocity: [{}, {}], "
                             "restitution: {}}}\nlaw: newton\n"
                             "integrator: {{scheme: located, step: 0.03, duration: {}}}\n",
                             x1, x2, v1, v2, e, T));
  const Json found =
      converge(file + " --of q --sensitivity q.body-1.x,q.body-2.x,u.body-1.x,u.body-2.x,model.restitution");
  // x₁ = x₁₀ + v₁t + w₁(T − t), w₁ = ½((1 − e)v₁ + (1 + e)v₂), t = (x₂ − x₁)/(v₁ − v₂).
  const double closing = v1 - v2, t = (x2 - x1) / closing, left = T - t, w1 = 0.5 * ((1 - e) * v1 + (1 + e) * v2);
  const double lag = v1 - w1;  // what a later impact adds
  const std::pair<std::string, double> exact[] = {{"q.body-1.x", 1 - lag / closing},
                                                  {"q.body-2.x", lag / closing},
                                                  {"u.body-1.x", t - lag * t / closing + 0.5 * (1 - e) * left},
                                                  {"u.body-2.x", lag * t / closing + 0.5 * (1 + e) * left},
                                                  {"model.restitution", -0.5 * closing * left}};
  for (const auto& [key, value] : exact) {
    CAPTURE(key);
    const Json& sensitivity = named(found["sensitivity"]["values"], "by", key);
    const double derivative = named(sensitivity["derivatives"], "of", "q.body-1.x")["value"];
    CHECK(derivative == doctest::Approx(value).epsilon(1e-8));
  }
}

TEST_CASE("converge: orders of located and captured impacts, and the step for a tolerance") {
  const Json found = converge(
      scenes + "kane.yaml --scheme located,moreau-jean --step 4e-3 --duration 0.6 --of q,impact_time.2 --levels 4");
  const Json &located = found["studies"][0], &captured = found["studies"][1];
  CHECK(located["scheme"] == "located");
  for (const Json& quantity : located["quantities"]) {
    CAPTURE(quantity["name"].get<std::string>());
    CHECK(quantity["verdict"] == "converges");
    CHECK(quantity["order"].get<double>() == doctest::Approx(2).epsilon(0.05));
  }
  CHECK(located["impacts_differ_at"].is_null());
  CHECK(located["converges_until"].is_null());
  CHECK(named(captured["quantities"], "name", "impact_time.2")["order"].get<double>() < 1.8);

  const double tolerance = 1e-6;
  const Json met = converge(scenes + "kane.yaml --scheme located --step 4e-3 --duration 0.6 --of q --tolerance 1e-6");
  const Json& step = met["studies"][0]["tolerance"];
  CHECK(step["step"].get<double>() > 4e-3 / 16);
  for (const Json& error : step["errors"]) CHECK(error.get<double>() <= tolerance);
  // Against a run with a far smaller step.
  const Json fine = converge(scenes + "kane.yaml --scheme located --step 1e-4 --duration 0.6 --of q --levels 3");
  for (const Json& quantity : met["studies"][0]["quantities"])
    CHECK(std::abs(quantity["extrapolated"].get<double>() -
                   named(fine["studies"][0]["quantities"], "name", quantity["name"])["extrapolated"].get<double>()) <
          0.1 * tolerance);
}

TEST_CASE("converge: from when on impacts differ is told, and a derivative across it is none") {
  // Captured bounces that accumulate: finer steps see more of them.
  const std::string bouncing = write_file("converge-bouncing.yaml",
                                          "model: {type: ball, position: 0.6, restitution: 0.5, gravity: 9.81}\n"
                                          "law: newton\nintegrator: {step: 0.01, duration: 1.5}\n");
  const Json found = converge(bouncing);
  const Json& study = found["studies"][0];
  CHECK(study["impacts"][0] < study["impacts"][4]);
  CHECK(study["impacts_differ_at"].get<double>() > 0.5);
  // Two bodies that touch at the end, or do not, as the start is a little less or more.
  const std::string edge = write_file("converge-edge.yaml",
                                      "model: {type: two-point-masses, mass: 1, position: [0, 1], velocity: [1, 0]}\n"
                                      "law: newton\nintegrator: {scheme: located, step: 0.05, duration: 1}\n");
  const Json at_edge = converge(edge + " --sensitivity q.body-1.x");
  const Json& by = at_edge["sensitivity"]["values"][0];
  CHECK(by["derivatives"].empty());
  CHECK(by["why_not"].get<std::string>().find("no smooth function") != std::string::npos);
}

TEST_CASE("converge: the page has the plots, and mistakes are named before anything runs") {
  const std::string page = free_path("converge.html");
  const Run run = run_carom("converge " + scenes +
                            "kane.yaml --scheme located --step 4e-3 --duration 0.5 --levels 3 --report " + page);
  CHECK(run.code == 0);
  CHECK(run.out.find("q.pendulum") == std::string::npos);
  std::ostringstream text;
  text << std::ifstream(page).rdbuf();
  CHECK(text.str().find("<svg") != std::string::npos);
  CHECK(text.str().find("log₁₀ h / s") != std::string::npos);
  const std::string ball = elastic_ball(0.01);
  refused("converge " + ball + " --of q.bal.y", "did you mean");
  refused("converge " + ball + " --of impact_time.0", "counted from 1");
  refused("converge " + ball + " --scheme locatet", "there is no scheme 'locatet'");
  refused("converge " + ball + " --levels 2", "--levels needs");
  refused("converge " + ball + " --tolerance 0", "--tolerance needs");
  refused("converge " + ball + " --sensitivity model.mass", "the scene does not give it");
  refused("converge " + ball + " --sensitivity u.ball", "there is no coordinate");
  refused("converge " + ball + " --report " + ball, "");
}
