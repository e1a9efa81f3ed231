// The papers' systems, as the certificates' tests need them.

#pragma once

#include <cmath>

#include "tests/support/kane_pendulum.h"
#include "tests/support/random_problem.h"

namespace carom::testing {

inline Contact contact_of(const Vec& normal, const Mat& tangent, double restitution, double friction) {
  Contact contact;
  contact.normal = normal;
  contact.tangent = tangent;
  contact.friction = Vec::Constant(tangent.rows(), friction);
  contact.restitution = restitution;
  return contact;
}

inline Contact smooth_contact(const Vec& normal, double restitution) {
  return contact_of(normal, Mat(0, normal.size()), restitution, 0);
}

// Kane's double pendulum (Glocker 2014, sect. 9.2).
inline ProblemParts kane(double restitution, double friction) {
  const ImpactProblem problem = KanePendulum{.restitution = restitution, .friction = friction}.in_angles();
  return {problem.M(), problem.u_minus(), problem.elements()};
}

// Equal balls in a row, one contact between neighbours.
inline ProblemParts balls(int count, double restitution) {
  ProblemParts parts;
  parts.M = Mat::Identity(count, count);
  parts.u_minus = Vec::Unit(count, 0);
  for (int k = 0; k + 1 < count; ++k) {
    const Vec normal = Vec::Unit(count, k + 1) - Vec::Unit(count, k);
    parts.elements.push_back({"c" + std::to_string(k + 1), smooth_contact(normal, restitution)});
  }
  return parts;
}

// Two unit normals with kinetic cosine a between them.
inline ProblemParts two_contacts(double a, double e1, double e2) {
  const Vec first = Eigen::Vector2d(1, 0);
  const Vec second = Eigen::Vector2d(a, std::sqrt(1 - a * a));
  return {
      Mat::Identity(2, 2), -first - second, {{"one", smooth_contact(first, e1)}, {"two", smooth_contact(second, e2)}}};
}

// The inhomogeneous bar (Glocker 2014, sect. 10.2).
inline ProblemParts bar(double alpha, double u, double v, double mu) {
  const Mat M = Eigen::Vector3d(1, 1, 1 / alpha).asDiagonal();
  return {M,
          Eigen::Vector3d(-u, -v, v),
          {{"wall", contact_of(Eigen::Vector3d(1, 0, 0), Eigen::RowVector3d(0, 1, -1), 0, mu)},
           {"floor", smooth_contact(Eigen::Vector3d(0, 1, 1), 1)}}};
}

// A rod of half length 1 and mass 1, its tip on a plane (Brogliato 2012, sect. 2.3.3).
inline ProblemParts rod(double theta, double friction, double slip) {
  const Mat M = Eigen::Vector3d(1, 1, 1.0 / 3).asDiagonal();
  const Vec normal = Eigen::Vector3d(0, 1, -std::cos(theta));
  const Mat tangent = Eigen::RowVector3d(1, 0, std::sin(theta));
  return {M, Eigen::Vector3d(slip, -1, 0), {{"tip", contact_of(normal, tangent, 0, friction)}}};
}

// A disk of radius 1 in a corner (Brogliato 2012, sect. 2.3.6), slipping at both contacts.
inline ProblemParts corner(double mu1, double mu2, double slip1, double slip2) {
  return {Mat::Identity(3, 3),
          Eigen::Vector3d(slip1, slip2, 0),
          {{"floor", contact_of(Eigen::Vector3d(0, 1, 0), Eigen::RowVector3d(1, 0, 1), 0, mu1)},
           {"wall", contact_of(Eigen::Vector3d(1, 0, 0), Eigen::RowVector3d(0, 1, 1), 0, mu2)}}};
}

// The slide-push mechanism (Glocker 2014, sect. 9.1).
inline ProblemParts slide_push(double clutch_restitution) {
  return {Mat::Identity(2, 2),
          Eigen::Vector2d(-1, 0),
          {{"A", smooth_contact(Eigen::Vector2d(1, 0), 1)}, {"B", Clutch{Eigen::Vector2d(-1, 1), clutch_restitution}}}};
}

}  // namespace carom::testing
