// Poisson's impact law in inequality form (Glocker 2014, eqs. 29–36).
//
//   compression     γ° = GΛ⁻ + γ⁻            γ°ᵢ ∈ N_Cᵢ(−Λ⁻ᵢ)
//   decompression   γ⁺ = GΛ⁺ + γ°            γ⁺ᵢ ∈ N_Dᵢ(−Δᵢ),   Δ = Λ⁺ − εΛ⁻
//
// D = C for contacts and clutches; for friction D = (Λ_N⁺ − ε_TΛ_N⁻)A (eq. 65). In the unknown Δ the second
// phase is again an inclusion, γ⁺ = GΔ + (GεΛ⁻ + γ°), whose friction sets have radius Δ_N + (ε_N − ε_T)Λ_N⁻:
// they keep their size where Δ_N = 0.
//
// Always leaves contacts opening or closed. Dissipative without friction and for a single frictional contact
// (sects. 6 and 7); with more it can gain energy (sect. 10, the inhomogeneous bar). Restitution above 1 lets
// a contact return more than it took, which the cradle needs (sect. 9.3).

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <string>
#include <vector>

#include "solvers/laws/inclusion_form.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr double redundancy = 1e-9;  // relative effect below which another share of the impulses makes no difference

std::vector<LawComplaint> check_tangential_restitution(const Parameters&, const std::vector<Element>& elements,
                                                       const ImpactProblem*) {
  std::vector<LawComplaint> complaints;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Contact* contact = elements[i].contact();
    if (contact && contact->has_friction() && contact->tangential_restitution > contact->restitution) {
      complaints.push_back(
          {i, "tangential_restitution",
           fmt::format(
               "poisson needs tangential_restitution ≤ restitution (Glocker 2014, eq. 70), but contact '{}' has "
               "{:g} > {:g}; newton takes it",
               elements[i].name, contact->tangential_restitution, contact->restitution)});
    }
  }
  return complaints;
}

// (ε_N − ε_T)Λ_N⁻ at the normal rows of frictional contacts: what friction keeps where Δ_N = 0.
Vec friction_offset(const ImpactProblem& problem, const Vec& Lambda_minus) {
  Vec offset = Vec::Zero(problem.rows());
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    const Index row = problem.first_row(i);
    offset(row) = (contact->restitution - contact->tangential_restitution) * Lambda_minus(row);
  }
  return offset;
}

// Whether other compression impulses with the same velocities, Λ⁻ + others·z, decompress in another way.
bool other_shares_matter(const ImpactProblem& problem, const Vec& epsilon, const Mat& others) {
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

std::string notes(const InclusionOutcome& compression, const InclusionOutcome& decompression, bool shares_matter) {
  std::string text = compression.note.empty() ? decompression.note : compression.note;
  if (shares_matter) {
    text += text.empty() ? "" : "; ";
    text +=
        "redundant contacts can share the compression impulse in other ways, which gives other results: the least "
        "impulses are taken";
  }
  return text;
}

class Poisson final : public ImpactLaw {
 public:
  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    for (const LawComplaint& complaint : check_tangential_restitution({}, problem.elements(), &problem))
      return LawOutcome::refused(complaint.message);
    const Vec epsilon = restitution_by_rows(problem);

    const Inclusion first_phase = pose(problem, problem.gamma_minus());
    const InclusionOutcome compression = solver.solve(first_phase);
    if (compression.status != InclusionOutcome::Status::solved) return without_solution(compression, "compression");
    LawOutcome law =
        LawOutcome::failed("the impulses are too large for a meaningful result (friction nearly locks the impact)");
    std::vector<ImpactResult> results;
    for (const InclusionSolution& solution : compression.solutions) {
      const auto [compressed, others] = canonical(first_phase, solution);
      const Vec& Lambda_minus = compressed.Lambda;
      const Vec& gamma_mid = compressed.xi;
      const Vec returned = epsilon.cwiseProduct(Lambda_minus);
      const Inclusion inclusion =
          pose(problem, gamma_mid + problem.G() * returned, friction_offset(problem, Lambda_minus));
      const InclusionOutcome decompression = solver.solve(inclusion);
      if (decompression.status != InclusionOutcome::Status::solved) {
        law = without_solution(decompression, "decompression");
        continue;
      }
      const std::string remarks = notes(compression, decompression, other_shares_matter(problem, epsilon, others));
      for (const InclusionSolution& found : decompression.solutions) {
        const InclusionSolution decompressed = canonical(inclusion, found).solution;
        Jump jump;
        jump.compression = Lambda_minus;
        jump.Lambda = Lambda_minus + returned + decompressed.Lambda;
        jump.states = states_of(problem, jump.Lambda, decompressed.xi);
        jump.solver = {decompression.solver, compression.iterations + decompression.iterations,
                       std::max(compressed.residual, decompressed.residual), 1, remarks};
        ImpactResult result = complete(problem, jump);
        if (is_balanced(result)) results.push_back(std::move(result));
      }
    }
    if (results.empty()) return law;
    order_results(problem, results);
    law = {};
    law.results = std::move(results);
    return law;
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
          "redundant contacts share the compression impulse by least norm, and the result says so where it matters",
      .contact_restitution = {.highest_is_soft = true},
      .clutch_restitution = {.highest_is_soft = true},
      .tangential_restitution = {.highest_is_soft = true},
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true, .dissipative_one_contact = true},
      .check = check_tangential_restitution,
      .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<Poisson>()); },
  };
}

}  // namespace carom
