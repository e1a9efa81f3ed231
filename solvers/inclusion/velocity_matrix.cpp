#include "solvers/inclusion/velocity_matrix.h"

#include <algorithm>

namespace carom {

using Contact = ContactDirections::Contact;

template <class Visit>
void VelocityMatrix::visit_pairs(Visit visit) const {
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Contact& contact = contacts_[i];
    for (std::size_t b = 0; b < contact.coordinates; ++b)
      for (std::size_t a = 0; a < contact.coordinates; ++a) {
        const Index row = contacts_.coordinate(contact, a), column = contacts_.coordinate(contact, b);
        if (row >= column) visit(i, a, b, row, column);
      }
  }
}

VelocityMatrix::VelocityMatrix(const ContactDirections& contacts)
    : contacts_(contacts), matrix_(contacts.velocity_size(), contacts.velocity_size()) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < matrix_.rows(); ++k) entries.emplace_back(k, k, 0.0);
  visit_pairs(
      [&](std::size_t, std::size_t, std::size_t, Index row, Index column) { entries.emplace_back(row, column, 0.0); });
  matrix_.setFromTriplets(entries.begin(), entries.end());
  for (Index k = 0; k < matrix_.rows(); ++k) diagonal_.push_back(&matrix_.coeffRef(k, k));
  visit_pairs([&](std::size_t, std::size_t, std::size_t, Index row, Index column) {
    slots_.push_back(&matrix_.coeffRef(row, column));
  });
  ldlt_.analyzePattern(matrix_);
}

bool VelocityMatrix::factor(const std::vector<Eigen::Matrix3d>& K) {
  if (factored_ == K) return true;
  assemble(K);
  ldlt_.factorize(matrix_);
  const bool definite = ldlt_.info() == Eigen::Success;
  if (definite) {
    factored_ = K;
  } else {
    factored_.clear();
  }
  return definite;
}

void VelocityMatrix::assemble(const std::vector<Eigen::Matrix3d>& K) {
  std::fill(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(), 0.0);
  for (double* entry : diagonal_) *entry = 1;
  auto slot = slots_.begin();
  visit_pairs([&](std::size_t i, std::size_t a, std::size_t b, Index, Index) {
    const Contact& contact = contacts_[i];
    **slot++ += contacts_.direction(contact, a).dot(K[i] * contacts_.direction(contact, b));
  });
}

}  // namespace carom
