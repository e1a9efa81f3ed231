// With c = Wᵀu₀ the velocity 0 satisfies every constraint however the friction cones are shifted, and existence follows
// from a fixed point of the shifts (Acary, Cadoux, Lemaréchal & Malick 2011: it suffices that Wᵀv + c is in the dual
// cone for some v). In inelastic impacts and in compression and decompression of Poisson's law c is of this kind.
// Newton's law with unequal coefficients asks for more, and friction can lock what it asks for (a bead on a wire).

#include "solvers/inclusion/existence.h"

namespace carom {

namespace {

constexpr double singular = 1e-15;  // eigenvalues of G in the units of r, relative; what rounding leaves of zero
constexpr double in_image = 1e-4;   // what is left of c outside the image of G, relative

}  // namespace

bool must_have_solution(const Inclusion& inclusion) {
  if (inclusion.c.size() == 0) return true;
  const Vec unit = inclusion.r.cwiseSqrt();
  const Mat G = unit.asDiagonal() * inclusion.G->dense() * unit.asDiagonal();
  const Vec c = unit.cwiseProduct(inclusion.c);
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(G);
  const Vec& values = eigen.eigenvalues();
  const Index kernel = (values.array() <= singular * values(values.size() - 1)).count();
  return (eigen.eigenvectors().leftCols(kernel).transpose() * c).norm() <= in_image * c.norm();
}

void report_none(const Inclusion& inclusion, InclusionOutcome& outcome) {
  outcome.status = InclusionOutcome::Status::unsolved;
  if (must_have_solution(inclusion)) {
    outcome.exhaustive = false;
    outcome.reason =
        "no combination of open, stick and slip is a solution up to rounding, although there must be one: the contacts "
        "are nearly dependent, or the masses too different";
  } else {
    outcome.reason = "the impact has no solution: no combination of open, stick and slip is one";
  }
}

}  // namespace carom
