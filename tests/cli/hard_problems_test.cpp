// Problems at the edge: no solution, widely different masses, sequences without end. An answer has to be right,
// and where there is none the program says so.

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

using namespace carom::testing;
using nlohmann::json;

namespace {

Run impact(const std::string& problem, const std::string& arguments) {
  return run_carom("impact " + write_file("hard.yaml", problem) + " " + arguments);
}

json result(const std::string& problem, const std::string& arguments) {
  const Run run = impact(problem, arguments + " --json");
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return json::parse(run.out)["results"][0];
}

double number(const json& vector, std::size_t i) { return vector.at(i).get<double>(); }

}  // namespace

TEST_CASE("a bead on a wire that friction locks: Newton has no solution, marched laws stop it") {
  const std::string bead =
      "impact:\n  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n  velocity: [-1, -0.5, -1]\n  elements:\n"
      "    - {name: floor, kind: contact, normal: [0, 0, 1], tangent: [[1, 0, 0], [0, 1, 0]], restitution: 0.5, "
      "friction: 1.2}\n"
      "    - {name: wire1, kind: bilateral, direction: [1, -2, 0]}\n    - {name: wire2, kind: bilateral, direction: "
      "[1, 0, -1]}\n";
  for (const char* friction : {"0.9", "1.2", "2", "1000000"}) {
    const Run newton = impact(bead, std::string("--law newton --set impact.elements.floor.friction=") + friction);
    CHECK(newton.code == 1);
    CHECK(newton.out.empty());
  }
  CHECK(number(result(bead, "--law newton --set impact.elements.floor.friction=0.5")["elements"][0]["velocity_after"],
               0) == doctest::Approx(0.5));
  for (const char* law : {"stronge", "poisson-routh", "poisson", "inelastic"}) {
    CAPTURE(law);
    for (double u : result(bead, std::string("--law ") + law)["velocity_after"]) CHECK(std::abs(u) < 1e-12);
  }
}

TEST_CASE("uncoupled contacts do not know each other's mass") {
  const std::string scales =
      "impact:\n  mass: [[1.0e14, 0], [0, 1]]\n  velocity: [-1, -1]\n  elements:\n    - {name: heavy, kind: contact, "
      "normal: [1, 0], restitution: 0.5}\n"
      "    - {name: light, kind: contact, normal: [0, 1], restitution: 0.5}\n";
  for (const char* law : {"newton", "poisson", "moreau", "sequential", "stronge", "compliant", "restitution-matrix"}) {
    CAPTURE(law);
    const json answer = result(scales, std::string("--law ") + law);
    CHECK(number(answer["velocity_after"], 0) == doctest::Approx(0.5));
    CHECK(number(answer["velocity_after"], 1) == doctest::Approx(0.5));
    CHECK(answer["solver"]["solutions"] == 1);
  }
  for (const char* solver : {"lemke", "gauss-seidel"})
    CHECK(number(result(scales, std::string("--law newton --solver ") + solver)["velocity_after"], 1) ==
          doctest::Approx(0.5));
}

TEST_CASE("sequential: a converging sequence beside a lasting slip settles") {
  const std::string collapse =
      "impact:\n  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]\n  velocity: [0, -1, 5]\n  elements:\n    - {name: A, kind: "
      "contact, normal: [-1, 1, 0], restitution: 0.1}\n"
      "    - {name: B, kind: contact, normal: [1, 0, 0], tangent: [0, 0, 1], restitution: 0.1, friction: 0.2}\n";
  for (const char* each : {"newton", "poisson", "inelastic", "stronge"}) {
    CAPTURE(each);
    const json answer =
        result(collapse, std::string("--law sequential --set law.type=sequential --set law.each=") + each);
    CHECK(number(answer["velocity_after"], 2) == doctest::Approx(4.9).epsilon(1e-6));
    CHECK(std::abs(number(answer["velocity_after"], 0)) < 1e-9);
  }
}

