// The Störmer–Verlet scheme, for motion without contacts and joints under a constant mass (Hairer, Lubich & Wanner
// 2006, I.1.4 and VI.3):
//
//   M(u_{k+½} − u_k) = ½hF(t_k, q_k, u_k)
//   q_{k+1} = q_k ⊕ h u_{k+½}
//   M(u_{k+1} − u_{k+½}) = ½hF(t_{k+1}, q_{k+1}, u_{k+1})
//
// Each half kick is the adjoint of the other: the step is symmetric and of second order also where forces depend on the
// velocity; the second kick is then iterated. Under forces that depend on positions alone it is explicit and
// symplectic: the energy swings, and does not drift. Its steps are to be shorter than 2/ω of the fastest oscillation.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/scheme.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr int most_iterations = 50;

std::string refusal_of(const std::string& what) {
  return fmt::format("integrator.scheme 'symplectic' steps no system with {}; 'moreau-jean' does", what);
}

std::string contacts_near(const System& system, const Vec& q, const Vec& u, double h, Contacts& contacts) {
  contacts.clear();
  system.contacts(q, u, h, contacts);
  if (contacts.points.empty()) return {};
  return fmt::format("contacts (here '{}')", system.contact_name(contacts.points.front().key));
}

// Whatever the bodies may meet.
std::string why_not(const System& system, const Vec& q) {
  constexpr double any_time = 1e9;
  const Vec any_velocity = Vec::Ones(static_cast<Index>(system.velocities().size()));
  Clutches clutches;
  system.clutches(q, clutches);
  Contacts contacts;
  const std::string what = system.joint_rows() > 0      ? "joints or prescribed motions"
                           : clutches.W.count() > 0     ? "clutches"
                           : !system.mass_is_constant() ? "a mass that depends on the position"
                                                        : contacts_near(system, q, any_velocity, any_time, contacts);
  return what.empty() ? what : refusal_of(what);
}

class Symplectic final : public Scheme {
 public:
  explicit Symplectic(const SchemeInput& input) : system_(input.system), h_(input.options.step) {}

  void begin(SimulationState& state) override {
    const std::string why = why_not(system_, state.q);
    if (!why.empty()) fail(state.time, why);
    system_.mass(state.q, M_);
    if (!M_.factor()) fail(state.time, "the mass matrix is not positive definite");
    find_force(state.time, state.q, state.u);
  }

  void step(SimulationState& state, Recorder*, SimulationCounts&) override {
    const double t_end = static_cast<double>(state.step + 1) * h_;
    const double work_before = applied_.dot(state.u);
    u_half_ = state.u + kick_;
    displacement_ = h_ * u_half_;
    system_.move(state.q, displacement_, state.q);
    state.u = u_half_ + kick_;  // as if the forces went on
    for (int iteration = 0;; ++iteration) {
      find_force(t_end, state.q, state.u);
      const double off = (u_half_ + kick_ - state.u).cwiseAbs().maxCoeff();
      state.u = u_half_ + kick_;
      if (off <= 1e-15 * largest(state.u)) break;
      if (iteration == most_iterations || !std::isfinite(off))
        fail(state.time, "the step does not converge, or the motion has diverged; a smaller integrator.step may help");
    }
    ++state.step;
    state.time = t_end;
    refuse_contacts(state);
    state.energy.work_applied += 0.5 * h_ * (work_before + applied_.dot(state.u));
    state.energy.kinetic = M_.kinetic_energy(state.u);
    state.energy.potential = system_.potential(state.time, state.q);
  }

  std::span<const ContactSample> contacts(const SimulationState&) override { return {}; }
  std::span<const ContactPoint> gaps() const override { return {}; }  // it refuses contacts

 private:
  // kick_ = ½hM⁻¹F.
  void find_force(double t, const Vec& q, const Vec& u) {
    inner_.setZero(u.size());
    applied_.setZero(u.size());
    system_.forces(t, q, u, inner_, applied_);
    kick_ = 0.5 * h_ * (inner_ + applied_);
    M_.solve_in_place(kick_);
  }

  // Contacts of shapes that come near as the motion goes on.
  void refuse_contacts(const SimulationState& state) {
    const std::string what = contacts_near(system_, state.q, state.u, h_, contacts_);
    if (!what.empty()) fail(state.time, refusal_of(what));
  }

  const System& system_;
  const double h_;
  MassMatrix M_;
  Contacts contacts_;
  Vec inner_, applied_, kick_, u_half_, displacement_;
};

}  // namespace

SchemeEntry symplectic_scheme() {
  return {"symplectic", "Störmer–Verlet, for motion without contacts and joints under a constant mass",
          [](const SchemeInput& input) -> std::unique_ptr<Scheme> { return std::make_unique<Symplectic>(input); },
          why_not};
}

}  // namespace carom
