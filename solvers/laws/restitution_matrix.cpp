// Restitution matrices in kinetic quasi-velocities (Brogliato 2012, eqs. 40–45).
//
//   v⁺ = −ℰ v⁻,   v = (q̇_norm, q̇_tan),   ℰ = ⎡ℰ_nn ℰ_nt⎤
//                                             ⎣ℰ_tn ℰ_tt⎦
//
//   q̇_norm,i = w_i·u/|w_i|,  |w| = √(wᵀM⁻¹w) on the manifold of the bilateral constraints
//   q̇_tan    = components in a kinetically orthonormal basis of the motions that move no active contact's gap
//
// The paper leaves the tangential basis open; here it is Gram–Schmidt in the kinetic metric on the contacts'
// tangent directions M⁻¹w_T in their order, then on the coordinates, unless law.basis gives one. Without
// friction ℰ_nt = ℰ_tn = 0 and ℰ_tt = −I (text after eq. 41), the defaults; ℰ_nn defaults to the contacts' own
// restitution. `metric: contact` reads Frémond's matrix, γ⁺ = −εγ⁻ with ε_ij = |w_i|/|w_j| e_ij (eq. 45); the
// off-diagonal blocks are rescaled alike.
//
// The active set is by gap alone (sect. 3): every contact of the impact takes part, also one at rest or opening, as the
// pivot of a rocking block, and the map moves it. The paper's q̇_norm(t⁻) is never positive. Where one is, its contact
// has nothing to transmit to others, and (40) is what it must reach at least, as in Newton's law:
//
//   0 ≤ q̇_norm,i⁺ + e_ii q̇_norm,i⁻ + Σ_j≠i e_ij min(q̇_norm,j⁻, 0) + (ℰ_nt q̇_tan⁻)_i ⊥ p̄_i ≥ 0.
//
// Contacts that joints leave no freedom have no quasi-velocity.
//
// Redundant contacts share the impulse within their force sets where they can, and then evenly.
//
// Signs: q̇_norm < 0 approaches, Λ > 0 pushes the contact open.
//
// Domain: contacts and bilateral elements, no clutches; friction only judges the impulses.
// Failures: consistent only for suitable matrices. An explicit map promises nothing by itself: all three consistencies
// are verdicts.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/inclusion/share/share.h"
#include "solvers/laws/impulse_shares.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resting_joints.h"
#include "solvers/laws/restitution_matrix.h"

namespace carom {

namespace {

constexpr Index most_coordinates = 2000;
constexpr double dependent_normals = 1e-10;

struct Refusal {
  std::string key;  // of the law, that asks for what cannot be
  std::string reason;
};

struct ActiveContacts {
  std::vector<std::size_t> contacts;
  std::vector<Index> active;  // positions among the contacts: those that joints leave a freedom
  bool impact = false;        // one of them approaches

