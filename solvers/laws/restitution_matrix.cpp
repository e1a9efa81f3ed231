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
// off-diagonal blocks are rescaled alike. Contacts that separate already are not active: the rows and columns
// of the active ones are taken.
//
// An explicit map: it promises nothing by itself, all three consistencies are verdicts.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <optional>

#include "solvers/laws/list.h"

namespace carom {

namespace {

struct Refusal {
  std::string reason;
};

struct Blocks {
  std::optional<Mat> nn, nt, tn, tt, basis;
  bool contact_metric = false;
};

class RestitutionMatrix final : public ImpactLaw {
 public:
  explicit RestitutionMatrix(Blocks blocks) : blocks_(std::move(blocks)) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver&) const override {
    try {
      return map(problem);
    } catch (const Refusal& refusal) {
      return LawOutcome::refused(refusal.reason);
    }
  }

 private:
  LawOutcome map(const ImpactProblem& problem) const {
    std::vector<std::size_t> contacts;
    std::vector<Index> active;  // positions among the contacts
    double fastest = 0;
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      if (problem.elements()[i].clutch()) {
        throw Refusal{
            fmt::format("restitution-matrix maps the velocities of contacts, but '{}' is a clutch; use poisson, newton "
                        "or inelastic",
                        problem.elements()[i].name)};
      }
      if (!problem.elements()[i].contact()) continue;
      contacts.push_back(i);
      fastest = std::max(fastest, std::abs(problem.gamma_minus()(problem.first_row(i))));
    }
    bool impact = false;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const Index row = problem.first_row(contacts[k]);
      const double gamma = problem.gamma_minus()(row);
      if (problem.G()(row, row) > 0 && gamma <= rounding * fastest) active.push_back(static_cast<Index>(k));
      impact = impact || gamma < -rounding * fastest;
    }

