// How velocities answer to impulses on the manifold of the joints:
//
//   A δ = f + Bλ,    Bᵀδ = r,    A = M + hθC + h²θ²K
//
// A is the mass matrix, stiffened by the forces of an implicit step where there are springs. Redundant joints are
// legal: few rows are decomposed rank-revealingly in white coordinates, L⁻¹B with A = LLᵀ; many are kept sparse in
// the quasi-definite system [A B; Bᵀ −κ], whose small κ makes redundant rows harmless and is refined away.

#pragma once

#include "engine/linear_algebra.h"
#include "engine/mass_matrix.h"
#include "engine/rows.h"
#include "engine/sparse_ldlt.h"
#include "engine/system.h"

namespace carom {

class ConstrainedMass {
 public:
  // False if A is not positive definite. `gradient` may be null or empty; M must be factored and outlive this.
  bool set_mass(const MassMatrix& M, const ForceGradient* gradient, double damping_weight, double stiffness_weight);
  void set_joints(const Rows& B);

  void solve_free(Vec& x) const {  // x ← A⁻¹x, joints left aside
    stiffened_ ? solve_stiffened(x) : M_->solve_in_place(x);
  }

  // The change of velocity.
  void solve(const Vec& f, const Vec& r, Vec& delta);
  void find_joint_impulses(Eigen::Ref<Vec> lambda);  // λ of the last solution
  void respond(Vec& f) {                             // f ← δ for r = 0
    joint_count_ > 0 ? respond_on_joints(f) : solve_free(f);
  }
  // The least motion in the metric of A with Bᵀδ = r.
  void shift(const Vec& r, Vec& delta);
  void project(const Vec& b, Vec& u);  // u by it onto Bᵀu = b

  void multiply(const Vec& x, Vec& y) const;  // y = A x
  bool is_block_diagonal() const { return !stiffened_; }
  bool has_joints() const { return joint_count_ > 0; }

 private:
  bool stiffen_dense(const ForceGradient& gradient, double damping_weight, double stiffness_weight);
  bool stiffen_sparse(const ForceGradient& gradient, double damping_weight, double stiffness_weight);
  void solve_stiffened(Vec& x) const;
  void respond_on_joints(Vec& f);
  void whiten(Vec& x) const;    // x ← L⁻¹x
  void unwhiten(Vec& x) const;  // x ← L⁻ᵀx
  void correct_dense(const Vec& missing, Vec& delta);
  void assemble_large(const Rows& B);
  void solve_large(const Vec& f, const Vec& r, Vec& delta);

  const MassMatrix* M_ = nullptr;
  bool stiffened_ = false;
  bool few_ = false;  // coordinates: A is dense, otherwise sparse
  Mat A_dense_;
  Eigen::LLT<Mat> dense_factor_;
  SparseLdlt::Entries A_entries_, factored_entries_;  // of A as it is asked for, and as it is factored
  SparseLdlt A_factor_;
  Vec A_roots_;  // of its pivots

  Index joint_count_ = 0;
  Rows B_;
  bool large_ = false;
  Mat white_;                           // L⁻¹B, columns scaled to length one
  Eigen::ColPivHouseholderQR<Mat> qr_;  // of it
  Mat Q_;
  Vec column_scale_;
  SparseLdlt::Entries kkt_entries_;
  SparseLdlt kkt_factor_;
  Vec kkt_x_, product_;
  Vec rhs_, missing_, work_, scaled_, permuted_, along_, held_, response_, no_rate_, no_force_;  // held_: of all passes
  Vec miss_, shift_;  // of a velocity off the joints
  Eigen::RowVectorXd row_work_;
};

}  // namespace carom
