#include "engine/impact_result.h"

#include <algorithm>
#include <cmath>

#include "engine/force_set.h"

namespace carom {

namespace {

// How far the impulse of a contact or clutch is outside its force set.
double outside(const Element& element, const Vec& Lambda) {
  if (element.bilateral()) return 0;
  double distance = std::max(0.0, -Lambda(0));
  const Contact* contact = element.contact();
  if (!contact || contact->tangent.rows() == 0) return distance;
  const double normal = std::max(0.0, Lambda(0));
  Eigen::Vector2d tangential = Eigen::Vector2d::Zero();
  Eigen::Vector2d semi_axes = Eigen::Vector2d::Zero();
  tangential.head(contact->tangent.rows()) = Lambda.tail(contact->tangent.rows());
  semi_axes.head(contact->tangent.rows()) = normal * contact->friction;
  return std::max(distance, (tangential - project_on_ellipse(tangential, semi_axes)).norm());
}

double half_sum_work(const Vec& Lambda, const Vec& gamma_begin, const Vec& gamma_end) {
  return 0.5 * Lambda.dot(gamma_begin + gamma_end);
}

// Along the straight path of each phase (Glocker 2014, eq. 99).
Vec straight_work(const ImpactProblem& problem, const Jump& jump) {
  const Vec& gamma_minus = problem.gamma_minus();
  const Vec gamma_plus = gamma_minus + problem.G() * jump.Lambda;
  const Vec compression = jump.compression.value_or(jump.Lambda);
  const Vec gamma_mid = gamma_minus + problem.G() * compression;
  Vec work = Vec::Zero(static_cast<Index>(problem.elements().size()));
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const auto rows = Eigen::seqN(problem.first_row(i), problem.row_count(i));
    work(static_cast<Index>(i)) =
        half_sum_work(compression(rows), gamma_minus(rows), gamma_mid(rows)) +
        half_sum_work(jump.Lambda(rows) - compression(rows), gamma_mid(rows), gamma_plus(rows));
  }
  return work;
}

// The rows of an element, a bilateral one's from the impulses that keep the manifold.
Vec impulse_of(const ImpactProblem& problem, std::size_t i, Index bilateral_index, const Vec& Lambda,
               const Vec& Lambda_B) {
  if (problem.elements()[i].bilateral()) return Lambda_B.segment(bilateral_index, 1);
  return Lambda.segment(problem.first_row(i), problem.row_count(i));
}

void judge(const ImpactProblem& problem, ImpactResult& result) {
  const double speed = problem.rows() > 0 ? problem.gamma_minus().cwiseAbs().maxCoeff() : 0.0;
  double largest_impulse = 0;
  for (const ElementResult& element : result.elements) {
    if (element.Lambda.size()) largest_impulse = std::max(largest_impulse, element.Lambda.cwiseAbs().maxCoeff());
  }
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    const ElementResult& r = result.elements[i];
    if (!element.bilateral()) {
      // What w·u rounds off is no approach: |w·u| ≤ √(wᵀM⁻¹w · uᵀMu).
      const double rounded_off = 1e-14 * std::sqrt(2 * problem.compliance()(problem.first_row(i)) * result.T_minus);
      result.kinematic.violation = std::max(result.kinematic.violation, -r.gamma_plus(0) - rounded_off);
    }
    result.kinetic.violation = std::max(result.kinetic.violation, outside(element, r.Lambda));
    if (r.compression) {
      result.kinetic.violation =
          std::max({result.kinetic.violation, outside(element, *r.compression), outside(element, *r.decompression)});
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
  result.u_minus = problem.u_minus();
  result.u_plus = problem.velocity_after(jump.Lambda);
  result.T_minus = problem.kinetic_energy(result.u_minus);
  result.T_plus = problem.kinetic_energy(result.u_plus);
  result.routh = jump.routh;
  result.solver = jump.solver;

  const Vec gamma_plus = problem.gamma_minus() + problem.G() * jump.Lambda;
  const Vec work = jump.work ? *jump.work : straight_work(problem, jump);
  // The elements' work, unlike T⁺ − T⁻, does not cancel when a light impact meets a fast system.
  result.work = work.sum();
  const Vec Lambda_B = problem.bilateral_impulses(jump.Lambda);
  const Vec compression_B = jump.compression ? problem.bilateral_impulses(*jump.compression) : Vec();

  Index bilateral_index = 0;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    ElementResult element;
    const bool bilateral = problem.elements()[i].bilateral() != nullptr;
    element.state = bilateral ? State::closed : jump.states[i];
    element.gamma_minus =
        bilateral ? Vec::Zero(1) : Vec(problem.gamma_minus().segment(problem.first_row(i), problem.row_count(i)));
    element.gamma_plus = bilateral ? Vec::Zero(1) : Vec(gamma_plus.segment(problem.first_row(i), problem.row_count(i)));
    element.Lambda = impulse_of(problem, i, bilateral_index, jump.Lambda, Lambda_B);
    if (jump.compression) {
      element.compression = impulse_of(problem, i, bilateral_index, *jump.compression, compression_B);
      element.decompression = element.Lambda - *element.compression;
    }
    element.work = work(static_cast<Index>(i));
    result.elements.push_back(std::move(element));
    if (bilateral) ++bilateral_index;
  }
  judge(problem, result);
  return result;
}

}  // namespace carom
