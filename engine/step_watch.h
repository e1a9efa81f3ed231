// Whether the step is too large for what happens within it: bodies pass through each other unseen, sink in further than
// they reach, or are led round a curve of which the step takes the chord. Each is told once in a run, with a step that
// would do.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/active_contact.h"
#include "engine/constrained_mass.h"
#include "engine/length_scale.h"
#include "engine/passage.h"
#include "engine/simulation.h"

namespace carom {

class StepWatch {
 public:
  using Note = std::function<void(const std::string&)>;

  // Without a note nothing is looked at. `lengths` and `note` outlive this.
  StepWatch(const System& system, const LengthScale& lengths, const IntegratorOptions& options, const Note& note);

  // Contacts that are not active in a step: the bodies of those that overlap at its beginning go apart.
  void expect_inactive(std::size_t most);
  void forget_inactive() { overlapping_.clear(); }
  void see_inactive(const ContactPoint& point, double gap_allowance) {
    if (!passage_is_told_ && point.gap <= gap_allowance) overlapping_.push_back(point.key);
  }

  // At the end of a step that began with velocity u: the contacts found there, and those that were active in it.
  void look_for_passage(const SimulationState& state, const Vec& u, const Contacts& contacts,
                        const std::vector<ActiveContact>& active, double gap_allowance) {
    if (!passage_is_told_) tell_of_passage(state, u, contacts, active, gap_allowance);
  }
  void look_at_depth(const SimulationState& state, const Vec& u, const Contacts& contacts) {
    if (depth_is_told_) return;
    for (const ContactPoint& point : contacts.points)
      if (point.gap < 0 && tell_of_depth(state, u, contacts.W, point)) return;
  }
  void look_at_turning(const SimulationState& state, const MassMatrix& M, ConstrainedMass& manifold) {
    if (!turning_is_told_) tell_of_turning(state, M, manifold);
  }

 private:
  void tell_of_passage(const SimulationState& state, const Vec& u, const Contacts& contacts,
                       const std::vector<ActiveContact>& active, double gap_allowance);
  bool tell_of_depth(const SimulationState& state, const Vec& u, const Rows& W, const ContactPoint& point);
  void tell_of_turning(const SimulationState& state, const MassMatrix& M, ConstrainedMass& manifold);
  void find_met_pairs(const std::vector<ActiveContact>& active);
  void find_bodies();
  void find_change_by_joints(const SimulationState& state, ConstrainedMass& manifold);

  const System& system_;
  const LengthScale& lengths_;
  const Note& note_;
  const double h_, theta_;
  bool passage_is_told_, depth_is_told_, turning_is_told_;

  PassageSearch passages_;
  std::vector<std::uint64_t> overlapping_, met_pairs_;
  std::vector<Index> body_begins_;  // the first velocity of each body, and the end of the last
  Vec displacement_, q_on_;         // a little on, where joints have turned a little
  Rows B_on_;
  Vec b_on_, turned_;
  Vec spin_, of_spin_;    // velocities without those of centres, and their momentum
  Vec shift_, of_shift_;  // by the joints in a step, and its momentum
};

}  // namespace carom
