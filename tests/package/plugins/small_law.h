// A law that gives up, under any name.
#pragma once

#include <stdexcept>

#include "config/plugin.h"

class GivesUp final : public carom::ImpactLaw {
 public:
  carom::LawOutcome resolve(const carom::ImpactProblem&, const carom::InclusionSolver&) const override {
    throw std::runtime_error("gave up");
  }
};

inline carom::LawEntry law_called(const char* name) {
  return {
      .name = name,
      .statement = "gives up",
      .equation = "none",
      .source = "a test",
      .domain = "nothing",
      .failures = "all",
      .make = [](const carom::Parameters&) { return std::unique_ptr<carom::ImpactLaw>(std::make_unique<GivesUp>()); }};
}
