// The motion of compliant contacts through an impact (`compliant` states its equations): integrated phase by phase,
// each contact loading or unloading, in units that follow what is left of the motion.

#pragma once

#include <spdlog/fmt/fmt.h>

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/impact_law.h"
#include "solvers/extrapolation.h"

namespace carom {

namespace compliant {

inline constexpr double integration_tolerance = 5e-15;  // of a motion as large as the fastest approach
inline constexpr Index most_steps = 1000000;            // that a motion is given: lossless contacts may go on for ever
inline constexpr Index most_contact_steps = 100000000;  // steps times contacts: a minute
inline constexpr double least_restitution = 1e-12;      // stands for the limit ε → 0
inline constexpr double default_rest = 1e-13;           // speed that counts as none, relative to the fastest approach
inline constexpr double largest_rest = 0.05;            // half of what may be asked for
inline constexpr double slow = 1e-6;                    // speed that may be left if it takes long to die out
inline constexpr double small = 0.1;                    // speed that is too small for the units
inline constexpr double at_zero = 1e-14;                // of γ and d in the units of the motion: where a phase ends

struct Failure {
  std::string reason;
};

// G/g of the contacts, g its largest entry on the diagonal. Of many contacts each touches few.
class ScaledDelassus {
 public:
  explicit ScaledDelassus(const Delassus& G) : diagonal_(G.size()) {
    for (Index i = 0; i < G.size(); ++i) diagonal_(i) = G(i, i);
    largest_ = diagonal_.maxCoeff();
    diagonal_ /= largest_;
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < G.size(); ++i) {
      G.visit_row(i, [&](Index j, double value) {
        if (value != 0) entries.emplace_back(j, i, value / largest_);
      });
    }
    if (!G.sparse() && static_cast<Index>(4 * entries.size()) > G.size() * G.size()) {
      dense_ = G.dense() / largest_;
      return;
    }
    sparse_.resize(G.size(), G.size());
    sparse_.setFromTriplets(entries.begin(), entries.end());
  }

  double largest() const { return largest_; }
  const Vec& diagonal() const { return diagonal_; }
  template <class Impulses>
  void add_product(const Impulses& Lambda, Vec& gamma) const {  // γ += GΛ
    if (dense_.size() > 0) {
      gamma.noalias() += dense_ * Lambda;
    } else {
      gamma.noalias() += sparse_ * Lambda;
    }
  }
  template <class Impulses>
  double row_dot(Index i, const Impulses& Lambda) const {
    return dense_.size() > 0 ? dense_.col(i).dot(Lambda) : sparse_.col(i).dot(Lambda);
  }

 private:
  Vec diagonal_;
  double largest_ = 1;
  Mat dense_;
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> sparse_;
};

class Motion {
 public:
  Motion(const Delassus& G, Vec gamma_minus, Vec stiffness, Vec restitution, double exponent, double rest)
      : G_(G),
        gamma_begin_(std::move(gamma_minus)),
        k_(std::move(stiffness)),
        e_(restitution.cwiseMax(least_restitution)),
        eta_(exponent),
        rest_(rest),
        n_(k_.size()),
        unloading_(static_cast<std::size_t>(n_), false) {
    // Units in which the fastest approach is 1 and the stiffest contact has G k = 1: collisions last about 1.
    speed_ = gamma_begin_.cwiseAbs().maxCoeff();
    compliance_ = G_.largest();
    gamma_begin_ /= speed_;
    most_steps_ = static_cast<int>(std::min(most_steps, most_contact_steps / n_));
    k_ /= G_.diagonal().cwiseProduct(k_).maxCoeff();
    y_ = Vec::Zero(2 * n_);
    Lambda_ = work_ = stored_begin_ = Vec::Zero(n_);
    rate_ = Vec::Constant(n_, -1);
  }

  void run() {
    Leapfrog rule(*this);
    Extrapolation ode(rule, integration_tolerance, Vec::Ones(2 * n_));
    Vec begin;
    const auto event = [this](const Vec& y) { return largest_violation(y); };
    for (steps_ = 0; steps_ < most_steps_; ++steps_) {
      if (!go_on()) return;
      ode.set_tolerance(integration_tolerance / std::sqrt(unit_));
      begin = y_;
      const double taken = ode.advance(y_, h_);
      if (taken == 0) throw Failure{"compliant: the contact forces change too fast to be integrated"};
      violating_.clear();
      while (find_violating()) locate(ode, begin, taken, y_, event, at_zero);
      if (violating_.empty()) continue;
      change_phases();
      h_ = 0.5 * taken;
    }
    left_ = unit_ * speed_left();
    if (left_ <= slow) return account();
    throw Failure{fmt::format(
        "compliant: after {} steps the contacts still move at {:.1e} of the fastest approach: {}", most_steps_, left_,
        left_ < largest_rest ? fmt::format("many that lose much die out slowly; law.rest: {:.0e} ends there, or use "
                                           "poisson or newton",
                                           2 * left_)
                             : "they do not come to an end; use poisson or newton")};
  }

