// Poisson's impact law in inequality form (Glocker 2014, eqs. 29–36).
//
//   compression     γ° = GΛ⁻ + γ⁻            γ°ᵢ ∈ N_Cᵢ(−Λ⁻ᵢ)
//   decompression   γ⁺ = GΛ⁺ + γ°            γ⁺ᵢ ∈ N_Dᵢ(−Δᵢ),   Δ = Λ⁺ − εΛ⁻
//
// D = C for contacts and clutches; for friction D = (Λ_N⁺ − ε_TΛ_N⁻)A (eq. 65). In the unknown Δ the second
// phase is again an inclusion, γ⁺ = GΔ + (GεΛ⁻ + γ°), whose friction sets have radius Δ_N + (ε_N − ε_T)Λ_N⁻:
// they keep their size where Δ_N = 0. Signs: γ < 0 approaches, Λ > 0 pushes the contact open.
//
// Domain: contacts with line, disc or ellipse friction, clutches, bilateral elements; ε_T ≤ ε_N. Restitution above 1
// lets a contact return more than it took, which the cradle needs (sect. 9.3). Always leaves contacts opening or
// closed. Dissipative without friction and for a single frictional contact (sects. 6 and 7). Failures: with a
// frictional contact beside others it can gain energy (sect. 10, the inhomogeneous bar). Redundant contacts share the
// compression impulse by least norm; where it matters the result says so, and those of extreme shares follow where they
// are few.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/admissible_velocity.h"
#include "solvers/inclusion/all/all.h"
#include "solvers/inclusion/share/share.h"
#include "solvers/laws/inclusion_form.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr double redundancy = 1e-9;  // relative effect below which another share of the impulses makes no difference
// Of the solver in all decompressions: what would take more leaves out extreme shares, and samples of a continuum.
constexpr int most_iterations = 50000;

std::vector<LawComplaint> check_tangential_restitution(const Parameters&, const std::vector<Element>& elements,
                                                       const ImpactProblem*) {
  std::vector<LawComplaint> complaints;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Contact* contact = elements[i].contact();
    // A negative restitution is a mistake of its own.
    if (contact && contact->has_friction() && contact->restitution >= 0 &&
        contact->tangential_restitution > contact->restitution) {
      complaints.push_back(
          {i, "tangential_restitution",
           fmt::format(
               "poisson needs tangential_restitution ≤ restitution (Glocker 2014, eq. 70), but contact '{}' has "
               "{:g} > {:g}; {}",
               elements[i].name, contact->tangential_restitution, contact->restitution,
               contact->tangential_restitution <= 1 ? "newton takes it"
                                                    : "choose one that is at most the restitution")});
    }
  }
  return complaints;
}

// (ε_N − ε_T)Λ_N⁻ at the normal rows of frictional contacts: what friction keeps where Δ_N = 0.
void friction_offset(const ImpactProblem& problem, const Vec& Lambda_minus, Vec& offset) {
  offset.setZero(problem.rows());
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    const Index row = problem.first_row(i);
    offset(row) = (contact->restitution - contact->tangential_restitution) * Lambda_minus(row);
  }
}

// Whether other compression impulses with the same velocities, Λ⁻ + others·z, decompress in another way.
bool other_shares_matter(const ImpactProblem& problem, const Vec& epsilon, const Mat& others) {
  if (others.cols() == 0) return false;
  const Vec unit = problem.compliance().cwiseSqrt();
  for (Index k = 0; k < others.cols(); ++k) {
    const Vec share = others.col(k);
    const double size = unit.cwiseProduct(share).norm();
    const Vec returned = (problem.G() * epsilon.cwiseProduct(share)).cwiseQuotient(unit);
    if (returned.norm() > redundancy * size) return true;
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      const Contact* contact = problem.elements()[i].contact();
      const Index row = problem.first_row(i);
      if (contact && contact->has_friction() && contact->restitution > contact->tangential_restitution &&
          std::abs(share(row)) * unit(row) > redundancy * size)
        return true;
    }
  }
  return false;
}

// What decompression sees of compression impulses beside γ°: the velocities that they return, and what friction keeps.
struct SeenOfCompression {
  SeenOfCompression(const ImpactProblem& problem, const Vec& epsilon, const Vec& Lambda_minus)
      : returned(problem.G() * epsilon.cwiseProduct(Lambda_minus)) {
    friction_offset(problem, Lambda_minus, kept);
  }
  bool is_near(const SeenOfCompression& other) const {
    constexpr double same = 1e-13;  // relative
    return (returned - other.returned).norm() <= same * returned.norm() &&
           (kept - other.kept).norm() <= same * kept.norm();
  }
  Vec returned, kept;
};

