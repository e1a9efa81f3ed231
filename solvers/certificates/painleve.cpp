#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "solvers/certificates/contact_coupling.h"
#include "solvers/certificates/system.h"

namespace carom {

namespace {

// G_NN + G_NT·f of the contact as it slides, relative to G_NN: (85) with the sign of the slip.
std::optional<double> stiffness_as_it_slides(const ImpactProblem& problem, std::size_t i) {
  const Contact& contact = *problem.elements()[i].contact();
  const Index row = problem.first_row(i);
  const Vec v = problem.gamma_minus().segment(row + 1, contact.friction.size());
  const Vec scaled = contact.friction.cwiseProduct(v);
  if (!(scaled.norm() > rounding * largest(problem.gamma_minus()))) return std::nullopt;
  const Vec f = -contact.friction.cwiseProduct(scaled) / scaled.norm();
  double push = 0;
  for (Index k = 0; k < f.size(); ++k) push += problem.G()(row, row + 1 + k) * f(k);
  return 1 + push / problem.G()(row, row);
}

Certificate critical_friction(const ImpactProblem& problem, std::size_t i) {
  const Element& element = problem.elements()[i];
  Certificate certificate{.name = fmt::format("Painlevé, {}", element.name),
                          .source = "Brogliato 2012 (85), Proposition 12",
                          .statement =
                              "in this configuration friction below μ_c = G_NN/|G_NT| cannot lock the sliding contact, "
                              "whichever way it slides"};
  const Contact& contact = *element.contact();
  if (!contact.has_friction()) return certificate.not_applicable("there is no friction");
  if (problem.G()(problem.first_row(i), problem.first_row(i)) == 0)
    return certificate.not_applicable("the contact cannot move along its normal");
  const double coupling = friction_coupling(problem, i);
  const bool isotropic = contact.friction.minCoeff() == contact.friction.maxCoeff();
  if (coupling == 0) return certificate.judged(true, "friction does not push the contact: no critical friction");
  if (isotropic) {
    const double critical = contact.friction(0) / coupling;
    certificate.with(below("μ", contact.friction(0), critical))
        .with(plain("distance μ_c − μ", critical - contact.friction(0)));
  }
  certificate.with(below("μ/μ_c", coupling, 1));
  const std::optional<double> here = stiffness_as_it_slides(problem, i);
  if (here) certificate.with(plain("1 + G_NT·f/G_NN as it slides now", *here));
  return certificate.judged(coupling < 1, coupling < 1        ? "friction is below the critical one"
                                          : here && *here > 0 ? "locks if it slides the other way; not as it slides now"
                                          : here ? "locks as it slides now: no solution, or several, in contact"
                                                 : "locks if it begins to slide the wrong way");
}

}  // namespace

std::vector<Certificate> painleve_certificates(const ImpactProblem& problem) {
  std::vector<Certificate> list;
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (problem.elements()[i].contact() && problem.elements()[i].contact()->has_friction())
      list.push_back(critical_friction(problem, i));
  return list;
}

}  // namespace carom