TEST_CASE("sequential: only the order taken has to lead somewhere, clutches collide too, endless gain is a failure") {
  const std::string locked =
      "impact:\n  mass: [[1, 0], [0, 1]]\n  velocity: [-1, -1]\n  elements:\n    - {name: stop, kind: contact, normal: "
      "[1, 1], restitution: 1}\n"
      "    - {name: floor, kind: contact, normal: [0, 1], tangent: [1, 0], restitution: 0.5, friction: 1.2}\n    - "
      "{name: wire, kind: bilateral, direction: [1, -1]}\n";
  CHECK(number(result(locked, "--law sequential")["velocity_after"], 0) == doctest::Approx(1));

  const std::string ratchet =
      "impact:\n  mass: [[1]]\n  velocity: [-1]\n  elements:\n    - {name: ratchet, kind: clutch, direction: [1]}\n";
  CHECK(std::abs(number(result(ratchet, "--law sequential")["velocity_after"], 0)) < 1e-12);

  const std::string gain =
      "impact:\n  mass: [[2.1569320889026873, 0, 0], [0, 2.2319352421785323, 0], [0, 0, 2.811375470071832]]\n"
      "  velocity: [-0.3728858562681043, -0.9188270518100435, -0.2722180772114857]\n  elements:\n"
      "    - {name: e0, kind: contact, normal: [0.21722401433071417, 0.5638440400013242, 1.3482528602202084], "
      "restitution: 0.5,\n"
      "       tangent: [-0.7130056482711562, 0.95754110869945, -0.1480286105571452], friction: 1}\n"
      "    - {name: e1, kind: contact, normal: [-1.0968686033508455, -0.6554450687880199, -0.41045923911132426], "
      "restitution: 1, friction: 1,\n"
      "       tangent: [[-1.9673029155457111, -0.29132927935831016, -1.3609175253412962], [0.756333322990176, "
      "-0.7804881458805987, -2.025502577260311]]}\n"
      "    - {name: e2, kind: contact, normal: [0.6118799847377839, 0.9797944637702924, 0.08700341016882378], "
      "restitution: 0.5}\n";
  const Run endless = impact(gain, "--law sequential");
  CHECK(endless.code == 1);
  CHECK(endless.out.empty());
  CHECK(endless.err.find("gain energy without end") != std::string::npos);
}

TEST_CASE("only bilateral elements: every law leaves the velocity alone") {
  const std::string rails =
      "impact:\n  mass: [[1, 0], [0, 1]]\n  velocity: [1, 0]\n  elements:\n    - {name: rail, kind: bilateral, "
      "direction: [0, 1]}\n";
  const Run run = impact(rails, "--law all --json");
  REQUIRE(run.code == 0);
  for (const json& answer : json::parse(run.out)["results"]) CHECK(answer["velocity_after"] == json({1.0, 0.0}));
}

TEST_CASE("a body in a steep V that moves out of it: it may also be wedged, though the least impulses of that pull") {
  const std::string wedge =
      "impact:\n  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 0.3]]\n  velocity: [0, 1, 0]\n  elements:\n"
      "    - {name: left, kind: contact, normal: [0.995, 0.0998, 0], tangent: [-0.0998, 0.995, -0.5], restitution: 0, "
      "friction: 1}\n"
      "    - {name: right, kind: contact, normal: [-0.995, 0.0998, 0], tangent: [0.0998, 0.995, 0.5], restitution: 0, "
      "friction: 1}\n";
  const Run run = impact(wedge, "--law newton --all-solutions --json");
  REQUIRE(run.code == 0);
  const json results = json::parse(run.out)["results"];
  REQUIRE(results.size() == 2);
  const std::size_t wedged = std::abs(number(results[0]["velocity_after"], 1)) < 0.5 ? 0 : 1;
  CHECK(number(results[wedged]["velocity_after"], 1) == doctest::Approx(0));
  CHECK(number(results[1 - wedged]["velocity_after"], 1) == doctest::Approx(1));
  for (const json& element : results[wedged]["elements"]) {
    CHECK(number(element["impulse"], 0) > 0);
    CHECK(std::abs(number(element["impulse"], 1)) <= number(element["impulse"], 0) * (1 + 1e-9));
  }
}

