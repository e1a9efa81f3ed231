#include "solvers/laws/one_point.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace carom {

namespace {

constexpr double weak = 1e-6;  // of a coupling, relative: it may be what rounded masses and directions make of none

// What data with rounded digits leave of G_ab: ε|x_a|ᵀ|M||x_b|, x = M⁻¹w being the velocities that unit impulses make.
double rounding_of_coupling(const ImpactProblem& problem, Index a, Index b) {
  constexpr double roundings = 4;  // of M, of the two directions, and of what is computed with them
  const Mat W = problem.white_directions();
  const Vec x_a = problem.from_white(W.col(a)), x_b = problem.from_white(W.col(b));
  return roundings * std::numeric_limits<double>::epsilon() *
         x_a.cwiseAbs().dot(problem.M().cwiseAbs() * x_b.cwiseAbs());
}

// Whether an impulse on one element moves the other.
bool are_coupled(const ImpactProblem& problem, std::size_t i, std::size_t j) {
  const Vec& whole = problem.compliance();  // before bilateral constraints, whose elimination rounds
  const Delassus& G = problem.G();
  for (Index a = problem.first_row(i); a < problem.first_row(i) + problem.row_count(i); ++a) {
    for (Index b = problem.first_row(j); b < problem.first_row(j) + problem.row_count(j); ++b) {
      const double size = 0.5 * (std::sqrt(whole(a) * G(b, b)) + std::sqrt(G(a, a) * whole(b)));
      const double coupling = std::abs(G(a, b));
      if (coupling <= rounding * size) continue;
      if (coupling > weak * size || coupling > rounding_of_coupling(problem, a, b)) return true;
    }
  }
  return false;
}

// The first pair of elements that G couples; nothing if every element stands alone.
std::optional<std::pair<std::size_t, std::size_t>> coupled_pair(const ImpactProblem& problem) {
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    for (std::size_t j = i + 1; j < problem.elements().size(); ++j) {
      if (are_coupled(problem, i, j)) return std::pair{i, j};
    }
  }
  return std::nullopt;
}

std::string coupled_text(const ImpactProblem& problem, std::size_t i, std::size_t j, const char* law) {
  const Element &a = problem.elements()[i], &b = problem.elements()[j];
  const std::string instead = a.clutch() || b.clutch()
                                  ? "poisson, newton or inelastic"
                                  : fmt::format("sequential with each: {}, or poisson, newton, moreau", law);
  return fmt::format("{} resolves one contact at a time, but the impact couples '{}' and '{}'; use {}", law, a.name,
                     b.name, instead);
}

std::optional<std::string> driven_backwards(const ImpactProblem& problem, std::size_t i, const char* law) {
  const Element& element = problem.elements()[i];
  if (!element.clutch() || !(problem.gamma_minus()(problem.first_row(i)) < 0)) return std::nullopt;
  return fmt::format("{} resolves contacts, but clutch '{}' is driven backwards; use poisson, newton or inelastic", law,
                     element.name);
}

std::optional<std::string> outside_domain(const ImpactProblem& problem, const char* law) {
  if (const auto pair = coupled_pair(problem)) return coupled_text(problem, pair->first, pair->second, law);
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    if (auto reason = driven_backwards(problem, i, law)) return reason;
    const Contact* contact = element.contact();
    if (contact && contact->has_friction() && contact->tangential_restitution != 0) {
      return fmt::format("{} has no tangential restitution, but contact '{}' has {:g}; use poisson or newton", law,
                         element.name, contact->tangential_restitution);
    }
  }
  return std::nullopt;
}

// The tangents that take part, the rougher one first: all with friction (or, without any, all); the others are carried
// along.
using Tangents = Eigen::Matrix<Index, Eigen::Dynamic, 1, 0, 2, 1>;

Tangents tangents_of(const Contact& contact) {
  Tangents tangents(contact.friction.size());
  Index count = 0;
  for (Index k = 0; k < contact.friction.size(); ++k) {
    if (!contact.has_friction() || contact.friction(k) > 0) tangents(count++) = k;
  }
  if (count == 2 && contact.friction(0) < contact.friction(1)) std::swap(tangents(0), tangents(1));
  return tangents.head(count);
}

