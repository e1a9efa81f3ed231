// Impacts as they are told to an observer and counted in a run.

#pragma once

#include <optional>
#include <string>

#include "engine/impact_problem.h"
#include "engine/impact_result.h"
#include "engine/recorder.h"
#include "engine/simulation.h"

namespace carom {

ImpactElementRecord record_of(const std::string& name, const ElementResult& element);

// What a law answers, without when and where; its elements are told where somebody listens.
ImpactRecord record_of(const ImpactResult& result);
void add_elements(const ImpactProblem& problem, const ImpactResult& result, ImpactRecord& record);

void report(const ImpactRecord& record, Recorder* recorder, SimulationCounts& counts);

}  // namespace carom
