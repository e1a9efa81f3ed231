#include "solvers/energy_match.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "solvers/laws/list.h"
#include "solvers/laws/resolve.h"

namespace carom {

namespace {

constexpr int intervals = 32;       // of the law's range, looked through for roots
constexpr int halvings = 60;        // to neighbouring numbers
constexpr double on_target = 1e-9;  // work off the target, relative to T⁻: more is a jump, not a root

bool has_own_restitution(const LawEntry& law) {
  return std::any_of(law.parameters.begin(), law.parameters.end(),
                     [](const ParameterSpec& spec) { return spec.name == "restitution"; });
}

const LawEntry& law_of_contacts(const LawChoice& law) { return *find_law(law_of_each(law).type); }

// The only contact that took an impulse; null if there are several or none.
const ElementResult* only_collision(const ImpactProblem& problem, const ImpactResult& result) {
  const ElementResult* only = nullptr;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].contact() || !(result.elements[i].Lambda(0) > 0)) continue;
    if (only) return nullptr;
    only = &result.elements[i];
  }
  return only;
}

// A coefficient with what the law's work there exceeds the target by; nothing where the law has no answer.
struct Trial {
  double epsilon = 0;
  std::optional<double> excess;
  bool refused = false;  // outside the law's domain; else it has failed
};

// Looks through the range of a law for f(ε) = W(ε) − W_target = 0. W need not be monotone (slip that goes on takes more
// than the rebound gives), continuous (other states, another solution), or defined everywhere.
class Search {
 public:
  Search(const LawChoice& law, const ImpactProblem& problem, double target, const InclusionSolver& solver)
      : law_(law),
        problem_(problem),
        solver_(solver),
        target_(target),
        T_minus_(problem.kinetic_energy(problem.u_minus())) {}

