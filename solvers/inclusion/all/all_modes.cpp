// In the units of r, with D = diag(√r), the inclusion reads
//
//   x = Ĝλ + ĉ,   Ĝ = DGD,   ĉ = Dc,   Λ = Dλ,   ξ = D⁻¹x,
//
// Ĝ having a diagonal of about one. A mode (mode.h) holds some rows, x = 0, and ties the impulses of others to their
// normal's, λ_T = −σμ̂(λ_N + ô) with μ̂ = μ√(r_N/r_T) and ô = offset/√r_N. What is left is linear in the held
// impulses.

#include "solvers/inclusion/all/all_modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "solvers/inclusion/all/distinct.h"
#include "solvers/inclusion/all/existence.h"
#include "solvers/inclusion/one_contact.h"

namespace carom {

namespace {

constexpr std::size_t most_elements = 3;  // 64 modes, if all have friction
constexpr int most_rows = 9;
constexpr int most_held = 2 * static_cast<int>(most_elements);
constexpr double singular = 1e-6;         // pivot of a mode's equations, whose entries are about one
constexpr double clear_violation = 1e-8;  // relative to what drives the problem: far above any accepted residual

// A contact or clutch: its normal row and, with friction, its tangent row.
struct PlanarElement {
  int normal = 0;
  int tangent = -1;
  double friction = 0;  // μ̂
  double offset = 0;    // ô

  int modes() const { return tangent < 0 ? 2 : offset > 0 ? 6 : 4; }
};

enum class Slip { idle, held, forward, backward };

struct ElementMode {
  bool normal_held = false;
  Slip slip = Slip::idle;
};

// Mode number k of an element: held, then open; friction acts where the normal does or its set keeps a size.
ElementMode mode_of(const PlanarElement& element, int k) {
  if (element.tangent < 0) return {k == 0, Slip::idle};
  constexpr std::array<Slip, 3> slips = {Slip::held, Slip::forward, Slip::backward};
  if (k == 3 && element.offset == 0) return {};
  return {k < 3, slips[static_cast<std::size_t>(k % 3)]};
}

class AllModes {
 public:
  // False if there are too many elements or a contact has two tangents.
  bool read(const Inclusion& inclusion) {
    rows_ = static_cast<int>(inclusion.c.size());
    if (rows_ > most_rows || inclusion.G->sparse()) return false;
    for (int i = 0; i < rows_; ++i) {
      root_[i] = std::sqrt(inclusion.r(i));
      c_[i] = root_[i] * inclusion.c(i);
      drive_ = std::max(drive_, std::abs(c_[i]));
    }
    if (!(drive_ > 0) || !std::isfinite(drive_)) return false;
    for (const ForceSet& set : inclusion.sets)
      if (!add(set)) return false;
    for (int j = 0; j < rows_; ++j)
      for (int i = 0; i <= j; ++i) G_[i][j] = G_[j][i] = (*inclusion.G)(i, j) * (root_[i] * root_[j]);
    return true;
  }

  // visit() for every mode whose impulses are no clear violation; false if one is nearly singular.
  template <class Visit>
  bool each(Visit visit) {
    std::array<int, most_elements> digit{};
    for (;;) {
      for (std::size_t e = 0; e < count_; ++e) mode_[e] = mode_of(elements_[e], digit[e]);
      if (!solve()) return false;
      ++tried_;
      if (!clearly_violated()) visit();
      std::size_t e = 0;
      while (e < count_ && ++digit[e] == elements_[e].modes()) digit[e++] = 0;
      if (e == count_) return true;
    }
  }

  int tried() const { return tried_; }
  void impulses(Vec& Lambda) const {
    Lambda.resize(rows_);
    for (int i = 0; i < rows_; ++i) Lambda(i) = root_[i] * lambda_[i];
  }

 private:
  bool add(const ForceSet& set) {
    const int row = static_cast<int>(set.row);
    if (set.shape == ForceSet::Shape::unilateral) {
      if (count_ == most_elements) return false;
      elements_[count_++] = {.normal = row};
      return true;
    }
    const int normal = static_cast<int>(set.normal_row);
    if (set.shape != ForceSet::Shape::line || set.offset < 0 || count_ == 0) return false;
    PlanarElement& element = elements_[count_ - 1];
    if (element.normal != normal) return false;
    element.tangent = row;
    element.friction = set.friction(0) * root_[normal] / root_[row];
    element.offset = set.offset / root_[normal];
    return true;
  }

  static double sign(Slip slip) { return slip == Slip::forward ? 1 : -1; }
  static bool slides(const ElementMode& mode) { return mode.slip == Slip::forward || mode.slip == Slip::backward; }

  // λ of the mode: the held impulses from x_held = 0, the others tied to them.
  bool solve() {
    held_count_ = 0;
    lambda_.fill(0);
    for (std::size_t e = 0; e < count_; ++e) {
      if (mode_[e].normal_held) held_[held_count_++] = elements_[e].normal;
      if (mode_[e].slip == Slip::held) held_[held_count_++] = elements_[e].tangent;
      if (slides(mode_[e])) tie(e);
    }
    assemble();
    if (!eliminate()) return false;
    for (int k = 0; k < held_count_; ++k) lambda_[held_[k]] = solution_[k];
    for (std::size_t e = 0; e < count_; ++e)
      if (slides(mode_[e])) tie(e);
    return true;
  }

