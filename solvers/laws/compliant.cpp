// Compliant contacts at frozen geometry (Winandy & Leine 2016, sect. 5; Liu, Zhao & Brogliato 2008).
//
//   F_i = k_i d_i^η,   Λ' = F,   γ = γ⁻ + GΛ
//
// with η = 1 a linear spring and η = 3/2 Hertz. d is the indentation on the loading curve. Loss is
// bi-stiffness: the contact unloads along a stiffer curve, so that it returns ε² of the work it took,
//
//   loading (γ < 0)    d' = −γ               unloading (γ > 0)    d' = −γ/ε²
//
// A contact with ε = 0 does not spring back at all: once at rest it transmits what keeps it at rest, as long
// as that force only falls. Integrated until every contact is open and separates; negative d is a gap, and a
// gap may close again. Only ratios of stiffness matter: time is scaled out. Lossless contacts keep the energy
// (measured at 1e-12); loss only ever takes it.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/extrapolation.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr double integration_tolerance = 2e-14;
constexpr int most_steps = 300000;

struct Failure {
  std::string reason;
};

class CompliantImpact {
 public:
  CompliantImpact(Mat G, Vec gamma_minus, Vec stiffness, Vec restitution, double exponent)
      : G_(std::move(G)),
        gamma_minus_(std::move(gamma_minus)),
        k_(std::move(stiffness)),
        e_(std::move(restitution)),
        eta_(exponent),
        n_(k_.size()),
        phase_(static_cast<std::size_t>(n_), Phase::loading) {
    // Units in which the fastest approach is 1 and the stiffest contact has G k = 1: collisions last about 1.
    speed_ = gamma_minus_.cwiseAbs().maxCoeff();
    compliance_ = G_.diagonal().maxCoeff();
    gamma_minus_ /= speed_;
    G_ /= compliance_;
    k_ /= G_.diagonal().cwiseProduct(k_).maxCoeff();
    y_ = Vec::Zero(3 * n_);
    F_.resize(n_);
    g_.resize(n_);
  }

  void run() {
    Extrapolation ode([this](const Vec& y, Vec& dy) { derivative(y, dy); }, integration_tolerance, Vec::Ones(3 * n_));
    double h = 1e-3;
    for (steps_ = 0; steps_ < most_steps; ++steps_) {
      if (resting(forces(y_)) && !fly()) return;
      const Vec begin = y_;
      const double taken = ode.advance(y_, h);
      if (taken == 0) throw Failure{"compliant: the contact forces change too fast to be integrated"};
      double earliest = HUGE_VAL;
      Index changed = -1;
      Vec at_event;
      for (Index i = 0; i < n_; ++i) {
        const std::function<double(const Vec&)> event = [this, i](const Vec& y) { return violation(i, y); };
        if (!(event(y_) > 1e-14)) continue;
        Vec y = y_;
        const double when = locate(ode, begin, taken, y, event);
        if (when < earliest) {
          earliest = when;
          changed = i;
          at_event = y;
        }
      }
      if (changed >= 0) {
        y_ = at_event;
        change_phase(changed);
        h = std::max(1e-9, 0.2 * taken);
      }
    }
    throw Failure{fmt::format("compliant: the contacts are not open after {} steps", most_steps)};
  }

  int steps() const { return steps_; }
  Vec impulses() const { return y_.head(n_) * (speed_ / compliance_); }
  Vec work() const { return y_.tail(n_) * (speed_ * speed_ / compliance_); }

 private:
  enum class Phase { loading, unloading, held };

  Vec gamma(const Vec& y) const { return gamma_minus_ + G_ * y.head(n_); }
  double d(Index i, const Vec& y) const { return y(n_ + i); }
  Phase phase(Index i) const { return phase_[static_cast<std::size_t>(i)]; }
  static bool resting(const Vec& F) { return F.maxCoeff() <= 0; }

  std::vector<Index> held() const {
    std::vector<Index> list;
    for (Index i = 0; i < n_; ++i) {
      if (phase(i) == Phase::held) list.push_back(i);
    }
    return list;
  }

  // Forces of held contacts keep them at rest: G_HH F_H = −G_HA F_A.
  static void balance(const Mat& G, const std::vector<Index>& H, Vec& F) {
    if (H.empty()) return;
    const Vec push = (G * F)(H);
    const Mat block = G(H, H);
    F(H) = -Vec(Eigen::CompleteOrthogonalDecomposition<Mat>(block).solve(push));
  }

