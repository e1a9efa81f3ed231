#include "tests/bench/floor.h"

#include <algorithm>
#include <cmath>

namespace carom::bench {

namespace {

constexpr double g = 9.81;

}  // namespace

void BallLoop::step() {
  constexpr double h = 1e-3, epsilon = 0.8, radius = 0.1;
  const double free = u - h * g;
  double next = free;
  if (q - radius + 0.5 * h * u <= 1e-11) {
    const double Lambda = std::max(0.0, -(free + epsilon * u));
    next = free + Lambda;
    work += 0.5 * Lambda * (u + next);
  }
  q += 0.5 * h * (u + next);
  u = next;
  energy = 0.5 * u * u + g * q;
}

ChainLoop::ChainLoop(int balls, double gravity, bool on_floor, double restitution, double first_velocity)
    : gravity_(gravity), restitution_(restitution), on_floor_(on_floor) {
  const auto n = static_cast<std::size_t>(balls);
  q_.resize(n);
  u_.assign(n, 0.0);
  u_[0] = first_velocity;
  for (std::size_t i = 0; i < n; ++i) q_[i] = 0.01 + 0.02 * static_cast<double>(i);
  for (auto* v : {&gamma_, &Lambda_, &pivot_, &c_}) v->assign(n + 1, 0.0);
  held_.assign(n + 1, 0);
  active_.assign(n + 1, 0);
}

// Contact i lies below ball i (contact 0: the floor). Unit masses: G_ii = 2 (1 on the floor), G_{i,i+1} = −1.
bool ChainLoop::solve() {
  const std::size_t n = q_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!held_[i]) {
      Lambda_[i] = 0;
      continue;
    }
    pivot_[i] = i == 0 ? 1 : 2;
    Lambda_[i] = -c_[i];
    if (i > 0 && held_[i - 1]) {
      pivot_[i] -= 1 / pivot_[i - 1];
      Lambda_[i] += Lambda_[i - 1] / pivot_[i - 1];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    if (!held_[i]) continue;
    if (i + 1 < n && held_[i + 1]) Lambda_[i] += Lambda_[i + 1];
    Lambda_[i] /= pivot_[i];
  }
  bool same = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (!active_[i]) continue;
    const double own = i == 0 ? 1 : 2;
    const double xi = c_[i] + own * Lambda_[i] - (i > 0 ? Lambda_[i - 1] : 0) - (i + 1 < n ? Lambda_[i + 1] : 0);
    const char holds = Lambda_[i] - xi / own > 0;
    same = same && holds == held_[i];
    held_[i] = holds;
  }
  return same;
}

void ChainLoop::step() {
  constexpr double h = 1e-3;
  const std::size_t n = q_.size();
  const double push = -h * gravity_;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 && !on_floor_) continue;
    gamma_[i] = i == 0 ? u_[0] : u_[i] - u_[i - 1];
    const double gap = i == 0 ? q_[0] - 0.01 : q_[i] - q_[i - 1] - 0.02;
    active_[i] = held_[i] = gap + 0.5 * h * gamma_[i] <= 1e-11;
    c_[i] = (1 + restitution_) * gamma_[i] + (i == 0 ? push : 0);
  }
  for (int guess = 0; guess < 60 && !solve(); ++guess) {
  }
  energy_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double next = u_[i] + push + Lambda_[i] - (i + 1 < n ? Lambda_[i + 1] : 0);
    q_[i] += 0.5 * h * (u_[i] + next);
    u_[i] = next;
    energy_ += 0.5 * next * next + gravity_ * q_[i];
  }
}

// M = [16, 6 cos(φ₁ − φ₂); ., 4] for m = 3, l = 2 and moments (9, 3).
void KaneLoop::forces(const double* q, const double* u, double* F) const {
  const double s = 6 * std::sin(q[0] - q[1]);
  F[0] = -s * u[1] * u[1] - 9 * g * std::sin(q[0]);
  F[1] = s * u[0] * u[0] - 3 * g * std::sin(q[1]);
}

void KaneLoop::step() {
  constexpr double h = 1e-4, epsilon = 0.5, mu = 0.5;
  static const double floor_depth = 2 * (std::cos(0.3490658503988659) + std::cos(0.5235987755982988));
  double v[2] = {u_[0], u_[1]};
  double M12 = 0, determinant = 1;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const double um[2] = {0.5 * (u_[0] + v[0]), 0.5 * (u_[1] + v[1])};
    const double qm[2] = {q_[0] + 0.5 * h * um[0], q_[1] + 0.5 * h * um[1]};
    double F[2];
    forces(qm, um, F);
    M12 = 6 * std::cos(qm[0] - qm[1]);
    determinant = 64 - M12 * M12;
    const double a[2] = {(4 * F[0] - M12 * F[1]) / determinant, (16 * F[1] - M12 * F[0]) / determinant};
    const double next[2] = {u_[0] + h * a[0], u_[1] + h * a[1]};
    const double change = std::abs(next[0] - v[0]) + std::abs(next[1] - v[1]);
    v[0] = next[0];
    v[1] = next[1];
    if (change <= 1e-15) break;
  }
  const double sin0 = std::sin(q_[0]), sin1 = std::sin(q_[1]), cos0 = std::cos(q_[0]), cos1 = std::cos(q_[1]);
  const double gap = floor_depth - 2 * (cos0 + cos1);
  const double w[2] = {2 * sin0, 2 * sin1};
  const double gamma = w[0] * u_[0] + w[1] * u_[1];
  if (gap + 0.5 * h * gamma <= 1e-11) {
    const double t[2] = {-2 * cos0, -2 * cos1};
    const double Mw[2] = {(4 * w[0] - M12 * w[1]) / determinant, (16 * w[1] - M12 * w[0]) / determinant};
    const double Mt[2] = {(4 * t[0] - M12 * t[1]) / determinant, (16 * t[1] - M12 * t[0]) / determinant};
    const double G[3] = {w[0] * Mw[0] + w[1] * Mw[1], w[0] * Mt[0] + w[1] * Mt[1], t[0] * Mt[0] + t[1] * Mt[1]};
    const double c_N = w[0] * v[0] + w[1] * v[1] + epsilon * gamma, c_T = t[0] * v[0] + t[1] * v[1];
    double N = 0, T = 0;
    if (c_N < 0) {
      const double d = G[0] * G[2] - G[1] * G[1];
      N = (-c_N * G[2] + c_T * G[1]) / d;
      T = (-c_T * G[0] + c_N * G[1]) / d;
      for (const double slip : {-mu, mu}) {
        if (std::abs(T) <= mu * N) break;
        N = -c_N / (G[0] + slip * G[1]);
        T = slip * N;
      }
    }
    const double before[2] = {v[0], v[1]};
    for (int k = 0; k < 2; ++k) v[k] += Mw[k] * N + Mt[k] * T;
    work_ += 0.5 * N * (w[0] * (before[0] + v[0]) + w[1] * (before[1] + v[1]));
  }
  for (int k = 0; k < 2; ++k) {
    q_[k] += 0.5 * h * (u_[k] + v[k]);
    u_[k] = v[k];
  }
  energy_ = 8 * u_[0] * u_[0] + 2 * u_[1] * u_[1] + 6 * std::cos(q_[0] - q_[1]) * u_[0] * u_[1] -
            g * (9 * std::cos(q_[0]) + 3 * std::cos(q_[1]));
}

}  // namespace carom::bench
