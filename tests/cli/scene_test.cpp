// Scenes as a user meets them: carom impact SCENE, carom models, carom schema.

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

using namespace carom::testing;
using nlohmann::json;

namespace {

const std::string scenes = std::string(CAROM_SOURCE) + "/config/scenes";

std::vector<double> numbers(const json& list) { return list.get<std::vector<double>>(); }

// YAML as an editor hands it to a JSON Schema.
json from_yaml(const YAML::Node& node) {
  if (node.IsMap()) {
    json object = json::object();
    for (const auto& entry : node) object[entry.first.Scalar()] = from_yaml(entry.second);
    return object;
  }
  if (node.IsSequence()) {
    json array = json::array();
    for (const YAML::Node& item : node) array.push_back(from_yaml(item));
    return array;
  }
  if (!node.IsScalar()) return nullptr;
  const std::string& text = node.Scalar();
  if (node.Tag() != "!") {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) return value;
    if (text == "true" || text == "false") return text == "true";
  }
  return text;
}

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number() && value.get<double>() == std::floor(value.get<double>());
  return type == "number" && value.is_number();
}

// The part of JSON Schema 2020-12 that carom's schema uses; the first complaint, or nothing.
class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  std::string check(const json& schema, const json& value, const std::string& path) const {
    for (const auto& [key, rule] : schema.items()) {
      const std::string complaint = check_rule(key, rule, schema, value, path);
      if (!complaint.empty()) return complaint;
    }
    return "";
  }

 private:
  std::string check_rule(const std::string& key, const json& rule, const json& schema, const json& value,
                         const std::string& path) const {
    const auto bad = [&](bool is_bad) { return is_bad ? path + ": " + key + " " + rule.dump() : std::string(); };
    if (key == "$ref") return check(root_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, path);
    if (key == "type") {
      bool fits = false;
      for (const json& type : rule.is_array() ? rule : json::array({rule})) fits = fits || has_type(value, type);
      return bad(!fits);
    }
    if (key == "enum") return bad(std::find(rule.begin(), rule.end(), value) == rule.end());
    if (key == "const") return bad(value != rule);
    if (key == "minimum") return bad(value.is_number() && value < rule);
    if (key == "exclusiveMinimum") return bad(value.is_number() && value <= rule);
    if (key == "maximum") return bad(value.is_number() && value > rule);
    if (key == "minItems") return bad(value.is_array() && value.size() < rule);
    if (key == "maxItems") return bad(value.is_array() && value.size() > rule);
    if (key == "required") {
      for (const json& name : rule) {
        if (value.is_object() && !value.contains(name.get<std::string>())) return bad(true);
      }
    }
    if (key == "items" && value.is_array())
      return check_all(
          value, [&](const json&) { return rule; }, path);
    if (key == "anyOf") {
      std::string all;
      for (const json& choice : rule) {
        const std::string complaint = check(choice, value, path);
        if (complaint.empty()) return "";
        all += " | " + complaint;
      }
      return path + ": none fits" + all;
    }
    if (key == "properties" || key == "additionalProperties") return check_properties(key, rule, schema, value, path);
    const bool known = key == "$schema" || key == "$defs" || key == "title" || key == "description" || key == "items" ||
                       key == "required";
    return known ? "" : "the validator does not know " + key;
  }

  template <class SchemaOf>
  std::string check_all(const json& values, SchemaOf schema_of, const std::string& path) const {
    for (const auto& [key, value] : values.items()) {
      const std::string complaint = check(schema_of(key), value, path + "/" + key);
      if (!complaint.empty()) return complaint;
    }
    return "";
  }

  std::string check_properties(const std::string& key, const json& rule, const json& schema, const json& value,
                               const std::string& path) const {
    if (!value.is_object()) return "";
    for (const auto& [name, inner] : value.items()) {
      const bool listed = schema.contains("properties") && schema["properties"].contains(name);
      std::string complaint;
      if (key == "properties" && listed) complaint = check(rule[name], inner, path + "/" + name);
      if (key == "additionalProperties" && !listed) {
        if (rule.is_object()) complaint = check(rule, inner, path + "/" + name);
        if (rule == false) complaint = path + ": unknown key " + name;
      }
      if (!complaint.empty()) return complaint;
    }
    return "";
  }

  const json& root_;
};

}  // namespace

