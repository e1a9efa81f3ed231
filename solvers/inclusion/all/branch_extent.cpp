#include "solvers/inclusion/all/branch_extent.h"

#include <algorithm>
#include <cmath>

#include "solvers/inclusion/all/free_velocities.h"

namespace carom {

Vec Extent::centre() const {
  Vec sum = Vec::Zero(corners.front().size());
  for (const Vec& corner : corners) sum += corner;
  return sum / static_cast<double>(corners.size());
}

// In units of the drive, by y.
Mat BranchExtent::speeds() const {
  Mat rows = K_.transpose();
  for (Index row = 0; row < rows.rows(); ++row)
    rows.row(row) *= problem_.D(row) > 0 ? std::sqrt(inclusion_.r(row)) / problem_.D(row) : 0.0;
  return rows;
}

std::optional<Extent> BranchExtent::of(const Branch& branch, int corners, int& programmes) const {
  const BranchCone cone(problem_, branch, rest_, corners);
  std::vector<Decision> decisions;
  for (const auto& decision : branch) decisions.push_back(*decision);
  const FreeVelocities velocities(problem_, K_, decisions);
  const Mat& Q = velocities.directions();
  Extent extent;
  ++programmes;
  const auto any = cone.farthest(Vec::Zero(problem_.c.size()));
  if (!any) return std::nullopt;
  extent.corners.push_back(problem_.D.cwiseProduct(*any));
  if (Q.cols() == 0) return extent;
  const Mat speed = speeds() * Q;
  const Eigen::SelfAdjointEigenSolver<Mat> principal(speed.transpose() * speed);
  for (Index k = 0; k < Q.cols(); ++k) {
    const Vec along = K_.transpose() * (Q * principal.eigenvectors().col(k));
    double width = 0;
    for (double side : {1.0, -1.0}) {
      ++programmes;
      const auto lambda = cone.farthest(side * along);
      if (!lambda) return std::nullopt;
      width += side * along.dot(*lambda);
      extent.corners.push_back(problem_.D.cwiseProduct(*lambda));
    }
    extent.size = std::hypot(extent.size, width * std::sqrt(std::max(0.0, principal.eigenvalues()(k))));
  }
  return extent;
}

}  // namespace carom
