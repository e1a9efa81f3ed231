// Newton's rule q̇_norm⁺ = −E q̇_norm⁻ with Coulomb friction at the impulses (Brogliato 2012, sect. 3.2.5), derived anew:
//
//   p̄ = −𝔼(I+E)v_n,   𝔼 = (G − nᵀH[μ̄ξ])⁻¹,   |ξ_i| ≤ 1
//   T⁺ − T⁻ = −½v_nᵀ(I−E)ᵀG⁻¹(I+E)v_n + ½v_nᵀKv_n + v_tᵀD_tA v_n,   A = tᵀH[μ̄ξ]𝔼(I+E),   K = AᵀD_tA
//
// Corrected against the print:
//  - (76)–(77): D_n is G⁻¹, so M(q,μ) is G⁻¹ for the exact inverse and Lemma 1 (ii) is automatic;
//  - Lemma 2: (|E|² + 2|E|)|M||((M+Mᵀ)/2)⁻¹| < 1, which for M = G⁻¹ is (|E|² + 2|E|) cond(G) < 1;
//  - (81), (82): the mixed term is bounded by |D_t tᵀH||[μ̄]||𝔼||I+E|; the print lost |𝔼|, which is 1 only without
//    normal–tangential coupling, and has M for M̄ in the denominator.
// All ways to slide are covered by |𝔼| ≤ 1/(λ_min(G) − |nᵀH||[μ̄]|), Lemma 1's condition. (I−E)ᵀG⁻¹(I+E) counts by its
// symmetric part G⁻¹ − EᵀG⁻¹E. The rule is that of the law `newton` where every contact transmits an impulse; for a
// single contact it always is (or there is no impulse and no gain).

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "solvers/certificates/matrix_figures.h"
#include "solvers/certificates/system.h"

namespace carom {

namespace {

struct RoughContacts {
  std::vector<std::size_t> elements;
  std::vector<Index> tangents;
  Mat G;              // of unit normals
  Mat nH, tH;         // n_qᵀH_T and, in an orthonormal basis of the motions along all contacts, t_qᵀH_T (D_t = I)
  Vec e;              // E = diag(e)
  Vec v_n, v_t;       // quasi-velocities before
  double mu_bar = 0;  // |[μ̄]|
};

std::optional<RoughContacts> rough_contacts(const ImpactProblem& problem) {
  RoughContacts r;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.elements()[i].clutch()) return std::nullopt;
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    r.elements.push_back(i);
    rows.push_back(problem.first_row(i));
    for (Index k = 1; k < problem.row_count(i); ++k)
      if (contact->friction(k - 1) > 0) r.tangents.push_back(problem.first_row(i) + k);
  }
  if (rows.empty() || r.tangents.empty()) return std::nullopt;
  const Index p = static_cast<Index>(rows.size());
  Mat N = problem.white_directions()(Eigen::all, rows);
  r.e.resize(p);
  for (Index k = 0; k < p; ++k) {
    const Contact& contact = *problem.elements()[r.elements[static_cast<std::size_t>(k)]].contact();
    const double length = N.col(k).norm();
    if (length == 0) return std::nullopt;
    N.col(k) /= length;
    r.e(k) = contact.restitution;
    if (contact.has_friction()) r.mu_bar = std::max(r.mu_bar, contact.friction.maxCoeff() / length);
  }
  r.G = N.transpose() * N;
  if (eigenvalues(r.G)(0) < 1e-12) return std::nullopt;
  const Mat H = problem.white_directions()(Eigen::all, r.tangents);
  const Mat along = N * inverse(r.G) * N.transpose();
  const Mat free = problem.free_motions();
  const Vec v = problem.to_white(problem.u_minus());
  r.nH = N.transpose() * H;
  r.tH = H - along * H;  // in white coordinates, where lengths are those of an orthonormal basis
  r.v_n = N.transpose() * v;
  r.v_t = free.transpose() * Vec(v - along * v);
  return r;
}

struct Bounds {
  double coupling;  // |nᵀH||[μ̄]||G⁻¹|
  double inverse;   // |𝔼|
  double lemma_2;   // (|E|² + 2|E|) cond(G)
  double loss;      // λ_min of G⁻¹ − EᵀG⁻¹E
  double slip;      // λ_max(K)
  double mixed;     // |D_tA|
};

