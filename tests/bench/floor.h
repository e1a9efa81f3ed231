// Loops written by hand for one system each, with no framework: what the mathematics alone costs. Each steps the same
// scheme as carom, from the same state, and books the energy.

#pragma once

#include <vector>

namespace carom::bench {

struct BallLoop {
  double q = 1.1, u = 0, work = 0, energy = 0;
  void step();  // h = 1 ms, ε = 0.8
};

// Touching balls on a line; a tridiagonal solve for the contacts that are closed.
class ChainLoop {
 public:
  ChainLoop(int balls, double gravity, bool on_floor, double restitution, double first_velocity);
  void step();
  double velocity(int ball) const { return u_[static_cast<std::size_t>(ball)]; }

 private:
  bool solve();  // the contacts held now; false: another set of them has to be tried

  double gravity_, restitution_;
  bool on_floor_;
  std::vector<double> q_, u_, gamma_, Lambda_, pivot_, c_;
  std::vector<char> held_, active_;
  double energy_ = 0;
};

// Two rods in angles, implicit midpoint rule, tip on a rough floor under Newton's law.
class KaneLoop {
 public:
  void step();  // h = 0.1 ms
  double angle(int link) const { return q_[link]; }

 private:
  void forces(const double* q, const double* u, double* F) const;
  double q_[2] = {0.3490658503988659, 0.5235987755982988};
  double u_[2] = {-0.1, -0.2};
  double energy_ = 0, work_ = 0;
};

}  // namespace carom::bench
