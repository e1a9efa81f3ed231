// The path of one contact's velocities and impulses through its impact, piece by piece (one_point.h has the equations).
//
// Planar: every piece is linear and solved exactly, slopes of either sign included. Spatial (Darboux–Keller): pieces of
// stick and of slip that keeps its direction are straight and exact; while the direction turns the path is integrated.

#pragma once

#include <optional>
#include <string>

#include "engine/linear_algebra.h"

namespace carom {

enum class RestitutionEnd {
  work,      // normal work returned = ε² times the work taken (Stronge)
  impulse,   // I_N = (1+ε) I_N at the end of compression (Poisson)
  velocity,  // v_N = −ε v_N⁻ (Newton)
};

// Of the tangents of a contact, of which there are none, one or two.
using Tangential = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2, 1>;
using TangentialMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;

// Contact-space data of one contact; a direction without friction is no part of `friction`.
struct OneContact {
  double G_NN = 0;
  double rounded = 0;  // what rounding of slopes is relative to: G_NN, more where bilateral constraints took much of it
  Tangential G_NT;
  TangentialMatrix G_TT;
  Tangential friction;  // of two directions the rougher one first: their angles keep the digits of the other
  double restitution = 0;
};

struct MarchFailure {
  std::string reason;
};

class RouthMarch {
 public:
  RouthMarch(const OneContact& contact, RestitutionEnd end, double v_N, const Tangential& v_T);

  void run();  // throws MarchFailure

  // Results: impulses (whole and up to the end of compression), work, and what happened to the slip.
  double I_N() const { return I_N_; }
  const Tangential& I_T() const { return I_T_; }
  double I_N_compression() const { return I_NC_; }
  const Tangential& I_T_compression() const { return I_TC_; }
  double normal_work_compression() const { return W_C_; }
  double normal_work_restitution() const { return W_R_; }
  double tangential_work() const { return W_T_; }
  bool sticks() const { return sticking_; }
  bool turned() const {
    return stop_.has_value() && slipped_before_;
  }  // a slip that was came to rest, and another set in
  // Djerassi's types: 1, 2 sticking and 3, 4 reverse sliding, begun in compression or in restitution; 5 forward.
  int type() const {
    if (!stop_) return 5;
    return (sticking_ ? 1 : 3) + (*stop_ == Phase::compression ? 0 : 1);
  }

 private:
  enum class Phase { compression, restitution };

  Tangential slip_rate(const Tangential& v_T) const;
  double until_end(double a) const;
  void straight(const Tangential& f, bool may_stop);
  void locked();
  void next_phase();
  void stop();
  void slide_without_friction();
  Tangential holding_rate() const;
  bool can_hold(const Tangential& f) const;
  void from_rest();
  Eigen::Vector2d acceleration(const Eigen::Vector2d& e) const;
  Eigen::Vector2d outward_direction() const;

  // Slip whose direction turns.
  Vec as_turning();
  void turning_rate(const Vec& y, Vec& dy) const;
  double slip_speed(const Vec& y) const;
  void take(const Vec& y);
  double beyond_phase(const Vec& y) const;
  std::optional<Eigen::Vector2d> settled_direction(double phi) const;
  void turn();
  void check_momentum() const;

  const OneContact& c_;
  RestitutionEnd end_;
  Index d_;
  double v_N_minus_;
  double speed_;
  bool slipped_before_;
  double v_N_;
  Tangential v_T_minus_, v_T_;
  double I_N_ = 0, I_NC_ = 0;
  Tangential I_T_, I_TC_;
  double W_C_ = 0, W_R_ = 0, W_T_ = 0;
  Phase phase_ = Phase::compression;
  std::optional<Phase> stop_;  // when the slip first came to rest
  bool sticking_ = false;
  bool finished_ = false;
  double rho_begin_ = 0;  // of the slip that turns
};

}  // namespace carom