TEST_CASE("masses that WᵀM⁻¹W cannot hold are named, and nothing is said of solutions") {
  const std::string stack =
      "impact:\n  mass: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1.0e50, 0], [0, 0, 0, 1.0e50]]\n  velocity: [0.1, -0.5, "
      "0.3, "
      "-2]\n  elements:\n    - {name: floor, kind: contact, normal: [0, 1, 0, 0], tangent: [1, 0, 0, 0], friction: "
      "0.5}\n"
      "    - {name: between, kind: contact, normal: [0, -1, 0, 1], tangent: [-1, 0, 1, 0], friction: 0.5}\n";
  for (const char* law : {"newton", "inelastic", "poisson"}) {
    const Run run = impact(stack, std::string("--law ") + law);
    CAPTURE(run.err);
    CHECK(run.code == 1);
    CHECK(run.err.find("the masses differ so much") != std::string::npos);
    CHECK(run.err.find("has no solution") == std::string::npos);
  }
}

TEST_CASE("a result is solved to 1e-12, or is none: a body on one a million times lighter") {
  const std::string stack =
      "impact:\n  mass: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0.3, 0, 0, 0], [0, 0, 0, 1.0e6, 0, 0], "
      "[0, 0, 0, 0, 1.0e6, 0], [0, 0, 0, 0, 0, 2.0e5]]\n  velocity: [0.1, -0.4, 0.2, -0.2, -1.7, 0.3]\n  elements:\n"
      "    - {name: a, kind: contact, normal: [0, 1, -0.6, 0, 0, 0], tangent: [1, 0, 0.7, 0, 0, 0], friction: 0.3, "
      "restitution: 0.2}\n"
      "    - {name: b, kind: contact, normal: [0, 1, 0.6, 0, 0, 0], tangent: [1, 0, 0.7, 0, 0, 0], friction: 0.3, "
      "restitution: 0.2}\n"
      "    - {name: c, kind: contact, normal: [0, -1, 0.4, 0, 1, -0.4], tangent: [-1, 0, 0.7, 1, 0, 0.5], friction: "
      "0.3, restitution: 0.2}\n"
      "    - {name: d, kind: contact, normal: [0, -1, -0.4, 0, 1, 0.4], tangent: [-1, 0, 0.7, 1, 0, 0.5], friction: "
      "0.3, restitution: 0.2}\n";
  for (const char* options :
       {"--law newton --json", "--law newton --solver enumerate --json", "--law poisson --json"}) {
    const Run run = impact(stack, options);
    CAPTURE(run.err);
    if (run.code == 0) {
      CHECK(json::parse(run.out)["results"][0]["solver"]["residual"] <= 1e-12);
    } else {
      CHECK(run.code == 1);
      CHECK(run.err.find("the masses too different") != std::string::npos);
    }
  }
}

TEST_CASE("what compression brings to rest stays there, however redundant contacts share its impulse") {
  // Two bilaterals leave one freedom, which a clutch stops beside two rough contacts: decompression asks for nothing.
  const std::string locked =
      "impact:\n"
      "  mass: [[2.7155867156566447, -1.9776666355247938, 0.3188743950035767], [-1.9776666355247938, "
      "5.505257323569525, 0.8697698684413505], [0.3188743950035767, 0.8697698684413505, 0.9181560485705111]]\n"
      "  velocity: [0.05768473318270568, -0.6564404345579881, 0.4867656955212333]\n"
      "  elements:\n"
      "    - {name: c0, kind: contact, normal: [0.06610786185667628, -0.6986229664146689, -0.17757895665356252], "
      "tangent: [-1.2169758146668057, 1.7756662519725244, 0.7107280404601996], friction: 0.020353947152970675, "
      "restitution: 0.0}\n"
      "    - {name: c1, kind: contact, normal: [0.17559249243227076, -0.5476267493721365, 0.0287779647545963], "
      "tangent: [0.7665310422916404, -1.3263137594510042, -1.398954648062753], friction: 0.7369168655485065, "
      "restitution: 1.0}\n"
      "    - {name: k0, kind: clutch, direction: [-1.323060751871671, 0.01835167661573555, -1.2653940118474072], "
      "restitution: 0.0}\n"
      "    - {name: h0, kind: bilateral, direction: [0.09403913852139173, 1.50626997992326, 2.0201750177057076]}\n"
      "    - {name: h1, kind: bilateral, direction: [-2.26835882119022, -0.5005839611731902, -0.40626092073011927]}\n";
  for (double u : result(locked, "--law poisson")["velocity_after"]) CHECK(std::abs(u) < 1e-13);
}
