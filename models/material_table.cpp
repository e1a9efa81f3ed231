#include "models/material_table.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace carom {

void check_coefficients(const ContactCoefficients& coefficients, const std::string& who) {
  if (!(coefficients.friction.minCoeff() >= 0) || !coefficients.friction.allFinite() || !(coefficients.stiffness > 0) ||
      !std::isfinite(coefficients.restitution) || !std::isfinite(coefficients.tangential_restitution))
    throw std::invalid_argument(who + ": friction is at least 0, stiffness positive and restitution a number");
}

MaterialTable::MaterialTable(const AssemblyDescription& description) {
  std::map<std::string, std::size_t> numbers;
  for (const BodyDescription& body : description.bodies)
    material_.push_back(numbers.try_emplace(body.material, numbers.size()).first->second);
  count_ = numbers.size();
  coefficients_.resize(count_ * count_);
  std::vector<int> specificity(count_ * count_, -1);
  for (const MaterialPair& pair : description.materials) {
    check_coefficients(pair.coefficients, "materials '" + pair.first + "' and '" + pair.second + "'");
    const auto matches = [](const std::string& given, const std::string& name) {
      return given == "*" || given == name;
    };
    const int named = (pair.first != "*") + (pair.second != "*");
    for (const auto& [first, i] : numbers) {
      for (const auto& [second, j] : numbers) {
        const bool fits = (matches(pair.first, first) && matches(pair.second, second)) ||
                          (matches(pair.first, second) && matches(pair.second, first));
        if (!fits || named < specificity[i * count_ + j]) continue;
        specificity[i * count_ + j] = named;
        coefficients_[i * count_ + j] = pair.coefficients;
      }
    }
  }
}

const ContactCoefficients& MaterialTable::operator()(int body_a, int body_b) const {
  return coefficients_[material_[static_cast<std::size_t>(body_a)] * count_ +
                       material_[static_cast<std::size_t>(body_b)]];
}

}  // namespace carom
