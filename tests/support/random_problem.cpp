#include "tests/support/random_problem.h"

#include <string>

namespace carom::testing {

Vec Random::vector(Index n) {
  Vec v(n);
  for (double& x : v) x = normal();
  return v;
}

Mat Random::mass_matrix(Index n) {
  Mat A(n, n);
  for (Index i = 0; i < n; ++i) A.row(i) = vector(n).transpose();
  return A * A.transpose() + 0.3 * Mat::Identity(n, n);
}

namespace {

Index tangent_count(FrictionKind friction) {
  return friction == FrictionKind::none ? 0 : friction == FrictionKind::line ? 1 : 2;
}

Contact random_contact(Random& random, Index n, const RandomOptions& options, double common_restitution) {
  Contact contact;
  contact.normal = random.vector(n);
  const Index tangents = tangent_count(options.friction);
  contact.tangent.resize(tangents, n);
  contact.friction.resize(tangents);
  for (Index k = 0; k < tangents; ++k) {
    contact.tangent.row(k) = random.vector(n).transpose();
    contact.friction(k) = k > 0 && options.friction == FrictionKind::disc
                              ? contact.friction(0)
                              : random.uniform(0.05, options.largest_friction);
  }
  contact.restitution = options.equal_restitution ? common_restitution : random.uniform(0, 1);
  if (options.equal_restitution) contact.tangential_restitution = common_restitution;
  if (options.tangential_restitution && !options.equal_restitution)
    contact.tangential_restitution = random.uniform(0, contact.restitution);
  contact.stiffness = std::exp(random.uniform(-2, 2));
  return contact;
}

// The nearest velocity (kinetically) on the manifold of the bilateral constraints.
Vec projected(const Mat& M, const Vec& u, const std::vector<Element>& elements) {
  Mat B(u.size(), 0);
  for (const Element& element : elements) {
    if (!element.bilateral()) continue;
    B.conservativeResize(Eigen::NoChange, B.cols() + 1);
    B.rightCols(1) = element.bilateral()->direction;
  }
  if (B.cols() == 0) return u;
  const Mat MiB = M.llt().solve(B);
  return u - MiB * (B.transpose() * MiB).ldlt().solve(B.transpose() * u);
}

}  // namespace

ProblemParts random_problem(std::uint64_t seed, const RandomOptions& options) {
  Random random(seed);
  const Index tangents = tangent_count(options.friction);
  const Index rows = options.contacts * (1 + tangents) + options.clutches + options.bilaterals;
  const Index n = rows + random.integer(0, 2);
  ProblemParts parts;
  parts.M = random.mass_matrix(n);
  const double common = random.uniform(0, 1);
  for (int k = 0; k < options.bilaterals; ++k)
    parts.elements.push_back({"hinge" + std::to_string(k + 1), Bilateral{random.vector(n)}});
  for (int k = 0; k < options.contacts; ++k)
    parts.elements.push_back({"contact" + std::to_string(k + 1), random_contact(random, n, options, common)});
  for (int k = 0; k < options.clutches; ++k)
    parts.elements.push_back({"clutch" + std::to_string(k + 1), Clutch{random.vector(n), 0.0}});
  parts.u_minus = projected(parts.M, random.vector(n), parts.elements);
  if (options.approaching) {  // a direction may be turned round without changing anything else
    for (Element& element : parts.elements) {
      if (auto* contact = std::get_if<Contact>(&element.kind); contact && contact->normal.dot(parts.u_minus) > 0)
        contact->normal *= -1;
      if (auto* clutch = std::get_if<Clutch>(&element.kind); clutch && clutch->direction.dot(parts.u_minus) < 0)
        clutch->direction *= -1;
    }
  }
  return parts;
}

}  // namespace carom::testing
