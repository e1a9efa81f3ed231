#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/certificates/island.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/certificates/system.h"

namespace carom {

namespace {

constexpr double dependent_direction = 1e-10;  // relative eigenvalue below which a direction depends on the others
constexpr std::size_t most_angles = 45;

Certificate spectrum(const ContactIsland& all) {
  Certificate certificate{.name = "Delassus operator",
                          .source = "Glocker 2014 (44); on the manifold of the bilateral elements",
                          .statement =
                              "G = WᵀM⁻¹W of the rows that can carry an impulse is regular: impulses follow from "
                              "velocities"};
  if (all.rows.empty()) return certificate.not_applicable("nothing can collide");
  const Vec lambda = eigenvalues(all.G);
  const Vec unit = eigenvalues(unit_diagonal(all.G));
  const Index n = lambda.size();
  const Index rank = (unit.array() > dependent_direction * unit(n - 1)).count();
  certificate.with(plain("smallest eigenvalue", std::max(0.0, lambda(0))))
      .with(plain("largest eigenvalue", lambda(n - 1)));
  certificate.with(plain("reciprocal condition number", std::max(0.0, lambda(0)) / lambda(n - 1)));
  certificate.with(plain("condition number", lambda(0) > 0 ? lambda(n - 1) / lambda(0) : HUGE_VAL));
  certificate.with(plain("condition number (rows of unit length)", unit(0) > 0 ? unit(n - 1) / unit(0) : HUGE_VAL));
  certificate.with({"rank", static_cast<double>(rank), "=", static_cast<double>(n)});
  return certificate.judged(
      rank == n, rank == n ? fmt::format("{} independent rows", n)
                           : fmt::format("{} of {} rows are redundant: they share their impulses in more than one way",
                                         n - rank, n));
}

Certificate kinetic_angles(const ImpactProblem& problem, const ContactIsland& all) {
  Certificate certificate{.name = "kinetic angles",
                          .source = "Brogliato 2012 (21), (22)",
                          .statement =
                              "θ_ij = π − arccos of the normals' kinetic cosine. None above π/2 (G_ij ≤ 0): G⁻¹ ≥ 0, "
                              "and a nonnegative restitution matrix only pushes (the text before Definition 1 "
                              "prints ≥)"};
  std::vector<Index> rows;
  std::vector<std::string> names;
  for (std::size_t i : all.elements) {
    if (!problem.elements()[i].contact()) continue;
    const Index row = problem.first_row(i);
    if (problem.G()(row, row) == 0) continue;
    rows.push_back(row);
    names.push_back(problem.elements()[i].name);
  }
  if (rows.size() < 2) return certificate.not_applicable("there are not two contacts");
  double widest = 0;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const double cosine =
          problem.G()(rows[i], rows[j]) / std::sqrt(problem.G()(rows[i], rows[i]) * problem.G()(rows[j], rows[j]));
      const double angle = std::numbers::pi - std::acos(std::clamp(cosine, -1.0, 1.0));
      widest = std::max(widest, angle);
      if (listed++ < most_angles)
        certificate.with(plain(fmt::format("θ of {} and {}, rad", names[i], names[j]), angle));
    }
  }
  certificate.with(at_most("widest, rad", widest, std::numbers::pi / 2 + 1e-12));
  return certificate.judged(widest <= std::numbers::pi / 2 + 1e-12, widest <= std::numbers::pi / 2 + 1e-12
                                                                        ? "an impulse at one contact presses the others"
                                                                        : "an impulse at one contact opens another");
}

}  // namespace

std::vector<Certificate> delassus_certificates(const ImpactProblem& problem) {
  const ContactIsland all = all_contacts(problem);
  return {spectrum(all), kinetic_angles(problem, all)};
}

}  // namespace carom
