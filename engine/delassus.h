// The Delassus operator G = WᵀM⁻¹W on the manifold of the bilateral constraints. Laws and solvers ask it for
// entries, rows and products and do not see how it is stored: dense where there are few rows, by its
// nonzeros where there are many. With M = LLᵀ and the white directions W̃ = L⁻¹W it is W̃ᵀW̃, symmetric and
// positive semidefinite by construction, also for redundant contacts.

#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/linear_algebra.h"
#include "engine/mass_matrix.h"
#include "engine/rows.h"

namespace carom {

class Delassus {
 public:
  static constexpr Index largest_dense = 60;  // rows; a sparse row costs more than a dense one of this length

  Delassus() = default;

  // From the force directions in kinetically orthonormal coordinates, projected on the manifold.
  explicit Delassus(const Mat& W_white) { rebuild(W_white); }
  void rebuild(const Mat& W_white) {  // storage is kept for the next time
    version_ = next_version();
    G_.noalias() = W_white.transpose() * W_white;
    size_ = G_.rows();
    sparse_ = is_chain_ = false;
    white_.clear();
  }

  // From its entries, for problems that are posed in contact space.
  static Delassus from_matrix(Mat G);
  void set_matrix(const Mat& G);  // the same in place: storage is kept for the next time

  // From what the directions touch: two rows couple where they share a coordinate of one mass block. The cost is
  // that of the nonzeros of G; storage is kept for the next time. M must have been factored.
  void rebuild(const Rows& W, const MassMatrix& M) {
    set_directions(W, M);
    find_nonzeros();
  }
  // The same, but where there are many rows the nonzeros are found when something first asks for them: residuals and
  // sweeps take W̃ᵀ(W̃Λ) instead. One thread at a time may ask.
  void set_directions(const Rows& W, const MassMatrix& M);

  // The operator of some of the rows, which come in ascending order.
  Delassus restricted(const std::vector<Index>& rows) const;

  Index size() const { return size_; }
  std::uint64_t version() const { return version_; }  // the same as long as all entries are: what is factored may stay
  bool sparse() const { return sparse_; }
  double operator()(Index i, Index j) const { return sparse_ ? sparse_entry(i, j) : G_(i, j); }
  double diagonal(Index i) const;  // G_ii
  double row_dot(Index i, const Vec& Lambda) const {
    if (is_chain_) return chain_dot(i, Lambda).value;
    return sparse_ ? nonzeros().dot(i, Lambda) : G_.col(i).dot(Lambda);
  }
  struct Sum {
    double value = 0, size = 0;  // Σ G_ij Λ_j and Σ |G_ij Λ_j|
  };
  Sum row_sum(Index i, const Vec& Lambda) const { return is_chain_ ? chain_dot(i, Lambda) : any_row_sum(i, Lambda); }
  Eigen::RowVectorXd row_times(Index i, const Mat& X) const;
  Vec operator*(const Vec& Lambda) const;
  Mat times(const Mat& X) const;
  Mat dense() const;  // a copy; for small problems only

  // visit(j, G_ij) for the nonzeros of row i, j ascending.
  template <class Visit>
  void visit_row(Index i, Visit visit) const {
    if (is_chain_) {
      if (i > 0 && G_(1, i - 1) != 0) visit(i - 1, G_(1, i - 1));
      if (G_(0, i) != 0) visit(i, G_(0, i));
      if (G_(1, i) != 0) visit(i + 1, G_(1, i));
    } else if (sparse_) {
      for (const Rows::Entry& entry : nonzeros()[i]) visit(entry.column, entry.value);
    } else {
      for (Index j = 0; j < size_; ++j)
        if (G_(j, i) != 0) visit(j, G_(j, i));
    }
  }

  // The white directions w̃ᵢ, one row each, of an operator that was built from rows; none otherwise.
  bool has_white_rows() const { return white_.count() == size_ && size_ > 0; }
  const Rows& white_rows() const { return white_; }
  Index white_size() const { return white_size_; }

 private:
  static std::uint64_t next_version();  // never the same twice
  double sparse_entry(Index i, Index j) const;
  void whiten(const Rows& W, const MassMatrix& M);
  void restrict_white(const std::vector<Index>& rows, Delassus& part) const;
  void assemble_dense();
  void find_nonzeros() const;
  void find_chain() const;
  Sum chain_dot(Index i, const Vec& Lambda) const {
    const double* const g = G_.data() + 2 * i;
    const double* const x = Lambda.data() + i;
    const double before = i > 0 ? g[-1] * x[-1] : 0, own = g[0] * x[0], next = i + 1 < size_ ? g[1] * x[1] : 0;
    return {before + own + next, std::abs(before) + std::abs(own) + std::abs(next)};
  }
  Sum any_row_sum(Index i, const Vec& Lambda) const;
  const Rows& nonzeros() const {
    if (!nonzeros_are_found_) find_nonzeros();
    return nonzeros_;
  }

  // All entries where there are few rows. Where each of many couples with its neighbours alone, as in a chain, a column
  // (G_ii, G_i,i+1) a row: a third of what its nonzeros take to read, and long chains are as fast as they are read.
  mutable Mat G_;
  mutable Rows nonzeros_;
  mutable bool nonzeros_are_found_ = true;
  Rows white_;
  std::uint64_t version_ = next_version();
  Index size_ = 0;
  Index white_size_ = 0;
  bool sparse_ = false;
  mutable bool is_chain_ = false;

  // Kept from one rebuild to the next.
  Vec coordinates_;
  std::vector<Index> touched_;
  mutable Rows by_coordinate_;  // W̃ by coordinates: the rows that touch each
};

}  // namespace carom