  // Speed at which contacts still move, relative to the fastest approach; 0 if all are open and separate.
  double left() const { return left_; }
  int steps() const { return steps_; }
  Vec impulses() const { return (Lambda_ + unit_ * y_.head(n_)) * (speed_ / compliance_); }
  Vec work() const { return work_ * (speed_ * speed_ / compliance_); }

 private:
  Vec gamma(const Vec& y) const {
    Vec g = gamma_begin_;
    G_.add_product(y.head(n_), g);
    return g;
  }
  double gamma(Index i, const Vec& y) const { return gamma_begin_(i) + G_.row_dot(i, y.head(n_)); }
  double d(Index i, const Vec& y) const { return y(n_ + i); }
  bool unloading(Index i) const { return unloading_[static_cast<std::size_t>(i)]; }

  void forces(const Vec& y, Vec& F) const {
    const auto d = y.tail(n_).array().max(0.0);
    if (eta_ == 1) {
      F = k_.array() * d;
    } else if (eta_ == 1.5) {
      F = k_.array() * d * d.sqrt();
    } else if (eta_ == 2) {
      F = k_.array() * d.square();
    } else if (eta_ == 3) {
      F = k_.array() * d.cube();
    } else {
      F = k_.array() * d.pow(eta_);
    }
  }

  // F depends on the indentations only, their rates on the impulses only: each half goes over the other one.
  class Leapfrog final : public Extrapolation::Rule {
   public:
    explicit Leapfrog(const Motion& motion) : motion_(motion) {}

    void begin(const Vec& y) override { motion_.forces(y, F_begin_); }
    void step(const Vec& y, double h, int parts, Vec& y_end) override {
      const Index n = motion_.n_;
      const double s = h / parts;
      y_end = y;
      y_end.head(n) += 0.5 * s * F_begin_;
      for (int part = 1; part <= parts; ++part) {
        g_ = motion_.gamma_begin_;
        motion_.G_.add_product(y_end.head(n), g_);
        y_end.tail(n) += s * motion_.rate_.cwiseProduct(g_);
        motion_.forces(y_end, F_);
        y_end.head(n) += (part < parts ? s : 0.5 * s) * F_;
      }
    }

   private:
    const Motion& motion_;
    Vec F_begin_, F_, g_;
  };

  // U = ∫F dd, what the loading curve stores.
  double stored(Index i) const { return k_(i) * std::pow(std::max(0.0, d(i, y_)), eta_ + 1) / (eta_ + 1); }

  // ∫Fγ dt = −U while loading, −ε²U while unloading, by the rate of d.
  void account() {
    for (Index i = 0; i < n_; ++i) {
      work_(i) += unit_ * unit_ * (stored(i) - stored_begin_(i)) / rate_(i);
      stored_begin_(i) = stored(i);
    }
  }

  // Positive where contact i has left the phase it is in. Unloading has velocities of order ε.
  double violation(Index i, const Vec& y) const {
    if (unloading(i)) return std::max(-gamma(i, y) / e_(i), -d(i, y));
    return e_(i) < 1 && d(i, y) > 0 ? gamma(i, y) : -1;
  }

  // Adds the contacts that have left their phase; false if there are no others. Where the first one has left its own,
  // another may be outside too that is back at the end of the step.
  bool find_violating() {
    const std::size_t before = violating_.size();
    for (Index i = 0; i < n_; ++i) {
      if (violation(i, y_) > at_zero && std::find(violating_.begin(), violating_.end(), i) == violating_.end())
        violating_.push_back(i);
    }
    return violating_.size() > before;
  }

  // Of those that are violated at the end of a step: where it turns positive, the first of them leaves its phase.
  double largest_violation(const Vec& y) const {
    double largest = -HUGE_VAL;
    for (Index i : violating_) largest = std::max(largest, violation(i, y));
    return largest;
  }

  // One contact has left its phase; others may do so at the same moment.
  void change_phases() {
    restart_impulses();
    forces(y_, F_);
    turning_.clear();
    for (Index i = 0; i < n_; ++i) {
      if (unloading(i)) {
        if (d(i, y_) <= at_zero) {
          y_(n_ + i) = 0;
          begin_phase(i, false);
        } else if (gamma_begin_(i) <= at_zero * e_(i)) {
          settle(i);
          begin_phase(i, false);
        }
      } else if (e_(i) < 1 && d(i, y_) > 0 && turns_to_unloading(i)) {
        turning_.push_back(i);
      }
    }
    for (Index i : turning_) {
      settle(i);
      if (turning_.size() == 1 && e_(i) == least_restitution) {
        drop(i);
      } else {
        begin_phase(i, true);
      }
    }
  }

