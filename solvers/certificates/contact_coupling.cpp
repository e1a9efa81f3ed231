#include "solvers/certificates/contact_coupling.h"

#include <cmath>

namespace carom {

double friction_coupling(const ImpactProblem& problem, std::size_t contact) {
  const Index row = problem.first_row(contact);
  const double G_NN = problem.G()(row, row);
  double square = 0;
  for (Index k = 1; k < problem.row_count(contact); ++k) {
    const double G_NT = problem.G()(row, row + k);
    if (std::abs(G_NT) <= rounding * std::sqrt(G_NN * problem.G()(row + k, row + k))) continue;
    const double push = problem.elements()[contact].contact()->friction(k - 1) * G_NT;
    square += push * push;
  }
  if (square == 0) return 0;
  return G_NN > 0 ? std::sqrt(square) / G_NN : HUGE_VAL;
}

}  // namespace carom
