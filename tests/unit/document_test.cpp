#include "config/document.h"

#include <doctest/doctest.h>

#include <functional>

using namespace carom;

namespace {

std::string complaint(const std::string& text) {
  try {
    const Document document = Document::from_text(text, "f.yaml");
    document.diagnostics().throw_if_bad();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

std::optional<double> number(const std::string& text) {
  const Document document = Document::from_text("x: " + text, "f.yaml");
  MapReader map(document.root());
  return map.get("x")->number();
}

}  // namespace

TEST_CASE("numbers are decimal, finite and in range") {
  CHECK(number("010") == 10.0);
  CHECK(number("+1.5e2") == 150.0);
  CHECK(number("-.5") == -0.5);
  for (const char* bad :
       {"1e400", "1e-400", ".nan", "nan", ".inf", "-inf", "0x10", "1_000", "yes", "'1'", "1 2", "~", "[1]"}) {
    CAPTURE(bad);
    CHECK(!number(bad));
  }
}

TEST_CASE("what the parser lets pass is caught") {
  CHECK(complaint("a: 1\nb: 2\na: 3").find("f.yaml:3:1: key 'a' is given twice") != std::string::npos);
  CHECK(complaint("a: 1\n---\nb: 2").find("second document") != std::string::npos);
  CHECK(complaint("a: " + std::string(70, '[') + std::string(70, ']')).find("is a bracket not closed, or") !=
        std::string::npos);
  CHECK(complaint("").find("empty") != std::string::npos);
  CHECK(complaint("# only\n# comments\n").find("no keys and values") != std::string::npos);
  CHECK(complaint(std::string("a: \0b", 5)).find("not a text file") != std::string::npos);
  CHECK(complaint("a: \xff\xfe").find("not a text file") != std::string::npos);
  CHECK(complaint("a: 1\nb: \xff\xfe").find(":2:4: ") != std::string::npos);
  CHECK(complaint("a: [1, 2").find("f.yaml:1") != std::string::npos);
  CHECK(complaint("a: &a [*a]").find("nested") != std::string::npos);
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k ? ", *a" : "*a") + std::to_string(i - 1);
    bomb += "]\n";
  }
  CHECK(complaint(bomb).find("more than") != std::string::npos);
  CHECK(complaint(std::string(200, '[') + std::string(200, ']')).find("nested") != std::string::npos);
  CHECK(complaint("a: " + std::string(100000, '[') + std::string(100000, ']')).find("nested") != std::string::npos);
  CHECK(complaint("a: {b: !tag 1}") == "f.yaml:1:8: a.b: the tag '!tag' means nothing here; leave it out");
  CHECK(complaint("a: {b: !!float 1, c: !!map {d: 'x'}}") == "");
}

TEST_CASE("of a key without a value the place is its own") {
  const Document document = Document::from_text("a:\n  b:\n\nc: 1\n", "f.yaml");
  MapReader map(document.root());
  const Node nothing = *MapReader(*map.get("a")).get("b");
  CHECK(nothing.is_null());
  CHECK(nothing.place() == Place{2, 3});
}

TEST_CASE("a value that is missing is told at its key or its dash, not at what comes next") {
  const auto place_of = [](const std::string& text, const std::function<Node(const Node&)>& find) {
    const Document document = Document::from_text(text, "f.yaml");
    return find(document.root()).place();
  };
  const auto key_a = [](const Node& root) { return *MapReader(root).get("a"); };
  CHECK(place_of("b: 1\na:\n\n# why\nc: 1\n", key_a) == Place{2, 1});
  CHECK(place_of("{b: 1, a: , c: 1}", key_a) == Place{1, 8});
  const auto item_of_a = [&](const Node& root) { return key_a(root).items()[1]; };
  CHECK(place_of("a:\n  - 1\n  -\n  # - one\n  - 2\n", item_of_a) == Place{3, 3});
  CHECK(place_of("a:\n  - 1\n  -\nc: 1\n", item_of_a) == Place{3, 3});
}

TEST_CASE("unknown keys are named with a suggestion, all at once and by line") {
  const Document document = Document::from_text("mass: 1\nrestituton: 2\nvelocty: 3\nzzz: 4\n", "f.yaml");
  MapReader map(document.root());
  map.get("mass");
  map.get("restitution");
  map.require("velocity");
  map.finish();
  try {
    document.diagnostics().throw_if_bad();
    FAIL("no mistake found");
  } catch (const BadInput& e) {
    CHECK(std::string(e.what()) ==
          "f.yaml:2:1: unknown key 'restituton' (did you mean 'restitution'?)\n"
          "f.yaml:3:1: unknown key 'velocty' (did you mean 'velocity'?); 'velocity' is required\n"
          "f.yaml:4:1: unknown key 'zzz'");
  }
}

