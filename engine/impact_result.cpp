#include "engine/impact_result.h"

#include <algorithm>
#include <cmath>

#include "engine/force_set.h"

namespace carom {

namespace {

// How far the impulse of a contact or clutch is outside its force set.
double outside(const Element& element, const ElementRows& Lambda) {
  if (element.bilateral()) return 0;
  double distance = std::max(0.0, -Lambda(0));
  const Contact* contact = element.contact();
  if (!contact || contact->friction.size() == 0) return distance;
  const double normal = std::max(0.0, Lambda(0));
  if (contact->friction.size() == 1) return std::max(distance, std::abs(Lambda(1)) - normal * contact->friction(0));
  const Eigen::Vector2d tangential = Lambda.tail<2>();
  const Eigen::Vector2d semi_axes = normal * contact->friction;
  return std::max(distance, (tangential - project_on_ellipse(tangential, semi_axes)).norm());
}

double half_sum_work(const ElementRows& Lambda, const ElementRows& gamma_begin, const ElementRows& gamma_end) {
  return 0.5 * Lambda.dot(gamma_begin + gamma_end);
}

// γ⁻ + GΛ at the rows of one element.
ElementRows velocities(const ImpactProblem& problem, std::size_t i, const Vec& Lambda) {
  ElementRows gamma(problem.row_count(i));
  for (Index k = 0; k < gamma.size(); ++k) {
    const Index row = problem.first_row(i) + k;
    gamma(k) = problem.gamma_minus()(row) + problem.G().row_dot(row, Lambda);
  }
  return gamma;
}

// Along the straight path of each phase (Glocker 2014, eq. 99).
double straight_work(const ImpactProblem& problem, const Jump& jump, std::size_t i, const ElementResult& element) {
  if (!jump.compression) return half_sum_work(element.Lambda, element.gamma_minus, element.gamma_plus);
  const ElementRows gamma_mid = velocities(problem, i, *jump.compression);
  return half_sum_work(*element.compression, element.gamma_minus, gamma_mid) +
         half_sum_work(*element.decompression, gamma_mid, element.gamma_plus);
}

void complete_moving(const ImpactProblem& problem, const Jump& jump, std::size_t i, ElementResult& element) {
  const Index row = problem.first_row(i);
  const Index count = problem.row_count(i);
  element.state = jump.states[i];
  element.gamma_minus = problem.gamma_minus().segment(row, count);
  element.gamma_plus = velocities(problem, i, jump.Lambda);
  element.Lambda = jump.Lambda.segment(row, count);
  if (jump.compression) {
    element.compression = ElementRows(jump.compression->segment(row, count));
    element.decompression = ElementRows(element.Lambda - *element.compression);
  } else {
    element.compression.reset();
    element.decompression.reset();
  }
  element.work = jump.work ? (*jump.work)(static_cast<Index>(i)) : straight_work(problem, jump, i, element);
}

// The velocity of a bilateral element before and after the impact: zero, unless it belongs to a prescribed motion.
double prescribed_velocity(Rows::Row direction, const Vec& u) {
  double velocity = 0, size = 0;
  for (const Rows::Entry& entry : direction) {
    velocity += entry.value * u(entry.column);
    size += std::abs(entry.value * u(entry.column));
  }
  return std::abs(velocity) > 1e-9 * size ? velocity : 0;
}

// A bilateral element's impulses are those that keep the manifold. They work only where a motion is prescribed.
void complete_bilaterals(const ImpactProblem& problem, const Jump& jump, ImpactResult& result) {
  const Vec Lambda_B = problem.bilateral_impulses(jump.Lambda);
  const Vec compression_B = jump.compression ? problem.bilateral_impulses(*jump.compression) : Vec();
  Index next = 0;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].bilateral()) continue;
    ElementResult& element = result.elements[i];
    element = ElementResult();
    element.state = State::closed;
    const double velocity = prescribed_velocity(problem.bilateral_rows()[next], result.u_minus);
    element.gamma_minus = element.gamma_plus = ElementRows::Constant(1, velocity);
    element.Lambda = Lambda_B.segment(next, 1);
    element.work = element.Lambda(0) * velocity;
    if (jump.compression) {
      element.compression = ElementRows(compression_B.segment(next, 1));
      element.decompression = ElementRows(element.Lambda - *element.compression);
    }
    ++next;
  }
}

