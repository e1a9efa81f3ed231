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

class Symplectic final : public Scheme {
 public:
  explicit Symplectic(const SchemeInput& input) : system_(input.system), h_(input.options.step) {}

  void begin(SimulationState& state) override {
    refuse_what_it_cannot(state);
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

 private:
  // kick_ = ½hM⁻¹F.
  void find_force(double t, const Vec& q, const Vec& u) {
    inner_.setZero(u.size());
    applied_.setZero(u.size());
    system_.forces(t, q, u, inner_, applied_);
    kick_ = 0.5 * h_ * (inner_ + applied_);
    M_.solve_in_place(kick_);
  }

  void refuse_what_it_cannot(const SimulationState& state) {
    Clutches clutches;
    system_.clutches(state.q, clutches);
    const char* const what = system_.joint_rows() > 0      ? "joints or prescribed motions"
                             : clutches.W.count() > 0      ? "clutches"
                             : !system_.mass_is_constant() ? "a mass that depends on the position"
                                                           : nullptr;
    if (what) refuse(state.time, what);
    refuse_contacts(state);
  }

  void refuse_contacts(const SimulationState& state) {
    contacts_.clear();
    system_.contacts(state.q, state.u, h_, contacts_);
    if (contacts_.points.empty()) return;
    refuse(state.time, fmt::format("contacts (here '{}')", system_.contact_name(contacts_.points.front().key)));
  }

  [[noreturn]] static void refuse(double t, const std::string& what) {
    fail(t, fmt::format("integrator.scheme 'symplectic' steps no system with {}; 'moreau-jean' does", what));
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
          [](const SchemeInput& input) -> std::unique_ptr<Scheme> { return std::make_unique<Symplectic>(input); }};
}

}  // namespace carom