  void look_through(const CoefficientRange& range) {
    for (int k = 0; k <= intervals; ++k) {
      if (k == 0 && range.lowest_open) continue;
      const Trial trial = at(range.lowest + (range.highest - range.lowest) * k / intervals);
      if (!trials_.empty() && trials_.back().refused != trial.refused) trials_.push_back(edge(trials_.back(), trial));
      trials_.push_back(trial);
    }
    if (is_flat()) return;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      take_if_root(trials_[i]);
      if (i + 1 < trials_.size()) between(trials_[i], trials_[i + 1]);
      if (i > 0 && i + 1 < trials_.size()) around(trials_[i - 1], trials_[i], trials_[i + 1]);
    }
    std::sort(roots_.begin(), roots_.end());
    // Neighbouring trials of a stretch without slope are one root, the beginning of the stretch.
    const double width = 1.5 * (range.highest - range.lowest) / intervals;
    double last = -HUGE_VAL;
    std::erase_if(roots_, [&](double root) {
      const bool same = root - last < width && is_root(at(0.5 * (root + last)));
      last = root;
      return same;
    });
  }

  Trial at(double epsilon) {
    const LawOutcome outcome = resolve_with(epsilon, law_, problem_, solver_);
    if (outcome.results.empty()) {
      refusal_ = outcome.reason;
      return {epsilon, std::nullopt, outcome.status == LawOutcome::Status::refused};
    }
    const double work = outcome.results.front().work;
    least_ = std::min(least_, work);
    most_ = std::max(most_, work);
    return {epsilon, work - target_};
  }

  bool is_root(const Trial& trial) const { return trial.excess && std::abs(*trial.excess) <= on_target * T_minus_; }
  bool answers() const { return least_ <= most_; }
  bool is_flat() const { return most_ - least_ <= rounding * T_minus_; }
  std::pair<double, double> reach() const { return {least_, most_}; }
  const std::vector<double>& roots() const { return roots_; }
  const std::vector<double>& jumps() const { return jumps_; }
  const std::string& refusal() const { return refusal_; }

 private:
  void take_if_root(const Trial& trial) {
    if (trial.excess && std::abs(*trial.excess) <= rounding * T_minus_) roots_.push_back(trial.epsilon);
  }

  // Where the law's domain ends between two trials: the last one inside.
  Trial edge(Trial a, Trial b) {
    for (int i = 0; i < halvings; ++i) {
      const Trial middle = at(0.5 * (a.epsilon + b.epsilon));
      (middle.refused == a.refused ? a : b) = middle;
    }
    return a.refused ? b : a;
  }

  void between(Trial a, Trial b) {
    if (!a.excess || !b.excess || !(*a.excess * *b.excess < 0)) return;
    if (std::abs(*a.excess) <= rounding * T_minus_ || std::abs(*b.excess) <= rounding * T_minus_) return;
    for (int i = 0; i < halvings; ++i) {
      const Trial middle = at(0.5 * (a.epsilon + b.epsilon));
      if (!middle.excess) return;
      ((*middle.excess < 0) == (*a.excess < 0) ? a : b) = middle;
    }
    const Trial nearer = std::abs(*a.excess) < std::abs(*b.excess) ? a : b;
    (is_root(nearer) ? roots_ : jumps_).push_back(nearer.epsilon);
  }

  // The work comes near the target and turns back: golden section for a crossing in between.
  void around(const Trial& a, const Trial& m, const Trial& b) {
    if (!a.excess || !m.excess || !b.excess) return;
    const double side = *m.excess < 0 ? -1 : 1;
    const auto distance = [&](const Trial& trial) { return trial.excess ? side * *trial.excess : HUGE_VAL; };
    if (!(distance(m) <= distance(a) && distance(m) <= distance(b)) || distance(m) <= rounding * T_minus_) return;
    constexpr double golden = 0.3819660112501051;
    Trial low = a, best = m, high = b;
    for (int i = 0; i < 80 && high.epsilon - low.epsilon > 1e-10 && distance(best) > 0; ++i) {
      const bool right = high.epsilon - best.epsilon > best.epsilon - low.epsilon;
      const Trial next = at(best.epsilon + golden * ((right ? high.epsilon : low.epsilon) - best.epsilon));
      if (distance(next) < distance(best)) {
        (right ? low : high) = best;
        best = next;
      } else {
        (right ? high : low) = next;
      }
    }
    if (distance(best) > 0) {
      if (is_root(best)) roots_.push_back(best.epsilon);
      return;
    }
    between(a, best);
    between(best, b);
  }

  const LawChoice& law_;
  const ImpactProblem& problem_;
  const InclusionSolver& solver_;
  double target_, T_minus_;
  std::vector<Trial> trials_;
  std::vector<double> roots_, jumps_;
  double least_ = HUGE_VAL, most_ = -HUGE_VAL;
  std::string refusal_;
};

}  // namespace

LawOutcome resolve_with(double epsilon, const LawChoice& law, const ImpactProblem& problem,
                        const InclusionSolver& solver) {
  LawChoice choice = law;
  if (has_own_restitution(*find_law(law.type))) choice.parameters.set("restitution", epsilon);
  return resolve(choice, problem.with_restitution(epsilon), solver);
}

EnergyMatch match_energy(const LawChoice& law, const ImpactProblem& problem, const ImpactResult& reference,
                         const InclusionSolver& solver) {
  EnergyMatch match;
  CoefficientRange range = law_of_contacts(law).contact_restitution;
  range.lowest = match.lowest = std::max(0.0, range.lowest);  // a matrix may have any entries
  range.highest = match.highest = std::min(1.0, range.highest);
  const ElementResult* contact = only_collision(problem, reference);
  if (contact && reference.routh && find_law(law.type)->equivalent)
    match.equivalent = find_law(law.type)->equivalent(*contact, *reference.routh);

  Search search(law, problem, reference.work, solver);
  search.look_through(range);
  if (!search.answers()) {
    match.reason = search.refusal();
    return match;
  }
  match.reach = search.reach();
  match.outcome = EnergyMatch::Outcome::no_coefficient;
  if (search.is_flat()) return match;
  match.roots = search.roots();
  match.jumps = search.jumps();
  if (match.equivalent && *match.equivalent >= range.lowest && *match.equivalent <= range.highest &&
      search.is_root(search.at(*match.equivalent))) {
    match.restitution = match.equivalent;
  } else if (!match.roots.empty()) {
    match.restitution = match.roots.front();
  }
  match.outcome = match.restitution ? EnergyMatch::Outcome::matched : EnergyMatch::Outcome::none;
  return match;
}

}  // namespace carom
