// One step of the Moreau–Jean scheme: fixed h, no event location, impacts captured at velocity level.
//
//   q_{k+1} = q_k ⊕ h((1−θ)u_k + θu_{k+1})
//
// A contact is active when its predicted gap g_k + ½hγ_k ≤ 0; a sustained one that bodies turn about stays so, and
// keeps its gap. Without active elements the step is the implicit θ-method (θ = ½: the midpoint rule) with the joints
// met at the end of the step. With active elements and a law in inclusion form it is the classical step,
//
//   M(u_{k+1} − u_k) = hF + WΛ + Bλ,    Bᵀu_{k+1} = b,    ξ = γ_{k+1} + εγ_k ∈ N_C(−Λ);
//
// every other law first maps u_k → u⁺ at frozen position if a contact approaches, and the same inclusion with ε = 0
// finishes the step from u⁺. Where lever arms or joints turn, contacts that go on push along the mean of their
// directions at either end of the step, which makes it of second order.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/scheme.h"
#include "engine/step/agreement.h"
#include "engine/step/changes.h"
#include "engine/step/impact_in_place.h"
#include "engine/step/memory.h"
#include "engine/step/one_inclusion.h"
#include "engine/step/split_off.h"
#include "engine/step/step_ledger.h"

namespace carom {

class MoreauJean final : public Scheme {
 public:
  enum class Impacts { captured, located };

  explicit MoreauJean(const SchemeInput& input, Impacts impacts = Impacts::captured);
  MoreauJean(const MoreauJean&) = delete;  // its parts refer to each other
  MoreauJean& operator=(const MoreauJean&) = delete;

  // Evaluates mass, joints and contacts at the state, so that step() can go on from it.
  void begin(SimulationState& state) override;
  void step(SimulationState& state, Recorder* recorder, SimulationCounts& counts) override;

  std::span<const ContactSample> contacts(const SimulationState& state) override;
  std::span<const ContactPoint> gaps() const override { return begin_->contacts().points; }
  void complete(SimulationState& state) override;  // with the impulses of contacts that all go on

  // For a scheme that divides its steps at the instants of impacts: a part of a step, and what happens between two.
  const StepSetting& setting() const { return setting_; }
  Notices& notices() { return notices_; }
  const Place& here() const { return *begin_; }
  void span(const SimulationState& state, double t_end);  // the part to be taken next
  bool all_go_on(const SimulationState& state);           // contacts of the part before, which are all there are
  ActiveSet& select_closed(SimulationState& state, bool with_leaving = false);
  // To the end of the part.
  struct Advanced {
    const Vec& u_begin;
    bool in_contact;
  };
  Advanced advance(ActiveSet& active, SimulationState& state, StepObserver observer);
  ActiveSet& active() { return activation_.active(); }
  void watch_turning(const SimulationState& state) { watch_.look_at_turning(state, begin_->M(), begin_->manifold()); }
  void go_back(const SimulationState& state);  // from where the last one led to where it began
  void resolve_impact(ActiveSet& closed, SimulationState& state, StepObserver observer);
  TakenStep taken() const {  // the last part, in contact
    return {activation_.active(), inclusion_.posed(), impulses_.found().Lambda, end_of_step_.gamma()};
  }
  const Rows& rows_of_impact() const { return directions_.rows().W; }  // the last one, where it was
  void hold(std::uint64_t key, SimulationState& state);                // a contact that leaves goes on instead
  // Onto those of contacts: of the last part in contact, of the last impact.
  void add_impulses(std::span<ContactSample> samples) const;
  void add_impulses_of_impact(std::span<ContactSample> samples) const;

 private:
  KnownSpeeds known_speeds(const SimulationState& state) const;
  ActiveSet& select(SimulationState& state);
  void use(Treatment& treatment);
  bool clutches_hold(const Vec& u, const Vec& v) const;
  const Vec& advance_in_contact(ActiveSet& active, SimulationState& state, StepObserver observer);
  void refuse_what_nothing_opens(const Course& course);
  void move_to_end(const ContactStep& step, SimulationState& state);
  // To the end of a step: mass, joints and contacts there, and its ledger. `course` is null where nothing touched.
  // u_end is left with the velocity at the beginning.
  void arrive(const Course* course, Vec& u_end, SimulationState& state);
  void check_finite(const SimulationState& state) const;
  void watch(const ActiveSet& active, const Vec& u_begin, const SimulationState& state);
  void book_energy(const Place& place, SimulationState& state) const;

  StepSetting setting_;
  const ImpactLaw& law_;
  const Impacts impacts_;
  const TolerantSolver tolerant_solver_;
  const TolerantSolver impact_solver_;  // of laws, whose impulses are looked at afterwards
  Notices notices_;
  StepWatch watch_;
  StepForces forces_;
  MassMatrix constant_mass_;  // where it is
  Place places_[3];
  Place *begin_, *middle_, *end_;  // of the step

  Flight flight_;
  Activation activation_;
  Directions directions_;
  StepInclusion inclusion_;
  EndOfStep end_of_step_;
  IslandImpact impact_;
  Impulses impulses_;
  Agreement agreement_;
  OneInclusion one_inclusion_, going_on_;
  LawImpact law_impact_;
  SplitOff split_off_;
  Treatment* treatment_ = nullptr;
  Memory memory_;
  ImpactInPlace in_place_;
  StepLedger ledger_;
  Vec displacement_;
  std::vector<ContactSample> samples_;
};

}  // namespace carom
