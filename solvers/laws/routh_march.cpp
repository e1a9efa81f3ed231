#include "solvers/laws/routh_march.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "engine/impact_law.h"
#include "solvers/extrapolation.h"

namespace carom {

namespace {

using Eigen::Vector2d;

constexpr double integration_tolerance = 1e-13;
constexpr double stopped = 1e-14;           // slip speed, relative to the speed of the impact, at which it is zero
constexpr double stopped_together = 1e-11;  // normal velocity, likewise, where the slip stops
constexpr double settled = 1e-11;           // of a direction of slip that is drawn to one that lasts, rad
constexpr double lost_momentum = 1e-9;      // between velocities and impulses, relative: the integration has failed
const double infinite = HUGE_VAL;

Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
Vector2d across(const Vector2d& e) { return {-e(1), e(0)}; }

}  // namespace

RouthMarch::RouthMarch(const OneContact& contact, RestitutionEnd end, double v_N, const Tangential& v_T)
    : c_(contact),
      end_(end),
      d_(v_T.size()),
      v_N_minus_(v_N),
      speed_(std::hypot(v_N, v_T.norm())),
      slipped_before_(v_T.size() > 0 && v_T.norm() > 0),
      v_N_(v_N),
      v_T_minus_(v_T),
      v_T_(v_T),
      I_T_(Tangential::Zero(d_)) {}

void RouthMarch::run() {
  for (int piece = 0; piece < 64 && !finished_; ++piece) {
    if (d_ == 0 || c_.friction.maxCoeff() == 0) {
      slide_without_friction();
    } else if (v_T_.norm() > 0) {
      d_ == 1 ? straight(slip_rate(v_T_), true) : turn();
    } else {
      from_rest();
    }
  }
  if (!finished_) throw MarchFailure{"the march did not end"};
  if (d_ == 2) check_momentum();
}

Tangential RouthMarch::slip_rate(const Tangential& v_T) const {
  const Tangential scaled = c_.friction.cwiseProduct(v_T);
  return -c_.friction.cwiseProduct(scaled) / scaled.norm();
}

// Normal impulse until restitution ends, if v_N grows linearly with slope a from here.
double RouthMarch::until_end(double a) const {
  switch (end_) {
    case RestitutionEnd::work: {
      const double missing = c_.restitution * c_.restitution * -W_C_ - W_R_;
      if (missing <= 0) return 0;
      const double root = v_N_ * v_N_ + 2 * a * missing;
      return root > 0 ? 2 * missing / (v_N_ + std::sqrt(root)) : infinite;
    }
    case RestitutionEnd::impulse:
      return std::max(0.0, (1 + c_.restitution) * I_NC_ - I_N_);
    case RestitutionEnd::velocity: {
      const double missing = -c_.restitution * v_N_minus_ - v_N_;
      if (missing <= 0) return 0;
      return a > 0 ? missing / a : infinite;
    }
  }
  return infinite;
}

// A straight piece of the path, at most to the next event; `may_stop` if slip can come to rest on it.
void RouthMarch::straight(const Tangential& f, bool may_stop) {
  double a = c_.G_NN + c_.G_NT.dot(f);
  const Tangential b = c_.G_NT + c_.G_TT * f;
  if (std::abs(a) <= 1e-13 * c_.rounded) a = 0;  // the contact cannot move: friction locks it
  const double to_stop = may_stop && b.dot(v_T_) < 0 ? v_T_.squaredNorm() / -b.dot(v_T_) : infinite;
  double to_phase = infinite;
  if (phase_ == Phase::compression) {
    if (a > 0) to_phase = -v_N_ / a;
  } else {
    to_phase = until_end(a);
  }
  const double x = std::min(to_stop, to_phase);
  const Phase before = phase_;
  if (x == infinite) return locked();
  const double normal_work = v_N_ * x + 0.5 * a * x * x;
  (phase_ == Phase::compression ? W_C_ : W_R_) += normal_work;
  W_T_ += f.dot(v_T_) * x + 0.5 * f.dot(b) * x * x;
  v_N_ += a * x;
  v_T_ += b * x;
  I_N_ += x;
  I_T_ += f * x;
  if (std::abs(v_N_) <= 1e-13 * speed_) v_N_ = 0;
  if (x == to_stop) stop();
  if (!finished_ && phase_ == before && (x == to_phase || (phase_ == Phase::compression && v_N_ >= 0))) next_phase();
}

// A contact that friction locks cannot spring back: the limit of ever stiffer coupling, in which Stronge's
// work is returned at vanishing velocity. Newton's ratio cannot be met.
void RouthMarch::locked() {
  if (phase_ == Phase::restitution && end_ == RestitutionEnd::work) {
    finished_ = true;
    return;
  }
  throw MarchFailure{
      phase_ == Phase::compression
          ? "friction locks the contact during compression: no finite impulse stops it"
          : "friction locks the contact during restitution: no finite impulse reaches the velocity ratio"};
}

void RouthMarch::next_phase() {
  if (phase_ == Phase::restitution) {
    finished_ = true;
    return;
  }
  phase_ = Phase::restitution;
  v_N_ = 0;
  I_NC_ = I_N_;
  I_TC_ = I_T_;
  if (c_.restitution == 0) finished_ = true;
}

void RouthMarch::stop() {
  v_T_.setZero();
  if (!stop_) stop_ = phase_;
  sticking_ = can_hold(holding_rate());  // also where the impact ends with the slip
  // With a singular G slip and approach, or separation, come to rest together.
  if (std::abs(v_N_) <= stopped_together * speed_) v_N_ = 0;
  if (phase_ == Phase::compression && v_N_ >= 0) next_phase();
}

void RouthMarch::slide_without_friction() {
  const Tangential v_T_before = v_T_;
  // A frictionless slip has no rest, but its turning point names the planar type (Djerassi 2010, comment b).
  straight(Tangential::Zero(d_), d_ == 1 && v_T_(0) != 0 && !stop_);
  if (d_ == 1 && v_T_before(0) == 0 && c_.G_NT(0) <= 0 && !stop_) {
    stop_ = Phase::compression;
    sticking_ = c_.G_NT(0) == 0;
  }
}

// f with dv_T/dI_N = 0, the least one if G_TT leaves a choice.
Tangential RouthMarch::holding_rate() const {
  if (d_ == 1) return Tangential::Constant(1, c_.G_TT(0, 0) > 0 ? -c_.G_NT(0) / c_.G_TT(0, 0) : 0.0);
  return -Tangential(Eigen::CompleteOrthogonalDecomposition<TangentialMatrix>(c_.G_TT).solve(c_.G_NT));
}

bool RouthMarch::can_hold(const Tangential& f) const { return f.cwiseQuotient(c_.friction).norm() <= 1 + rounding; }

// The slip has stopped or never was: stick if friction can hold it, otherwise slip sets in along the one
// direction that its own acceleration keeps.
void RouthMarch::from_rest() {
  const Tangential hold = holding_rate();
  if (can_hold(hold)) {
    sticking_ = true;
    if (!stop_) stop_ = phase_;  // a direct impact sticks from the beginning (type 1)
    straight(hold, false);
    return;
  }
  sticking_ = false;
  if (d_ == 2) return straight(-c_.friction.cwiseProduct(outward_direction()), false);
  const Tangential sets_in = Tangential::Constant(1, c_.G_NT(0) > 0 ? 1.0 : -1.0);
  if (!stop_ && sets_in(0) < 0) stop_ = phase_;  // direct impact, type 3
  straight(slip_rate(sets_in), false);
}

// Of the scaled slip Av_T in direction e.
Vector2d RouthMarch::acceleration(const Vector2d& e) const {
  return c_.friction.cwiseProduct(c_.G_NT - c_.G_TT * c_.friction.cwiseProduct(e));
}

// e with the acceleration of the scaled slip along itself.
Vector2d RouthMarch::outward_direction() const {
  const auto turning = [&](double phi) { return acceleration(direction(phi)).dot(across(direction(phi))); };
  const auto along = [&](double phi) { return acceleration(direction(phi)).dot(direction(phi)); };
  constexpr int grid = 1440;
  double best = -infinite;
  double best_phi = 0;
  double at_high = turning(0);
  for (int k = 0; k < grid; ++k) {
    double low = 2 * std::numbers::pi * k / grid;
    double high = 2 * std::numbers::pi * (k + 1) / grid;
    const double at_low = at_high;
    at_high = turning(k + 1 < grid ? high : 0);  // once round it is rounded as at the beginning: no root is lost
    if (at_low * at_high > 0) continue;
    for (int i = 0; i < 60; ++i) {
      const double mid = 0.5 * (low + high);
      (at_low * turning(mid) > 0 ? low : high) = mid;
    }
    const double phi = 0.5 * (low + high);
    if (along(phi) > best) {
      best = along(phi);
      best_phi = phi;
    }
  }
  if (!(best > 0)) throw MarchFailure{"no direction of slip sets in where friction cannot hold the contact"};
  return direction(best_phi);
}

// With A = diag(μ₁, μ₂) and Av_T = ρe, e = (cos φ, sin φ), friction is f = −Ae, and in the time dτ = dI_N/ρ
//   φ' = e⊥·(n − He),   (ln ρ)' = e·(n − He),   n = A G_TN,   H = A G_TT A,
//   I_N' = ρ,   I_T' = −ρAe,   v_N' = ρ(G_NN − n·e),   W_N' = ρv_N,   W_T' = −ρ²:
// regular at rest, ρ → 0, for a circle and for the narrowest ellipse.
enum { PHI, LOG_RHO, IN, IT0, IT1, VN, WN, WT, SIZE };

Vec RouthMarch::as_turning() {
  const Vector2d scaled = c_.friction.cwiseProduct(v_T_);
  rho_begin_ = scaled.norm();
  Vec y(SIZE);
  y << std::atan2(scaled(1), scaled(0)), 0, I_N_, I_T_(0), I_T_(1), v_N_, phase_ == Phase::compression ? W_C_ : W_R_,
      W_T_;
  return y;
}

void RouthMarch::turning_rate(const Vec& y, Vec& dy) const {
  const Vector2d e = direction(y(PHI));
  const Vector2d f = -c_.friction.cwiseProduct(e);
  const Vector2d drive = acceleration(e);  // n − He
  const double rho = rho_begin_ * std::exp(y(LOG_RHO));
  dy.resize(SIZE);
  dy << drive.dot(across(e)), drive.dot(e), rho, rho * f(0), rho * f(1), rho * (c_.G_NN + c_.G_NT.dot(f)), rho * y(VN),
      -rho * rho;
}

double RouthMarch::slip_speed(const Vec& y) const {
  return rho_begin_ * std::exp(y(LOG_RHO)) * direction(y(PHI)).cwiseQuotient(Vector2d(c_.friction)).norm();
}

void RouthMarch::take(const Vec& y) {
  v_T_ = rho_begin_ * std::exp(y(LOG_RHO)) * direction(y(PHI)).cwiseQuotient(Vector2d(c_.friction));
  I_N_ = y(IN);
  I_T_ = y.segment(IT0, 2);
  v_N_ = y(VN);
  (phase_ == Phase::compression ? W_C_ : W_R_) = y(WN);
  W_T_ = y(WT);
}

// Positive once the phase is over.
double RouthMarch::beyond_phase(const Vec& y) const {
  if (phase_ == Phase::compression) return y(VN);
  switch (end_) {
    case RestitutionEnd::work:
      return y(WN) - c_.restitution * c_.restitution * -W_C_;
    case RestitutionEnd::impulse:
      return y(IN) - (1 + c_.restitution) * I_NC_;
    case RestitutionEnd::velocity:
      return y(VN) + c_.restitution * v_N_minus_;
  }
  return 0;
}

// The direction e near φ that slip keeps, if there is one that it is drawn to or φ is it to rounding. φ obeys an
// equation of its own, φ' = g(φ), so that the path is straight from there on, however stiffly it was drawn there.
std::optional<Vector2d> RouthMarch::settled_direction(double phi) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Vector2d n = c_.friction.cwiseProduct(c_.G_NT);
  const Eigen::Matrix2d H = c_.friction.asDiagonal() * c_.G_TT * c_.friction.asDiagonal();
  Vector2d e = direction(phi);
  const auto g = [&] { return across(e).dot(n - H * e); };
  const auto slope = [&] { return e.dot(H * e) - e.dot(n) - across(e).dot(H * across(e)); };
  const Vector2d terms = n.cwiseAbs() + H.cwiseAbs() * e.cwiseAbs();
  if (std::abs(g()) <= epsilon * across(e).cwiseAbs().dot(terms)) return e;
  if (!(std::abs(g()) <= settled * -slope())) return std::nullopt;
  for (int i = 0; i < 3; ++i) e = (e - g() / slope() * across(e)).normalized();
  return e;
}

