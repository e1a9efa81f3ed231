// The inclusion of a step, posed:
//
//   M(u_{k+1} − u_k) = hF + WΛ + Bλ,    Bᵀu_{k+1} = b,    ξ = γ_{k+1} + εγ_k ∈ N_C(−Λ),
//
// that is ξ = GΛ + c with G = WᵀA⁻¹W on the joints and c = Wᵀu_free + εγ_k, u_free the velocity without the impulses Λ.

#pragma once

#include <cmath>
#include <cstdint>

#include "engine/delassus.h"
#include "engine/inclusion.h"
#include "engine/step/contact_step.h"

namespace carom {

class EndOfStep;

struct PosedStep {
  Inclusion inclusion;
  Index joint_rows = 0;  // of the inclusion, after those of W: none where joints are eliminated
  Vec own_compliance;    // diagonal of G
  Vec epsilon;
  Vec gamma_k;       // W(q_k)ᵀu: what approaches, and is restituted; after a split impact what it left
  Vec gamma_begin;   // W̃ᵀu at the beginning (after a split impact); nowhere if directions are fixed, for it is γ_k
  Vec gap_rate;      // of contacts that keep their gap; nowhere if none does
  Vec force_change;  // of γ by the forces of the step
  bool changes_steadily = false;  // by the same in every step: nothing turns, and no impact splits the step

  double at_begin(Index row) const { return gamma_begin.size() == 0 ? gamma_k(row) : gamma_begin(row); }
  double force_speed(Index row) const { return std::abs(force_change(row)); }
  double by_gap(Index row) const { return gap_rate.size() == 0 ? 0 : gap_rate(row); }
  // ξ for γ_{k+1}. What joints leave no freedom does not take part.
  double xi(Index row, double gamma_end) const {
    return own_compliance(row) > 0 ? gamma_end + epsilon(row) * gamma_k(row) + by_gap(row) : 0;
  }
};

class StepInclusion {
 public:
  StepInclusion(const StepSetting& setting, const Activation& activation, const StepForces& forces,
                const InclusionSolver& solver)
      : setting_(setting), activation_(activation), forces_(forces), solver_(solver) {}

  void begin(const Treatment& treatment);  // which outlives the run
  // All but c. Where all contacts go on, γ_k is γ_{k+1} of the step before: `last` hands it over.
  PosedStep& pose(const ContactStep& step, EndOfStep& last);
  const PosedStep& posed() const { return posed_; }
  // c, which changes with the forces from pass to pass. `anew`: the first of a step.
  void set_free_velocity(const ContactStep& step, bool anew);

  // The same with fewer rows: contacts alone.
  void eliminate_joints(const ContactStep& step, Vec& Lambda);
  // False if there is none to leave out.
  bool leave_restitution_to_impacts(const ContactStep& step);

 private:
  // Versions of what sets, G and γ were made from.
  struct Made {
    std::uint64_t contacts = 0, W = 0, response = ~std::uint64_t{0}, active = 0;
    Index joint_rows = -1, G_joint_rows = -1;
    double h = 0;
  };

  bool keeps_joints(const ContactStep& step) const;
  void pose_sets(const ContactStep& step);
  void pose_velocities(const ContactStep& step, const EndOfStep& last);
  void keep_gap(const ContactStep& step, ActiveContact& active);
  double speed_along_normal(const ContactStep& step, const ActiveContact& active) const;
  void pose_delassus(const ContactStep& step);
  void assemble_delassus(const ContactStep& step);
  void assemble_sparse_delassus(const ContactStep& step);

  const StepSetting& setting_;
  const Activation& activation_;
  const StepForces& forces_;
  const InclusionSolver& solver_;
  const Treatment* treatment_ = nullptr;
  PosedStep posed_;
  Made posed_for_;
  Delassus G_;
  Rows W_and_joints_;
  Mat G_dense_;
  Vec column_, free_column_;
};

}  // namespace carom