TEST_CASE("carom impact on Kane's pendulum as a scene: the published figures, in angles and as hinged rods") {
  for (const char* scene : {"kane", "kane-rods"}) {
    CAPTURE(scene);
    const Run run = run_carom("impact " + scenes + "/" + scene + ".yaml --law newton,poisson --json");
    REQUIRE(run.code == 0);
    const json document = json::parse(run.out);
    CHECK(document["scene"] == scene);
    const json& newton = document["results"][0];
    const json& tip = newton["elements"][0];
    CHECK(tip["name"] == "tip");
    CHECK(tip["velocity_before"][0].get<double>() == doctest::Approx(-0.2684).epsilon(2e-4));
    CHECK(tip["impulse"][0].get<double>() == doctest::Approx(3.4079).epsilon(2e-5));
    CHECK(std::abs(tip["impulse"][1].get<double>()) == doctest::Approx(1.4676).epsilon(4e-5));
    CHECK(newton["work"].get<double>() == doctest::Approx(0.1634).epsilon(4e-4));
    CHECK(newton["consistency"]["energetic"] == false);
    CHECK(document["results"][1]["work"].get<double>() == doctest::Approx(-0.1266).epsilon(4e-4));
  }
}

TEST_CASE("Kane's pendulum in angles and as hinged rods: the same impact to 1e-10") {
  for (const char* law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const json angles = json::parse(run_carom("impact " + scenes + "/kane.yaml --json --law " + law).out);
    const json rods = json::parse(run_carom("impact " + scenes + "/kane-rods.yaml --json --law " + law).out);
    const json &a = angles["results"][0], &b = rods["results"][0];
    CHECK(std::abs(a["work"].get<double>() - b["work"].get<double>()) < 1e-10);
    for (const char* key : {"impulse", "velocity_after"}) {
      const std::vector<double> x = numbers(a["elements"][0][key]), y = numbers(b["elements"][0][key]);
      REQUIRE(x.size() == y.size());
      CHECK(std::abs(x[0] - y[0]) < 1e-10);
      CHECK(std::abs(std::abs(x[1]) - std::abs(y[1])) < 1e-10);
    }
    const std::vector<double> u = numbers(a["velocity_after"]), v = numbers(b["velocity_after"]);
    CHECK(std::abs(u[0] - v[2]) < 1e-10);
    CHECK(std::abs(u[1] - v[5]) < 1e-10);
  }
}

TEST_CASE("a scene without an impact says so, with the nearest gap") {
  const std::string file = write_file(
      "high.yaml",
      "bodies: {b: {shape: disk, radius: 1, mass: 1, position: [0, 1.25]}}\ncontacts: {c: {body: b, plane: {}}}\n");
  const Run run = run_carom("impact " + file);
  CHECK(run.code == 2);
  CHECK(run.err.find("no contact is closed in the initial state, so there is no impact; the nearest is 'c', open by "
                     "0.25 m") != std::string::npos);
  CHECK(run.out.empty());
  CHECK(run_carom("impact " + file + " --set bodies.b.position=[0,1] --set bodies.b.velocity=[0,-1]").code == 0);
  const Run deep = run_carom("impact " + file + " --set bodies.b.position=[0,0.9]");
  CHECK(deep.code == 2);
  CHECK(deep.err.find("contacts.c: contact 'c' penetrates by 0.1 m initially") != std::string::npos);
  CHECK(run_carom("impact " + file + " --fix --set bodies.b.position=[0,0.9]").code == 0);
}