  Vec forces(const Vec& y) const {
    Vec F(n_);
    forces(y, F);
    return F;
  }

  void forces(const Vec& y, Vec& F) const {
    for (Index i = 0; i < n_; ++i) F(i) = phase(i) != Phase::held && d(i, y) > 0 ? k_(i) * power(d(i, y)) : 0;
    if (any_held_) balance(G_, held(), F);
  }

  double power(double d) const { return eta_ == 1 ? d : eta_ == 1.5 ? d * std::sqrt(d) : std::pow(d, eta_); }

  double d_rate(Index i, double gamma_i) const {
    if (phase(i) == Phase::held) return 0;
    return phase(i) == Phase::unloading ? -gamma_i / (e_(i) * e_(i)) : -gamma_i;
  }

  Vec force_rates(const Vec& y) const {
    const Vec g = gamma(y);
    Vec rate = Vec::Zero(n_);
    for (Index i = 0; i < n_; ++i) {
      if (phase(i) != Phase::held && d(i, y) > 0)
        rate(i) = k_(i) * eta_ * std::pow(d(i, y), eta_ - 1) * d_rate(i, g(i));
    }
    balance(G_, held(), rate);
    return rate;
  }

  void derivative(const Vec& y, Vec& dy) {
    dy.resize(3 * n_);
    forces(y, F_);
    g_.noalias() = G_ * y.head(n_);
    g_ += gamma_minus_;
    dy.head(n_) = F_;
    for (Index i = 0; i < n_; ++i) {
      dy(n_ + i) = d_rate(i, g_(i));
      dy(2 * n_ + i) = F_(i) * g_(i);
    }
  }

  // Positive where contact i has left the phase it is in.
  double violation(Index i, const Vec& y) const {
    switch (phase(i)) {
      case Phase::loading:
        return e_(i) < 1 && d(i, y) > 0 ? gamma(y)(i) : -1;
      case Phase::unloading:
        return std::max(-gamma(y)(i), -d(i, y));
      case Phase::held:
        return std::max(-forces(y)(i), force_rates(y)(i));
    }
    return -1;
  }

  void change_phase(Index i) {
    Phase& now = phase_[static_cast<std::size_t>(i)];
    switch (now) {
      case Phase::loading:
        now = e_(i) > 0 ? Phase::unloading : Phase::held;
        break;
      case Phase::unloading:
        now = Phase::loading;
        if (d(i, y_) <= 0) y_(n_ + i) = 0;
        break;
      case Phase::held: {
        const double F = forces(y_)(i);
        now = Phase::loading;
        y_(n_ + i) = F > 0 ? std::pow(F / k_(i), 1 / eta_) : 0;  // rises again along the loading curve, or opens
        break;
      }
    }
    if (now == Phase::held) settle(i);
    any_held_ = !held().empty();
  }

  // A contact that has just come to rest: if it would pull, or has nothing to hold, it opens instead.
  void settle(Index i) {
    any_held_ = true;
    if (forces(y_)(i) > 0) return;
    phase_[static_cast<std::size_t>(i)] = Phase::loading;
    y_(n_ + i) = 0;
  }

  // No contact transmits a force: the gaps change linearly. Goes to the next closing one; false if there is none.
  bool fly() {
    const Vec g = gamma(y_);
    double when = HUGE_VAL;
    for (Index i = 0; i < n_; ++i) {
      if (g(i) < -1e-13) when = std::min(when, std::max(0.0, -d(i, y_)) / -g(i));
    }
    if (when == HUGE_VAL) return false;
    for (Index i = 0; i < n_; ++i) {
      y_(n_ + i) = std::min(0.0, d(i, y_) - g(i) * when);
      phase_[static_cast<std::size_t>(i)] = Phase::loading;
    }
    any_held_ = false;
    return true;
  }

  Mat G_;
  Vec gamma_minus_;
  Vec k_, e_;
  double eta_;
  Index n_;
  std::vector<Phase> phase_;
  double speed_ = 1, compliance_ = 1;
  Vec y_;      // impulses, indentations, work
  Vec F_, g_;  // scratch of the derivative
  bool any_held_ = false;
  int steps_ = 0;
};

std::string no_clutch(const std::string& name) {
  return fmt::format("compliant models contacts, but '{}' is a clutch; use poisson, newton or inelastic", name);
}

