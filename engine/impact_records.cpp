#include "engine/impact_records.h"

#include <limits>

namespace carom {

namespace {

Eigen::Vector3d padded(const ElementRows& v) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  result.head(v.size()) = v;
  return result;
}

Eigen::Vector3d padded_or_nan(const std::optional<ElementRows>& v) {
  return v ? padded(*v) : Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

ImpactElementRecord record_of(const std::string& name, const ElementResult& element) {
  return {name,
          element.state,
          padded(element.gamma_minus),
          padded(element.gamma_plus),
          padded(element.Lambda),
          padded_or_nan(element.compression),
          padded_or_nan(element.decompression)};
}

ImpactRecord record_of(const ImpactResult& result) {
  ImpactRecord record;
  record.kinetic_before = result.T_minus;
  record.kinetic_after = result.T_plus;
  record.work = result.work;
  record.kinematic = result.kinematic.holds;
  record.kinetic = result.kinetic.holds;
  record.energetic = result.energetic.holds;
  record.solutions = result.solver.solutions;
  record.iterations = result.solver.iterations;
  record.residual = result.solver.residual;
  return record;
}

void add_elements(const ImpactProblem& problem, const ImpactResult& result, ImpactRecord& record) {
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    if (!element.bilateral()) record.elements.push_back(record_of(element.name, result.elements[i]));
  }
}

void report(const ImpactRecord& record, Recorder* recorder, SimulationCounts& counts) {
  ++counts.impacts;
  if (!record.kinematic) ++counts.still_approaching;
  if (!record.kinetic) ++counts.outside_set;
  if (!record.energetic) {
    ++counts.inconsistent;
    counts.energy_created += record.work;
  }
  if (recorder) recorder->impact(record);
}

}  // namespace carom
