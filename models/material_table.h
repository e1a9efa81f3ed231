// Contact coefficients by pairs of materials.

#pragma once

#include <string>
#include <vector>

#include "models/assembly.h"

namespace carom {

// std::invalid_argument with a sentence that begins with `who`.
void check_coefficients(const ContactCoefficients& coefficients, const std::string& who);

// Coefficients by the materials of two bodies. The most specific pair wins: both named, one named, none ("*", "*");
// among equals the one given last. Nothing given: no restitution, no friction.
class MaterialTable {
 public:
  explicit MaterialTable(const AssemblyDescription& description);
  const ContactCoefficients& operator()(int body_a, int body_b) const;

 private:
  std::vector<std::size_t> material_;  // of each body
  std::size_t count_ = 0;
  std::vector<ContactCoefficients> coefficients_;  // count × count
};

}  // namespace carom
