// What is known of a branch of the search for all solutions, as one cone.

#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "solvers/inclusion/all/slide_roots.h"
#include "solvers/inclusion/unit_friction.h"

namespace carom {

using Branch = std::vector<std::optional<Decision>>;  // one entry a site; nothing: not decided yet

inline Eigen::Vector2d on_circle(double angle) { return {std::cos(angle), std::sin(angle)}; }

using Tangents = std::vector<std::vector<double>>;  // of the friction disc, by site: the angles where they touch it

// The equations ξ − Gλ = c of a branch as one cone, Ax = b, x ≥ 0: what is known of a site contributes directions.
// Slip slower than `rest` (times the contact's friction) is none: those solutions stick. A contact that opens no faster
// is closed: redundant contacts may carry nothing and be closed all the same.
class BranchCone {
 public:
  // With so many corners of a polygon around the friction disc, and with what further tangents cut off.
  BranchCone(const UnitFriction& problem, const Branch& branch, double rest, int corners,
             const Tangents* cuts = nullptr);

  // Whether no solution lies in the branch, and the linear programmes that this took. Impulses work nothing in sum,
  // λᵀξ = λᵀGλ + cᵀλ ≤ 0: of what a programme finds beyond, tangents to this ellipsoid cut off so many.
  struct Test {
    bool excluded = false;
    int programmes = 0;
  };
  Test test(int most_cuts) const;
  bool excludes() const { return test(0).excluded; }

  // The λ with the largest direction·λ, if there is one.
  std::optional<Vec> farthest(const Vec& direction) const;

 private:
  Mat A() const { return A_(rows_, Eigen::seqN(0, columns_)); }

  // ξ: known to be zero, in a cone, or anything, in which case the row says nothing.
  void add_velocities(const Site& site, const std::optional<Decision>& decision);
  // ξ_T = αe(begin) + βe(end), of which α + β ≥ |ξ_T| ≥ slowest. The ends of a narrow arc are parallel but for its
  // width, which rounding would lose: of that it is αe(begin) + γe'(middle), γ ≤ α|e(end) − e(begin)|, the same cone.
  void add_slip(const Site& site, const Decision& arc, double slowest);
  // λ: the normal impulse, and friction −λ_T = Σαv over the corners v of a polygon around the set, Σα = R. That of an
  // arc is a triangle; of a narrow one again its tip and what is across, with h half of its width,
  // −λ_T = Re/cos h + γ(e' − e tan h) − γ'(e' + e tan h), γ + γ' ≤ R sin h.
  void add_impulses(const Site& site, const std::optional<Decision>& decision);
  // Of the columns from `along` on, the first times `width` is the most that the others, which turn it, can be in sum.
  void bound_turns(Index along, double width);
  void add_impulse(const Site& site, double normal, const Eigen::Vector2d& tangential);
  std::vector<Eigen::Vector2d> corners(const Site& site, const std::optional<Decision>& decision) const;
  std::vector<Eigen::Vector2d> corners_between(std::vector<double> tangents) const;

  const UnitFriction& problem_;
  double rest_;
  int corners_;
  const Tangents* cuts_;
  Mat A_;
  Mat impulse_;  // columns: the λ of x
  Vec b_;
  std::vector<Index> rows_;
  Index next_row_ = 0;
  Index columns_ = 0;
};

}  // namespace carom
