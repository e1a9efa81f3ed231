#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <optional>

#include "solvers/certificates/copositivity.h"
#include "solvers/certificates/friction_cones.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/certificates/p_matrix.h"
#include "solvers/certificates/system.h"

namespace carom {

namespace {

constexpr std::size_t most_patterns = 4096;  // combinations of slip directions

// The contacts' normals scaled to unit kinetic length, and how each contact may slide: directions d with λ_T = −d λ_N.
struct SlidingContacts {
  std::vector<std::size_t> elements;
  Mat G;                               // normalised
  Mat coupling;                        // n_qᵀH_T: normal of i from a unit tangential impulse, all tangent rows
  std::vector<std::vector<Vec>> slip;  // per contact: candidates of Σ μ ξ/|w| over its tangent rows, in all rows
  bool exact = true;                   // the candidates are all extreme ways to slide
};

constexpr const char* enclosed = "friction in space is enclosed by octagons, in which it fails: not decided";

// Ways to slide of one contact: as γ_T says, or every extreme way where it does not slide or `any_direction`. A single
// contact in space is worst where friction presses it most, along its own coupling; several are enclosed by octagons.
std::vector<Eigen::Vector2d> friction_directions(const Contact& contact, const Vec& gamma_T, double speed,
                                                 bool any_direction, const std::optional<Eigen::Vector2d>& own_coupling,
                                                 bool& exact) {
  const Index tangents = contact.friction.size();
  if (!contact.has_friction()) return {Eigen::Vector2d::Zero()};
  Eigen::Vector2d mu = Eigen::Vector2d::Zero();
  mu.head(tangents) = contact.friction;
  Eigen::Vector2d v = Eigen::Vector2d::Zero();
  v.head(tangents) = gamma_T;
  const Eigen::Vector2d scaled = mu.cwiseProduct(v);
  if (!any_direction && scaled.norm() > rounding * speed) return {mu.cwiseProduct(scaled) / scaled.norm()};
  if (mu(0) == 0 || mu(1) == 0) return {mu, -mu};
  if (own_coupling) {
    const Eigen::Vector2d pull = mu.cwiseProduct(*own_coupling);
    const Eigen::Vector2d worst = pull.norm() > 0 ? Eigen::Vector2d(mu.cwiseProduct(pull) / pull.norm()) : mu;
    return {worst, -worst};
  }
  exact = false;
  return octagon_around(mu);
}

SlidingContacts sliding_contacts(const ImpactProblem& problem, bool any_direction) {
  SlidingContacts s;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].contact() || problem.G()(problem.first_row(i), problem.first_row(i)) == 0) continue;
    s.elements.push_back(i);
    rows.push_back(problem.first_row(i));
  }
  const Index n = static_cast<Index>(rows.size());
  const Mat G = problem.G().dense();
  const double speed = largest(problem.gamma_minus());
  Vec length(n);
  for (Index i = 0; i < n; ++i)
    length(i) = std::sqrt(G(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(i)]));
  const Mat inverse = length.cwiseInverse().asDiagonal();
  s.G = inverse * Mat(G(rows, rows)) * inverse;
  s.coupling = inverse * Mat(G(rows, Eigen::all));
  for (Index j = 0; j < n; ++j) {
    const std::size_t i = s.elements[static_cast<std::size_t>(j)];
    const Contact& contact = *problem.elements()[i].contact();
    const Vec gamma_T = problem.gamma_minus().segment(problem.first_row(i) + 1, contact.friction.size());
    std::optional<Eigen::Vector2d> own_coupling;
    if (n == 1 && contact.friction.size() == 2)
      own_coupling = s.coupling.block(0, problem.first_row(i) + 1, 1, 2).transpose();
    std::vector<Vec> candidates;
    for (const Eigen::Vector2d& f :
         friction_directions(contact, gamma_T, speed, any_direction, own_coupling, s.exact)) {
      Vec along = Vec::Zero(problem.rows());
      along.segment(problem.first_row(i) + 1, contact.friction.size()) = f.head(contact.friction.size()) / length(j);
      candidates.push_back(along);
    }
    s.slip.push_back(std::move(candidates));
  }
  return s;
}

std::size_t pattern_count(const SlidingContacts& s) {
  std::size_t count = 1;
  for (const auto& candidates : s.slip) {
    count *= candidates.size();
    if (count > most_patterns) return count;
  }
  return count;
}

// D = G + P, P = −n_qᵀH_T diag(μ_iξ_i/|w_i|) (eq. 86) for one combination of slip directions.
Mat lcp_matrix(const SlidingContacts& s, std::size_t pattern) {
  Mat D = s.G;
  for (std::size_t j = 0; j < s.slip.size(); ++j) {
    D.col(static_cast<Index>(j)) -= s.coupling * s.slip[j][pattern % s.slip[j].size()];
    pattern /= s.slip[j].size();
  }
  return D;
}

std::string minor_text(const ImpactProblem& problem, const SlidingContacts& s, const std::vector<Index>& rows) {
  std::vector<std::size_t> elements;
  for (Index row : rows) elements.push_back(s.elements[static_cast<std::size_t>(row)]);
  return names_of(problem, elements);
}