void RouthMarch::turn() {
  Vec y = as_turning();
  const double I_scale = speed_ / c_.G_NN;
  Vec scale(SIZE);
  scale << c_.friction(1) / c_.friction(0), 1, I_scale, I_scale, I_scale, speed_, speed_ * I_scale, speed_ * I_scale;
  MidpointRule rule([this](const Vec& at, Vec& rate) { turning_rate(at, rate); });
  Extrapolation ode(rule, integration_tolerance, scale);

  const std::function<double(const Vec&)> rests = [&](const Vec& at) { return stopped * speed_ - slip_speed(at); };
  const std::function<double(const Vec&)> phase_ends = [&](const Vec& at) { return beyond_phase(at); };
  double h = 0.1 / c_.friction.cwiseProduct(c_.G_NT.cwiseAbs() + c_.G_TT.cwiseAbs() * c_.friction).norm();
  for (int step = 0; step < 100000; ++step) {
    if (const auto e = settled_direction(y(PHI))) {
      take(y);
      v_T_ = v_T_.norm() * e->cwiseQuotient(Vector2d(c_.friction)).normalized();
      return straight(-c_.friction.cwiseProduct(*e), true);
    }
    const Vec begin = y;
    const double taken = ode.advance(y, h);
    if (taken == 0) throw MarchFailure{"the slip direction turns too fast to be integrated"};
    Vec at_end = y;
    const bool ends = phase_ends(y) > 0;
    const double when = ends ? locate(ode, begin, taken, at_end, phase_ends) : infinite;
    if (rests(y) > 0) {
      Vec at_rest = y;
      if (locate(ode, begin, taken, at_rest, rests) < when) {
        take(at_rest);
        return stop();
      }
    }
    if (ends) {
      take(at_end);
      return next_phase();
    }
  }
  throw MarchFailure{"the slip direction turns too stiffly to be integrated"};
}

// Velocities and impulses were integrated side by side: v_T = v_T⁻ + G_TN I_N + G_TT I_T tells whether both are right.
void RouthMarch::check_momentum() const {
  const Vector2d miss = v_T_minus_ + c_.G_NT * I_N_ + c_.G_TT * I_T_ - v_T_;
  const double size = speed_ + c_.G_NT.norm() * I_N_ + (c_.G_TT.cwiseAbs() * I_T_.cwiseAbs()).norm();
  if (!(miss.norm() <= lost_momentum * size)) throw MarchFailure{"the slip direction turns too fast to be integrated"};
}

}  // namespace carom