  std::vector<std::size_t> moving() const {
    std::vector<std::size_t> elements;
    for (Index k : active) elements.push_back(contacts[static_cast<std::size_t>(k)]);
    return elements;
  }
};

struct Blocks {
  std::optional<Mat> nn, nt, tn, tt, basis;
  bool contact_metric = false;
};

Blocks blocks_of(const Parameters& parameters) {
  return {parameters.get<Mat>("nn"), parameters.get<Mat>("nt"),    parameters.get<Mat>("tn"),
          parameters.get<Mat>("tt"), parameters.get<Mat>("basis"), parameters.get<std::string>("metric") == "contact"};
}

ActiveContacts active_contacts(const ImpactProblem& problem) {
  ActiveContacts found;
  double fastest = 0;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (!problem.elements()[i].contact()) continue;
    found.contacts.push_back(i);
    fastest = std::max(fastest, std::abs(problem.gamma_minus()(problem.first_row(i))));
  }
  for (std::size_t k = 0; k < found.contacts.size(); ++k) {
    const Index row = problem.first_row(found.contacts[k]);
    const double gamma = problem.gamma_minus()(row);
    if (problem.G()(row, row) > 0) found.active.push_back(static_cast<Index>(k));
    found.impact = found.impact || gamma < -rounding * fastest;
  }
  return found;
}

// Rank of the active contacts' normals.
Index blocked_motions(const ImpactProblem& problem, const ActiveContacts& contacts) {
  std::vector<Index> rows;
  for (Index k : contacts.active) rows.push_back(problem.first_row(contacts.contacts[static_cast<std::size_t>(k)]));
  if (rows.empty()) return 0;
  Mat N = problem.white_directions()(Eigen::all, rows);
  N.colwise().normalize();
  Eigen::ColPivHouseholderQR<Mat> qr;
  qr.setThreshold(dependent_normals);
  qr.compute(N);
  return qr.rank();
}

// A block is a single number, or a matrix of its size.
void check_size(const std::optional<Mat>& block, const char* name, Index rows, Index cols, const std::string& why,
                std::vector<LawComplaint>& complaints) {
  if (!block || block->size() == 1 || (block->rows() == rows && block->cols() == cols)) return;
  complaints.push_back(
      {std::nullopt, name,
       fmt::format("{} is {}×{}, but must be {}×{}: {}", name, block->rows(), block->cols(), rows, cols, why)});
}

void check_coupling(const std::optional<Mat>& block, const char* name, Index rows, Index cols, const std::string& why,
                    std::vector<LawComplaint>& complaints) {
  if (block && block->size() == 1 && rows * cols != 1 && (*block)(0, 0) != 0) {
    complaints.push_back(
        {std::nullopt, name, fmt::format("{} is a number other than 0, but must be {}×{}: {}", name, rows, cols, why)});
  } else {
    check_size(block, name, rows, cols, why, complaints);
  }
}

std::vector<LawComplaint> check_sizes(const Blocks& blocks, const std::vector<Element>& elements,
                                      const ImpactProblem* problem) {
  std::vector<LawComplaint> complaints;
  const Index contacts = std::count_if(elements.begin(), elements.end(),
                                       [](const Element& element) { return element.contact() != nullptr; });
  check_size(blocks.nn, "nn", contacts, contacts, fmt::format("the impact has {} contacts", contacts), complaints);
  if (!problem) return complaints;
  if (blocks.basis && blocks.basis->cols() != problem->u_minus().size()) {
    complaints.push_back({std::nullopt, "basis",
                          fmt::format("the rows of basis are velocities and must have {} numbers, as the system, but "
                                      "have {}",
                                      problem->u_minus().size(), blocks.basis->cols())});
  }
  const ActiveContacts found = active_contacts(*problem);
  if (!found.impact) return complaints;
  const Index tangential = problem->free_motions().cols() - blocked_motions(*problem, found);
  const std::string why =
      fmt::format("with {} contacts there are {} tangential quasi-velocities", contacts, tangential);
  check_coupling(blocks.nt, "nt", contacts, tangential, why, complaints);
  check_coupling(blocks.tn, "tn", tangential, contacts, why, complaints);
  check_size(blocks.tt, "tt", tangential, tangential, why, complaints);
  return complaints;
}

std::vector<LawComplaint> check_elements(const Blocks& blocks, const std::vector<Element>& elements,
                                         const ImpactProblem* problem) {
  std::vector<LawComplaint> complaints;
  if (problem && problem->u_minus().size() > most_coordinates) {
    complaints.push_back(
        {std::nullopt, "type",
         fmt::format("restitution-matrix takes at most {} coordinates, its matrices being dense; here are {}; "
                     "use newton, poisson or sequential",
                     most_coordinates, problem->u_minus().size())});
    return complaints;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i].clutch()) continue;
    complaints.push_back(
        {i, "kind",
         fmt::format("restitution-matrix maps the velocities of contacts, but '{}' is a clutch; use poisson, newton or "
                     "inelastic",
                     elements[i].name)});
  }
  for (LawComplaint& complaint : check_sizes(blocks, elements, problem)) complaints.push_back(std::move(complaint));
  return complaints;
}

Vec seen_by_contacts(const ImpactProblem& problem) {
  if (!has_moving_joints(problem)) return problem.u_minus();
  const std::optional<Vec> u = velocity_at_resting_joints(problem);
  if (!u) throw Refusal{"type", "no motion of the system follows the prescribed ones at all contacts at once"};
  return *u;
}

bool is_zero(const Mat& block) { return block.size() == 1 && block(0, 0) == 0; }

Mat normal_block(const Blocks& blocks, const ImpactProblem& problem, const std::vector<std::size_t>& contacts) {
  const Index all = static_cast<Index>(contacts.size());
  if (blocks.nn && blocks.nn->size() == 1) return (*blocks.nn)(0, 0) * Mat::Identity(all, all);
  if (blocks.nn) return *blocks.nn;
  Mat nn = Mat::Zero(all, all);
  for (Index k = 0; k < all; ++k)
    nn(k, k) = problem.elements()[contacts[static_cast<std::size_t>(k)]].contact()->restitution;
  return nn;
}

