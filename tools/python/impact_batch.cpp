#include "tools/python/impact_batch.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solvers/laws/resolve.h"

namespace carom {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t watched_every = 1024;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Vec vector_at(const VariedNumbers& numbers, std::size_t impact) {
  return Eigen::Map<const Vec>(numbers.at(impact), static_cast<Index>(numbers.row));
}

void set_contact(Contact& contact, const std::string& key, const VariedNumbers& numbers, std::size_t impact) {
  if (key == "restitution") contact.restitution = *numbers.at(impact);
  if (key == "tangential_restitution") contact.tangential_restitution = *numbers.at(impact);
  if (key == "stiffness") contact.stiffness = *numbers.at(impact);
  if (key == "normal") contact.normal = vector_at(numbers, impact);
  if (key == "tangent")
    contact.tangent = Eigen::Map<const RowMajor>(numbers.at(impact), contact.tangent.rows(), contact.tangent.cols());
  if (key == "friction")
    for (Index k = 0; k < contact.friction.size(); ++k)
      contact.friction(k) = numbers.at(impact)[numbers.row > 1 ? k : 0];
}

void set_element(Element& element, const VariedElement& varied, std::size_t impact) {
  for (const auto& [key, numbers] : varied) {
    if (auto* contact = std::get_if<Contact>(&element.kind)) set_contact(*contact, key, numbers, impact);
    if (auto* clutch = std::get_if<Clutch>(&element.kind)) {
      if (key == "restitution") clutch->restitution = *numbers.at(impact);
      if (key == "direction") clutch->direction = vector_at(numbers, impact);
    }
    if (auto* bilateral = std::get_if<Bilateral>(&element.kind); bilateral && key == "direction")
      bilateral->direction = vector_at(numbers, impact);
  }
}

// One problem after the other; where only velocities vary it is the same one at another velocity.
class Posed {
 public:
  explicit Posed(const ImpactBatch& batch)
      : batch_(batch), file_(batch.base), problem_(file_.mass, file_.velocity, file_.elements) {
    const bool elements_vary = std::any_of(batch.elements.begin(), batch.elements.end(),
                                           [](const VariedElement& varied) { return !varied.empty(); });
    only_velocity_ = !batch.mass && !elements_vary && !problem_.has_bilaterals();
  }

  // std::invalid_argument with what is wrong with its data.
  const ImpactProblem& at(std::size_t impact) {
    if (batch_.velocity) file_.velocity = vector_at(batch_.velocity, impact);
    if (only_velocity_) {
      if (!file_.velocity.allFinite()) throw std::invalid_argument("velocity: is no finite number");
      problem_.set_velocity(file_.velocity);
      return problem_;
    }
    if (batch_.mass)
      file_.mass = Eigen::Map<const RowMajor>(batch_.mass.at(impact), file_.mass.rows(), file_.mass.cols());
    for (std::size_t e = 0; e < batch_.elements.size(); ++e) set_element(file_.elements[e], batch_.elements[e], impact);
    problem_ = ImpactProblem(file_.mass, file_.velocity, file_.elements);
    return problem_;
  }
  const ImpactProblem& first() const { return problem_; }

 private:
  const ImpactBatch& batch_;
  ImpactFile file_;
  ImpactProblem problem_;
  bool only_velocity_ = false;
};

BatchResult empty_result(const ImpactBatch& batch, const ImpactProblem& problem) {
  const std::size_t n = batch.count;
  BatchResult result;
  result.velocity_after.assign(n * static_cast<std::size_t>(problem.u_minus().size()), missing);
  for (auto* column : {&result.kinetic_energy_before, &result.kinetic_energy_after, &result.work, &result.residual})
    column->assign(n, missing);
  for (auto* column : {&result.kinematic, &result.kinetic, &result.energetic, &result.status}) column->assign(n, 0);
  result.solutions.assign(n, 0);
  for (std::size_t e = 0; e < problem.elements().size(); ++e) {
    ElementColumn column;
    column.rows = static_cast<std::size_t>(std::max<Index>(1, problem.row_count(e)));
    for (auto* values : {&column.velocity_before, &column.velocity_after, &column.impulse})
      values->assign(n * column.rows, missing);
    column.work.assign(n, missing);
    column.state.assign(n, 0);
    result.elements.push_back(std::move(column));
  }
  return result;
}

void keep(const ImpactResult& impact, std::size_t at, BatchResult& result) {
  std::copy(impact.u_plus.begin(), impact.u_plus.end(),
            result.velocity_after.begin() + static_cast<std::ptrdiff_t>(at) * impact.u_plus.size());
  result.kinetic_energy_before[at] = impact.T_minus;
  result.kinetic_energy_after[at] = impact.T_plus;
  result.work[at] = impact.work;
  result.residual[at] = impact.solver.residual;
  result.kinematic[at] = impact.kinematic.holds;
  result.kinetic[at] = impact.kinetic.holds;
  result.energetic[at] = impact.energetic.holds;
  result.solutions[at] = impact.solver.solutions;
  for (std::size_t e = 0; e < impact.elements.size(); ++e) {
    const ElementResult& from = impact.elements[e];
    ElementColumn& to = result.elements[e];
    const auto place = static_cast<std::ptrdiff_t>(at * to.rows);
    std::copy(from.gamma_minus.begin(), from.gamma_minus.end(), to.velocity_before.begin() + place);
    std::copy(from.gamma_plus.begin(), from.gamma_plus.end(), to.velocity_after.begin() + place);
    std::copy(from.Lambda.begin(), from.Lambda.end(), to.impulse.begin() + place);
    to.work[at] = from.work;
    to.state[at] = static_cast<std::uint8_t>(from.state);
  }
}

}  // namespace

BatchResult resolve_batch(const ImpactBatch& batch, const InclusionSolver& solver, const std::function<void()>& watch) {
  Posed posed(batch);
  BatchResult result = empty_result(batch, posed.first());
  const auto note = [&](std::size_t impact, std::uint8_t status, const std::string& why) {
    result.status[impact] = status;
    result.reasons[impact] = why;
  };
  for (std::size_t impact = 0; impact < batch.count; ++impact) {
    if (impact % watched_every == 0) watch();
    try {
      const LawOutcome outcome = resolve(*batch.base.law, posed.at(impact), solver);
      if (outcome.status == LawOutcome::Status::resolved) {
        keep(outcome.results.front(), impact, result);
      } else {
        note(impact, outcome.status == LawOutcome::Status::refused ? 1 : 2, outcome.reason);
      }
    } catch (const std::invalid_argument& e) {
      note(impact, 1, e.what());
    }
  }
  return result;
}

}  // namespace carom
