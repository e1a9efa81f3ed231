// Friction follows the normal impulse n: it stops the sliding, or ends at the border of its set,
//
//   t(n) = the point of [−μ(n + o), μ(n + o)] nearest to −(c_T + G_NT n)/G_TT.
//
// The normal velocity c_N + G_NN n + G_NT t(n) is then piecewise linear in n with the slopes G_NN − G_NT²/G_TT where
// the contact sticks and G_NN ± μG_NT where it slips. If all are positive it rises, and vanishes once or is positive
// from the start. Where the impulses of sticking lie beyond one end of the friction set, the contact slips at that end:
// at the other one, the line of sticking would have to cross the whole set against its slope −G_NT/G_TT.

#include "solvers/inclusion/one_contact.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double clear_slope = 1e-3;  // relative to G_NN

// One normal row, then perhaps one of friction along a line.
bool is_one_contact(const Inclusion& inclusion) {
  const std::vector<ForceSet>& sets = inclusion.sets;
  if (inclusion.G->sparse() || static_cast<Index>(sets.size()) != inclusion.c.size()) return false;
  if (sets.empty() || sets.size() > 2 || sets[0].shape != ForceSet::Shape::unilateral) return false;
  return sets.size() == 1 || (sets[1].shape == ForceSet::Shape::line && sets[1].offset >= 0);
}

}  // namespace

bool solve_one_contact(const Inclusion& inclusion, Vec& Lambda) {
  if (!is_one_contact(inclusion) || !inclusion.c.allFinite()) return false;
  const bool rough = inclusion.sets.size() == 2;
  const Index N = inclusion.sets[0].row;
  const double G_NN = (*inclusion.G)(N, N);
  const double c_N = inclusion.c(N);
  Lambda.setZero(inclusion.c.size());
  if (!rough) {
    Lambda(N) = std::max(0.0, -c_N / G_NN);
    return G_NN > 0;
  }
  const Index T = inclusion.sets[1].row;
  const double G_TT = (*inclusion.G)(T, T);
  const double G_NT = (*inclusion.G)(N, T);
  const double c_T = inclusion.c(T);
  const double mu = inclusion.sets[1].friction(0);
  const double offset = inclusion.sets[1].offset;
  const double determinant = G_NN * G_TT - G_NT * G_NT;
  if (!(determinant > clear_slope * G_NN * G_TT) || !(G_NN - mu * std::abs(G_NT) > clear_slope * G_NN)) return false;

  Lambda(T) = std::clamp(-c_T / G_TT, -mu * offset, mu * offset);
  if (c_N + G_NT * Lambda(T) >= 0) return true;  // opens
  Lambda(N) = (G_NT * c_T - G_TT * c_N) / determinant;
  Lambda(T) = (G_NT * c_N - G_NN * c_T) / determinant;
  if (std::abs(Lambda(T)) <= mu * (Lambda(N) + offset)) return true;  // sticks
  const double end = std::copysign(mu, Lambda(T));
  Lambda(N) = -(c_N + G_NT * end * offset) / (G_NN + end * G_NT);
  Lambda(T) = end * (Lambda(N) + offset);
  return true;
}

}  // namespace carom