TEST_CASE("a clutch that the initial state overruns is an impact by itself") {
  const auto wheels = [](const std::string& speed) {
    return write_file("wheels.yaml",
                      "gravity: [0, 0]\n"
                      "bodies:\n"
                      "  a: {shape: disk, radius: 0.1, mass: 1, inertia: 0.005, position: [0, 0]}\n"
                      "  b: {shape: disk, radius: 0.1, mass: 2, inertia: 0.01, position: [1, 0], angular_velocity: " +
                          speed +
                          "}\n"
                          "clutches: [{rotation: [a, b], restitution: 0.5}]\n"
                          "law: poisson\n");
  };
  const Run run = run_carom("impact " + wheels("-3") + " --json");
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const std::vector<double> u = numbers(json::parse(run.out)["results"][0]["velocity_after"]);
  CHECK(u[5] - u[2] == doctest::Approx(1.5).epsilon(1e-12));
  refused("impact " + wheels("3"), "there is no impact");
}

TEST_CASE("one impact of a body that moves by prescription keeps its motion") {
  const std::string file = write_file("driven.yaml",
                                      "bodies: {b: {shape: disk, radius: 1, mass: 1, position: [0, 1]}}\n"
                                      "joints: [{motion: b.x, as: 2*t}]\ncontacts: {c: {body: b, plane: {}}}\n");
  const Run run = run_carom("impact " + file + " --json --set bodies.b.velocity=[2,-1]");
  REQUIRE(run.code == 0);
  const json result = json::parse(run.out)["results"][0];
  CHECK(result["velocity_after"][0].get<double>() == doctest::Approx(2));
  CHECK(result["velocity_after"][1].get<double>() == doctest::Approx(0));
}

TEST_CASE("carom models lists the closed-form models and tells about each") {
  const Run list = run_carom("models");
  CHECK(list.code == 0);
  CHECK(list.out.find("double-pendulum") != std::string::npos);
  const Run one = run_carom("models double-pendulum");
  CHECK(one.code == 0);
  for (const char* text : {"coordinates", "link-1.angle", "parameters (keys under model:)", "restitution"})
    CHECK(one.out.find(text) != std::string::npos);
  const json document = json::parse(run_carom("models --json").out);
  for (const json& model : document) {
    CHECK(model["parameters"].is_array());
    CHECK(json::parse(run_carom("models --json " + model["name"].get<std::string>()).out) == model);
  }
  const Run wrong = run_carom("models duble-pendulum");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean 'double-pendulum'?") != std::string::npos);
}

TEST_CASE("the schema of raw impact problems takes every shipped one and refuses mistakes") {
  const json schema = json::parse(run_carom("schema --impact").out);
  const Validator validator(schema);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CAROM_SOURCE) + "/config/impacts")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const json problem = from_yaml(YAML::LoadFile(entry.path().string()));
    CHECK(validator.check(schema, problem, "") == "");
    json mistaken = problem;
    mistaken["impact"]["elements"][0]["restituton"] = 0.5;
    CHECK(validator.check(schema, mistaken, "") != "");
    mistaken = problem;
    mistaken["impact"].erase("mass");
    CHECK(validator.check(schema, mistaken, "") != "");
    ++count;
  }
  CHECK(count > 3);
}

TEST_CASE("the schema takes every shipped scene and refuses mistakes") {
  const json schema = json::parse(run_carom("schema").out);
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  const Validator validator(schema);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scenes)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const json scene = from_yaml(YAML::LoadFile(entry.path().string()));
    CHECK(validator.check(schema, scene, "") == "");
    ++count;
    json mistaken = scene;
    mistaken["gravty"] = 1;
    CHECK(validator.check(schema, mistaken, "") == ": unknown key gravty");
    mistaken = scene;
    mistaken["integrator"]["step"] = 0;
    CHECK(validator.check(schema, mistaken, "") == "/integrator/step: exclusiveMinimum 0");
  }
  CHECK(count >= 2);
}

TEST_CASE("every shipped scene is read") {
  for (const auto& entry : std::filesystem::directory_iterator(scenes)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const Run run = run_carom("impact " + entry.path().string());
    INFO(run.err);
    // Not every scene begins with an impact, but none has mistakes.
    CHECK((run.code == 0 || run.err.find("so there is no impact") != std::string::npos));
  }
}