TEST_CASE("a key under another name that users know it by is suggested, also beside one it looks alike") {
  const auto told = [](const std::string& text, const std::vector<std::string>& keys) {
    const Document document = Document::from_text(text, "f.yaml");
    MapReader map(document.root());
    for (const std::string& key : keys) map.get(key);
    map.finish();
    try {
      document.diagnostics().throw_if_bad();
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::vector<std::string> of_contact = {"normal", "tangent", "restitution", "friction"};
  CHECK(told("direction: 1", of_contact) == "f.yaml:1:1: unknown key 'direction' (did you mean 'normal'?)");
  CHECK(told("direction: 1", {"point", "plane", "friction"}) ==
        "f.yaml:1:1: unknown key 'direction' (did you mean 'plane'?)");
  CHECK(told("Mu: 1", of_contact) == "f.yaml:1:1: unknown key 'Mu' (did you mean 'friction'?)");
  CHECK(told("normal: 1", {"direction"}) == "f.yaml:1:1: unknown key 'normal' (did you mean 'direction'?)");
  CHECK(told("{friction: 1, mu: 2}", of_contact) == "f.yaml:1:15: unknown key 'mu' ('friction' is given already)");
  CHECK(told("{dt: 1}", {"step", "at"}) == "f.yaml:1:2: unknown key 'dt' (did you mean 'step'?)");
  CHECK(told("{friction:0.5}", of_contact) ==
        "f.yaml:1:2: unknown key 'friction:0.5': a blank is missing after the colon (friction: 0.5)");
  CHECK(told("{friction: 0,5}", of_contact) ==
        "f.yaml:1:14: unknown key '5': decimals have a point, not a comma (0.5, not 0,5)");
}

TEST_CASE("of a key that another looks like but is none of its misspellings, it is told that it is missing") {
  const Document document = Document::from_text("masses: 1\n", "f.yaml");
  MapReader map(document.root());
  map.require("mass");
  map.get("masses");
  map.finish();
  CHECK_THROWS_WITH_AS(document.diagnostics().throw_if_bad(), "f.yaml:1:1: key 'mass' is missing", BadInput);
}

TEST_CASE("a blank that is missing after a colon is told where it is missing, not in the next line") {
  const auto told = [](const std::string& text) {
    try {
      Document::from_text(text, "f.yaml");
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string sentence = "not valid YAML: a blank is missing after the colon, as in 'key: value'";
  CHECK(told("gravity:[0, -9.81]\nbodies:\n  a: 1\n") == "f.yaml:1:9: " + sentence);
  CHECK(told("a: 1\nb:\n  gravity:[0, -9.81]\n\n  # none\n  c: 1\n") == "f.yaml:3:11: " + sentence);
}

TEST_CASE("overrides reach maps, list items by name or position, and short forms") {
  const Document document = Document::from_text("law: newton\nlist: [{name: a, x: 1}, {name: b, x: 2}]\n", "f.yaml",
                                                {"law.type=poisson", "list.b.x=5", "list.0.x=7", "new.key=[1, 2]"});
  MapReader map(document.root());
  CHECK(map.get("law")->text() == "poisson");
  const auto items = map.get("list")->items();
  MapReader a(items[0]);
  MapReader b(items[1]);
  CHECK(a.get("x")->number() == 7.0);
  CHECK(b.get("x")->number() == 5.0);
  const auto value_at = [](const std::string& text, const std::string& set) {
    return Document::from_text(text, "f.yaml", {set}).yaml();
  };
  CHECK(value_at("law: newton\n", "law.several=refuse") == "law: {type: newton, several: refuse}\n");
  CHECK(value_at("a: [1, 2]\n", "a.1=5") == "a: [1, 5]\n");
  CHECK(value_at("a:\n", "a.b.c=5") == "a: {b: {c: 5}}\n");
  // An alias is a copy: what is set in one place stays there.
  CHECK(value_at("a: &x {m: 1}\nb: *x\n", "b.m=2") == "a: {m: 1}\nb: {m: 2}\n");
  CHECK_THROWS_AS(value_at("a: 1\n", "a.b=2"), BadInput);
  CHECK_THROWS_AS(Document::from_text("a: [1]", "f.yaml", {"a.zz=1"}), BadInput);
  CHECK_THROWS_WITH_AS(Document::from_text("a: [{name: tip}]", "f.yaml", {"a.tpi.x=1"}),
                       "--set a.tpi.x=1: there is no 'tpi' in the list (did you mean 'tip'?)", BadInput);
  CHECK_THROWS_AS(Document::from_text("a: 1", "f.yaml", {"a"}), BadInput);
}
