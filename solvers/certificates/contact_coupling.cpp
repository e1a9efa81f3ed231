#include "solvers/certificates/contact_coupling.h"

#include <cmath>

namespace carom {

double friction_coupling(const ImpactProblem& problem, std::size_t contact) {
  const Index row = problem.first_row(contact);
  double square = 0;
  for (Index k = 1; k < problem.row_count(contact); ++k) {
    const double push = problem.elements()[contact].contact()->friction(k - 1) * problem.G()(row, row + k);
    square += push * push;
  }
  const double G_NN = problem.G()(row, row);
  if (square == 0) return 0;
  return G_NN > 0 ? std::sqrt(square) / G_NN : HUGE_VAL;
}

}  // namespace carom