// Every principal minor is affine in the slip of each contact, so that all combinations of extreme ones decide.
Certificate p_certificate(const ImpactProblem& problem, const SlidingContacts& s, bool any_direction) {
  Certificate certificate{.name = any_direction ? "P-matrix, however contacts slide" : "P-matrix",
                          .source = "Brogliato 2012 (26), sect. 4.2; Example 6",
                          .statement = any_direction
                                           ? "for every way to slide the contact LCP has one solution for every load"
                                           : "the contact LCP of this state has one solution for every load"};
  if (s.elements.empty()) return certificate.not_applicable("there is no contact");
  if (pattern_count(s) > most_patterns)
    return certificate.not_applicable("too many combinations of slip directions to try");
  certificate.friction_in_octagons = !s.exact;
  PMatrix least;
  least.least_minor = HUGE_VAL;
  bool undecided = false;
  for (std::size_t pattern = 0; pattern < pattern_count(s); ++pattern) {
    const PMatrix found = p_matrix(lcp_matrix(s, pattern));
    undecided = undecided || found.answer == PMatrix::Answer::undecided;
    if (found.answer == PMatrix::Answer::no
            ? least.answer != PMatrix::Answer::no || found.least_minor < least.least_minor
            : least.answer != PMatrix::Answer::no && found.least_minor < least.least_minor)
      least = found;
  }
  certificate.with(above("principal minor of G + P, the least or the first that fails", least.least_minor, 0));
  certificate.with(plain("combinations of slip directions", static_cast<double>(pattern_count(s))));
  if (least.answer == PMatrix::Answer::no && s.exact)
    return certificate.judged(false,
                              fmt::format("the minor of {} is not positive", minor_text(problem, s, least.rows)));
  if (least.answer == PMatrix::Answer::no) return certificate.not_applicable(enclosed);
  if (undecided)
    return certificate.not_applicable(fmt::format("more than {} contacts: not decided", PMatrix::largest_exact));
  return certificate.judged(true, s.exact ? "all principal minors are positive"
                                          : "all principal minors are positive, even in octagons around friction");
}

// |P| over all ways to slide, by its factors: |n_qᵀH_T| (Σ μ²ξ²/|w|²)^½.
struct Perturbation {
  double coupling = 0;
  double friction = 0;
};

Perturbation perturbation(const ImpactProblem& problem, const SlidingContacts& s) {
  std::vector<Index> tangents;
  double square = 0;
  for (std::size_t j = 0; j < s.elements.size(); ++j) {
    const std::size_t i = s.elements[j];
    for (Index k = 1; k < problem.row_count(i); ++k) tangents.push_back(problem.first_row(i) + k);
    double widest = 0;
    for (const Vec& along : s.slip[j]) widest = std::max(widest, along.norm());
    square += widest * widest;
  }
  return {tangents.empty() ? 0 : spectral_norm(s.coupling(Eigen::all, tangents)), std::sqrt(square)};
}

Certificate proposition_14(const ImpactProblem& problem, const SlidingContacts& s) {
  Certificate certificate{.name = "positive definite contact LCP",
                          .source = "Brogliato 2012, Proposition 14",
                          .statement =
                              "|n_qᵀH_T| (Σμ_i²ξ_i²/|w_i|²)^½ < 1/|G⁻¹|: G + P is positive definite, one solution "
                              "for every load"};
  if (s.elements.empty()) return certificate.not_applicable("there is no contact");
  const double smallest = eigenvalues(s.G)(0);
  if (smallest < 1e-12) return certificate.not_applicable("the normals are dependent");
  const Perturbation p = perturbation(problem, s);
  certificate.with(below("|n_qᵀH_T| (Σμ²ξ²/|w|²)^½", p.coupling * p.friction, smallest));
  const bool ok = p.coupling * p.friction < smallest;
  return certificate.judged(
      ok, ok ? "friction is small against the kinetic angles" : "friction is too large for this bound");
}

Certificate proposition_15(const SlidingContacts& s) {
  Certificate certificate{.name = "copositive contact LCP",
                          .source = "Brogliato 2012, Proposition 15",
                          .statement =
                              "G + P copositive: a solution for every load in Q*; strictly copositive: for every "
                              "load"};
  if (s.elements.empty()) return certificate.not_applicable("there is no contact");
  if (pattern_count(s) > most_patterns || static_cast<Index>(s.elements.size()) > Copositivity::largest_exact)
    return certificate.not_applicable("too many contacts or slip directions to try");
  certificate.friction_in_octagons = !s.exact;
  double least = HUGE_VAL;
  bool holds_always = true, strict = true;
  for (std::size_t pattern = 0; pattern < pattern_count(s); ++pattern) {
    const Copositivity found = copositivity(lcp_matrix(s, pattern));
    least = std::min(least, found.least);
    holds_always = holds_always && found.holds();
    strict = strict && found.answer == Copositivity::Answer::strict;
  }
  certificate.with(at_least("least value on the simplex (unit diagonal)", least, -Copositivity::tolerance));
  if (!holds_always && !s.exact) return certificate.not_applicable(enclosed);
  return certificate.judged(holds_always, strict         ? "strictly copositive"
                                          : holds_always ? "copositive, not strictly"
                                                         : "some compression is pulled in by friction");
}

}  // namespace

std::vector<Certificate> contact_lcp_certificates(const ImpactProblem& problem) {
  const SlidingContacts here = sliding_contacts(problem, false);
  const SlidingContacts anyway = sliding_contacts(problem, true);
  return {p_certificate(problem, here, false), p_certificate(problem, anyway, true), proposition_14(problem, here),
          proposition_15(here)};
}

}  // namespace carom
