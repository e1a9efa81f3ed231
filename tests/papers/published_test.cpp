#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "config/diagnostics.h"
#include "config/published.h"

using namespace carom;

TEST_CASE("every published figure is reproduced to its printed digits") {
  std::set<std::string> sources;
  const auto checks = check_published();
  for (const PublishedCheck& check : checks) {
    sources.insert(check.source);
    CAPTURE(check.source);
    CAPTURE(check.claim);
    CAPTURE(check.quantity);
    CAPTURE(check.expected);
    CAPTURE(check.ours);
    CHECK(check.agrees);
    CHECK((check.print_is_right || !check.note.empty()));  // a wrong print is explained
  }
  CHECK(sources.size() == 5);
  CHECK(checks.size() >= 190);
  // Formulas at parameters of our own are told apart from figures that a source prints.
  const auto formulas = std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.is_formula; });
  CHECK(formulas > 40);
  CHECK(std::ssize(checks) - formulas > 100);
}

TEST_CASE("a wrong figure is noticed") {
  const std::string text =
      "source: S\nproblems:\n  ball: {mass: [[1]], velocity: [-1], elements: [{name: g, kind: contact, normal: [1]}]}\n"
      "rows:\n  - {claim: c, problem: ball, law: newton, restitution: 0.5, expect: {velocity_after: [EXPECTED]}}\n";
  const auto with = [&](const std::string& value) {
    std::string copy = text;
    copy.replace(copy.find("EXPECTED"), 8, value);
    return check_published(copy, "t.yaml").at(0).agrees;
  };
  CHECK(with("1/2"));
  CHECK(with("0.50"));
  CHECK(!with("0.51"));
  CHECK(!with("1"));
  CHECK_THROWS_AS(with("half"), BadInput);
}
