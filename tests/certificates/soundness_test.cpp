// No law that is declared guaranteed gains energy, from any velocity that is tried; and how often one that is not does.
// CAROM_SOUNDNESS=1-100000 (seeds) tries more problems than a test run has time for.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include "solvers/certificates/guarantee.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/mode_velocities.h"
#include "solvers/certificates/system.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::ProblemParts;
using testing::Random;

namespace {

struct Seeds {
  std::uint64_t first = 1, last = 120;
};

Seeds seeds_to_try() {
  const char* wanted = std::getenv("CAROM_SOUNDNESS");
  if (!wanted) return {};
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(wanted, &rest, 10);
  return *rest == '-' ? Seeds{first, std::strtoull(rest + 1, nullptr, 10)} : Seeds{1, first};
}

// Coefficients as people choose them, and as theorems ask for: one for all, nearly one, small, or any.
double restitution(Random& random, int style, double common) {
  switch (style) {
    case 0:
      return common;
    case 1:
      return std::clamp(common + random.uniform(-0.03, 0.03), 0.0, 1.0);
    case 2:
      return random.uniform(0, 0.3);
    default:
      return random.integer(0, 5) == 0 ? static_cast<double>(random.integer(0, 1)) : random.uniform(0, 1);
  }
}

Contact random_contact(Random& random, Index n, int style, double common, bool spatial) {
  Contact contact;
  contact.normal = random.vector(n);
  const bool rough = random.integer(0, 3) > 0;
  const Index tangents = rough ? (spatial ? 2 : 1) : 0;
  contact.tangent.resize(tangents, n);
  contact.friction.resize(tangents);
  for (Index k = 0; k < tangents; ++k) {
    contact.tangent.row(k) = random.vector(n).transpose();
    contact.friction(k) = k > 0 && random.integer(0, 1) ? contact.friction(0) : random.uniform(0.02, 1.2);
  }
  contact.restitution = restitution(random, style, common);
  const int tangential = random.integer(0, 2);
  if (rough)
    contact.tangential_restitution = tangential == 0   ? 0
                                     : tangential == 1 ? contact.restitution
                                                       : random.uniform(0, contact.restitution);
  return contact;
}

// From one contact to four, with clutches and hinges, sometimes redundant, sometimes falling apart into islands.
ProblemParts random_impact(std::uint64_t seed) {
  Random random(seed);
  const bool spatial = random.integer(0, 9) == 0;
  const int contacts = spatial ? random.integer(1, 2) : random.integer(1, 4);
  const int clutches = random.integer(0, 4) == 0 ? 1 : 0;
  const int hinges = random.integer(0, 3) == 0 ? random.integer(1, 2) : 0;
  const Index n = std::max(2, contacts + hinges + random.integer(-1, 5));
  const int style = random.integer(0, 3);
  const double common = random.integer(0, 4) == 0 ? static_cast<double>(random.integer(0, 1)) : random.uniform(0, 1);
  ProblemParts parts;
  parts.M = random.integer(0, 2) == 0 ? Mat(Mat::Identity(n, n)) : random.mass_matrix(n);
  for (int k = 0; k < hinges; ++k)
    parts.elements.push_back({"hinge" + std::to_string(k + 1), Bilateral{random.vector(n)}});
  for (int k = 0; k < contacts; ++k)
    parts.elements.push_back({"contact" + std::to_string(k + 1), random_contact(random, n, style, common, spatial)});
  for (int k = 0; k < clutches; ++k) parts.elements.push_back({"clutch", Clutch{random.vector(n), 0.0}});
  if (random.integer(0, 3) == 0) {  // every other element touches the other half of the coordinates
    parts.M = Mat::Identity(n, n);
    for (std::size_t i = 0; i < parts.elements.size(); ++i) {
      auto* contact = std::get_if<Contact>(&parts.elements[i].kind);
      if (!contact) continue;
      const Index first = i % 2 == 0 ? 0 : n / 2;
      contact->normal.segment(first, n / 2).setZero();
      contact->tangent.middleCols(first, n / 2).setZero();
    }
  }
  parts.u_minus = Vec::Zero(n);
  return parts;
}

bool is_spatial(const ImpactProblem& problem) {
  return std::any_of(problem.elements().begin(), problem.elements().end(),
                     [](const Element& e) { return e.contact() && e.contact()->tangent.rows() == 2; });
}

std::vector<LawChoice> laws_for(const ImpactProblem& problem, Random& random) {
  std::vector<LawChoice> laws;
  for (const LawEntry& entry : impact_laws()) {
    const bool spatial = is_spatial(problem);
    const bool slow = entry.name == "compliant" || (spatial && entry.name.find("routh") != std::string::npos) ||
                      (spatial && (entry.name == "stronge" || entry.name == "sequential"));
    if (slow && random.integer(0, 30) > 0) continue;
    if (entry.name == "sequential" && random.integer(0, 9) > 0) continue;  // tries every order of its collisions
    LawChoice law{entry.name, {}};
    if (entry.name == "restitution-matrix") {
      const Index contacts = std::count_if(problem.elements().begin(), problem.elements().end(),
                                           [](const Element& e) { return e.contact() != nullptr; });
      Mat nn(contacts, contacts);
      const double spread = random.uniform(0, 0.4);
      for (Index i = 0; i < contacts; ++i) nn.row(i) = spread * random.vector(contacts).transpose();
      nn.diagonal().array() += random.uniform(0, 1);
      law.parameters.set("nn", nn);
    }
    if (entry.name == "sequential" && random.integer(0, 1) == 0) {
      const char* inner[] = {"poisson", "stronge", "newton-routh", "moreau"};
      law.parameters.set("each", std::make_shared<const LawChoice>(LawChoice{inner[random.integer(0, 3)], {}}));
    }
    laws.push_back(law);
  }
  return laws;
}

struct Tally {
  long guaranteed = 0, not_guaranteed = 0, gaining = 0;
  double largest_gain = -HUGE_VAL;  // of those that are guaranteed
};

// How many velocities a law is tried on: fewer where it takes long or is proven whatever the system.
int tries(const LawChoice& law, const ImpactProblem& problem) {
  if (law.type == "compliant") return 1;
  if (law.type == "sequential") return 4;
  const bool redundant = problem.rows() > problem.free_motions().cols();
  const bool easy = law.type == "inelastic" || law.type == "moreau";
  return easy || is_spatial(problem) ? 4 : redundant ? 10 : 24;
}

constexpr int climbing_steps = 10;
constexpr int most_unanswered = 2;  // that an impact has no solution takes long to find out

// The largest gain over random velocities, velocities of random modes, a velocity that a failed proof names, and a
// short climb from the best of them.
class Attack {
 public:
  Attack(const LawChoice& law, const ImpactProblem& problem, std::uint64_t seed)
      : problem_(problem), trial_(law, problem), motions_(problem.free_motions()), modes_(problem), engine_(seed) {}