Mat tangential_block(const Blocks& blocks, Index size) {
  if (!blocks.tt) return -Mat::Identity(size, size);
  if (blocks.tt->size() == 1) return (*blocks.tt)(0, 0) * Mat::Identity(size, size);
  return *blocks.tt;
}

Mat tangential_basis(const Blocks& blocks, const ImpactProblem& problem, const std::vector<std::size_t>& contacts,
                     const Mat& N) {
  const Mat free = problem.free_motions();
  std::vector<Vec> candidates;
  if (blocks.basis) {
    for (Index k = 0; k < blocks.basis->rows(); ++k)
      candidates.push_back(problem.to_white(blocks.basis->row(k).transpose()));
  } else {
    const Mat W = problem.white_directions();
    for (std::size_t i : contacts)
      for (Index r = 1; r < problem.row_count(i); ++r) candidates.push_back(W.col(problem.first_row(i) + r));
    for (Index k = 0; k < problem.u_minus().size(); ++k)
      candidates.push_back(problem.to_white(Vec::Unit(problem.u_minus().size(), k)));
  }
  Eigen::ColPivHouseholderQR<Mat> normals;
  normals.setThreshold(dependent_normals);
  normals.compute(N);
  const Mat blocked = Mat(normals.householderQ()).leftCols(normals.rank());
  Mat T(free.rows(), 0);
  for (const Vec& candidate : candidates) {
    Vec t = free * (free.transpose() * candidate);
    const double before = t.norm();
    for (int twice = 0; twice < 2; ++twice) {
      t -= blocked * (blocked.transpose() * t);
      t -= T * (T.transpose() * t);
    }
    if (t.norm() <= 1e-9 * before || before == 0) continue;
    T.conservativeResize(Eigen::NoChange, T.cols() + 1);
    T.rightCols(1) = t.normalized();
  }
  if (T.cols() != free.cols() - normals.rank()) {
    throw Refusal{"basis", fmt::format("basis spans {} tangential motions, but there are {}", T.cols(),
                                       free.cols() - normals.rank())};
  }
  return T;
}

KineticRestitution kinetic_blocks(const Blocks& blocks, const ImpactProblem& problem,
                                  const std::vector<std::size_t>& contacts, const std::vector<Index>& active) {
  const Index p = static_cast<Index>(active.size());
  std::vector<Index> rows;
  for (Index k : active) rows.push_back(problem.first_row(contacts[static_cast<std::size_t>(k)]));
  KineticRestitution result;
  result.N = problem.white_directions()(Eigen::all, rows);
  const Vec length = result.N.colwise().norm().transpose();
  result.N *= length.cwiseInverse().asDiagonal();
  result.T = tangential_basis(blocks, problem, contacts, result.N);
  const Index t = result.T.cols();
  result.nn = normal_block(blocks, problem, contacts)(active, active);
  result.nt = Mat::Zero(p, t);
  result.tn = Mat::Zero(t, p);
  result.tt = tangential_block(blocks, t);
  if (blocks.nt && !is_zero(*blocks.nt)) result.nt = (*blocks.nt)(active, Eigen::all);
  if (blocks.tn && !is_zero(*blocks.tn)) result.tn = (*blocks.tn)(Eigen::all, active);
  if (blocks.contact_metric) {
    const Mat scale = length.asDiagonal();
    const Mat inverse = length.cwiseInverse().asDiagonal();
    result.nn = inverse * result.nn * scale;
    result.nt = inverse * result.nt;
    result.tn = result.tn * scale;
  }
  return result;
}

void tell_states(const ImpactProblem& problem, const ActiveContacts& contacts, Jump& jump) {
  const Vec gamma_plus = problem.gamma_minus() + problem.G() * jump.Lambda;
  const double largest_impulse = jump.Lambda.cwiseAbs().maxCoeff();
  for (Index k : contacts.active) {
    const std::size_t i = contacts.contacts[static_cast<std::size_t>(k)];
    const Index row = problem.first_row(i), tangents = problem.row_count(i) - 1;
    const Vec Lambda = jump.Lambda.segment(row, 1 + tangents);
    if (Lambda.cwiseAbs().maxCoeff() <= rounding * largest_impulse) continue;
    const bool frictional = tangents > 0 && Lambda.tail(tangents).cwiseAbs().maxCoeff() > 0;
    const bool sticks = gamma_plus.segment(row + 1, tangents).norm() <= 1e-10 * problem.gamma_minus().norm();
    jump.states[i] = !frictional ? State::closed : sticks ? State::stick : State::slip;
  }
}

