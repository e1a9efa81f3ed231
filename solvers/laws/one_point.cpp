#include "solvers/laws/one_point.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "solvers/extrapolation.h"

namespace carom {

namespace {

constexpr double integration_tolerance = 1e-13;
constexpr double stopped = 1e-14;  // slip speed, relative to the speed of the impact, at which it is zero
const double infinite = HUGE_VAL;

struct MarchFailure {
  std::string reason;
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
  Tangential friction;
  double restitution = 0;
};

class March {
 public:
  March(const OneContact& contact, RestitutionEnd end, double v_N, const Tangential& v_T)
      : c_(contact),
        end_(end),
        d_(v_T.size()),
        v_N_minus_(v_N),
        speed_(std::hypot(v_N, v_T.norm())),
        slipped_before_(v_T.size() > 0 && v_T.norm() > 0),
        v_N_(v_N),
        v_T_(v_T),
        I_T_(Tangential::Zero(d_)) {}

  void run() {
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
  }

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

  Tangential slip_rate(const Tangential& v_T) const {
    const Tangential scaled = c_.friction.cwiseProduct(v_T);
    return -c_.friction.cwiseProduct(scaled) / scaled.norm();
  }

  // Normal impulse until restitution ends, if v_N grows linearly with slope a from here.
  double until_end(double a) const {
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
  void straight(const Tangential& f, bool may_stop) {
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
  void locked() {
    if (phase_ == Phase::restitution && end_ == RestitutionEnd::work) {
      finished_ = true;
      return;
    }
    throw MarchFailure{
        phase_ == Phase::compression
            ? "friction locks the contact during compression: no finite impulse stops it"
            : "friction locks the contact during restitution: no finite impulse reaches the velocity ratio"};
  }

  void next_phase() {
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

  void stop() {
    v_T_.setZero();
    if (!stop_) stop_ = phase_;
    // With a singular G slip and approach, or separation, come to rest together.
    if (std::abs(v_N_) <= 1e-12 * speed_) v_N_ = 0;
    if (phase_ == Phase::compression && v_N_ >= 0) next_phase();
  }

  void slide_without_friction() {
    const Tangential v_T_before = v_T_;
    // A frictionless slip has no rest, but its turning point names the planar type (Djerassi 2010, comment b).
    straight(Tangential::Zero(d_), d_ == 1 && v_T_(0) != 0 && !stop_);
    if (d_ == 1 && v_T_before(0) == 0 && c_.G_NT(0) <= 0 && !stop_) {
      stop_ = Phase::compression;
      sticking_ = c_.G_NT(0) == 0;
    }
  }

  // f with dv_T/dI_N = 0, the least one if G_TT leaves a choice.
  Tangential holding_rate() const {
    if (d_ == 1) return Tangential::Constant(1, c_.G_TT(0, 0) > 0 ? -c_.G_NT(0) / c_.G_TT(0, 0) : 0.0);
    return -Tangential(Eigen::CompleteOrthogonalDecomposition<TangentialMatrix>(c_.G_TT).solve(c_.G_NT));
  }

  // The slip has stopped or never was: stick if friction can hold it, otherwise slip sets in along the one
  // direction that its own acceleration keeps.
  void from_rest() {
    const Tangential hold = holding_rate();
    if (hold.cwiseQuotient(c_.friction).norm() <= 1 + rounding) {
      sticking_ = true;
      if (!stop_) stop_ = phase_;  // a direct impact sticks from the beginning (type 1)
      straight(hold, false);
      return;
    }
    sticking_ = false;
    const Tangential direction = d_ == 1 ? Tangential::Constant(1, c_.G_NT(0) > 0 ? 1.0 : -1.0) : outward_direction();
    if (!stop_ && d_ == 1 && direction(0) < 0) stop_ = phase_;  // direct impact, type 3
    straight(slip_rate(direction), false);
  }

  Eigen::Vector2d acceleration(double theta) const {
    const Tangential s = Eigen::Vector2d(std::cos(theta), std::sin(theta));
    return c_.G_NT + c_.G_TT * slip_rate(s);
  }

  // θ with the acceleration along the slip direction itself.
  Tangential outward_direction() const {
    const auto across = [&](double theta) {
      return acceleration(theta).dot(Eigen::Vector2d(-std::sin(theta), std::cos(theta)));
    };
    const auto along = [&](double theta) {
      return acceleration(theta).dot(Eigen::Vector2d(std::cos(theta), std::sin(theta)));
    };
    constexpr int grid = 1440;
    double best = -infinite;
    double best_theta = 0;
    for (int k = 0; k < grid; ++k) {
      double low = 2 * std::numbers::pi * k / grid;
      double high = 2 * std::numbers::pi * (k + 1) / grid;
      const double at_low = across(low);
      if (at_low * across(high) > 0) continue;
      for (int i = 0; i < 60; ++i) {
        const double mid = 0.5 * (low + high);
        (at_low * across(mid) > 0 ? low : high) = mid;
      }
      const double theta = 0.5 * (low + high);
      if (along(theta) > best) {
        best = along(theta);
        best_theta = theta;
      }
    }
    if (!(best > 0)) throw MarchFailure{"no direction of slip sets in where friction cannot hold the contact"};
    return Eigen::Vector2d(std::cos(best_theta), std::sin(best_theta));
  }

  // Slip whose direction turns. With v_T = r(cos θ, sin θ) and dτ = dI_N/r the equations are regular at r = 0:
  //   r' = r s·b,  θ' = s⊥·b,  I' = r (1, f),  v_N' = r (G_NN + G_NT f),  W_N' = v_N r,  W_T' = r² f·s.
  enum { R, THETA, IN, IT0, IT1, VN, WN, WT, SIZE };

  void turning_rate(const Vec& y, Vec& dy) const {
    const Eigen::Vector2d s(std::cos(y(THETA)), std::sin(y(THETA)));
    const Eigen::Vector2d f = slip_rate(s);
    const Eigen::Vector2d b = c_.G_NT + c_.G_TT * f;
    dy.resize(SIZE);
    dy << y(R) * s.dot(b), s(0) * b(1) - s(1) * b(0), y(R), y(R) * f(0), y(R) * f(1), y(R) * (c_.G_NN + c_.G_NT.dot(f)),
        y(R) * y(VN), y(R) * y(R) * f.dot(s);
  }

  Vec as_turning() const {
    Vec y(SIZE);
    y << v_T_.norm(), std::atan2(v_T_(1), v_T_(0)), I_N_, I_T_(0), I_T_(1), v_N_,
        phase_ == Phase::compression ? W_C_ : W_R_, W_T_;
    return y;
  }

  void take(const Vec& y) {
    v_T_ = y(R) * Eigen::Vector2d(std::cos(y(THETA)), std::sin(y(THETA)));
    I_N_ = y(IN);
    I_T_ = y.segment(IT0, 2);
    v_N_ = y(VN);
    (phase_ == Phase::compression ? W_C_ : W_R_) = y(WN);
    W_T_ = y(WT);
  }

  // Positive once the phase is over.
  double beyond_phase(const Vec& y) const {
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

  void turn() {
    const auto derivative = [this](const Vec& y, Vec& dy) { turning_rate(y, dy); };
    const double I_scale = speed_ / c_.G_NN;
    Vec scale(SIZE);
    scale << speed_ * 1e-3, 1, I_scale, I_scale, I_scale, speed_, speed_ * I_scale, speed_ * I_scale;
    MidpointRule rule(derivative);
    Extrapolation ode(rule, integration_tolerance, scale);

    Vec y = as_turning();
    const std::function<double(const Vec&)> rests = [&](const Vec& at) { return stopped * speed_ - at(R); };
    const std::function<double(const Vec&)> phase_ends = [&](const Vec& at) { return beyond_phase(at); };
    double h = 0.1 / (c_.G_TT.norm() * (1 + c_.friction.maxCoeff()) + c_.G_NT.norm());
    for (int step = 0; step < 100000; ++step) {
      const Vec begin = y;
      const double taken = ode.advance(y, h);
      if (taken == 0) throw MarchFailure{"the slip direction turns too fast to be integrated"};
      Vec at_end = y;
      const bool ends = phase_ends(y) > 0;
      double when = ends ? locate(ode, begin, taken, at_end, phase_ends) : infinite;
      if (rests(y) > 0) {
        Vec at_rest = y;
        const double rest_when = locate(ode, begin, taken, at_rest, rests);
        if (rest_when < when) {
          take(at_rest);
          return stop();
        }
      }
      if (ends) {
        take(at_end);
        return next_phase();
      }
    }
    throw MarchFailure{"the slip direction turns too stiffly to be integrated (the tangents are nearly dependent)"};
  }

  const OneContact& c_;
  RestitutionEnd end_;
  Index d_;
  double v_N_minus_;
  double speed_;
  bool slipped_before_;
  double v_N_;
  Tangential v_T_;
  double I_N_ = 0, I_NC_ = 0;
  Tangential I_T_, I_TC_;
  double W_C_ = 0, W_R_ = 0, W_T_ = 0;
  Phase phase_ = Phase::compression;
  std::optional<Phase> stop_;  // when the slip first came to rest
  bool sticking_ = false;
  bool finished_ = false;
};

// Whether an impulse on one element moves the other.
bool are_coupled(const ImpactProblem& problem, std::size_t i, std::size_t j) {
  const Vec& whole = problem.compliance();  // before bilateral constraints, whose elimination rounds
  const Delassus& G = problem.G();
  for (Index a = problem.first_row(i); a < problem.first_row(i) + problem.row_count(i); ++a) {
    for (Index b = problem.first_row(j); b < problem.first_row(j) + problem.row_count(j); ++b) {
      const double size = 0.5 * (std::sqrt(whole(a) * G(b, b)) + std::sqrt(G(a, a) * whole(b)));
      if (std::abs(G(a, b)) > rounding * size) return true;
    }
  }
  return false;
}

// The first pair of elements that G couples; nothing if every element stands alone.
std::optional<std::pair<std::size_t, std::size_t>> coupled_pair(const ImpactProblem& problem) {
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    for (std::size_t j = i + 1; j < problem.elements().size(); ++j) {
      if (are_coupled(problem, i, j)) return std::pair{i, j};
    }
  }
  return std::nullopt;
}

std::string coupled_text(const ImpactProblem& problem, std::size_t i, std::size_t j, const char* law) {
  const Element &a = problem.elements()[i], &b = problem.elements()[j];
  const std::string instead = a.clutch() || b.clutch()
                                  ? "poisson, newton or inelastic"
                                  : fmt::format("sequential with each: {}, or poisson, newton, moreau", law);
  return fmt::format("{} resolves one contact at a time, but the impact couples '{}' and '{}'; use {}", law, a.name,
                     b.name, instead);
}

std::optional<std::string> outside_domain(const ImpactProblem& problem, const char* law) {
  if (const auto pair = coupled_pair(problem)) return coupled_text(problem, pair->first, pair->second, law);
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    if (element.clutch() && problem.gamma_minus()(problem.first_row(i)) < 0) {
      return fmt::format("{} resolves contacts, but clutch '{}' is driven backwards; use poisson, newton or inelastic",
                         law, element.name);
    }
    const Contact* contact = element.contact();
    if (contact && contact->has_friction() && contact->tangential_restitution != 0) {
      return fmt::format("{} has no tangential restitution, but contact '{}' has {:g}; use poisson or newton", law,
                         element.name, contact->tangential_restitution);
    }
  }
  return std::nullopt;
}

// The tangents that take part: all with friction (or, without any, all); the others are carried along.
using Tangents = Eigen::Matrix<Index, Eigen::Dynamic, 1, 0, 2, 1>;

Tangents tangents_of(const Contact& contact) {
  Tangents tangents(contact.friction.size());
  Index count = 0;
  for (Index k = 0; k < contact.friction.size(); ++k) {
    if (!contact.has_friction() || contact.friction(k) > 0) tangents(count++) = k;
  }
  return tangents.head(count);
}

OneContact contact_space(const ImpactProblem& problem, const Contact& contact, Index row, const Tangents& tangents) {
  const Index d = tangents.size();
  OneContact c;
  c.G_NN = problem.G()(row, row);
  c.rounded = std::sqrt(problem.compliance()(row) * c.G_NN);
  c.G_NT.resize(d);
  c.G_TT.resize(d, d);
  c.friction.resize(d);
  c.restitution = contact.restitution;
  for (Index a = 0; a < d; ++a) {
    const Index ra = row + 1 + tangents(a);
    c.G_NT(a) = problem.G()(row, ra);
    c.friction(a) = contact.friction(tangents(a));
    for (Index b = 0; b < d; ++b) c.G_TT(a, b) = problem.G()(ra, row + 1 + tangents(b));
  }
  return c;
}

// Nothing has happened yet.
void begin(const ImpactProblem& problem, const char* law, Jump& jump) {
  if (!jump.compression) jump.compression.emplace();
  if (!jump.work) jump.work.emplace();
  jump.Lambda.setZero(problem.rows());
  jump.compression->setZero(problem.rows());
  jump.work->setZero(static_cast<Index>(problem.elements().size()));
  jump.states.assign(problem.elements().size(), State::open);
  jump.routh = RouthPath{};
  jump.solver = {};
  jump.solver.name = law;
}

}  // namespace

std::vector<LawComplaint> check_one_point(const ImpactProblem* problem, const char* law) {
  std::vector<LawComplaint> complaints;
  for (std::size_t j = 0; problem && j < problem->elements().size(); ++j) {
    // A pair is told once: at its clutch, or at the later of two contacts.
    const bool clutch = problem->elements()[j].clutch();
    const std::size_t others = clutch ? problem->elements().size() : j;
    for (std::size_t i = 0; i < others; ++i) {
      if (i == j || (!clutch && !problem->elements()[i].contact()) || !are_coupled(*problem, i, j)) continue;
      complaints.push_back({j, "kind", coupled_text(*problem, i, j, law)});
      break;
    }
  }
  return complaints;
}

void resolve_one_point(const ImpactProblem& problem, RestitutionEnd end, const char* law, LawOutcome& outcome) {
  if (const auto reason = outside_domain(problem, law)) return outcome.refuse(*reason);
  Jump& jump = outcome.scratch.jump;
  begin(problem, law, jump);
  Vec& compression = *jump.compression;
  int marched = 0;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Contact* contact = problem.elements()[i].contact();
    if (!contact) continue;
    const Index row = problem.first_row(i);
    const auto gamma = problem.gamma_minus().segment(row, problem.row_count(i));
    // Grazing is no collision (Djerassi 2010, comment d), and a dead direction cannot collide.
    if (grazes(gamma) || problem.G()(row, row) == 0) continue;
    const Tangents tangents = tangents_of(*contact);
    Tangential v_T(tangents.size());
    for (Index k = 0; k < v_T.size(); ++k) v_T(k) = gamma(1 + tangents(k));
    const OneContact c = contact_space(problem, *contact, row, tangents);
    March march(c, end, gamma(0), v_T);
    try {
      march.run();
    } catch (const MarchFailure& failure) {
      return outcome.fail(fmt::format("{} at contact '{}': {}", law, problem.elements()[i].name, failure.reason));
    }
    jump.Lambda(row) = march.I_N();
    compression(row) = march.I_N_compression();
    for (Index k = 0; k < v_T.size(); ++k) {
      jump.Lambda(row + 1 + tangents(k)) = march.I_T()(k);
      compression(row + 1 + tangents(k)) = march.I_T_compression()(k);
    }
    (*jump.work)(static_cast<Index>(i)) =
        march.normal_work_compression() + march.normal_work_restitution() + march.tangential_work();
    jump.states[i] = !contact->has_friction() ? State::closed
                     : march.sticks()         ? State::stick
                     : march.turned()         ? State::reverse
                                              : State::slip;
    jump.routh->compression_work += march.normal_work_compression();
    jump.routh->restitution_work += march.normal_work_restitution();
    jump.routh->type = ++marched == 1 && tangents.size() == 1 ? std::optional<int>(march.type()) : std::nullopt;
  }
  outcome.status = LawOutcome::Status::resolved;
  outcome.reason.clear();
  outcome.results.resize(1);
  complete(problem, jump, outcome.results.front());
}

}  // namespace carom