  void try_velocity(const Vec& v, Solutions wanted = Solutions::one) {
    const double gain = trial_.gain(problem_.from_white(v), wanted);
    unanswered_ += gain == -HUGE_VAL;
    if (!(gain > gain_)) return;
    gain_ = gain;
    v_ = v;
  }

  void run(int count) {
    for (int k = 0; k < count && unanswered_ < most_unanswered; ++k)
      try_velocity(k % 2 == 0 ? Vec(motions_ * normal_vector()) : modes_.draw(engine_));
    double step = 0.3;
    for (int k = 0; k < climbing_steps && count >= climbing_steps && answered(); ++k, step *= 0.8)
      try_velocity(v_ +
                   step * v_.norm() / std::sqrt(static_cast<double>(motions_.cols())) * (motions_ * normal_vector()));
  }

  // Where friction allows several solutions, all of them.
  void enumerate() {
    if (answered()) try_velocity(v_, Solutions::every);
  }

  bool answered() const { return gain_ > -HUGE_VAL; }
  double gain() const { return gain_; }
  Vec u_minus() const { return problem_.from_white(v_); }

 private:
  Vec normal_vector() {
    Vec y(motions_.cols());
    for (double& x : y) x = normal_(engine_);
    return y;
  }

  const ImpactProblem& problem_;
  LawTrial trial_;
  Mat motions_;
  ModeVelocities modes_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  int unanswered_ = 0;
  double gain_ = -HUGE_VAL;
  Vec v_;
};

bool refuses(const LawChoice& law, const ImpactProblem& problem) {
  const auto complaints = check_data(law, problem.elements(), &problem);
  return std::any_of(complaints.begin(), complaints.end(), [](const LawComplaint& c) { return !c.warning; });
}

}  // namespace