// The change H_T p_t of the velocity that the tangential impulses make, (53): along T it is what is asked for. Where no
// impulses do that, the change itself: whoever looks for its impulses finds none.
Vec tangential_change(const ImpactProblem& problem, const ActiveContacts& contacts, const Mat& T, const Vec& tan_jump) {
  if (tan_jump.isZero(0)) return Vec::Zero(T.rows());
  std::vector<Index> rows;
  for (std::size_t i : contacts.contacts)
    for (Index r = 1; r < problem.row_count(i); ++r) rows.push_back(problem.first_row(i) + r);
  const Vec wanted = T * tan_jump;
  if (rows.empty()) return wanted;
  const Mat H = problem.white_directions()(Eigen::all, rows);
  Eigen::CompleteOrthogonalDecomposition<Mat> solve;
  solve.setThreshold(dependent_normals);
  solve.compute(T.transpose() * H);
  const Vec change = H * solve.solve(tan_jump);
  return (T.transpose() * change - tan_jump).norm() <= same_jump * tan_jump.norm() ? change : wanted;
}

// The change Np̄ of the velocity that the normals make. Contacts that approach or rest get what they are asked for;
// those that open are only pushed, p̄ ≥ 0, and not beyond.
Vec normal_change(const Mat& N, const Vec& norm, const Vec& norm_after) {
  std::vector<Index> closing, opening;
  for (Index k = 0; k < norm.size(); ++k)
    (norm(k) <= rounding * norm.cwiseAbs().maxCoeff() ? closing : opening).push_back(k);
  const Vec jump = norm_after - norm;
  const Mat C = N(Eigen::all, closing);
  Eigen::CompleteOrthogonalDecomposition<Mat> spanned;
  spanned.setThreshold(dependent_normals);
  spanned.compute(C.transpose());
  Vec change = spanned.solve(Vec(jump(closing)));
  // Redundant normals may be asked for what they cannot all have.
  if ((C.transpose() * change - jump(closing)).norm() > same_jump * (norm.norm() + norm_after.norm())) {
    throw Refusal{"nn",
                  "the contacts' normals are dependent, and the matrix asks for velocities after the impact that they "
                  "cannot all have"};
  }
  if (opening.empty()) return change;
  // With the closing ones held: 0 ≤ OᵀOp̄ − missing ⊥ p̄ ≥ 0, which is a nonnegative least squares problem.
  Mat O = N(Eigen::all, opening);
  const Vec missing = jump(opening) - O.transpose() * change;
  O -= spanned.solve(C.transpose() * O);
  const Mat OtO = O.transpose() * O;
  const Vec goal = O * OtO.completeOrthogonalDecomposition().solve(missing);
  change += O * nonnegative_least_squares(O, goal);
  return change;
}

void transmit(const Blocks& blocks, const ImpactProblem& problem, const ActiveContacts& contacts, Jump& jump) {
  const KineticRestitution e = kinetic_blocks(blocks, problem, contacts.contacts, contacts.active);
  const Vec v = problem.to_white(seen_by_contacts(problem));
  const Vec norm = e.N.transpose() * v, tan = e.T.transpose() * v;
  const Vec approach = norm.cwiseMin(0), opening = norm - approach;
  const Vec norm_after = -(e.nn * approach + e.nn.diagonal().cwiseProduct(opening) + e.nt * tan);
  const Vec tan_after = -(e.tn * approach + e.tt * tan);
  const Vec tangential = tangential_change(problem, contacts, e.T, tan_after - tan);
  const Vec change = tangential + normal_change(e.N, norm, norm_after - e.N.transpose() * tangential);
  if (share_impulses(problem, contacts.moving(), change, v.norm(), jump.Lambda))
    return tell_states(problem, contacts, jump);
  throw Refusal{
      blocks.tt ? "tt" : "tn",
      "restitution-matrix asks for a velocity jump that no impulse of the active contacts can make: blocks tn and tt "
      "need contacts with tangents along it "
      "(without tangential effects leave tn out and tt at -1)"};
}

// Of data that check_elements() takes.
Jump mapped(const Blocks& blocks, const ImpactProblem& problem) {
  Jump jump;
  jump.Lambda = Vec::Zero(problem.rows());
  jump.states.assign(problem.elements().size(), State::open);
  jump.solver.name = "restitution-matrix";
  const ActiveContacts contacts = active_contacts(problem);
  if (contacts.impact) transmit(blocks, problem, contacts, jump);
  return jump;
}

