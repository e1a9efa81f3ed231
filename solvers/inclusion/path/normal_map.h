// Planar Coulomb friction as a piecewise linear equation. One point a = (a_N, a_T) a contact tells its impulses and its
// velocities (Robinson's normal map, 1992),
//
//   Λ_N = max(0, a_N),   Λ_T = a_T within ±R, R = μ max(0, Λ_N + o),   ξ = (Λ − a)/r,
//
// and the inclusion is N(a) = ξ − (W̃ᵀW̃Λ + c) = 0. In every cell of a (open, sticking, sliding either way) N is linear.
// A proximal term g(Λ − Λ°), g = G_NN/`proximal_step`, makes each cell's equations regular also where contacts are
// redundant; moving Λ° to the answer again and again takes the term away (proximal point iteration, Rockafellar 1976).
//
// Newton's method goes from cell to cell at once and may run in circles. The path N(a) = t N(a¹), t from 1 to 0, goes
// through the cells one by one: where it enters a cell whose equations have a determinant of the other sign, t turns
// (Eaves 1976; it is Lemke's method from a start of one's own). A path that leads far from 0 is given up: the answer it
// would find is no longer that near the start.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

class NormalMap {
 public:
  // For contacts with at most one tangent.
  NormalMap(const ContactDirections& contacts, VelocityMatrix& matrix);

  struct Cell {
    bool closed = false;
    bool holds = false;  // R is not zero by being cut off
    int side = 0;        // of a_T beyond ±R; 0: sticks
    bool operator==(const Cell&) const = default;
  };
  struct Place {
    std::vector<Eigen::Vector2d> a;
    std::vector<Cell> cells;
  };

  void start(const std::vector<Eigen::Vector3d>& z);  // with the velocities of impulses z
  void centre(double proximal_step);                  // Λ° where the impulses are now

  bool newton(int most_steps);       // to N = 0; false if it has not come to a cell that holds it
  bool follow_path(int most_cells);  // the same along the path

  const Place& place() const { return at_; }
  void go_to(const Place& place) { at_ = place; }
  std::vector<Eigen::Vector3d> impulses() const;
  int factorisations() const { return factorisations_; }

 private:
  // Where a path leaves its cell: after so much of its direction, one contact changes to another cell.
  struct Exit {
    double after;
    std::size_t contact;
    Cell cell;
  };

  bool moves(std::size_t i) const { return contacts_[i].rho_normal > 0; }
  bool has_friction(std::size_t i) const { return contacts_[i].size == 2 && contacts_[i].m > 0; }
  double give(std::size_t i) const { return 1 / (proximal_step_ * contacts_[i].rho_normal); }
  Eigen::Vector2d step(std::size_t i) const { return {contacts_[i].rho_normal, contacts_[i].rho_tangential}; }
  double radius(std::size_t i) const;
  Cell cell_of(std::size_t i) const;
  Eigen::Vector2d impulse(std::size_t i) const;
  Eigen::Vector2d miss(std::size_t i) const;  // N
  void update_velocity();
  void linearise(std::size_t i);
  bool factor();
  void find_direction(const std::vector<Eigen::Vector2d>& change_of_miss);
  bool is_rounded();
  void make_uneven();
  void correct(double t);  // onto N = t N(a¹) within the cells
  Exit first_exit(double farthest, std::size_t entered, const Cell& left) const;
  template <class Consider>
  void visit_exits(std::size_t i, Consider consider) const;

  const ContactDirections& contacts_;
  VelocityMatrix& matrix_;
  double drive_ = 0;  // √(impulse·velocity)
  double proximal_step_ = 1;
  Place at_;
  std::vector<Eigen::Vector2d> centre_, first_miss_, change_, direction_;  // Λ°, N(a¹), of N, of a
  std::vector<Eigen::Matrix3d> K_;
  Vec v_, dv_;
  int factorisations_ = 0;
};

}  // namespace carom
