#include "tests/support/kane_pendulum.h"

#include <cmath>
#include <string>

#include "models/closed_form/pendulum.h"

namespace carom::testing {

namespace {

Contact tip_contact(Vec normal, const Vec& tangent, const KanePendulum& pendulum) {
  Contact contact;
  contact.normal = std::move(normal);
  contact.tangent = tangent.transpose();
  contact.friction = Vec::Constant(1, pendulum.friction);
  contact.restitution = pendulum.restitution;
  return contact;
}

}  // namespace

ImpactProblem KanePendulum::in_angles() const {
  ContactCoefficients rough;  // so that the tangent is among the rows, whatever the friction
  rough.friction.setOnes();
  const PlanarChain chain =
      pendulum_on_floor({Link::rod("upper", length, mass), Link::rod("lower", length, mass)}, 0, 0, rough);
  const Vec q = Eigen::Vector2d(angle1, angle2), u = Eigen::Vector2d(speed1, speed2);
  MassMatrix M;
  chain.mass(q, M);
  Contacts contacts;
  chain.contacts(q, u, 0, contacts);
  const Mat W = contacts.W.dense(2);
  return ImpactProblem(M.dense(), u, {{"tip", tip_contact(W.row(0), W.row(1), *this)}});
}

Vec KanePendulum::rod_velocities(double u1, double u2) const {
  const double h = length / 2;
  Vec u(6);
  u << h * std::cos(angle1) * u1, h * std::sin(angle1) * u1, u1,
      length * std::cos(angle1) * u1 + h * std::cos(angle2) * u2,
      length * std::sin(angle1) * u1 + h * std::sin(angle2) * u2, u2;
  return u;
}

ImpactProblem KanePendulum::as_hinged_rods() const {
  const double h = length / 2;
  const double J = mass * length * length / 12;
  const Mat M = (Vec(6) << mass, mass, J, mass, mass, J).finished().asDiagonal();
  // A rod hangs from its upper end: with φ from the downward vertical its ends are S ± h (sin φ, −cos φ).
  const double c1 = h * std::cos(angle1), s1 = h * std::sin(angle1);
  const double c2 = h * std::cos(angle2), s2 = h * std::sin(angle2);
  const auto row = [](double a, double b, double c, double d, double e, double f) {
    return Vec((Vec(6) << a, b, c, d, e, f).finished());
  };
  const std::vector<Element> elements = {
      {"tip", tip_contact(row(0, 0, 0, 0, 1, s2), row(0, 0, 0, -1, 0, -c2), *this)},
      {"ceiling x", Bilateral{row(1, 0, -c1, 0, 0, 0)}},
      {"ceiling y", Bilateral{row(0, 1, -s1, 0, 0, 0)}},
      {"hinge x", Bilateral{row(1, 0, c1, -1, 0, c2)}},
      {"hinge y", Bilateral{row(0, 1, s1, 0, -1, s2)}},
  };
  return ImpactProblem(M, rod_velocities(speed1, speed2), elements);
}

}  // namespace carom::testing
