#include "solvers/certificates/restitution_matrix.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/certificates/copositivity.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/laws/restitution_matrix.h"

namespace carom {

namespace {

constexpr Index most_contacts = 7;           // 3ⁿ pieces
constexpr Index most_permuted = 8;           // n! permutations
constexpr double nonnegative = -1e-12;       // an entry above it counts as ≥ 0
constexpr double dependent_normals = 1e-10;  // smallest eigenvalue of G below which normals are dependent

struct Matrices {
  KineticRestitution parts;
  Mat G;      // of the unit normals
  Mat G_inv;  // D_n
  Mat E;      // all of ℰ
  Mat D;      // diag(D_n, I)
};

// None if the normals are dependent or the blocks do not fit.
std::optional<Matrices> matrices_of(const ImpactProblem& problem, const Parameters& parameters) {
  const std::optional<KineticRestitution> parts = kinetic_restitution(parameters, problem);
  if (!parts) return std::nullopt;
  Matrices m;
  m.parts = *parts;
  m.G = parts->N.transpose() * parts->N;
  if (eigenvalues(m.G)(0) < dependent_normals) return std::nullopt;
  m.G_inv = inverse(m.G);
  const Index p = m.G.rows();
  const Index n = p + parts->T.cols();
  m.E.resize(n, n);
  m.E << parts->nn, parts->nt, parts->tn, parts->tt;
  m.D = Mat::Identity(n, n);
  m.D.topLeftCorner(p, p) = m.G_inv;
  return m;
}

// D − EᵀDE without what rounding has left of D and of the difference: a matrix that conserves energy leaves nothing.
Mat energy_form(const Mat& D, const Mat& E) {
  Mat form = D - E.transpose() * D * E;
  const Mat size = D.cwiseAbs() + E.cwiseAbs().transpose() * D.cwiseAbs() * E.cwiseAbs();
  const double share = 10 * std::numeric_limits<double>::epsilon() * (1 + D.cwiseAbs().maxCoeff());
  for (Index i = 0; i < form.rows(); ++i)
    for (Index j = 0; j < form.cols(); ++j)
      if (std::abs(form(i, j)) <= share * size(i, j)) form(i, j) = 0;
  return form;
}

bool without_tangential_effects(const Matrices& m) {
  const Index t = m.parts.tt.rows();
  return m.parts.nt.isZero(0) && m.parts.tn.isZero(0) && m.parts.tt == Mat(-Mat::Identity(t, t));
}

// The form on the cone of velocities before an impact. Without tangential effects the tangential part is no part of it.
Copositivity energetic(const Matrices& m) {
  if (without_tangential_effects(m)) return copositivity(energy_form(m.G_inv, m.parts.nn));
  return copositivity_half_free(energy_form(m.D, m.E), m.G.rows());
}

// u⁻ from normal components x ≥ 0 turned round (v_n = −x), and tangential ones.
Vec velocity_of(const ImpactProblem& problem, const Matrices& m, const Vec& x) {
  const Index p = m.G.rows();
  Vec v = m.parts.N * (m.G_inv * x.head(p));
  if (x.size() > p) v += m.parts.T * x.tail(x.size() - p);
  return problem.from_white(-v);
}

Certificate about_matrix(const char* name, const char* source, const char* statement) {
  return {.name = name, .source = source, .statement = statement, .forms = {LawForm::matrix}};
}

Certificate proposition_2(const ImpactProblem& problem, const Matrices& m) {
  Certificate certificate = about_matrix("copositive energy form", "Brogliato 2012, Proposition 2; (48), (63)",
                                         "D − ℰᵀDℰ copositive for v_n ≤ 0: T⁺ ≤ T⁻, and only then");
  const Copositivity form = energetic(m);
  certificate.with(at_least("least value on the cone (scaled)", form.least, -Copositivity::tolerance));
  if (form.answer == Copositivity::Answer::undecided)
    return certificate.not_applicable(fmt::format("more than {} contacts: not decided", Copositivity::largest_exact));
  if (form.answer == Copositivity::Answer::violated) certificate.velocity = velocity_of(problem, m, form.witness);
  return certificate.judged(
      form.holds(), form.holds() ? "no approaching velocity can gain" : "there is an approaching velocity that gains");
}

Certificate proposition_3(const Matrices& m) {
  Certificate certificate = about_matrix("orthogonal contacts", "Brogliato 2012, Proposition 3",
                                         "G = I and ℰ_nn = e·I: the normal kinetic energy is multiplied by e²");
  const Index p = m.G.rows();
  const double coupling = (m.G - Mat::Identity(p, p)).cwiseAbs().maxCoeff();
  certificate.with(at_most("largest coupling |G_ij|", coupling, 1e-12));
  const double e = m.parts.nn(0, 0);
  const bool single = (m.parts.nn - e * Mat::Identity(p, p)).cwiseAbs().maxCoeff() <= 1e-12;
  if (coupling > 1e-12) return certificate.judged(false, "the contacts are not orthogonal in the kinetic metric");
  if (!single) return certificate.judged(false, "ℰ_nn is not a multiple of the identity");
  certificate.with(plain("e² = T_n⁺/T_n⁻", e * e));
  return certificate.judged(true, "the contacts are orthogonal and share one coefficient");
}

Certificate proposition_4(const Matrices& m) {
  Certificate certificate =
      about_matrix("small enough matrix", "Brogliato 2012, Proposition 4",
                   "ℰ_nn times a small enough number loses energy whatever the velocity; the number is computed here");
  const SymmetricEigen metric = symmetric_eigen(m.G_inv);  // |G^−½ ℰ_nn G^½|
  const Vec root = metric.values.cwiseSqrt();
  const Mat turned = metric.vectors.transpose() * m.parts.nn * metric.vectors;
  const double size = spectral_norm(root.asDiagonal() * turned * root.cwiseInverse().asDiagonal());
  certificate.with(at_most("kinetic norm of ℰ_nn", size, 1));
  if (size > 0) certificate.with(plain("ℰ_nn may be multiplied by", 1 / size));
  return certificate.judged(size <= 1, size <= 1 ? "ℰ_nn does not lengthen any velocity"
                                                 : "some velocity, approaching or not, is lengthened");
}

Certificate proposition_5(const Matrices& m) {
  Certificate certificate =
      about_matrix("commuting matrix", "Brogliato 2012, Proposition 5",
                   "ℰ_nn = Gℰ_nnᵀG⁻¹: no gain for any velocity if and only if the spectral radius is at most 1");
  const double off = (m.parts.nn - m.G * m.parts.nn.transpose() * m.G_inv).norm();
  certificate.with(at_most("|ℰ_nn − Gℰ_nnᵀG⁻¹|", off, 1e-12 * (1 + m.parts.nn.norm())));
  if (off > 1e-12 * (1 + m.parts.nn.norm())) return certificate.not_applicable("ℰ_nn does not commute with G");
  const double radius = spectral_radius(m.parts.nn);
  certificate.with(at_most("spectral radius of ℰ_nn", radius, 1));
  return certificate.judged(radius <= 1, radius <= 1 ? "its eigenvalues lie within the unit circle"
                                                     : "an eigenvalue lies outside the unit circle");
}

Certificate proposition_6(const Matrices& m) {
  Certificate certificate = about_matrix("bound by the condition number", "Brogliato 2012, Proposition 6",
                                         "σ_max(ℰ_nn) ≤ 1/√(λ_max(G)λ_max(G⁻¹)): no gain for any velocity");
  const Vec lambda = eigenvalues(m.G);
  const double bound = std::sqrt(lambda(0) / lambda(lambda.size() - 1));
  const double value = spectral_norm(m.parts.nn);
  certificate.with(at_most("σ_max(ℰ_nn)", value, bound));
  return certificate.judged(value <= bound, value <= bound ? "ℰ_nn is small against the kinetic angles"
                                                           : "ℰ_nn is too large for these kinetic angles");
}

Certificate proposition_7(const Matrices& m) {
  Certificate certificate = about_matrix("bound by norms", "Brogliato 2012, Proposition 7 (Frobenius norms, Remark 6)",
                                         "|ℰ_nn| < 1/√(|G⁻¹||G|): G⁻¹ − ℰ_nnᵀG⁻¹ℰ_nn is positive definite");
  const double bound = 1 / std::sqrt(m.G_inv.norm() * m.G.norm());
  certificate.with(below("|ℰ_nn|", m.parts.nn.norm(), bound));
  const bool ok = m.parts.nn.norm() < bound;
  return certificate.judged(ok, ok ? "ℰ_nn is small against the kinetic angles" : "ℰ_nn is too large for this bound");
}

Certificate proposition_8(const ImpactProblem& problem, const Matrices& m) {
  Certificate certificate = about_matrix("admissible matrix", "Brogliato 2012, Proposition 8",
                                         "ℰ_nn ≥ 0 (kinematic), G⁻¹(I + ℰ_nn) ≥ 0 (kinetic) and a copositive energy "
                                         "form: admissible for every approaching velocity, and only then");
  if (!without_tangential_effects(m)) return certificate.not_applicable("it has tangential effects");
  const Mat kinetic = m.G_inv + m.G_inv * m.parts.nn;
  const Copositivity form = energetic(m);
  certificate.with(at_least("smallest entry of ℰ_nn", m.parts.nn.minCoeff(), nonnegative));
  certificate.with(at_least("smallest entry of G⁻¹(I + ℰ_nn)", kinetic.minCoeff(), nonnegative));
  certificate.with(at_least("least energy form on the cone (scaled)", form.least, -Copositivity::tolerance));
  Index row = 0, col = 0;
  std::string why;
  if (m.parts.nn.minCoeff(&row, &col) < nonnegative) {
    why += "a contact is left approaching; ";
    certificate.velocity = velocity_of(problem, m, Vec::Unit(m.G.rows(), col));
  }
  if (kinetic.minCoeff(&row, &col) < nonnegative) {
    why += "an impulse pulls; ";
    certificate.velocity = velocity_of(problem, m, Vec::Unit(m.G.rows(), col));
  }
  if (form.answer == Copositivity::Answer::violated) {
    why += "energy is gained; ";
    certificate.velocity = velocity_of(problem, m, form.witness);
  }
  if (why.empty() && form.answer == Copositivity::Answer::undecided)
    return certificate.not_applicable(fmt::format("more than {} contacts: not decided", Copositivity::largest_exact));
  return certificate.judged(why.empty(), why.empty() ? "kinematically, kinetically and energetically admissible"
                                                     : why.substr(0, why.size() - 2));
}

Certificate corollary_1(const Matrices& m) {
  Certificate certificate =
      about_matrix("conserving matrix", "Brogliato 2012, Corollary 1; (52) with its sign corrected",
                   "ℰ_nnᵀG⁻¹ℰ_nn = G⁻¹: energy is kept from every velocity, the eigenvalues have modulus one");
  const Mat after = m.parts.nn.transpose() * m.G_inv * m.parts.nn;
  const double off = (after - m.G_inv).norm() / m.G_inv.norm();
  certificate.with(at_most("|ℰ_nnᵀG⁻¹ℰ_nn − G⁻¹|/|G⁻¹|", off, 1e-12));
  for (Index j = 0; j < m.G.rows(); ++j)
    certificate.with(plain(fmt::format("T⁺/T⁻ when only contact {} approaches", j + 1), after(j, j) / m.G_inv(j, j)));
  certificate.with(plain("spectral radius of ℰ_nn", spectral_radius(m.parts.nn)));
  return certificate.judged(off <= 1e-12, off <= 1e-12 ? "energy is kept" : "energy is not kept from every velocity");
}

Certificate proposition_9(const Matrices& m) {
  Certificate certificate = about_matrix("bound by norms, with tangential effects",
                                         "Brogliato 2012, Proposition 9 (Frobenius norms, as Proposition 7)",
                                         "|ℰ| < 1/√(|D⁻¹||D|): D − ℰᵀDℰ is positive definite");
  if (without_tangential_effects(m)) return certificate.not_applicable("it has no tangential effects (ℰ_tt = −I)");
  const double bound = 1 / std::sqrt(m.D.norm() * inverse(m.D).norm());
  certificate.with(below("|ℰ|", m.E.norm(), bound));
  certificate.with(plain("with spectral norms: |ℰ|", spectral_norm(m.E)));
  certificate.with(
      plain("with spectral norms: bound", 1 / std::sqrt(spectral_norm(m.D) * spectral_norm(inverse(m.D)))));
  return certificate.judged(m.E.norm() < bound, m.E.norm() < bound ? "ℰ is small" : "ℰ is too large for this bound");
}

bool nonnegative_entries(const Mat& A) { return A.minCoeff() >= nonnegative; }

}  // namespace

std::vector<Mat> conserving_matrices(const Mat& G_unit) {
  const Mat D = inverse(G_unit);
  const Mat D_hat = unit_diagonal(D);
  const Index n = D.rows();
  std::vector<Index> image(static_cast<std::size_t>(n));
  std::iota(image.begin(), image.end(), Index{0});
  std::vector<Mat> found;
  do {
    if ((D_hat(image, image) - D_hat).cwiseAbs().maxCoeff() > 1e-10) continue;
    Mat E = Mat::Zero(n, n);
    for (Index j = 0; j < n; ++j) {
      const Index to = image[static_cast<std::size_t>(j)];
      E(to, j) = std::sqrt(D(j, j) / D(to, to));
    }
    if (nonnegative_entries(D + D * E)) found.push_back(E);
  } while (std::next_permutation(image.begin(), image.end()));
  return found;
}

Certificate u_property(const ImpactProblem& problem) {
  Certificate certificate{.name = "U-property",
                          .source = "Brogliato 2012, Definition 1",
                          .statement =
                              "exactly one restitution matrix conserves energy and is admissible for every "
                              "velocity; the candidates are the symmetries of G⁻¹, which permute the contacts"};
  const std::optional<Matrices> m = matrices_of(problem, {});
  if (!m) return certificate.not_applicable("no contacts, or their normals are dependent");
  if (m->G.rows() > most_permuted)
    return certificate.not_applicable(fmt::format("more than {} contacts", most_permuted));
  const std::size_t count = conserving_matrices(m->G).size();
  certificate.with({"admissible conserving matrices", static_cast<double>(count), "=", 1.0});
  return certificate.judged(count == 1, count == 0   ? "no matrix conserves energy and is admissible for every velocity"
                                        : count == 1 ? "elastic restitution is determined by the system"
                                                     : "energy alone does not determine the elastic restitution");
}

namespace {

enum class Part { closing, pushed, free };  // of a contact in a piece

// p̄ = B·v of the contacts that are acted on, q̇_norm after at least F·v for all: v⁺ = v + N_A B v + T(…)v.
MatrixPiece piece_of(const Matrices& m, const std::vector<Part>& parts) {
  const KineticRestitution& e = m.parts;
  const Index n = m.G.rows(), motions = e.N.rows();
  std::vector<Index> acting, resting;
  Mat columns = e.nn;
  for (Index k = 0; k < n; ++k) {
    const Part part = parts[static_cast<std::size_t>(k)];
    (part == Part::free ? resting : acting).push_back(k);
    if (part == Part::closing) continue;
    columns.col(k).setZero();
    columns(k, k) = e.nn(k, k);
  }
  Mat tn = e.tn;
  for (Index k = 0; k < n; ++k)
    if (parts[static_cast<std::size_t>(k)] != Part::closing) tn.col(k).setZero();
  const Mat after = -(columns * e.N.transpose() + e.nt * e.T.transpose());
  const Mat wanted = after - e.N.transpose();
  const Mat N_A = e.N(Eigen::all, acting);
  const Mat impulses = inverse(N_A.transpose() * N_A) * wanted(acting, Eigen::all);
  const Mat identity = Mat::Identity(motions, motions);
  const Mat tangential = -(tn * e.N.transpose() + e.tt * e.T.transpose()) - e.T.transpose();
  MatrixPiece piece{identity + N_A * impulses + e.T * tangential, Mat(2 * n, motions), Vec::Zero(2 * n)};
  Index row = 0;
  for (Index k = 0; k < n; ++k) {
    const bool closing = parts[static_cast<std::size_t>(k)] == Part::closing;
    piece.opening(row) = closing ? 0 : 1;
    piece.side.row(row++) = (closing ? -1 : 1) * e.N.col(k).transpose();
  }
  for (std::size_t a = 0; a < acting.size(); ++a)
    if (parts[static_cast<std::size_t>(acting[a])] == Part::pushed)
      piece.side.row(row++) = impulses.row(static_cast<Index>(a));
  const Mat beyond = e.N.transpose() * (N_A * impulses) - wanted;
  for (Index k : resting) piece.side.row(row++) = beyond.row(k);
  piece.side.conservativeResize(row, Eigen::NoChange);
  piece.opening.conservativeResize(row);
  return piece;
}

}  // namespace

std::optional<std::vector<MatrixPiece>> matrix_pieces(const ImpactProblem& problem, const Parameters& parameters) {
  const std::optional<Matrices> m = matrices_of(problem, parameters);
  if (!m || m->G.rows() > most_contacts) return std::nullopt;
  // With tangential effects friction pushes contacts that open, by impulses that the map does not tell.
  if (m->G.rows() > 1 && !without_tangential_effects(*m)) return std::nullopt;
  std::vector<Part> parts(static_cast<std::size_t>(m->G.rows()), Part::closing);
  std::vector<MatrixPiece> pieces;
  for (std::size_t turned = 0; turned < parts.size();) {
    if (std::find(parts.begin(), parts.end(), Part::closing) != parts.end()) pieces.push_back(piece_of(*m, parts));
    for (turned = 0; turned < parts.size(); ++turned) {  // counts in base three
      parts[turned] = static_cast<Part>((static_cast<int>(parts[turned]) + 1) % 3);
      if (parts[turned] != Part::closing) break;
    }
  }
  return pieces;
}

Proof prove_restitution_matrix(const ImpactProblem& problem, const Parameters& parameters) {
  const std::optional<Matrices> m = matrices_of(problem, parameters);
  if (!m) return Proof::none("the normals are dependent, or the blocks have other sizes than the contacts need");
  const Copositivity closing = energetic(*m);
  if (!closing.holds()) {
    Proof proof = Proof::none("the matrix gains from some velocity with no contact opening");
    if (closing.answer == Copositivity::Answer::violated) proof.velocity = velocity_of(problem, *m, closing.witness);
    return proof;
  }
  if (m->G.rows() > 1)
    return Proof::none(
        "the energy form is copositive, which excludes gains while no contact opens before the impact (Brogliato 2012, "
        "Proposition 2); of others no theorem tells");
  return Proof::by("the energy form of the matrix is copositive (Brogliato 2012, Proposition 2)");
}

std::vector<Certificate> restitution_matrix_certificates(const ImpactProblem& problem, const Parameters& parameters) {
  const auto& elements = problem.elements();
  if (std::none_of(elements.begin(), elements.end(), [](const Element& e) { return e.contact(); })) return {};
  const std::optional<Matrices> m = matrices_of(problem, parameters);
  if (!m) {
    return {about_matrix("restitution matrix", "Brogliato 2012, sect. 3", "v⁺ = −ℰv⁻")
                .not_applicable("the normals are dependent, or the blocks have other sizes than the contacts need")};
  }
  return {proposition_2(problem, *m), proposition_3(*m), proposition_4(*m),
          proposition_5(*m),          proposition_6(*m), proposition_7(*m),
          proposition_8(problem, *m), corollary_1(*m),   proposition_9(*m)};
}

}  // namespace carom