// Of shares that decompress alike, and like the compression impulses themselves, none but the first.
std::vector<Vec> that_decompress_differently(const ImpactProblem& problem, const Vec& epsilon, const Vec& Lambda_minus,
                                             std::vector<Vec> shares) {
  std::vector<SeenOfCompression> seen = {{problem, epsilon, Lambda_minus}};
  std::erase_if(shares, [&](const Vec& share) {
    SeenOfCompression next(problem, epsilon, share);
    const bool known =
        std::any_of(seen.begin(), seen.end(), [&](const auto& earlier) { return earlier.is_near(next); });
    if (!known) seen.push_back(std::move(next));
    return known;
  });
  return shares;
}

// What rounding leaves of a velocity that compression brought to rest. Without a drive of its own to be compared with,
// it would count as one where contacts clamp a body.
double rounding_of_velocity(const ImpactProblem& problem, Index row, const Vec& Lambda_minus, const Vec& returned) {
  double sum = std::abs(problem.gamma_minus()(row));
  problem.G().visit_row(row,
                        [&](Index j, double G) { sum += std::abs(G * Lambda_minus(j)) + std::abs(G * returned(j)); });
  constexpr double operations = 10;  // that have rounded Λ⁻ and this sum
  return operations * std::numeric_limits<double>::epsilon() * sum;
}

// What to say where other shares may matter. `extreme`: how many of them were tried, and gave other results or not.
std::string note_on_shares(const ImpactProblem& problem, std::size_t extreme, bool differ) {
  const auto moving = std::count_if(problem.elements().begin(), problem.elements().end(),
                                    [](const Element& element) { return !element.bilateral(); });
  const std::string open =
      moving == 1 ? "normal and tangential direction of the contact are dependent, so that they can share the "
                    "compression impulse in other ways, which "
                  : "redundant contacts can share the compression impulse in other ways, which ";
  if (differ)
    return open +
           "gives other results: those of the least impulses and of extreme shares are found, not what lies between";
  if (extreme == 0) return open + "may give other results: only that of the least impulses is found";
  return open + "may give other results: extreme shares give none";
}

// Whether one of the others, from number `begin` on, ends with velocities that none of the first `count` results has.
bool any_differs(const ImpactProblem& problem, const std::vector<ImpactResult>& results, std::size_t count,
                 const std::vector<ImpactResult>& others, std::size_t begin, std::size_t end) {
  const std::span known(results.data(), count);
  const std::span tried(others.data() + begin, end - begin);
  return std::any_of(tried.begin(), tried.end(), [&](const ImpactResult& other) {
    return std::none_of(known.begin(), known.end(),
                        [&](const ImpactResult& result) { return end_alike(problem, other, result); });
  });
}

void add_note(const std::string& note, std::vector<ImpactResult>& results, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k < end; ++k) {
    std::string& text = results[k].solver.note;
    text += (text.empty() ? "" : "; ") + note;
  }
}

class Poisson final : public RefillingLaw {
 public:
  void resolve_into(const ImpactProblem& problem, const InclusionSolver& solver, LawOutcome& outcome) const override {
    for (const LawComplaint& complaint : check_tangential_restitution({}, problem.elements(), &problem))
      return outcome.refuse(complaint.message);
    restitution_by_rows(problem, outcome.scratch.epsilon);

    auto& [inclusion, compression] = outcome.scratch.compression;
    pose(problem, inclusion);
    inclusion.c = problem.gamma_minus();
    solver.solve_into(inclusion, {}, compression);
    if (compression.status != InclusionOutcome::Status::solved)
      return end_without_solution(problem, compression, "compression", outcome);
    outcome.scratch.jump.work.reset();
    outcome.scratch.jump.routh.reset();
    outcome.reason.clear();
    std::size_t count = 0;
    std::optional<LawOutcome> extreme;  // of the extreme shares of the compression impulse
    std::size_t extreme_count = 0;
    int spent = 0;
    for (InclusionSolution& compressed : compression.solutions) {
      if (count > 0 && spent > most_iterations && compression.samples) break;
      const Mat others = make_canonical(inclusion, compressed);
      const std::size_t first = count;
      const int one_takes = decompress(problem, solver, compressed, outcome, count);
      spent += one_takes;
      if (!other_shares_matter(problem, outcome.scratch.epsilon, others)) continue;
      const std::vector<Vec> shares = extreme_impulses(inclusion, compressed.Lambda);
      std::vector<Vec> others_to_try =
          that_decompress_differently(problem, outcome.scratch.epsilon, compressed.Lambda, shares);
      const bool takes_long = std::ssize(others_to_try) * one_takes > most_iterations - spent;
      if (takes_long) others_to_try.clear();
      if (!extreme) extreme.emplace().scratch = outcome.scratch;
      const std::size_t first_extreme = extreme_count;
      for (Vec& share : others_to_try)
        spent += decompress(problem, solver, with_residual(inclusion, std::move(share)), *extreme, extreme_count);
      const bool differ = any_differs(problem, outcome.results, count, extreme->results, first_extreme, extreme_count);
      const std::string note = note_on_shares(problem, takes_long ? 0 : shares.size(), differ);
      add_note(note, outcome.results, first, count);
      add_note(note, extreme->results, first_extreme, extreme_count);
    }
    if (count == 0) {
      if (outcome.reason.empty()) outcome.fail(too_large(problem));
      return;
    }
    if (!extreme) return finish_results(problem, outcome, count);
    extreme->results.resize(extreme_count);
    finish_results(problem, outcome, count, std::move(extreme->results));
  }