OneContact contact_space(const ImpactProblem& problem, const Contact& contact, Index row, const Tangents& tangents) {
  const Index d = tangents.size();
  OneContact c;
  c.G_NN = problem.G()(row, row);
  c.rounded = std::sqrt(problem.compliance()(row) * c.G_NN);
  c.G_NT.resize(d);
  c.G_TT.resize(d, d);
  c.friction.resize(d);
  c.restitution = contact.restitution;
  for (Index a = 0; a < d; ++a) {
    const Index ra = row + 1 + tangents(a);
    c.G_NT(a) = problem.G()(row, ra);
    c.friction(a) = contact.friction(tangents(a));
    for (Index b = 0; b < d; ++b) c.G_TT(a, b) = problem.G()(ra, row + 1 + tangents(b));
  }
  return c;
}

// Nothing has happened yet.
void begin(const ImpactProblem& problem, const char* law, Jump& jump) {
  if (!jump.compression) jump.compression.emplace();
  if (!jump.work) jump.work.emplace();
  jump.Lambda.setZero(problem.rows());
  jump.compression->setZero(problem.rows());
  jump.work->setZero(static_cast<Index>(problem.elements().size()));
  jump.states.assign(problem.elements().size(), State::open);
  jump.routh = RouthPath{};
  jump.solver = {};
  jump.solver.name = law;
}

}  // namespace

std::vector<LawComplaint> check_one_point(const ImpactProblem* problem, const char* law) {
  std::vector<LawComplaint> complaints;
  for (std::size_t j = 0; problem && j < problem->elements().size(); ++j) {
    // A pair is told once: at its clutch, or at the later of two contacts.
    const bool clutch = problem->elements()[j].clutch();
    const std::size_t others = clutch ? problem->elements().size() : j;
    std::optional<std::string> reason;
    for (std::size_t i = 0; i < others && !reason; ++i) {
      if (i == j || (!clutch && !problem->elements()[i].contact()) || !are_coupled(*problem, i, j)) continue;
      reason = coupled_text(*problem, i, j, law);
    }
    if (!reason) reason = driven_backwards(*problem, j, law);
    if (reason) complaints.push_back({j, "kind", *reason});
  }
  return complaints;
}

void resolve_one_point(const ImpactProblem& problem, RestitutionEnd end, const char* law, LawOutcome& outcome) {
  if (const auto reason = outside_domain(problem, law)) return outcome.refuse(*reason);
  Jump& jump = outcome.scratch.jump;
  begin(problem, law, jump);
  Vec& compression = *jump.compression;
  int marched = 0;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    const Index row = problem.first_row(i);
    const auto gamma = problem.gamma_minus().segment(row, problem.row_count(i));
    // Grazing is no collision (Djerassi 2010, comment d), and a dead direction cannot collide.
    if (grazes(gamma) || problem.G()(row, row) == 0) continue;
    const Tangents tangents = tangents_of(*contact);
    Tangential v_T(tangents.size());
    for (Index k = 0; k < v_T.size(); ++k) v_T(k) = gamma(1 + tangents(k));
    const OneContact c = contact_space(problem, *contact, row, tangents);
    RouthMarch march(c, end, gamma(0), v_T);
    try {
      march.run();
    } catch (const MarchFailure& failure) {
      return outcome.fail(fmt::format("{} at contact '{}': {}", law, problem.elements()[i].name, failure.reason));
    }
    jump.Lambda(row) = march.I_N();
    compression(row) = march.I_N_compression();
    for (Index k = 0; k < v_T.size(); ++k) {
      jump.Lambda(row + 1 + tangents(k)) = march.I_T()(k);
      compression(row + 1 + tangents(k)) = march.I_T_compression()(k);
    }
    (*jump.work)(static_cast<Index>(i)) =
        march.normal_work_compression() + march.normal_work_restitution() + march.tangential_work();
    jump.states[i] = !contact->has_friction() ? State::closed
                     : march.sticks()         ? State::stick
                     : march.turned()         ? State::reverse
                                              : State::slip;
    jump.routh->compression_work += march.normal_work_compression();
    jump.routh->restitution_work += march.normal_work_restitution();
    jump.routh->type = ++marched == 1 && tangents.size() == 1 ? std::optional<int>(march.type()) : std::nullopt;
  }
  outcome.status = LawOutcome::Status::resolved;
  outcome.reason.clear();
  outcome.results.resize(1);
  complete(problem, jump, outcome.results.front());
}

}  // namespace carom
