#include "solvers/certificates/system.h"

#include <iterator>

#include "solvers/certificates/restitution_matrix.h"

namespace carom {

std::vector<Certificate> system_certificates(const ImpactProblem& problem) {
  std::vector<Certificate> list;
  for (auto* family : {delassus_certificates, contact_lcp_certificates, painleve_certificates}) {
    std::vector<Certificate> part = family(problem);
    std::move(part.begin(), part.end(), std::back_inserter(list));
  }
  list.push_back(u_property(problem));
  return list;
}

}  // namespace carom
