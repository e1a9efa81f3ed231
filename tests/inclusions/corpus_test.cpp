// Every inclusion of the corpus keeps its status and its set of solutions, and no residual grows beyond what is asked
// for. CAROM_RENEW=1 writes the answers anew instead.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "solvers/inclusion/list.h"
#include "tests/inclusions/corpus.h"

using namespace carom;
using namespace carom::testing;

namespace {

constexpr double same_velocity = 1e-8;    // relative to what drives the problem
constexpr double another_rounding = 1.1;  // of a residual that stays above the tolerance

std::vector<std::filesystem::path> corpus_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(CAROM_SOURCE "/tests/inclusions"))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

double distance(const Inclusion& inclusion, const Vec& xi, const Vec& other) {
  const Vec unit = inclusion.r.cwiseSqrt();
  const double drive = std::max(unit.cwiseProduct(inclusion.c).norm(), unit.cwiseProduct(other).norm());
  const double apart = unit.cwiseProduct(xi - other).norm();
  return drive > 0 ? apart / drive : apart;
}

bool is_among(const Inclusion& inclusion, const Vec& xi, const std::vector<Vec>& solutions, double tolerance) {
  return std::any_of(solutions.begin(), solutions.end(),
                     [&](const Vec& other) { return distance(inclusion, xi, other) <= tolerance; });
}

void check(const KnownInclusion& known) {
  CAPTURE(known.name);
  const auto solver = find_solver("auto")->make();
  const InclusionOutcome outcome = solver->solve(known.inclusion, known.demand);
  CHECK_MESSAGE(outcome.status == known.answer.status, outcome.reason);
  for (const InclusionSolution& solution : outcome.solutions) {
    CHECK(natural_residual(known.inclusion, solution.Lambda) <=
          std::max(known.demand.tolerance, known.answer.residual));
    // One that is only known to the tolerance may be that far away.
    if (known.answer.is_complete && solution.residual <= residual_tolerance)
      CHECK(is_among(known.inclusion, solution.xi, known.answer.velocities, same_velocity));
  }
  if (outcome.nearest)
    CHECK(outcome.nearest->residual <= std::max(known.demand.tolerance, another_rounding * known.answer.residual));
  if (!known.answer.is_complete) return;
  const InclusionOutcome all = solver->solve(known.inclusion);
  CHECK(all.exhaustive);
  CHECK(all.solutions.size() == known.answer.velocities.size());
  for (const InclusionSolution& solution : all.solutions)
    CHECK(is_among(known.inclusion, solution.xi, known.answer.velocities, same_velocity));
}

void renew(const std::filesystem::path& file, const Corpus& corpus) {
  std::ofstream out(file);
  for (const auto& known : corpus) {
    known->answer = answer_to(*known);
    write_inclusion(*known, out);
  }
}

}  // namespace

TEST_CASE("inclusions of the corpus keep their status, their solutions and their residual") {
  const bool renews = std::getenv("CAROM_RENEW") != nullptr;
  std::size_t count = 0;
  for (const std::filesystem::path& file : corpus_files()) {
    CAPTURE(file);
    const Corpus corpus = read_corpus(file.string());
    count += corpus.size();
    if (renews) {
      renew(file, corpus);
    } else {
      for (const auto& known : corpus) check(*known);
    }
  }
  CHECK(count > 100);
}

TEST_CASE("the corpus is written as it is read") {
  const Corpus corpus = read_corpus(corpus_files().front().string());
  std::stringstream once, again;
  for (const auto& known : corpus) write_inclusion(*known, once);
  const std::string copy = (std::filesystem::temp_directory_path() / "carom-corpus-copy.txt").string();
  std::ofstream(copy) << once.str();
  for (const auto& known : read_corpus(copy)) write_inclusion(*known, again);
  std::filesystem::remove(copy);
  CHECK(!once.str().empty());
  CHECK(once.str() == again.str());
}
