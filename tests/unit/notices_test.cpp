#include "engine/step/notices.h"

#include <doctest/doctest.h>

namespace carom {

TEST_CASE("Impulses above the tolerance are told once with their residual, and every step with them is counted") {
  std::vector<std::string> told;
  IntegratorOptions options;
  options.tolerance = 1e-6;
  Notices notices([&](const std::string& note) { told.push_back(note); }, options);

  notices.begin_step();
  notices.go_on_with(0.1, 1e-6);
  CHECK_FALSE(notices.is_unsolved());
  CHECK(told.empty());

  notices.go_on_with(0.2, 3.1e-5);
  CHECK(notices.is_unsolved());
  REQUIRE(told.size() == 1);
  CHECK(told.front().find("from t = 0.2 s on") == 0);
  CHECK(told.front().find("3.1e-05") != std::string::npos);

  notices.begin_step();
  CHECK_FALSE(notices.is_unsolved());
  notices.go_on_with(0.3, 1e-4);
  CHECK(notices.is_unsolved());
  CHECK(told.size() == 1);
}

TEST_CASE("What cannot be gone on with ends the run, unless on_failure is warn") {
  std::vector<std::string> told;
  IntegratorOptions options;
  const auto note = [&](const std::string& text) { told.push_back(text); };
  Notices strict(note, options);
  CHECK_THROWS_AS(strict.fail_or_warn(1, "kind", "why"), SimulationFailure);
  options.warn_on_failure = true;
  Notices lenient(note, options);
  lenient.fail_or_warn(1, "kind", "why");
  CHECK(lenient.is_unsolved());
  CHECK(told.size() == 1);
}

}  // namespace carom