std::string no_friction(std::vector<std::string> names) {
  for (std::string& name : names) name = "'" + name + "'";
  return fmt::format(
      "compliant has no friction, but {} {}; use poisson, newton, moreau, or for a single contact stronge",
      listed(names), names.size() > 1 ? "have" : "has");
}

std::optional<std::string> outside_domain(const std::vector<Element>& elements) {
  std::vector<std::string> frictional;
  for (const Element& element : elements) {
    if (element.clutch()) return no_clutch(element.name);
    if (element.contact() && element.contact()->has_friction()) frictional.push_back(element.name);
  }
  return frictional.empty() ? std::nullopt : std::optional<std::string>(no_friction(std::move(frictional)));
}

std::vector<LawComplaint> check_elements(const Parameters&, const std::vector<Element>& elements,
                                         const ImpactProblem*) {
  std::vector<LawComplaint> complaints;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].clutch()) complaints.push_back({i, "kind", no_clutch(elements[i].name)});
    if (elements[i].contact() && elements[i].contact()->has_friction())
      complaints.push_back({i, "friction", no_friction({elements[i].name})});
  }
  return complaints;
}

class Compliant final : public ImpactLaw {
 public:
  explicit Compliant(double exponent) : exponent_(exponent) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver&) const override {
    if (const auto reason = outside_domain(problem.elements())) return LawOutcome::refused(*reason);
    std::vector<std::size_t> contacts;
    std::vector<Index> rows;
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      const Element& element = problem.elements()[i];
      if (!element.contact()) continue;
      if (problem.G()(problem.first_row(i), problem.first_row(i)) == 0) continue;
      contacts.push_back(i);
      rows.push_back(problem.first_row(i));
    }

    Jump jump;
    jump.Lambda = Vec::Zero(problem.rows());
    jump.work = Vec::Zero(static_cast<Index>(problem.elements().size()));
    jump.states.assign(problem.elements().size(), State::open);
    jump.solver.name = "compliant";
    const Vec gamma_minus = problem.gamma_minus()(rows);
    if (!rows.empty() && gamma_minus.minCoeff() < 0) {
      Vec stiffness(gamma_minus.size());
      Vec restitution(gamma_minus.size());
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        stiffness(static_cast<Index>(k)) = problem.elements()[contacts[k]].contact()->stiffness;
        restitution(static_cast<Index>(k)) = problem.elements()[contacts[k]].contact()->restitution;
      }
      CompliantImpact impact(problem.G().restricted(rows).dense(), gamma_minus, stiffness, restitution, exponent_);
      try {
        impact.run();
      } catch (const Failure& failure) {
        return LawOutcome::failed(failure.reason);
      }
      jump.Lambda(rows) = impact.impulses();
      jump.solver.iterations = impact.steps();
      const Vec work = impact.work();
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        (*jump.work)(static_cast<Index>(contacts[k])) = work(static_cast<Index>(k));
        if (jump.Lambda(rows[k]) > 0) jump.states[contacts[k]] = State::closed;
      }
    }
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, jump));
    return outcome;
  }

 private:
  double exponent_;
};

}  // namespace

LawEntry compliant_law() {
  return {
      .name = "compliant",
      .statement =
          "contacts as springs at frozen geometry, integrated until all are open; unloading returns ε² of the work",
      .equation = "F = k d^η,  Λ' = F,  d' = −γ loading, −γ/ε² unloading",
      .source = "Winandy & Leine 2016 sect. 5; Liu, Zhao & Brogliato 2008",
      .domain = "contacts without friction and bilateral elements, no clutches; contact key stiffness (ratios matter)",
      .failures =
          "no friction; small ε > 0 (below about 0.01) make unloading stiff: it may take long, or give up and say so",
      .parameters = {{.name = "exponent",
                      .type = ParameterSpec::Type::number,
                      .default_text = "1.5",
                      .meaning = "η: 1 linear, 1.5 Hertz",
                      .range_text = "1 .. 10",
                      .lowest = 1,
                      .highest = 10}},
      .tangential_restitution = {.lowest = -1, .highest = 1},
      .claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true},
      .check = check_elements,
      .make =
          [](const Parameters& parameters) {
            return std::unique_ptr<ImpactLaw>(
                std::make_unique<Compliant>(parameters.get<double>("exponent").value_or(1.5)));
          },
  };
}

}  // namespace carom
