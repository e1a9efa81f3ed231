#include "solvers/laws/impulse_shares.h"

#include <cmath>
#include <optional>

#include "solvers/inclusion/share/share.h"

namespace carom {

namespace {

constexpr double dependent = 1e-10;

// Rows of impulses: of the normals alone, of those that Coulomb's law lets act, or of all.
enum class Acting { normals, rough, all };

std::vector<Index> acting_rows(const ImpactProblem& problem, const std::vector<std::size_t>& contacts, Acting acting) {
  std::vector<Index> rows;
  for (std::size_t i : contacts) {
    const bool tangents =
        acting == Acting::all || (acting == Acting::rough && problem.elements()[i].contact()->has_friction());
    for (Index r = 0; r < (tangents ? problem.row_count(i) : 1); ++r) rows.push_back(problem.first_row(i) + r);
  }
  return rows;
}

// The cones of these impulses, in their order.
std::vector<ImpulseCone> force_cones(const ImpactProblem& problem, const std::vector<std::size_t>& contacts,
                                     Acting acting) {
  std::vector<ImpulseCone> cones;
  Index row = 0;
  for (std::size_t i : contacts) {
    const Contact& contact = *problem.elements()[i].contact();
    ImpulseCone cone{.normal = row, .tangent = row + 1};
    if (acting == Acting::rough && contact.has_friction()) {
      cone.tangents = problem.row_count(i) - 1;
      cone.mu.head(cone.tangents) = contact.friction;
    }
    row += 1 + cone.tangents;
    cones.push_back(cone);
  }
  return cones;
}

// W̃Λ = jump with the rows that act, in the units that make the least Λ independent of coordinates.
class Shares {
 public:
  Shares(const ImpactProblem& problem, const std::vector<std::size_t>& contacts, const Vec& jump, double scale,
         Acting acting)
      : rows(acting_rows(problem, contacts, acting)), jump_(jump), scale_(scale) {
    Vec unit = Vec::Ones(problem.rows());
    for (std::size_t i : contacts) {
      const Index row = problem.first_row(i);
      unit.segment(row, problem.row_count(i)).setConstant(1 / std::sqrt(problem.G()(row, row)));
    }
    unit_ = unit(rows);
    W_ = problem.white_directions()(Eigen::all, rows) * unit_.asDiagonal();
  }

  std::optional<Vec> least() const {
    Eigen::CompleteOrthogonalDecomposition<Mat> solve;
    solve.setThreshold(dependent);
    solve.compute(W_);
    return if_it_does(solve.solve(jump_));
  }

  std::optional<Vec> within(const std::vector<ImpulseCone>& cones) const {
    const Eigen::JacobiSVD<Mat> svd(W_, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Vec& size = svd.singularValues();
    Index rank = 0;
    while (rank < size.size() && size(rank) > dependent * size(0)) ++rank;
    const Vec along = (svd.matrixU().leftCols(rank).transpose() * jump_).cwiseQuotient(size.head(rank));
    return if_it_does(least_in_cones(svd.matrixV().leftCols(rank), along, cones));
  }

  const std::vector<Index> rows;

 private:
  std::optional<Vec> if_it_does(const Vec& x) const {
    if ((W_ * x - jump_).norm() > same_jump * (scale_ + jump_.norm())) return std::nullopt;
    return Vec(unit_.asDiagonal() * x);
  }

  Vec jump_;
  double scale_;
  Vec unit_;
  Mat W_;
};

}  // namespace

bool share_impulses(const ImpactProblem& problem, const std::vector<std::size_t>& contacts, const Vec& jump,
                    double scale, Vec& Lambda) {
  for (Acting acting : {Acting::normals, Acting::rough}) {
    const Shares shares(problem, contacts, jump, scale, acting);
    const std::optional<Vec> impulses = shares.within(force_cones(problem, contacts, acting));
    if (!impulses) continue;
    Lambda(shares.rows) = *impulses;
    return true;
  }
  for (Acting acting : {Acting::normals, Acting::all}) {
    const Shares shares(problem, contacts, jump, scale, acting);
    const std::optional<Vec> impulses = shares.least();
    if (!impulses) continue;
    Lambda(shares.rows) = *impulses;
    return true;
  }
  return false;
}

}  // namespace carom
