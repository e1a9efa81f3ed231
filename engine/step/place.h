// What the system is at a time and position: mass, joints, clutches, and the contacts that a step from there may meet.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/constrained_mass.h"
#include "engine/step/forces.h"

namespace carom {

// Those that a step from q may meet with velocities up to u's.
inline void find_contacts(const StepSetting& setting, const Vec& q, const Vec& u, Contacts& there) {
  there.clear();
  setting.system.contacts(q, u, setting.search_time, there);
}

class Place {
 public:
  // `constant_mass` is that of all places where it is constant.
  Place(const StepSetting& setting, const StepForces& forces, const MassMatrix& constant_mass)
      : setting_(setting), forces_(forces), constant_mass_(constant_mass) {}
  Place(const Place&) = delete;  // its manifold refers to its mass
  Place& operator=(const Place&) = delete;

  void begin(double t, const Vec& q);  // for the first time in a run
  // All but contacts, in the storage of the place before. u: the velocity that led there.
  void evaluate(double t, const Vec& q, const Vec& u) {
    if (!setting_.same_everywhere) evaluate_anew(t, q, u);
  }
  void project(double t, Vec& q, const Vec& u);  // q onto the joints, by the least motion in the kinetic metric

  void find_contacts(const SimulationState& state);
  // At the end of a step: takes those at its beginning, and finds them anew where they have changed.
  void take_contacts(Place& before, const SimulationState& state);

  const MassMatrix& M() const { return setting_.mass_is_constant ? constant_mass_ : own_mass_; }
  const Rows& B() const { return B_; }
  const Vec& b() const { return b_; }
  ConstrainedMass& manifold() const { return manifold_; }  // M and B
  const Clutches& clutches() const { return clutches_; }
  const Contacts& contacts() const { return *contacts_; }
  std::uint64_t found() const { return found_; }  // the same as long as the rows of the contacts are, bit by bit

  bool is_driven() const { return setting_.joints > 0 && !b_.isZero(0); }
  bool has_joints(Rows::Row direction) const;  // what it moves

 private:
  void evaluate_anew(double t, const Vec& q, const Vec& u);
  void find_joints(double t, const Vec& q);
  void find_clutches(const Vec& q);

  const StepSetting& setting_;
  const StepForces& forces_;
  const MassMatrix& constant_mass_;
  MassMatrix own_mass_;
  Rows B_;
  Vec b_;
  mutable ConstrainedMass manifold_;  // asking it for an answer uses its workspaces
  Clutches clutches_;
  std::unique_ptr<Contacts> contacts_ = std::make_unique<Contacts>();  // handed on from place to place
  std::uint64_t found_ = 0;
  std::vector<bool> block_has_joints_;  // of the mass matrix
  Vec gap_, miss_, shift_;
};

}  // namespace carom