  // A contact that turns is at rest; one that has passed rest keeps its velocity, which is that of its impulses.
  void settle(Index i) {
    if (std::abs(gamma_begin_(i)) <= 10 * at_zero) gamma_begin_(i) = 0;
  }

  // Unloads a contact at once, as without restitution it does, from d₀ to the d at which ∫_d^d₀ (F − F*) dd = 0.
  void drop(Index i) {
    const double d0 = d(i, y_);
    const double pressed = F_(i) - G_.row_dot(i, F_) / G_.diagonal()(i);  // F*
    const auto excess = [&](double d) {                                   // of the integral, over d₀ − d
      return k_(i) * (std::pow(d0, eta_ + 1) - std::pow(d, eta_ + 1)) / ((eta_ + 1) * (d0 - d)) - pressed;
    };
    double low = 0;
    if (excess(0) < 0) {
      double high = std::pow(pressed / k_(i), 1 / eta_);
      while (high - low > 1e-16 * d0) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        (excess(middle) < 0 ? low : high) = middle;
      }
    }
    y_(n_ + i) = low;
    stored_begin_(i) = stored(i);
  }

  // At rest it is for the forces to say; one that has passed rest, between events at the same moment, unloads already.
  bool turns_to_unloading(Index i) const {
    const double gamma = gamma_begin_(i);
    return gamma > 10 * at_zero || (gamma >= -10 * at_zero && G_.row_dot(i, F_) > 0);
  }

  void begin_phase(Index i, bool unloads) {
    unloading_[static_cast<std::size_t>(i)] = unloads;
    rate_(i) = unloads ? -1 / (e_(i) * e_(i)) : -1;
    stored_begin_(i) = stored(i);
  }

  // Impulses are counted from here, so that their sum does not round off the small velocities of unloading.
  void restart_impulses() {
    account();
    gamma_begin_ = gamma(y_);
    Lambda_ += unit_ * y_.head(n_);
    y_.head(n_).setZero();
  }

  // Whether anything is left to be integrated. A motion that has become small is taken in its own units.
  bool go_on() {
    forces(y_, F_);
    const bool flies = F_.maxCoeff() <= 0;
    const double size = speed_left();
    const bool rests = unit_ * size < rest_;
    if ((flies && !fly()) || rests) {
      left_ = rests ? unit_ * size : 0;
      account();
      return false;
    }
    if (size < small) rescale(size);
    return true;
  }

  // Of the contacts that are closed or closing, with what is stored in them.
  double speed_left() const {
    const Vec g = gamma(y_);
    double square = 0;
    for (Index i = 0; i < n_; ++i) {
      if (g(i) < 0 || d(i, y_) > 0) square += g(i) * g(i) + 2 * stored(i);
    }
    return std::sqrt(square);
  }

  // With several lossy contacts the motion can die out in infinitely many collisions, each like the ones before but
  // smaller (inelastic collapse). The equations keep their form under γ = sγ̂, Λ = sΛ̂, d = s^{2/(η+1)} d̂,
  // t = s^{(1−η)/(η+1)} t̂, so that no digit is lost on the way down.
  void rescale(double s) {
    restart_impulses();
    gamma_begin_ /= s;
    y_.tail(n_) *= std::pow(s, -2 / (eta_ + 1));
    unit_ *= s;
    for (Index i = 0; i < n_; ++i) stored_begin_(i) = stored(i);
    h_ *= std::pow(s, (eta_ - 1) / (eta_ + 1));
  }

  // No contact transmits a force: the gaps change linearly. Goes to the next closing one; false if there is none.
  bool fly() {
    const Vec g = gamma(y_);
    double when = HUGE_VAL;
    for (Index i = 0; i < n_; ++i) {
      if (unit_ * g(i) < -rest_) when = std::min(when, std::max(0.0, -d(i, y_)) / -g(i));
    }
    if (when == HUGE_VAL) return false;
    account();
    for (Index i = 0; i < n_; ++i) {
      y_(n_ + i) = std::min(0.0, d(i, y_) - g(i) * when);
      begin_phase(i, false);
    }
    return true;
  }

  ScaledDelassus G_;
  Vec gamma_begin_;  // γ where the impulses in y are counted from
  Vec k_, e_;
  double eta_;
  double rest_;  // speed that counts as none, relative to the fastest approach
  Index n_;
  std::vector<bool> unloading_;
  double speed_ = 1, compliance_ = 1;
  Vec y_;             // impulses, indentations
  Vec rate_;          // d'/γ
  Vec stored_begin_;  // U up to which the work is accounted for
  Vec work_;
  Vec Lambda_;       // impulses before those in y
  double unit_ = 1;  // of speed, relative to the fastest approach
  double h_ = 1e-3;  // step to try
  Vec F_;            // scratch
  std::vector<Index> violating_, turning_;
  int steps_ = 0;
  int most_steps_ = 0;
  double left_ = 0;
};

}  // namespace compliant

}  // namespace carom
