// One rigid body in the plane, (x, y, angle) of its centre of mass, or a particle (x, y), that touches half planes with
// points or round corners:
//
//   M = diag(m, m, J),   F = (m a, 0),
//   contact point  P = r + A(φ) s − R n,   gap  g = n·(P − p),   rows  (n, n·∂(As)/∂φ),  (t, t·(ẑ × (P − r))),
//
// s a point of the body, R the radius of the material around it, p a point of the plane, n its normal, t its tangent.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/closed_form/closed_form.h"
#include "models/closed_form/parameter_values.h"
#include "models/drawing.h"
#include "models/list.h"

namespace carom {

struct BodyOnPlane {
  std::string name;
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  // in the body's frame
  double radius = 0;
  Eigen::Vector2d plane_point = Eigen::Vector2d::Zero();
  Eigen::Vector2d normal = Eigen::Vector2d::UnitY();
  Eigen::Vector2d tangent = Eigen::Vector2d::UnitX();
};

struct PlanarBodyData {
  std::string name;
  double mass = 1;
  std::optional<double> inertia = std::nullopt;  // none: a particle
  Eigen::Vector2d acceleration = Eigen::Vector2d::Zero();
  std::vector<BodyOnPlane> contacts = {};
  double tilt = 0;  // angle of the axes in the world: poses are drawn upright
  Shape shape = {};
};

class PlanarBody final : public ClosedForm, public Drawn {
 public:
  PlanarBody(PlanarBodyData data, std::vector<ContactCoefficients> coefficients);

  void mass(const Vec& q, MassMatrix& M) const override;
  bool mass_is_constant() const override { return true; }
  double potential(double t, const Vec& q) const override;
  void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const override;
  bool forces_are_constant() const override { return true; }
  void contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const override;
  bool directions_are_constant() const override;
  void contact_gaps(const Vec& q, Contacts& contacts) const override;
  void pose(const Vec& q, Index body, double* out) const override;
  Drawing drawing() const override;

  // At x = 0, turned by `angle`, with its lowest contact closed.
  Vec on_the_floor(double angle) const;

 private:
  bool turns() const { return data_.inertia.has_value(); }
  double angle(const Vec& q) const { return turns() ? q(2) : 0; }
  Eigen::Vector2d from_centre(const BodyOnPlane& contact, double angle) const;  // P − r
  double gap(const BodyOnPlane& contact, const Vec& q, const Eigen::Vector2d& lever) const;

  PlanarBodyData data_;
};

// The state to start from: parameters `position` (not given: on the floor, turned by `angle`) and `velocity`.
ParameterSpecs start_on_floor_parameters(const std::string& angle, const std::string& velocity);
Model start_on_floor(PlanarBodyData data, const ParameterValues& values);

// The corners of a block, bottom-left, bottom-right and, with four, top-right, top-left, against the floor y = 0.
std::vector<BodyOnPlane> block_corners(double width, double height, Index corners);

// A floor y = 0 and a wall that rises from the origin at an angle to it, touched by a point or a disk. The wall's
// tangent points up.
std::vector<BodyOnPlane> corner_walls(double angle, double radius);

}  // namespace carom
