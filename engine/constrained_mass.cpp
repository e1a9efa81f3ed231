#include "engine/constrained_mass.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr Index most_dense_stiffness = 60;  // coordinates
constexpr Index most_dense_joint_rows = 24;
constexpr Index most_dense_coordinates = 600;

bool are_same(const SparseLdlt::Entries& a, const SparseLdlt::Entries& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.row() == y.row() && x.col() == y.col() && x.value() == y.value();
  });
}

// All coordinates of the blocks that a joint touches, so that the entries come at the same places also where one of
// them passes through zero, as when a link that lay flat is lifted.
void add_joint(Rows::Row joint, int row, const MassMatrix& M, SparseLdlt::Entries& entries) {
  for (const Rows::Entry* own = joint.begin(); own != joint.end();) {
    const Index block = M.block_of(own->column), first = M.offset(block), end = first + M.block_size(block);
    const Rows::Entry* const next = std::find_if(
        own, joint.end(), [&](const Rows::Entry& entry) { return entry.column < first || entry.column >= end; });
    for (Index column = first; column < end; ++column) {
      double value = 0;
      for (const Rows::Entry* entry = own; entry != next; ++entry)
        if (entry->column == column) value += entry->value;
      entries.emplace_back(row, static_cast<int>(column), value);
      entries.emplace_back(static_cast<int>(column), row, value);
    }
    own = next;
  }
}

}  // namespace

bool ConstrainedMass::set_mass(const MassMatrix& M, const ForceGradient* gradient, double damping_weight,
                               double stiffness_weight) {
  M_ = &M;
  stiffened_ = gradient && !gradient->empty();
  if (!stiffened_) return true;
  few_ = M.size() <= most_dense_stiffness;
  return few_ ? stiffen_dense(*gradient, damping_weight, stiffness_weight)
              : stiffen_sparse(*gradient, damping_weight, stiffness_weight);
}

bool ConstrainedMass::stiffen_dense(const ForceGradient& gradient, double damping_weight, double stiffness_weight) {
  A_dense_.setZero(M_->size(), M_->size());
  for (Index b = 0; b < M_->block_count(); ++b)
    A_dense_.block(M_->offset(b), M_->offset(b), M_->block_size(b), M_->block_size(b)) = M_->block(b);
  for (const auto& entry : gradient.damping) A_dense_(entry.row, entry.column) += damping_weight * entry.value;
  for (const auto& entry : gradient.stiffness) A_dense_(entry.row, entry.column) += stiffness_weight * entry.value;
  dense_factor_.compute(A_dense_);
  return dense_factor_.info() == Eigen::Success;
}

bool ConstrainedMass::stiffen_sparse(const ForceGradient& gradient, double damping_weight, double stiffness_weight) {
  const MassMatrix& M = *M_;
  SparseLdlt::Entries& entries = A_entries_;
  entries.clear();
  const auto add = [&](Index row, Index column, double value) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  for (Index b = 0; b < M.block_count(); ++b)
    for (Index i = 0; i < M.block_size(b); ++i)
      for (Index j = 0; j < M.block_size(b); ++j) add(M.offset(b) + i, M.offset(b) + j, M.block(b)(i, j));
  for (const auto& entry : gradient.damping) add(entry.row, entry.column, damping_weight * entry.value);
  for (const auto& entry : gradient.stiffness) add(entry.row, entry.column, stiffness_weight * entry.value);
  if (are_same(entries, factored_entries_)) return true;  // springs along fixed lines answer alike in every step
  const bool definite = A_factor_.factor(M.size(), entries) && A_factor_.pivots().minCoeff() > 0;
  if (definite) A_roots_ = A_factor_.pivots().cwiseSqrt();
  if (definite) factored_entries_ = entries;
  if (!definite) factored_entries_.clear();
  return definite;
}

void ConstrainedMass::set_joints(const Rows& B) {
  B_ = B;
  joint_count_ = B.count();
  if (joint_count_ == 0) return;
  large_ = joint_count_ > most_dense_joint_rows || M_->size() > most_dense_coordinates;
  if (large_) return assemble_large(B);

  white_.resize(M_->size(), joint_count_);
  column_scale_.resize(joint_count_);
  for (Index j = 0; j < joint_count_; ++j) {
    work_.setZero(M_->size());
    B.add_to(work_, j, 1);
    whiten(work_);
    const double length = work_.norm();
    column_scale_(j) = length > 0 ? 1 / length : 0;
    white_.col(j) = work_ * column_scale_(j);
  }
  qr_.setThreshold(rank_tolerance);
  qr_.compute(white_);
  Q_.setIdentity(M_->size(), qr_.rank());
  qr_.householderQ().applyThisOnTheLeft(Q_, row_work_);
}

void ConstrainedMass::solve_stiffened(Vec& x) const {
  if (few_) {
    dense_factor_.solveInPlace(x);
  } else {
    whiten(x);
    unwhiten(x);
  }
}

void ConstrainedMass::whiten(Vec& x) const {
  if (stiffened_ && few_) {
    dense_factor_.matrixL().solveInPlace(x);
  } else if (stiffened_) {
    A_factor_.forward(x);
    x.array() /= A_roots_.array();
  } else {
    M_->whiten(x);
  }
}

