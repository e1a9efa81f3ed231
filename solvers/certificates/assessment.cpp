#include "solvers/certificates/assessment.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>

#include "solvers/certificates/exact_worst_case.h"
#include "solvers/certificates/guarantee.h"
#include "solvers/certificates/kinematic.h"
#include "solvers/certificates/law_as_map.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/system.h"
#include "solvers/inclusion/all/all.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resting_joints.h"

namespace carom {

namespace {

std::optional<std::string> refusal_by_data(const LawChoice& law, const ImpactProblem& problem) {
  for (const LawComplaint& complaint : check_data(law, problem.elements(), &problem)) {
    if (complaint.warning) continue;
    const std::string where = complaint.element ? problem.elements()[*complaint.element].name : complaint.key;
    const std::string quoted = "'" + where + "'";
    return complaint.message.find(quoted) != std::string::npos ? complaint.message
                                                               : fmt::format("{}: {}", quoted, complaint.message);
  }
  return std::nullopt;
}

std::optional<ImpactResult> most_gaining(const LawOutcome& outcome) {
  const auto most = std::max_element(outcome.results.begin(), outcome.results.end(),
                                     [](const ImpactResult& a, const ImpactResult& b) { return a.work < b.work; });
  return most == outcome.results.end() ? std::nullopt : std::optional<ImpactResult>(*most);
}

constexpr int most_assessment_tests = 20000;  // of branches, for each inclusion

// Enumeration within a budget, which remembers how far it came.
class CountedEnumeration final : public InclusionSolver {
 public:
  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    enumeration_->solve_into(inclusion, demand, outcome);
    tests_ += outcome.iterations;
    complete_ = complete_ && outcome.exhaustive;
    several_ = several_ || outcome.solutions.size() > 1;
  }

  std::int64_t tests() const { return tests_; }
  bool complete() const { return complete_; }
  bool several() const { return several_; }  // some inclusion had more than one solution