Bounds bounds_of(const RoughContacts& r) {
  const Vec lambda = eigenvalues(r.G);
  const double smallest = lambda(0);
  const double push = spectral_norm(r.nH) * r.mu_bar;
  const double e = r.e.cwiseAbs().maxCoeff();
  const Mat G_inv = inverse(r.G);
  Bounds b;
  b.coupling = push / smallest;
  b.inverse = push < smallest ? 1 / (smallest - push) : HUGE_VAL;
  b.lemma_2 = (e * e + 2 * e) * lambda(lambda.size() - 1) / smallest;
  b.loss = eigenvalues(G_inv - r.e.asDiagonal() * G_inv * r.e.asDiagonal())(0);
  b.mixed = spectral_norm(r.tH) * r.mu_bar * b.inverse * (1 + r.e.array()).abs().maxCoeff();
  b.slip = b.mixed * b.mixed;
  return b;
}

Certificate lemma_1(const Bounds& b) {
  Certificate certificate{.name = "small friction, Lemma 1",
                          .source = "Brogliato 2012, Lemma 1",
                          .statement =
                              "|G⁻¹||n_qᵀH_T||[μ̄]| < 1: impulses follow from velocities however contacts slide; its "
                              "(ii) is automatic",
                          .forms = {LawForm::newton}};
  certificate.with(below("|G⁻¹||n_qᵀH_T||[μ̄]|", b.coupling, 1));
  return certificate.judged(b.coupling < 1, b.coupling < 1 ? "friction couples little" : "friction couples strongly");
}

Certificate lemma_2(const Bounds& b) {
  Certificate certificate{.name = "small restitution, Lemma 2",
                          .source = "Brogliato 2012, Lemma 2, corrected",
                          .statement = "(|E|² + 2|E|) cond(G) < 1: the normal part of the impact loses",
                          .forms = {LawForm::newton}};
  certificate.with(below("(|E|² + 2|E|) cond(G)", b.lemma_2, 1));
  certificate.with(plain("λ_min(G⁻¹ − EᵀG⁻¹E)", b.loss));
  return certificate.judged(b.lemma_2 < 1,
                            b.lemma_2 < 1 ? "restitution is small enough" : "restitution is too large for this bound");
}

// Lemma 2 is one way to a positive λ_min(M̄), which is what the theorem needs.
Certificate theorem_2(const RoughContacts& r, const Bounds& b) {
  Certificate certificate{
      .name = "normal enough an impact, Theorem 2",
      .source = "Brogliato 2012, Theorem 2, corrected",
      .statement =
          "λ_min(M̄) > λ_max(K) and |v_n|/|v_t| ≥ 2|D_tA|/(λ_min(M̄) − λ_max(K)): this impact loses, if Newton's "
          "rule holds at every contact",
      .forms = {LawForm::newton}};
  if (!(b.coupling < 1)) return certificate.not_applicable("Lemma 1 does not hold");
  certificate.with(above("λ_min(M̄)", b.loss, b.slip));
  certificate.with(plain("λ_max(K)", b.slip));
  if (!(b.loss > b.slip)) return certificate.judged(false, "friction can turn more energy than the normals lose");
  const double needed = 2 * b.mixed / (b.loss - b.slip);
  const double ratio = r.v_n.norm() / r.v_t.norm();
  const bool ok = r.v_n.norm() >= needed * r.v_t.norm();
  if (r.v_t.norm() > 0) certificate.with(at_least("|v_n|/|v_t|", ratio, needed));
  return certificate.judged(
      ok, ok ? "the impact is close enough to a normal one" : "the impact is too oblique for this bound");
}

}  // namespace

std::vector<Certificate> friction_certificates(const ImpactProblem& problem) {
  const std::optional<RoughContacts> r = rough_contacts(problem);
  if (!r) return {};
  const Bounds b = bounds_of(*r);
  return {lemma_1(b), lemma_2(b), theorem_2(*r, b)};
}

}  // namespace carom
