#include "solvers/certificates/assessment.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>

#include "solvers/certificates/guarantee.h"
#include "solvers/certificates/law_as_map.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/system.h"
#include "solvers/inclusion/enumerate.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

std::optional<std::string> refusal_by_data(const LawChoice& law, const ImpactProblem& problem) {
  for (const LawComplaint& complaint : check_data(law, problem.elements(), &problem)) {
    if (complaint.warning) continue;
    const std::string where = complaint.element ? problem.elements()[*complaint.element].name : complaint.key;
    return fmt::format("'{}': {}", where, complaint.message);
  }
  return std::nullopt;
}

std::optional<ImpactResult> most_gaining(const LawOutcome& outcome) {
  const auto most = std::max_element(outcome.results.begin(), outcome.results.end(),
                                     [](const ImpactResult& a, const ImpactResult& b) { return a.work < b.work; });
  return most == outcome.results.end() ? std::nullopt : std::optional<ImpactResult>(*most);
}

constexpr int most_tests = 20000;  // of branches, for each inclusion; about a second

// Enumeration within a budget, which remembers how far it came.
class CountedEnumeration final : public InclusionSolver {
 public:
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    InclusionOutcome outcome = enumeration_->solve(inclusion);
    tests_ += outcome.iterations;
    complete_ = complete_ && outcome.exhaustive;
    return outcome;
  }

  std::int64_t tests() const { return tests_; }
  bool complete() const { return complete_; }

 private:
  std::unique_ptr<InclusionSolver> enumeration_ = make_enumeration(most_tests);
  mutable std::int64_t tests_ = 0;
  mutable bool complete_ = true;
};

// How many answers the law has here, found by trying every combination of open, stick and slip.
Certificate solutions(const LawChoice& law, const ImpactProblem& problem) {
  Certificate certificate{.name = "number of solutions",
                          .source = "by enumeration",
                          .statement = "the law has one answer from this velocity",
                          .laws = {law.type}};
  const CountedEnumeration enumeration;
  const LawOutcome outcome = make_law(law)->resolve(problem, enumeration);
  if (outcome.status == LawOutcome::Status::refused) return certificate.not_applicable(outcome.reason);
  const double count = static_cast<double>(outcome.results.size());
  certificate.with({"solutions", count, "=", 1.0});
  std::string why = count == 0   ? "no solution: " + outcome.reason
                    : count == 1 ? "one solution"
                                 : fmt::format("{} solutions", outcome.results.size());
  if (count > 0 && !outcome.results.front().solver.note.empty()) why += "; " + outcome.results.front().solver.note;
  certificate.with(plain("combinations tried", static_cast<double>(enumeration.tests())));
  certificate.with(plain("every combination enclosed (1) or only searched (0)", enumeration.complete() ? 1 : 0));
  if (enumeration.complete()) return certificate.judged(count == 1, why);
  const std::string cut =
      fmt::format("; not every combination was tried (at most {} branches), there may be more", most_tests);
  return count == 0 ? certificate.not_applicable(why + cut) : certificate.tried(count > 1, why + cut);
}

void append(std::vector<Certificate> part, std::vector<Certificate>& list) {
  std::move(part.begin(), part.end(), std::back_inserter(list));
}

std::vector<Certificate> all_certificates(const LawChoice& law, const ImpactProblem& problem) {
  std::vector<Certificate> list;
  for (auto* family : {coefficient_certificates, friction_certificates}) {
    for (Certificate& certificate : family(problem)) {
      if (std::find(certificate.laws.begin(), certificate.laws.end(), law.type) != certificate.laws.end())
        list.push_back(std::move(certificate));
    }
  }
  append(certificates_of(law, problem), list);
  list.push_back(solutions(law, problem));
  append(map_certificates(law, problem), list);
  return list;
}

}  // namespace

std::optional<LawChoice> one_at_a_time(const LawChoice& law) {
  if (!find_law(law.type)->default_each.empty()) return std::nullopt;
  LawChoice sequential{"sequential", {}};
  sequential.parameters.set("each", std::make_shared<const LawChoice>(law));
  return sequential;
}

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
  assessment.here = most_gaining(outcome);
  if (!assessment.here) assessment.unsolved = outcome.reason;
  assessment.proof = prove(law, problem);
  assessment.standing =
      assessment.proof.proven ? LawAssessment::Standing::guaranteed : LawAssessment::Standing::not_guaranteed;
  if (!options.ranges.empty()) assessment.within = prove_within(law, problem, options.ranges);
  if (assessment.within ? !assessment.within->proven : !assessment.proof.proven) {
    std::vector<Vec> seeds;
    if (assessment.proof.velocity) seeds.push_back(*assessment.proof.velocity);
    assessment.worst = worst_case(law, problem, options.ranges, seeds);
    if (options.ranges.empty() && assessment.worst->exact && !assessment.worst->gains()) {
      assessment.standing = LawAssessment::Standing::guaranteed;
      assessment.proof = Proof::by("no velocity gains (the worst case of all modes, computed exactly)");
    }
  }
  if (options.certificates) assessment.certificates = all_certificates(law, problem);
  return assessment;
}

}  // namespace carom