 private:
  std::unique_ptr<InclusionSolver> enumeration_ = make_enumeration(most_assessment_tests);
  mutable std::int64_t tests_ = 0;
  mutable bool complete_ = true, several_ = false;
};

// What was found, in words. The note of the law or the solver says how a search was not complete.
std::string solutions_text(const LawOutcome& outcome, bool complete) {
  if (outcome.results.empty()) return (complete ? "no solution: " : "none found, which is no proof: ") + outcome.reason;
  const std::size_t count = outcome.results.size();
  const std::string& note = outcome.results.front().solver.note;
  std::string text = count > 1 ? fmt::format("{} solutions", count) : "one solution";
  if (!note.empty()) text += "; " + note;
  if (!complete && note.empty()) text += "; not every combination was tried, there may be more";
  return text;
}

// How many answers the law has here, found by trying every combination of open, stick and slip.
Certificate solutions(const LawChoice& law, const ImpactProblem& problem) {
  Certificate certificate{.name = "number of solutions",
                          .source = "by enumeration",
                          .statement = "the law has one answer from this velocity",
                          .forms = {form_of(law)}};
  const CountedEnumeration enumeration;
  if (const auto why = closed_by_joints(problem))
    return certificate.with({"solutions", 0.0, "=", 1.0}).judged(false, "no solution: " + *why);
  const LawOutcome outcome = make_law(law)->resolve(problem, enumeration);
  if (outcome.status == LawOutcome::Status::refused) return certificate.not_applicable(outcome.reason);
  // A combinator tries orders of collisions besides, as many as it can, and goes on with one solution of each.
  const auto colliding = std::count_if(problem.elements().begin(), problem.elements().end(),
                                       [](const Element& element) { return !element.bilateral(); });
  const bool combines = find_law(law.type)->is_combinator();
  const bool one_of_several = combines && enumeration.several();
  const bool complete = enumeration.complete() && !(combines && colliding > 1);
  const double count = static_cast<double>(outcome.results.size());
  std::string why = solutions_text(outcome, complete);
  if (one_of_several) why += "; a collision has several solutions, of which the first is taken";
  certificate.with({"solutions", count, "=", 1.0});
  certificate.with(plain("combinations tried", static_cast<double>(enumeration.tests())));
  certificate.with(plain("every combination enclosed (1) or only searched (0)", enumeration.complete() ? 1 : 0));
  if (complete) return certificate.judged(count == 1 && !one_of_several, why);
  return count == 0 ? certificate.not_applicable(why) : certificate.tried(count > 1 || one_of_several, why);
}

void append(std::vector<Certificate> part, std::vector<Certificate>& list) {
  std::move(part.begin(), part.end(), std::back_inserter(list));
}

std::vector<Certificate> all_certificates(const LawChoice& law, const ImpactProblem& problem) {
  std::vector<Certificate> list;
  for (auto* family : {coefficient_certificates, friction_certificates}) {
    for (Certificate& certificate : family(problem)) {
      if (certificate.speaks_of(form_of(law))) list.push_back(std::move(certificate));
    }
  }
  append(certificates_of(law, problem), list);
  list.push_back(solutions(law, problem));
  append(map_certificates(law, problem), list);
  return list;
}

std::vector<Vec> seeds_of(const Proof& proof) {
  return proof.velocity ? std::vector<Vec>{*proof.velocity} : std::vector<Vec>{};
}

constexpr std::int64_t faces_beside_ranges = 20000;  // for the given coefficients, where ranges are asked about
constexpr const char* no_velocity_gains = "no velocity gains (the worst case of all modes, computed exactly)";

// A worst case that is computed and gains nothing proves as much as a theorem.
void accept(const WorstCase& worst, Proof& proof) {
  if (worst.exact && !worst.gains()) proof = Proof::by(no_velocity_gains);
}

// Within the ranges, as far as the law takes them.
void judge_within(const LawChoice& law, const ImpactProblem& problem, const AssessmentOptions& options,
                  LawAssessment& assessment) {
  assessment.ranges = options.ranges;
  const std::optional<CoefficientRanges> taken = taken_by(law, problem, options.ranges);
  if (!taken) {
    assessment.within = Proof::none("the law takes no coefficient in the ranges");
    return;
  }
  assessment.taken = *taken;
  assessment.tangential_below_normal = leave_out_tangential_above_normal(law, problem, *taken);
  assessment.within = prove_within(law, problem, *taken);
  if (assessment.within->proven) return;
  assessment.worst = worst_case(law, problem, *taken, seeds_of(assessment.proof), options.progress);
  accept(*assessment.worst, *assessment.within);
}

// Theorems speak of impulses and contact velocities, whatever moves the joints. Worst cases are looked for among the
// motions at resting joints, which are all there is where the contacts can follow the drives.
void judge(const LawChoice& law, const ImpactProblem& problem, const AssessmentOptions& options,
           LawAssessment& assessment) {
  assessment.proof = prove(law, problem);
  if (has_moving_joints(problem)) {
    if (!options.ranges.empty()) assessment.within = prove_within(law, problem, options.ranges);
  } else if (!assessment.proof.proven && options.ranges.empty()) {
    assessment.worst = worst_case(law, problem, {}, seeds_of(assessment.proof), options.progress);
    accept(*assessment.worst, assessment.proof);
  } else if (!assessment.proof.proven) {
    accept(exact_worst_case(law, problem, faces_beside_ranges), assessment.proof);
  }
  assessment.standing =
      assessment.proof.proven ? LawAssessment::Standing::guaranteed : LawAssessment::Standing::not_guaranteed;
  if (!options.ranges.empty() && !assessment.within) judge_within(law, problem, options, assessment);
}

}  // namespace

LawAssessment assess(const LawChoice& asked, const ImpactProblem& problem, const AssessmentOptions& options) {
  LawAssessment assessment;
  assessment.law = asked.type;
  LawChoice law = asked;
  if (const auto refusal = refusal_by_data(law, problem)) {
    assessment.refusal = *refusal;
    return assessment;
  }
  LawOutcome outcome = LawTrial(law, problem).outcome(problem.u_minus());
  const std::optional<LawChoice> in_turn = one_at_a_time(law);
  if (outcome.status == LawOutcome::Status::refused && options.sequential_for_several && in_turn) {
    LawOutcome sequential = LawTrial(*in_turn, problem).outcome(problem.u_minus());
    if (sequential.status != LawOutcome::Status::refused) {
      outcome = std::move(sequential);
      law = *in_turn;
      assessment.in_turn = true;
    }
  }
  if (outcome.status == LawOutcome::Status::refused) {
    assessment.refusal = outcome.reason;
    return assessment;
  }
  if (const auto why = closed_by_joints(problem)) outcome = LawOutcome::failed(*why);
  assessment.here = most_gaining(outcome);
  if (!assessment.here) assessment.unsolved = outcome.reason;
  judge(law, problem, options, assessment);
  if (!closed_by_joints(problem)) assessment.kinematic = kinematic_certificate(law, problem);
  if (options.certificates) assessment.certificates = all_certificates(law, problem);
  return assessment;
}

}  // namespace carom