TEST_CASE("soundness: what is guaranteed never gains, over random problems, laws and velocities") {
  std::map<std::string, Tally> tallies;
  const Seeds seeds = seeds_to_try();
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    ProblemParts parts = random_impact(seed);
    if (!ImpactProblem::defects(parts.M, parts.u_minus, parts.elements).empty()) continue;
    Random random(seed + 1000000007);
    const ImpactProblem problem = parts.build();
    if (problem.free_motions().cols() == 0) continue;
    for (const LawChoice& law : laws_for(problem, random)) {
      if (refuses(law, problem)) continue;
      const Proof proof = prove(law, problem);
      if (prove_everywhere(law, problem).proven) CHECK_REPLAY(proof.proven, parts, law.type, seed);
      Attack attack(law, problem, seed);
      if (proof.velocity) attack.try_velocity(problem.to_white(*proof.velocity));
      attack.run(tries(law, problem));
      if (!attack.answered()) continue;  // the law refuses the problem
      if (seed % 50 == 0) attack.enumerate();
      Tally& tally = tallies[law.type];
      (proof.proven ? tally.guaranteed : tally.not_guaranteed)++;
      tally.gaining += !proof.proven && attack.gain() > verdict_tolerance;
      if (!proof.proven) continue;
      tally.largest_gain = std::max(tally.largest_gain, attack.gain());
      parts.u_minus = attack.u_minus();
      CAPTURE(proof.theorem);
      CAPTURE(attack.gain());
      CHECK_REPLAY(attack.gain() <= verdict_tolerance, parts, law.type, seed);
    }
  }
  long guaranteed = 0;
  for (const auto& [law, tally] : tallies) {
    guaranteed += tally.guaranteed;
    MESSAGE(law << ": guaranteed " << tally.guaranteed << " (largest gain " << tally.largest_gain
                << "), not guaranteed " << tally.not_guaranteed << ", of which " << tally.gaining << " gain");
  }
  CHECK(guaranteed > static_cast<long>(seeds.last - seeds.first));
}

TEST_CASE("completeness: a counterexample that Newton's certificate names does gain") {
  int named = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const ProblemParts parts = random_impact(seed);
    if (!ImpactProblem::defects(parts.M, parts.u_minus, parts.elements).empty()) continue;
    const ImpactProblem problem = parts.build();
    if (is_spatial(problem)) continue;  // around discs the cone is only enclosed
    const Proof proof = prove({"newton", {}}, problem);
    if (proof.proven || !proof.velocity) continue;
    const LawTrial trial({"newton", {}}, problem);
    const double gain = trial.gain(*proof.velocity);
    if (gain == -HUGE_VAL) continue;
    ++named;
    auto replayed = parts;
    replayed.u_minus = *proof.velocity;
    CHECK_REPLAY(gain > 0, replayed, "newton", seed);
  }
  CHECK(named > 20);
}

TEST_CASE("soundness of Theorem 2: an impact that it covers loses under Newton with a single contact") {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    const auto parts = testing::random_problem(seed, {.contacts = 1, .largest_friction = 0.4, .approaching = true});
    auto slower = parts;
    std::get<Contact>(slower.elements[0].kind).restitution *= 0.5;
    const ImpactProblem problem = slower.build();
    for (const Certificate& certificate : friction_certificates(problem)) {
      if (certificate.name.find("Theorem 2") == std::string::npos || certificate.verdict != Verdict::holds) continue;
      ++covered;
      CHECK_REPLAY(LawTrial({"newton", {}}, problem).gain(problem.u_minus()) <= verdict_tolerance, slower, "newton",
                   seed);
    }
  }
  CHECK(covered > 20);
}