void ConstrainedMass::unwhiten(Vec& x) const {
  if (stiffened_ && few_) {
    dense_factor_.matrixU().solveInPlace(x);
  } else if (stiffened_) {
    x.array() /= A_roots_.array();
    A_factor_.backward(x);
  } else {
    M_->unwhiten(x);
  }
}

void ConstrainedMass::multiply(const Vec& x, Vec& y) const {
  if (stiffened_ && few_) {
    y.noalias() = A_dense_ * x;
  } else if (stiffened_) {
    y.setZero(x.size());
    for (const auto& entry : A_entries_) y(entry.row()) += entry.value() * x(entry.col());
  } else {
    M_->multiply(x, y);
  }
}

// The least white z with (L⁻¹B)ᵀz = missing: z = Qy, Rᵀy = missing (scaled and permuted), its first rank rows.
void ConstrainedMass::correct_dense(const Vec& missing, Vec& delta) {
  const Index rank = qr_.rank();
  scaled_ = missing.cwiseProduct(column_scale_);
  permuted_.noalias() = qr_.colsPermutation().transpose() * scaled_;
  along_ = permuted_.head(rank);
  qr_.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solveInPlace(along_);
  held_ += along_;
  work_.noalias() = Q_ * along_;
  unwhiten(work_);
  delta += work_;
}

// L⁻¹Bλ = Q held, by rows that span it.
void ConstrainedMass::find_joint_impulses(Eigen::Ref<Vec> lambda) {
  if (large_) {
    lambda = -kkt_x_.tail(joint_count_);
    return;
  }
  const Index rank = qr_.rank();
  permuted_.setZero(joint_count_);
  permuted_.head(rank) = held_;
  auto along = permuted_.head(rank);
  qr_.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(along);
  lambda.noalias() = qr_.colsPermutation() * permuted_;
  lambda.array() *= column_scale_.array();
}

void ConstrainedMass::assemble_large(const Rows& B) {
  const Index n = M_->size();
  SparseLdlt::Entries& entries = kkt_entries_;
  entries.clear();
  double smallest_compliance = HUGE_VAL;
  for (Index b = 0; b < M_->block_count(); ++b) {
    for (Index i = 0; i < M_->block_size(b); ++i) {
      smallest_compliance = std::min(smallest_compliance, 1 / M_->block(b)(i, i));
      if (stiffened_) continue;
      for (Index j = 0; j < M_->block_size(b); ++j)
        entries.emplace_back(static_cast<int>(M_->offset(b) + i), static_cast<int>(M_->offset(b) + j),
                             M_->block(b)(i, j));
    }
  }
  if (stiffened_ && few_) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        if (A_dense_(i, j) != 0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), A_dense_(i, j));
  } else if (stiffened_) {
    entries.insert(entries.end(), A_entries_.begin(), A_entries_.end());
  }
  for (Index j = 0; j < B.count(); ++j) {
    add_joint(B[j], static_cast<int>(n + j), *M_, entries);
    entries.emplace_back(static_cast<int>(n + j), static_cast<int>(n + j), -1e-10 * smallest_compliance);
  }
  kkt_factor_.factor(n + B.count(), entries);
}

// Refinement: the κ in the factored system is not in the residual, so it does not stay in the solution.
void ConstrainedMass::solve_large(const Vec& f, const Vec& r, Vec& delta) {
  const Index n = M_->size();
  Vec& x = kkt_x_;
  x.setZero(n + joint_count_);
  rhs_.resize(n + joint_count_);
  for (int pass = 0; pass < 8; ++pass) {
    // With y = −λ: A δ + B y = f, Bᵀδ = r.
    work_ = x.head(n);
    multiply(work_, product_);
    rhs_.head(n) = f - product_;
    for (Index j = 0; j < joint_count_; ++j) {
      rhs_(n + j) = r(j) - B_.dot(j, work_);
      for (const Rows::Entry& entry : B_[j]) rhs_(entry.column) -= entry.value * x(n + j);
    }
    const double before = rhs_.tail(joint_count_).norm();
    kkt_factor_.solve_in_place(rhs_);
    x += rhs_;
    if (pass > 0 && before <= 1e-15 * (1 + r.norm())) break;
  }
  delta = x.head(n);
}

void ConstrainedMass::solve(const Vec& f, const Vec& r, Vec& delta) {
  if (joint_count_ > 0 && large_) return solve_large(f, r, delta);
  delta = f;
  solve_free(delta);
  if (joint_count_ == 0) return;
  held_.setZero(qr_.rank());
  // Twice: the second pass removes what the first one rounds off.
  for (int pass = 0; pass < 2; ++pass) {
    missing_.resize(joint_count_);
    for (Index j = 0; j < joint_count_; ++j) missing_(j) = r(j) - B_.dot(j, delta);
    correct_dense(missing_, delta);
  }
}

void ConstrainedMass::respond_on_joints(Vec& f) {
  no_rate_.setZero(joint_count_);
  solve(f, no_rate_, response_);
  f = response_;
}

void ConstrainedMass::shift(const Vec& r, Vec& delta) {
  no_force_.setZero(M_->size());
  solve(no_force_, r, delta);
}

void ConstrainedMass::project(const Vec& b, Vec& u) {
  if (!has_joints()) return;
  miss_ = b;
  for (Index j = 0; j < joint_count_; ++j) miss_(j) -= B_.dot(j, u);
  shift(miss_, shift_);
  u += shift_;
}

}  // namespace carom
