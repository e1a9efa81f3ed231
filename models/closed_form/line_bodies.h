// Bodies on a line, one coordinate each, with contacts between them and with the world, springs and clutches:
//
//   M = diag(m),   F_i = m_i a + Σ k (q_j − q_i),   g = q_upper − q_lower − distance.
//
// Contacts have no tangent: coefficients of friction are 0. Everything is stored by neighbour, so memory and work grow
// with the number of bodies.

#pragma once

#include <string>
#include <vector>

#include "models/closed_form/closed_form.h"
#include "models/drawing.h"

namespace carom {

inline constexpr Index ground = -1;  // in place of a body: does not move, its coordinate is 0

struct LineContact {
  Index lower = ground, upper = ground;
  double distance = 0;
};

struct LineSpring {
  Index first = 0, second = 0;  // relaxed where their coordinates are equal
  double stiffness = 1;
};

// The second body may move away from the first, but not towards it.
struct LineClutch {
  std::string name;
  Index first = 0, second = 0;
  double restitution = 0;
};

struct LineData {
  enum class Axis { x, y };

  Axis axis = Axis::x;
  std::vector<std::string> bodies = {};
  Vec masses = {};
  std::vector<Shape> shapes = {};  // one a body, or one for all; empty: points
  Vec places = {};                 // of the bodies where their coordinates are 0; empty: the coordinates are places
  double acceleration = 0;
  std::vector<std::string> contact_names = {};
  std::vector<LineContact> contacts = {};
  std::vector<LineSpring> springs = {};
  std::vector<LineClutch> clutches = {};
};

class LineBodies final : public ClosedForm, public Drawn {
 public:
  LineBodies(LineData data, std::vector<ContactCoefficients> coefficients);

  void mass(const Vec& q, MassMatrix& M) const override;
  bool mass_is_constant() const override { return true; }
  double potential(double t, const Vec& q) const override;
  void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const override;
  bool forces_are_constant() const override { return data_.springs.empty(); }
  void force_gradient(double t, const Vec& q, const Vec& u, ForceGradient& gradient) const override;
  void contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const override;
  bool directions_are_constant() const override { return true; }
  void contact_gaps(const Vec& q, Contacts& contacts) const override;
  void clutches(const Vec& q, Clutches& clutches) const override;
  std::string clutch_name(Index clutch) const override { return data_.clutches[static_cast<std::size_t>(clutch)].name; }
  void pose(const Vec& q, Index body, double* out) const override;
  Drawing drawing() const override;

 private:
  Shape shape_of(Index body) const;
  double half_extent(Index body) const;  // along the line

  LineData data_;
};

}  // namespace carom
