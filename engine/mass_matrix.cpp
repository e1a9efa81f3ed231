#include "engine/mass_matrix.h"

#include <cmath>

namespace carom {

namespace {

// L of size n, column-major, with its diagonal inverted: a division takes as long as all else together.
void forward(const double* L, Index n, double* y) {  // y ← L⁻¹y
  for (Index k = 0; k < n; ++k, L += n) {
    y[k] *= L[k];
    for (Index i = k + 1; i < n; ++i) y[i] -= L[i] * y[k];
  }
}

void backward(const double* L, Index n, double* y) {  // y ← L⁻ᵀy
  for (Index i = n - 1; i >= 0; --i) {
    for (Index k = i + 1; k < n; ++k) y[i] -= L[i * n + k] * y[k];
    y[i] *= L[i * n + i];
  }
}

void multiply_by_transpose(const double* L, Index n, double* y) {  // y ← Lᵀy
  for (Index i = 0; i < n; ++i, L += n) {
    y[i] /= L[i];
    for (Index k = i + 1; k < n; ++k) y[i] += L[k] * y[k];
  }
}

// M = LLᵀ, both of size n. False if M is not positive definite.
bool factor_dense(const double* M, Index n, double* L) {
  for (Index j = 0; j < n; ++j) {
    double pivot = M[j + j * n];
    for (Index k = 0; k < j; ++k) pivot -= L[j + k * n] * L[j + k * n];
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double inverse = 1 / std::sqrt(pivot);
    L[j + j * n] = inverse;
    for (Index i = j + 1; i < n; ++i) {
      double sum = M[i + j * n];
      for (Index k = 0; k < j; ++k) sum -= L[i + k * n] * L[j + k * n];
      L[i + j * n] = sum * inverse;
    }
  }
  return true;
}

// y = Mx, M of size n, column-major.
void multiply_dense(const double* M, Index n, const double* x, double* y) {
  for (Index i = 0; i < n; ++i) y[i] = M[i] * x[0];
  for (Index k = 1; k < n; ++k) {
    M += n;
    for (Index i = 0; i < n; ++i) y[i] += M[i] * x[k];
  }
}

// Two coordinates.
void multiply_pair(const double* M, const double* x, double* y) {
  const double first = M[0] * x[0] + M[2] * x[1];
  y[1] = M[1] * x[0] + M[3] * x[1];
  y[0] = first;
}

}  // namespace

MassMatrix MassMatrix::diagonal(const Vec& masses) {
  MassMatrix M(std::vector<Index>(static_cast<std::size_t>(masses.size()), 1));
  for (Index i = 0; i < masses.size(); ++i) M.block(i)(0, 0) = masses(i);
  return M;
}

void MassMatrix::resize(const std::vector<Index>& block_sizes) {
  offsets_.assign(1, 0);
  starts_.assign(1, 0);
  block_of_.clear();
  for (Index size : block_sizes) {
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(size), block_count());
    offsets_.push_back(offsets_.back() + size);
    starts_.push_back(starts_.back() + size * size);
  }
  data_.assign(static_cast<std::size_t>(starts_.back()), 0.0);
  factor_.clear();
  is_pair_ = size() == 2 && block_count() == 1;
}

void MassMatrix::set_dense(const Mat& M) {
  if (block_count() != 1 || size() != M.rows()) resize({M.rows()});
  block(0) = M;
}

// M = NDNᵀ with N = (1 0; n 1): solving waits for less than with roots, and as exactly. L = N√D.
bool MassMatrix::factor_pair() {
  Pair& f = pair_;
  f.inverse[0] = 1 / data_[0];
  f.below = data_[1] * f.inverse[0];
  const double pivot = data_[3] - f.below * data_[1];
  f.inverse[1] = 1 / pivot;
  const double root = std::sqrt(f.inverse[1]);
  factor_[0] = std::sqrt(f.inverse[0]);
  factor_[1] = data_[1] * factor_[0];
  factor_[3] = root;
  return data_[0] > 0 && pivot > 0 && std::isfinite(data_[0]) && std::isfinite(pivot);
}

bool MassMatrix::factor() {
  factor_.resize(data_.size());
  if (is_pair_) return factor_pair();
  for (Index b = 0; b < block_count(); ++b) {
    const auto start = static_cast<std::size_t>(starts_[static_cast<std::size_t>(b)]);
    if (!factor_dense(data_.data() + start, block_size(b), factor_.data() + start)) return false;
  }
  return true;
}

void MassMatrix::whiten_block(Index b, double* x) const {
  if (is_pair_) {
    x[0] *= factor_[0];
    x[1] = (x[1] - factor_[1] * x[0]) * factor_[3];
    return;
  }
  forward(factor_.data() + starts_[static_cast<std::size_t>(b)], block_size(b), x);
}

void MassMatrix::whiten(Eigen::Ref<Vec> x) const {
  for (Index b = 0; b < block_count(); ++b) whiten_block(b, x.data() + offset(b));
}

void MassMatrix::unwhiten(Vec& x) const {
  for (Index b = 0; b < block_count(); ++b)
    backward(factor_.data() + starts_[static_cast<std::size_t>(b)], block_size(b), x.data() + offset(b));
}

void MassMatrix::to_white(Vec& x) const {
  for (Index b = 0; b < block_count(); ++b)
    multiply_by_transpose(factor_.data() + starts_[static_cast<std::size_t>(b)], block_size(b), x.data() + offset(b));
}

void MassMatrix::solve_blocks(Vec& x) const {
  if (is_diagonal()) {
    x.array() /= diagonal().array();
    return;
  }
  if (block_count() == 1) return solve_block(0, x.data());
  for (Index b = 0; b < block_count(); ++b) {
    if (block_size(b) == 1) {
      x(offset(b)) /= data_[static_cast<std::size_t>(starts_[static_cast<std::size_t>(b)])];
    } else {
      solve_block(b, x.data() + offset(b));
    }
  }
}

void MassMatrix::solve_block(Index b, double* y) const {
  const double* L = factor_.data() + starts_[static_cast<std::size_t>(b)];
  forward(L, block_size(b), y);
  backward(L, block_size(b), y);
}

void MassMatrix::multiply(const Vec& x, Vec& y) const {
  y.resize(x.size());
  if (is_pair_) return multiply_pair(data_.data(), x.data(), y.data());
  if (is_diagonal()) {
    y = diagonal().cwiseProduct(x);
    return;
  }
  for (Index b = 0; b < block_count(); ++b) {
    const double* M = data_.data() + starts_[static_cast<std::size_t>(b)];
    multiply_dense(M, block_size(b), x.data() + offset(b), y.data() + offset(b));
  }
}

double MassMatrix::kinetic_energy(const Vec& u) const {
  if (is_pair_) return 0.5 * (u(0) * data_[0] * u(0) + (data_[1] + data_[2]) * u(0) * u(1) + u(1) * data_[3] * u(1));
  if (is_diagonal()) return 0.5 * u.cwiseProduct(diagonal()).dot(u);
  double twice = 0;
  for (Index b = 0; b < block_count(); ++b) {
    const Eigen::Map<const Mat> M = block(b);
    for (Index j = 0; j < M.cols(); ++j)
      for (Index i = 0; i < M.rows(); ++i) twice += u(offset(b) + i) * M(i, j) * u(offset(b) + j);
  }
  return 0.5 * twice;
}

Mat MassMatrix::dense() const {
  Mat M = Mat::Zero(size(), size());
  for (Index b = 0; b < block_count(); ++b) M.block(offset(b), offset(b), block_size(b), block_size(b)) = block(b);
  return M;
}

}  // namespace carom
