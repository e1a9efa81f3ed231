// One impact at frozen position: mass matrix, velocity before, impact elements. Laws see it const; who poses many
// impacts builds one problem again and again, which allocates nothing while the sizes stay.
//
//   M(u⁺ − u⁻) = WΛ + BΛ_B,   γ = Wᵀu,   Bᵀu = 0
//
// Bilateral constraints react impulsively, so they are eliminated at construction. With M = LLᵀ and the
// white coordinates v = Lᵀu, in which kinetic energy is ½|v|², an orthonormal basis Q of range(L⁻¹B) gives
//
//   W̃ = (I − QQᵀ)L⁻¹W,   G = W̃ᵀW̃,   u⁺ = u⁻ + L⁻ᵀW̃Λ,
//
// the same as replacing M⁻¹ by M⁻¹ − M⁻¹B(BᵀM⁻¹B)⁻¹BᵀM⁻¹. Q comes from a rank-revealing decomposition, so
// redundant constraints are legal; their impulses are the least ones that do the work.
//
// Mass is kept by its blocks and directions by what they touch: without bilateral constraints an impact of a long chain
// or a pile costs what its contacts cost. Q is dense.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/delassus.h"
#include "engine/element.h"
#include "engine/linear_algebra.h"
#include "engine/mass_matrix.h"
#include "engine/rows.h"

namespace carom {

// What is wrong with the data of a problem: the element it concerns (none: the problem as a whole) and the key.
struct Defect {
  std::optional<std::size_t> element;
  std::string key;
  std::string message;
};

class ImpactProblem {
 public:
  // Every defect of the data at once; empty if a problem can be built from them.
  static std::vector<Defect> defects(const Mat& M, const Vec& u_minus, const std::vector<Element>& elements);

  // Throws std::invalid_argument with all defects.
  ImpactProblem(const Mat& M, const Vec& u_minus, std::vector<Element> elements);

  // Of a system that keeps its own state: the data are sound, and u⁻ is on the manifold, which may move by
  // prescription (Bᵀu = b). Nothing is checked or projected.
  static ImpactProblem on_manifold(const Mat& M, const Vec& u_minus, std::vector<Element> elements);

  // The same in place, for one impact after another. The elements' own storage comes back by take_elements(), to be
  // filled for the next impact.
  ImpactProblem() = default;  // to be rebuilt
  void rebuild_on_manifold(const Mat& M, const Vec& u_minus, std::vector<Element> elements);
  std::vector<Element> take_elements() { return std::move(elements_); }

  // The same with directions given apart, in the order of the elements: W those of contacts and clutches, B those of
  // bilateral elements. The elements tell the coefficients, and need no directions of their own.
  void rebuild_on_manifold(const MassMatrix& M, const Rows& W, const Rows& B, const Vec& u_minus,
                           std::vector<Element> elements);

  // The same system at another velocity on the manifold.
  void set_velocity(const Vec& u_minus);

  Mat M() const;  // dense; for small problems
  const Vec& u_minus() const { return u_minus_; }
  const std::vector<Element>& elements() const { return elements_; }

  // Rows of W, γ and Λ: a contact has its normal row and then its tangent rows, a clutch one row,
  // a bilateral element none (its impulse follows from the others').
  Index rows() const { return W_.count(); }
  Index first_row(std::size_t element) const { return first_row_[element]; }
  Index row_count(std::size_t element) const { return first_row_[element + 1] - first_row_[element]; }

  const Delassus& G() const { return G_; }
  const Vec& gamma_minus() const { return gamma_minus_; }

  // wᵀM⁻¹w of every row before the bilateral constraints are eliminated: positive, and the natural unit
  // that turns velocities into impulses even where the constraints leave a direction no freedom.
  const Vec& compliance() const { return compliance_; }

  Vec velocity_after(const Vec& Lambda) const;
  void velocity_after(const Vec& Lambda, Vec& u_plus) const;
  Vec bilateral_impulses(const Vec& Lambda) const;  // one entry a bilateral element, in their order
  double kinetic_energy(const Vec& u) const;

  bool has_bilaterals() const { return B_.count() > 0; }
  const Rows& bilateral_rows() const { return B_; }  // one a bilateral element, in their order

  // The same system with some of its contacts and clutches, in their order, and another velocity before the impact.
  ImpactProblem subproblem(const std::vector<std::size_t>& elements, const Vec& u_minus) const;

  // The same impact with one coefficient of restitution for all contacts; clutches and tangents keep theirs.
  ImpactProblem with_restitution(double epsilon) const;

  // An orthonormal basis (columns, in white coordinates) of the motions the bilateral constraints leave.
  Mat free_motions() const;
  Mat white_directions() const;        // W̃, dense
  Vec to_white(const Vec& u) const;    // v = Lᵀu
  Vec from_white(const Vec& v) const;  // u = L⁻ᵀv

 private:
  struct Space;  // mass matrix, its factor and the eliminated constraints; shared by subproblems

  void build(const Vec& u_minus);
  void build_on_constraints(const Space& space);
  void collect_directions();
  Space& own_space();
  void update_gamma();
  void index_rows();

  std::shared_ptr<Space> space_;  // not changed while it is shared
  std::vector<Element> elements_;
  std::vector<Index> first_row_;
  Vec u_minus_;
  Vec gamma_minus_;
  Vec compliance_;
  Rows W_, B_;
  Mat W_white_;  // W̃ where there are bilateral elements
  Delassus G_;
};

}  // namespace carom