 private:
  // Results from number `count` on; without any, the outcome tells why. Gives the solver's iterations.
  static int decompress(const ImpactProblem& problem, const InclusionSolver& solver,
                        const InclusionSolution& compressed, LawOutcome& outcome, std::size_t& count) {
    auto& [inclusion, decompression] = outcome.scratch.decompression;
    const InclusionOutcome& compression = outcome.scratch.compression.answer;
    Jump& jump = outcome.scratch.jump;
    Vec& returned = outcome.scratch.returned;
    const Vec& Lambda_minus = compressed.Lambda;
    friction_offset(problem, Lambda_minus, returned);
    pose(problem, returned, inclusion);
    returned = outcome.scratch.epsilon.cwiseProduct(Lambda_minus);
    // γ°. What a compression that ended short of rounding left over is not decompressed, nor what rounding left of
    // velocities that it brought to rest, where that keeps the decompression from its answer.
    int iterations = 0;
    const auto solve_from = [&](bool as_demanded) {
      inclusion.c = compressed.xi;
      if (as_demanded) admissible_velocity(outcome.scratch.compression.inclusion, compressed, inclusion.c);
      for (Index i = 0; i < returned.size(); ++i) {
        inclusion.c(i) += problem.G().row_dot(i, returned);
        if (std::abs(inclusion.c(i)) <= rounding_of_velocity(problem, i, Lambda_minus, returned)) inclusion.c(i) = 0;
      }
      solver.solve_into(inclusion, {}, decompression);
      iterations += decompression.iterations;
    };
    const bool is_short = compressed.residual > residual_tolerance;
    solve_from(is_short);
    if (decompression.status != InclusionOutcome::Status::solved && !is_short) solve_from(true);
    if (decompression.status != InclusionOutcome::Status::solved) {
      if (count == 0) end_without_solution(problem, decompression, "decompression", outcome);
      return iterations;
    }
    for (InclusionSolution& decompressed : decompression.solutions) {
      make_canonical(inclusion, decompressed);
      jump.compression = Lambda_minus;
      jump.Lambda = Lambda_minus + returned + decompressed.Lambda;
      name_states(problem, jump.Lambda, decompressed.xi, jump.states);
      tell(decompression, compression.iterations + decompression.iterations,
           std::max(compressed.residual, decompressed.residual), jump.solver);
      jump.solver.note = compression.note.empty() ? decompression.note : compression.note;
      jump.solver.samples = compression.samples || decompression.samples;
      add_result(problem, outcome, count);
    }
    return iterations;
  }
};

}  // namespace

LawEntry poisson_law() {
  return {
      .name = "poisson",
      .statement =
          "impulse ratios: an inelastic compression, then a decompression that returns at least ε of every impulse",
      .equation = "γ° ∈ N_C(−Λ⁻);  γ⁺ ∈ N_D(−Δ),  Δ = Λ⁺ − εΛ⁻,  D_T = (Λ_N⁺ − ε_TΛ_N⁻)A",
      .source = "Glocker 2014 (29)–(36), (65)",
      .domain = "contacts with line, disc or ellipse friction, clutches, bilateral elements; ε_T ≤ ε_N",
      .failures =
          "can gain energy with a frictional contact beside others (inhomogeneous bar, Glocker 2014 sect. 10); "
          "redundant contacts share the compression impulse by least norm; where it matters the result says so, and "
          "those of extreme shares follow where they are few; solutions that differ only in what of Λ is compression "
          "count as one",
      .contact_restitution = {.highest_is_soft = true},
      .clutch_restitution = {.highest_is_soft = true},
      .tangential_restitution = {.highest_is_soft = true},
      .form = LawForm::poisson,
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .check = check_tangential_restitution,
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<Poisson>()); },
  };
}

}  // namespace carom