class RestitutionMatrix final : public ImpactLaw {
 public:
  explicit RestitutionMatrix(Blocks blocks) : blocks_(std::move(blocks)) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver&) const override {
    for (const LawComplaint& complaint : check_elements(blocks_, problem.elements(), &problem))
      return LawOutcome::refused(complaint.message);
    try {
      LawOutcome outcome;
      outcome.results.push_back(complete(problem, mapped(blocks_, problem)));
      return outcome;
    } catch (const Refusal& refusal) {
      return LawOutcome::refused(refusal.reason);
    }
  }

 private:
  Blocks blocks_;
};

// The data, and whether the contacts can do what the matrix asks for.
std::vector<LawComplaint> check_matrix(const Parameters& parameters, const std::vector<Element>& elements,
                                       const ImpactProblem* problem) {
  const Blocks blocks = blocks_of(parameters);
  std::vector<LawComplaint> complaints = check_elements(blocks, elements, problem);
  if (!problem || !complaints.empty()) return complaints;
  try {
    mapped(blocks, *problem);
  } catch (const Refusal& refusal) {
    complaints.push_back({std::nullopt, refusal.key, refusal.reason});
  }
  return complaints;
}

ParameterSpec block(const char* name, const char* default_text, const char* meaning) {
  return {.name = name,
          .type = ParameterSpec::Type::matrix,
          .default_text = default_text,
          .meaning = meaning,
          .range_text = "any finite numbers"};
}

}  // namespace

std::optional<KineticRestitution> kinetic_restitution(const Parameters& parameters, const ImpactProblem& problem) {
  const Blocks blocks = blocks_of(parameters);
  const ActiveContacts found = active_contacts(problem);
  const Index all = static_cast<Index>(found.contacts.size());
  const auto fits = [](const std::optional<Mat>& block, Index rows, Index cols) {
    return !block || is_zero(*block) || (block->rows() == rows && block->cols() == cols);
  };
  if (blocks.nn && blocks.nn->size() > 1 && !fits(blocks.nn, all, all)) return std::nullopt;
  if (blocks.basis && blocks.basis->cols() != problem.u_minus().size()) return std::nullopt;
  if (all == 0 || found.active.size() != found.contacts.size()) return std::nullopt;
  const Index tangential = problem.free_motions().cols() - blocked_motions(problem, found);
  const bool scalar_tt = !blocks.tt || blocks.tt->size() == 1;
  if (!fits(blocks.nt, all, tangential) || !fits(blocks.tn, tangential, all) ||
      !(scalar_tt || fits(blocks.tt, tangential, tangential)))
    return std::nullopt;
  try {
    return kinetic_blocks(blocks, problem, found.contacts, found.active);
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

LawEntry restitution_matrix_law() {
  return {
      .name = "restitution-matrix",
      .statement =
          "a linear map of the kinetic quasi-velocities: every contact's velocity after from every one before, normal "
          "and tangential",
      .equation = "v⁺ = −ℰ v⁻,  v = (q̇_norm, q̇_tan),  ℰ = [nn nt; tn tt]",
      .source = "Brogliato 2012 (40)–(45)",
      .domain =
          "contacts and bilateral elements, no clutches; every contact of the impact takes part, also one at rest; "
          "one that opens transmits nothing and is not slowed down; friction only judges the impulses",
      .failures = "consistent only for suitable matrices: all three consistencies are verdicts",
      .parameters = {block("nn", "diagonal of the contacts' restitution",
                           "normal block, one row a contact; a number: the same on the diagonal"),
                     block("nt", "0", "normal from tangential"),
                     block("tn", "0", "tangential from normal"),
                     block("tt", "-1", "tangential block; a number: times the identity"),
                     block("basis", "contacts' tangents, then coordinates",
                           "velocities that span the tangential motions, a row each; orthonormalised in their order"),
                     {.name = "metric",
                      .type = ParameterSpec::Type::word,
                      .default_text = "kinetic",
                      .meaning = "contact: the matrix acts on γ itself (Frémond)",
                      .words = {"kinetic", "contact"}}},
      .contact_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},
      .tangential_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},
      .uses_restitution = false,
      .form = LawForm::matrix,
      .check = check_matrix,
      .make =
          [](const Parameters& parameters) {
            return std::unique_ptr<ImpactLaw>(std::make_unique<RestitutionMatrix>(blocks_of(parameters)));
          },
  };
}

}  // namespace carom
