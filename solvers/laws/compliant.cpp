// Compliant contacts at frozen geometry (Winandy & Leine 2016, sect. 5; Liu, Zhao & Brogliato 2008).
//
//   F_i = k_i d_i^η,   Λ' = F,   γ = γ⁻ + GΛ
//
// with η = 1 a linear spring and η = 3/2 Hertz. d is the indentation on the loading curve. Loss is
// bi-stiffness: the contact unloads along a stiffer curve, so that it returns ε² of the work it took,
//
//   loading (γ < 0)    d' = −γ               unloading (γ > 0)    d' = −γ/ε²
//
// Integrated until every contact is open and separates; negative d is a gap, and a gap may close again. Only
// ratios of stiffness matter: time is scaled out. Lossless contacts keep the energy (measured at 1e-12); loss
// only ever takes it.
//
// As ε → 0 a contact unloads in a time and with velocities of order ε. In the variables t/ε and γ/ε nothing of
// its unloading depends on ε: under the force F* with which the others press it, d drops from d₀ to where
//
//   ½γ² = ε²G_ii ∫_d^d₀ (F − F*) dd
//
// is zero again, or opens if it is positive all the way down. So ε = 0 means this limit, and is computed with an ε
// at rounding level. The contact need not stay closed: only where it is pressed does it.

#include <spdlog/fmt/fmt.h>

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/extrapolation.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr double integration_tolerance = 2e-14;
constexpr std::size_t most_contacts = 1000;
constexpr int fewest_steps = 1000000;        // that a motion is given: some 50 contacts that die out together
constexpr int steps_of_contact = 3000;       // and if it has many contacts
constexpr double least_restitution = 1e-12;  // stands for the limit ε → 0
constexpr double rest = 1e-14;               // speed that counts as none, relative to the fastest approach
constexpr double small = 1e-3;               // speed that is too small for the units
constexpr double at_zero = 1e-14;            // of γ and d in the units of the motion: where a phase ends

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
    if (!G.sparse()) {
      dense_ = G.dense() / largest_;
      return;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < G.size(); ++i)
      G.visit_row(i, [&](Index j, double value) { entries.emplace_back(j, i, value / largest_); });
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

class CompliantImpact {
 public:
  CompliantImpact(const Delassus& G, Vec gamma_minus, Vec stiffness, Vec restitution, double exponent)
      : G_(G),
        gamma_begin_(std::move(gamma_minus)),
        k_(std::move(stiffness)),
        e_(restitution.cwiseMax(least_restitution)),
        eta_(exponent),
        n_(k_.size()),
        unloading_(static_cast<std::size_t>(n_), false) {
    // Units in which the fastest approach is 1 and the stiffest contact has G k = 1: collisions last about 1.
    speed_ = gamma_begin_.cwiseAbs().maxCoeff();
    compliance_ = G_.largest();
    gamma_begin_ /= speed_;
    most_steps_ = static_cast<int>(std::max<Index>(fewest_steps, steps_of_contact * n_));
    k_ /= G_.diagonal().cwiseProduct(k_).maxCoeff();
    y_ = Vec::Zero(2 * n_);
    Lambda_ = work_ = stored_begin_ = Vec::Zero(n_);
    rate_ = Vec::Constant(n_, -1);
  }

  void run() {
    Leapfrog rule(*this);
    Extrapolation ode(rule, integration_tolerance, Vec::Ones(2 * n_));
    Vec begin;
    for (steps_ = 0; steps_ < most_steps_; ++steps_) {
      if (!go_on()) return;
      begin = y_;
      const double taken = ode.advance(y_, h_);
      if (taken == 0) throw Failure{"compliant: the contact forces change too fast to be integrated"};
      violating_.clear();
      for (Index i = 0; i < n_; ++i)
        if (violation(i, y_) > at_zero) violating_.push_back(i);
      if (violating_.empty()) continue;
      locate(ode, begin, taken, y_, [this](const Vec& y) { return largest_violation(y); });
      change_phases();
      h_ = 0.2 * taken;
    }
    throw Failure{fmt::format(
        "compliant: the contacts are not open after {} steps: contacts that lose much die out in collisions whose "
        "number grows with the square of theirs; use poisson or newton",
        most_steps_)};
  }

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
    } else {
      F = k_.array() * d.pow(eta_);
    }
  }

  // F depends on the indentations only, their rates on the impulses only: each half goes over the other one.
  class Leapfrog final : public Extrapolation::Rule {
   public:
    explicit Leapfrog(const CompliantImpact& impact) : impact_(impact) {}

    void begin(const Vec& y) override { impact_.forces(y, F_begin_); }
    void step(const Vec& y, double h, int parts, Vec& y_end) override {
      const Index n = impact_.n_;
      const double s = h / parts;
      y_end = y;
      y_end.head(n) += 0.5 * s * F_begin_;
      for (int part = 1; part <= parts; ++part) {
        g_ = impact_.gamma_begin_;
        impact_.G_.add_product(y_end.head(n), g_);
        y_end.tail(n) += s * impact_.rate_.cwiseProduct(g_);
        impact_.forces(y_end, F_);
        y_end.head(n) += (part < parts ? s : 0.5 * s) * F_;
      }
    }

   private:
    const CompliantImpact& impact_;
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
    for (Index i = 0; i < n_; ++i) {
      if (unloading(i)) {
        if (d(i, y_) <= at_zero) {
          y_(n_ + i) = 0;
          begin_phase(i, false);
        } else if (gamma_begin_(i) <= at_zero * e_(i)) {
          gamma_begin_(i) = 0;
          begin_phase(i, false);
        }
      } else if (e_(i) < 1 && d(i, y_) > 0 && turns_to_unloading(i)) {
        gamma_begin_(i) = std::abs(gamma_begin_(i)) <= 10 * at_zero ? 0 : gamma_begin_(i);
        begin_phase(i, true);
      }
    }
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
    if ((flies && !fly()) || unit_ * size < rest) {
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
      if (unit_ * g(i) < -rest) when = std::min(when, std::max(0.0, -d(i, y_)) / -g(i));
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
  std::vector<Index> violating_;
  int steps_ = 0;
  int most_steps_ = 0;
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
  if (!frictional.empty()) return no_friction(std::move(frictional));
  if (elements.size() <= most_contacts) return std::nullopt;
  return fmt::format("compliant takes at most {} contacts at once, and here are {}; use newton, poisson or sequential",
                     most_contacts, elements.size());
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
      CompliantImpact impact(problem.G().restricted(rows), gamma_minus, stiffness, restitution, exponent_);
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
          "no friction; several contacts with small ε can die out in infinitely many collisions, which are followed "
          "down "
          "to rounding level: many contacts take seconds",
      .parameters = {{.name = "exponent",
                      .type = ParameterSpec::Type::number,
                      .default_text = "1.5",
                      .meaning = "η: 1 linear, 1.5 Hertz",
                      .range_text = "1 .. 10",
                      .lowest = 1,
                      .highest = 10}},
      .clutch_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},  // not read
      .tangential_restitution = {.lowest = -HUGE_VAL, .highest = HUGE_VAL},
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