    Jump jump;
    jump.Lambda = Vec::Zero(problem.rows());
    jump.states.assign(problem.elements().size(), State::open);
    jump.solver.name = "restitution-matrix";
    if (impact) transmit(problem, contacts, active, jump);
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, jump));
    return outcome;
  }

  void transmit(const ImpactProblem& problem, const std::vector<std::size_t>& contacts,
                const std::vector<Index>& active, Jump& jump) const {
    const Index p = static_cast<Index>(active.size());
    Mat N(problem.u_minus().size(), p);  // unit normals in white coordinates
    Vec length(p);
    for (Index k = 0; k < p; ++k) {
      const Index row = problem.first_row(contacts[static_cast<std::size_t>(active[static_cast<std::size_t>(k)])]);
      length(k) = problem.white_directions().col(row).norm();
      N.col(k) = problem.white_directions().col(row) / length(k);
    }
    const Mat T = tangential_basis(problem, contacts, N);
    const Vec v = problem.to_white(problem.u_minus());
    const Vec norm = N.transpose() * v;
    const Vec tan = T.transpose() * v;

    Mat nn = normal_block(problem, contacts, active);
    Mat nt = rows_or_all(blocks_.nt, active, static_cast<Index>(contacts.size()), p, T.cols(), "nt", false);
    Mat tn = rows_or_all(blocks_.tn, active, static_cast<Index>(contacts.size()), p, T.cols(), "tn", true);
    if (blocks_.contact_metric) {
      const Mat scale = length.asDiagonal();
      const Mat inverse = length.cwiseInverse().asDiagonal();
      nn = inverse * nn * scale;
      nt = inverse * nt;
      tn = tn * scale;
    }
    const Vec norm_after = -(nn * norm + nt * tan);
    const Vec tan_after = -(tn * norm + tangential_block(T.cols()) * tan);

    // v⁺ from its components; redundant normals may be asked for what they cannot all have.
    Eigen::CompleteOrthogonalDecomposition<Mat> spanned;
    spanned.setThreshold(1e-10);
    spanned.compute(N.transpose());
    const Vec along = spanned.solve(norm_after);
    if ((N.transpose() * along - norm_after).norm() > 1e-9 * (v.norm() + norm_after.norm())) {
      throw Refusal{
          "the active contacts' normals are dependent, and the matrix asks for velocities after "
          "the impact that they cannot all have"};
    }
    const Vec change = along + T * tan_after - v;
    assign_impulses(problem, contacts, active, change, v.norm(), jump);
  }

  // The impulses of the active contacts that make the velocity jump, from normals alone if they can.
  static void assign_impulses(const ImpactProblem& problem, const std::vector<std::size_t>& contacts,
                              const std::vector<Index>& active, const Vec& change, double scale, Jump& jump) {
    for (bool with_tangents : {false, true}) {
      std::vector<Index> rows;
      for (Index k : active) {
        const std::size_t i = contacts[static_cast<std::size_t>(k)];
        const Index count = with_tangents ? problem.row_count(i) : 1;
        for (Index r = 0; r < count; ++r) rows.push_back(problem.first_row(i) + r);
      }
      const Mat W = problem.white_directions()(Eigen::all, rows);
      Eigen::CompleteOrthogonalDecomposition<Mat> solve;
      solve.setThreshold(1e-10);
      solve.compute(W);
      const Vec impulses = solve.solve(change);
      if ((W * impulses - change).norm() > 1e-9 * (scale + change.norm())) continue;
      for (std::size_t k = 0; k < rows.size(); ++k) jump.Lambda(rows[k]) = impulses(static_cast<Index>(k));
      for (Index k : active) {
        const std::size_t i = contacts[static_cast<std::size_t>(k)];
        const Vec Lambda = jump.Lambda.segment(problem.first_row(i), problem.row_count(i));
        if (Lambda.cwiseAbs().maxCoeff() > rounding * impulses.cwiseAbs().maxCoeff()) {
          const bool frictional = Lambda.size() > 1 && Lambda.tail(Lambda.size() - 1).cwiseAbs().maxCoeff() > 0;
          const Vec gamma_T =
              (problem.gamma_minus() + problem.G() * jump.Lambda).segment(problem.first_row(i) + 1, Lambda.size() - 1);
          jump.states[i] = !frictional                                              ? State::closed
                           : gamma_T.norm() <= 1e-10 * problem.gamma_minus().norm() ? State::stick
                                                                                    : State::slip;
        }
      }
      return;
    }
    throw Refusal{
        "restitution-matrix asks for a velocity jump that no impulse of the active contacts can make: blocks tn and tt "
        "need contacts with tangents along it "
        "(without tangential effects leave tn out and tt at -1)"};
  }

  Mat normal_block(const ImpactProblem& problem, const std::vector<std::size_t>& contacts,
                   const std::vector<Index>& active) const {
    const Index all = static_cast<Index>(contacts.size());
    Mat nn = Mat::Zero(all, all);
    if (!blocks_.nn) {
      for (Index k = 0; k < all; ++k)
        nn(k, k) = problem.elements()[contacts[static_cast<std::size_t>(k)]].contact()->restitution;
    } else if (blocks_.nn->size() == 1) {
      nn.diagonal().setConstant((*blocks_.nn)(0, 0));
    } else if (blocks_.nn->rows() == all && blocks_.nn->cols() == all) {
      nn = *blocks_.nn;
    } else {
      throw Refusal{
          fmt::format("nn is {}×{}, the impact has {} contacts", blocks_.nn->rows(), blocks_.nn->cols(), all)};
    }
    return nn(active, active);
  }

  static Mat rows_or_all(const std::optional<Mat>& block, const std::vector<Index>& active, Index all, Index p,
                         Index tangential, const char* name, bool transposed) {
    const Index rows = transposed ? tangential : p;
    const Index cols = transposed ? p : tangential;
    if (!block || (block->size() == 1 && (*block)(0, 0) == 0)) return Mat::Zero(rows, cols);
    const Index given_tangential = transposed ? block->rows() : block->cols();
    const Index given_normal = transposed ? block->cols() : block->rows();
    if (given_normal != all || given_tangential != tangential) {
      throw Refusal{fmt::format("{} is {}×{}, but with {} of {} contacts active it must be {}×{}", name, block->rows(),
                                block->cols(), p, all, transposed ? tangential : all, transposed ? all : tangential)};
    }
    return transposed ? Mat((*block)(Eigen::all, active)) : Mat((*block)(active, Eigen::all));
  }

  Mat tangential_block(Index size) const {
    if (!blocks_.tt) return -Mat::Identity(size, size);
    if (blocks_.tt->size() == 1) return (*blocks_.tt)(0, 0) * Mat::Identity(size, size);
    if (blocks_.tt->rows() != size || blocks_.tt->cols() != size) {
      throw Refusal{fmt::format("tt is {}×{}, but there are {} tangential quasi-velocities", blocks_.tt->rows(),
                                blocks_.tt->cols(), size)};
    }
    return *blocks_.tt;
  }

  Mat tangential_basis(const ImpactProblem& problem, const std::vector<std::size_t>& contacts, const Mat& N) const {
    const Mat free = problem.free_motions();
    std::vector<Vec> candidates;
    if (blocks_.basis) {
      if (blocks_.basis->cols() != problem.u_minus().size())
        throw Refusal{"the rows of basis are velocities and must have as many numbers as the system"};
      for (Index k = 0; k < blocks_.basis->rows(); ++k)
        candidates.push_back(problem.to_white(blocks_.basis->row(k).transpose()));
    } else {
      for (std::size_t i : contacts) {
        for (Index r = 1; r < problem.row_count(i); ++r)
          candidates.push_back(problem.white_directions().col(problem.first_row(i) + r));
      }
      for (Index k = 0; k < problem.u_minus().size(); ++k)
        candidates.push_back(problem.to_white(Vec::Unit(problem.u_minus().size(), k)));
    }
    Eigen::ColPivHouseholderQR<Mat> normals;
    normals.setThreshold(1e-10);
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
      throw Refusal{
          fmt::format("basis spans {} tangential motions, but there are {}", T.cols(), free.cols() - normals.rank())};
    }
    return T;
  }

  Blocks blocks_;
};

ParameterSpec block(const char* name, const char* default_text, const char* meaning) {
  return {.name = name,
          .type = ParameterSpec::Type::matrix,
          .default_text = default_text,
          .meaning = meaning,
          .range_text = "any finite numbers"};
}

}  // namespace

LawEntry restitution_matrix_law() {
  return {
      .name = "restitution-matrix",
      .statement =
          "a linear map of the kinetic quasi-velocities: every contact's velocity after from every one before, normal "
          "and tangential",
      .equation = "v⁺ = −ℰ v⁻,  v = (q̇_norm, q̇_tan),  ℰ = [nn nt; tn tt]",
      .source = "Brogliato 2012 (40)–(45)",
      .domain =
          "contacts and bilateral elements, no clutches; rows and columns of the contacts that do not separate; "
          "friction only judges the impulses",
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
      .make =
          [](const Parameters& parameters) {
            Blocks blocks{parameters.get<Mat>("nn"),    parameters.get<Mat>("nt"),
                          parameters.get<Mat>("tn"),    parameters.get<Mat>("tt"),
                          parameters.get<Mat>("basis"), parameters.get<std::string>("metric") == "contact"};
            return std::unique_ptr<ImpactLaw>(std::make_unique<RestitutionMatrix>(std::move(blocks)));
          },
  };
}

}  // namespace carom