void judge(const ImpactProblem& problem, ImpactResult& result) {
  result.kinematic = result.kinetic = result.energetic = {};
  const double speed = largest(problem.gamma_minus());
  double largest_impulse = 0;
  for (const ElementResult& element : result.elements) {
    if (element.Lambda.size()) largest_impulse = std::max(largest_impulse, element.Lambda.cwiseAbs().maxCoeff());
  }
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    const ElementResult& r = result.elements[i];
    if (element.bilateral()) continue;  // keeps its velocity zero, and may carry any impulse
    // What w·u rounds off is no approach: |w·u| ≤ √(wᵀM⁻¹w · uᵀMu). Nor is what it takes to change that an impulse:
    // where hardly anything happens, the largest impulse is no measure.
    const double compliance = problem.compliance()(problem.first_row(i));
    const double approach = 1e-14 * std::sqrt(2 * compliance * result.T_minus);
    const double impulse = compliance > 0 ? approach / compliance : 0.0;
    result.kinematic.violation = std::max(result.kinematic.violation, -r.gamma_plus(0) - approach);
    result.kinetic.violation = std::max(result.kinetic.violation, outside(element, r.Lambda) - impulse);
    if (r.compression) {
      result.kinetic.violation = std::max({result.kinetic.violation, outside(element, *r.compression) - impulse,
                                           outside(element, *r.decompression) - impulse});
    }
  }
  result.energetic.violation = std::max(0.0, result.work);
  result.kinematic.holds = result.kinematic.violation <= verdict_tolerance * speed;
  result.kinetic.holds = result.kinetic.violation <= verdict_tolerance * largest_impulse;
  result.energetic.holds = result.energetic.violation <= verdict_tolerance * result.T_minus;
  for (Consistency* c : {&result.kinematic, &result.kinetic, &result.energetic}) {
    if (c->holds) c->violation = 0;
  }
}

}  // namespace

const char* name_of(State state) {
  switch (state) {
    case State::open:
      return "open";
    case State::closed:
      return "closed";
    case State::stick:
      return "stick";
    case State::slip:
      return "slip";
    case State::reverse:
      return "reverse";
  }
  return "";
}

std::optional<double> RouthPath::equivalent_stronge() const {
  if (!(compression_work < 0)) return std::nullopt;
  return std::sqrt(std::max(0.0, -restitution_work / compression_work));
}

ImpactResult complete(const ImpactProblem& problem, const Jump& jump) {
  ImpactResult result;
  complete(problem, jump, result);
  return result;
}

void complete(const ImpactProblem& problem, const Jump& jump, ImpactResult& result) {
  result.u_minus = problem.u_minus();
  problem.velocity_after(jump.Lambda, result.u_plus);
  result.T_minus = problem.kinetic_energy(result.u_minus);
  result.T_plus = problem.kinetic_energy(result.u_plus);
  result.routh = jump.routh;
  result.solver = jump.solver;

  result.elements.resize(problem.elements().size());
  bool any_bilateral = false;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.elements()[i].bilateral()) {
      any_bilateral = true;
    } else {
      complete_moving(problem, jump, i, result.elements[i]);
    }
  }
  if (any_bilateral) complete_bilaterals(problem, jump, result);
  // The elements' work, unlike T⁺ − T⁻, does not cancel when a light impact meets a fast system. What drives a
  // prescribed motion is no part of the impact.
  result.work = 0;
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (!problem.elements()[i].bilateral()) result.work += result.elements[i].work;
  judge(problem, result);
}

}  // namespace carom