  void tie(std::size_t e) {
    const PlanarElement& element = elements_[e];
    lambda_[element.tangent] = -sign(mode_[e].slip) * element.friction * (lambda_[element.normal] + element.offset);
  }

  double x(int row) const {
    double sum = c_[row];
    for (int j = 0; j < rows_; ++j) sum += G_[row][j] * lambda_[j];
    return sum;
  }

  // A·held = b, with what the ties carry of a normal impulse in its column. λ holds the offsets' share so far.
  void assemble() {
    for (int i = 0; i < held_count_; ++i) {
      for (int k = 0; k < held_count_; ++k) A_[i][k] = G_[held_[i]][held_[k]];
      solution_[i] = -x(held_[i]);
    }
    int k = 0;
    for (std::size_t e = 0; e < count_; ++e) {
      if (mode_[e].normal_held && slides(mode_[e])) {
        const double tied = -sign(mode_[e].slip) * elements_[e].friction;
        for (int i = 0; i < held_count_; ++i) A_[i][k] += tied * G_[held_[i]][elements_[e].tangent];
      }
      k += (mode_[e].normal_held ? 1 : 0) + (mode_[e].slip == Slip::held ? 1 : 0);
    }
  }

  // Gaussian elimination with row pivots.
  bool eliminate() {
    const int n = held_count_;
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(A_[i][k]) > std::abs(A_[pivot][k])) pivot = i;
      if (!(std::abs(A_[pivot][k]) > singular)) return false;
      if (pivot != k) {
        std::swap(A_[pivot], A_[k]);
        std::swap(solution_[pivot], solution_[k]);
      }
      for (int i = k + 1; i < n; ++i) {
        const double factor = A_[i][k] / A_[k][k];
        if (factor == 0) continue;
        for (int j = k + 1; j < n; ++j) A_[i][j] -= factor * A_[k][j];
        solution_[i] -= factor * solution_[k];
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) solution_[k] -= A_[k][j] * solution_[j];
      solution_[k] /= A_[k][k];
    }
    return true;
  }

  // The mode's inequalities, each as the part of Λ + prox_C(−Λ + rξ) that it is.
  bool clearly_violated() const {
    const double bound = clear_violation * drive_;
    for (std::size_t e = 0; e < count_; ++e) {
      const PlanarElement& element = elements_[e];
      if ((mode_[e].normal_held ? lambda_[element.normal] : x(element.normal)) < -bound) return true;
      if (mode_[e].slip == Slip::idle) continue;
      const double radius = element.friction * (lambda_[element.normal] + element.offset);
      if (mode_[e].slip == Slip::held) {
        if (std::abs(lambda_[element.tangent]) - radius > bound) return true;
      } else if (std::min(-sign(mode_[e].slip) * x(element.tangent), 2 * radius) > bound) {
        return true;
      }
    }
    return false;
  }

  int rows_ = 0;
  std::size_t count_ = 0;
  double drive_ = 0;
  int tried_ = 0;
  int held_count_ = 0;
  std::array<PlanarElement, most_elements> elements_;
  std::array<ElementMode, most_elements> mode_;
  double root_[most_rows];
  double c_[most_rows];
  double G_[most_rows][most_rows];
  std::array<double, most_rows> lambda_;
  int held_[most_held];
  std::array<double, most_held> A_[most_held];
  double solution_[most_held];
};

// Appends the impulses of the current mode to the first `found` solutions unless they are none or known.
void keep(const Inclusion& inclusion, const AllModes& modes, std::vector<InclusionSolution>& solutions,
          std::size_t& found) {
  if (solutions.size() == found) solutions.emplace_back();
  InclusionSolution& candidate = solutions[found];
  modes.impulses(candidate.Lambda);
  complete(inclusion, candidate);
  if (!(candidate.residual <= accept_residual)) return;
  for (std::size_t k = 0; k < found; ++k) {
    if (!have_same_velocities(inclusion, solutions[k], candidate)) continue;
    if (is_better(inclusion, candidate, solutions[k])) std::swap(candidate, solutions[k]);
    return;
  }
  ++found;
}

bool solve_alone(const Inclusion& inclusion, const Demand& demand, std::vector<InclusionSolution>& solutions) {
  solutions.resize(1);
  if (!solve_one_contact(inclusion, solutions.front().Lambda)) return false;
  complete(inclusion, solutions.front());
  return solutions.front().residual <= demand.tolerance;
}

void report_all(int tried, InclusionOutcome& outcome) {
  outcome.status = InclusionOutcome::Status::solved;
  outcome.reason.clear();
  outcome.nearest.reset();
  outcome.solver = "enumerate";
  outcome.iterations = tried;
  outcome.exhaustive = true;
  outcome.samples = false;
  outcome.note.clear();
}

}  // namespace

bool solve_all_modes(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  if (solve_alone(inclusion, demand, outcome.solutions)) {
    report_all(1, outcome);
    return true;
  }
  AllModes modes;
  if (!modes.read(inclusion)) return false;
  std::size_t found = 0;
  if (!modes.each([&] { keep(inclusion, modes, outcome.solutions, found); })) return false;
  outcome.solutions.resize(found);
  if (std::any_of(outcome.solutions.begin(), outcome.solutions.end(),
                  [&](const InclusionSolution& s) { return s.residual > demand.tolerance; }))
    return false;
  report_all(modes.tried(), outcome);
  if (found == 0) report_none(inclusion, outcome);
  return outcome.exhaustive;
}

}  // namespace carom
