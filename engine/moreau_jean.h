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
// directions at either end of the step, which makes it of second order (moreau_jean_follow.cpp).
//
// Joints between impacts (θ = ½): the impulse Bλ acts as two kicks, one at either end of the step, the first chosen
// such that g_B(q_{k+1}) = 0, the second such that Bᵀu_{k+1} = b (as in RATTLE: Andersen 1983; Hairer, Lubich &
// Wanner 2006, VII.1.4). The step is symmetric in time, so a free pendulum's energy does not drift.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/active_contact.h"
#include "engine/constrained_mass.h"
#include "engine/contact_finder.h"
#include "engine/island_impact.h"
#include "engine/length_scale.h"
#include "engine/passage.h"
#include "engine/simulation.h"
#include "engine/step_islands.h"
#include "engine/step_watch.h"
#include "engine/tolerant_solver.h"

namespace carom {

class MoreauJean {
 public:
  using Note = StepWatch::Note;

  MoreauJean(const System& system, const ImpactLaw& law, const ImpactLaw* several, const InclusionSolver& solver,
             const IntegratorOptions& options, Note note);
  MoreauJean(const MoreauJean&) = delete;  // its parts refer to each other
  MoreauJean& operator=(const MoreauJean&) = delete;

  // Evaluates mass, joints and contacts at the state, so that step() can go on from it.
  void begin(SimulationState& state);
  void open_ledger(SimulationState& state) const;
  void step(SimulationState& state, Recorder* recorder, SimulationCounts& counts);

  // Completes the state with the impulses of the last step, whose state this is.
  void tell_impulses(SimulationState& state);
  // The named contacts at the end of the last step, whose state this is. Valid until the next one.
  std::span<const ContactSample> contact_samples(const SimulationState& state);

 private:
  static constexpr double many_steps = 20;  // a velocity jump beyond what the forces do in this many steps is an impact
  using Active = ActiveContact;

  void evaluate(double t, const Vec& q);
  void find_contacts(const SimulationState& state);
  void find_contacts_at(const Vec& q, const SimulationState& state, Contacts& there) const;
  void prepare_contact(SimulationState& state);

  // Which contacts take part.
  void select_active(SimulationState& state);
  bool all_go_on() const;
  bool keeps_gap(const ContactPoint& point, double gap) const;
  void find_overrun_clutches(const SimulationState& state);
  static double rounded_speed(Rows::Row row, const Vec& u);  // what rounding makes of w·u: no approach
  double speed_along_normal(const Active& active) const;
  void leave_out_rounded_approach(const SimulationState& state);
  void leave_out_what_passes(const SimulationState& state);
  const ContactPoint* nearest_ahead(std::uint64_t key) const;

  // Between impacts.
  bool advance_freely(SimulationState& state);
  void fly(const SimulationState& state);
  void predict_velocity(const SimulationState& state);
  void fly_steadily(const SimulationState& state);
  void change_velocity_steadily(const SimulationState& state);
  const MassMatrix& mass_within() const { return mass_is_constant_ ? M_ : M_theta_; }
  void go_within(const SimulationState& state, const Vec& v);
  void move_within(const Vec& u, const Vec& v, double share);
  void find_force_impulse(double t, const Vec& q, const Vec& u);
  void find_imbalance(double t, const Vec& q, const Vec& u_begin, const Vec& v);
  void refuse_what_contradicts(double t);
  void joint_misses(double t_theta, double t_end, const SimulationState& state);
  bool clutches_hold(const Vec& u, const Vec& v) const;
  void set_response(double t, const Vec& q, const Vec& u);
  bool is_driven() const { return manifold_.has_joints() && !b_.isZero(0); }

  // In contact.
  void advance_in_contact(SimulationState& state, Recorder* recorder, SimulationCounts& counts);
  void find_free_velocity(const SimulationState& state, double t_end);
  void expect_impulses(const SimulationState& state);
  bool number_rows();
  void collect_rows(const Contacts& there, const Vec& u);
  bool are_rows_of(const Contacts& there);
  bool are_all_named(const Contacts& there) const;
  void go_ahead(const SimulationState& state, const Vec& u);
  void look_ahead(const SimulationState& state, const Vec& u);
  void turn_to_middle(const SimulationState& state, const Vec& u);
  void collect_rows_ahead(const SimulationState& state, const Vec& u);
  void find_swinging_contacts();
  struct Turning {
    bool of_levers, is_jump;
  };
  bool has_joints(Rows::Row direction) const;
  Turning turning_between(Rows::Row from, Rows::Row to) const;
  void set_end_response(double t);
  void pose_inclusion();
  bool keeps_joints() const;
  void eliminate_joints();
  void pose_sets();
  void pose_velocities();
  void assemble_delassus();
  void assemble_sparse_delassus();
  void solve_step(const SimulationState& state, bool anew);
  void solve_inclusion(double t);
  bool impulses_last(double enough);
  void find_lasting_impulses();
  void start_from_impulses(double wanted_part);
  void follow_inclusion(double t);
  void ask_solver(double t);
  bool start_is_nearer(const InclusionOutcome& outcome);
  bool leave_restitution_to_impacts();
  void leave_sliding_that_cannot_last();
  void add_impulse_response();
  void keep_impulses();
  void follow(const SimulationState& state);
  void expect_end(const SimulationState& state);
  void expect_swinging();
  void add_turning(Vec& momentum) const;
  void find_turning();
  void leave_swinging(const SimulationState& state);
  bool passes_agree(const SimulationState& state);
  void find_correction(const SimulationState& state);
  void turn_joint_reactions();
  void add_impulses(Vec& momentum, double factor) const;
  void add_impulse(const Active& active, double factor, Vec& momentum) const;
  void find_end_velocities();
  void see_end_of_step();
  void refuse_what_nothing_opens(double t);
  bool hardly_opens(const Active& active) const;
  void move_to_end(SimulationState& state);
  void remember_impulses(SimulationState& state);
  bool is_sustained(const Active& active) const;
  double largest_opening_at_rest(Index row) const {
    return std::max(force_speed(row), rounding * (own_compliance_(row) * Lambda_(row)));  // what its impulse changed
  }
  State state_of(const Active& active) const;

  // Impacts by a law that is split off the step.
  void find_islands();
  StepElements elements() const;
  void go_to_impact(const SimulationState& state);
  void find_velocity_without_impacts(const SimulationState& state);
  void support_until_impact(const StepIsland& island, SimulationState& state);
  void resolve_impacts(SimulationState& state, Recorder* recorder, SimulationCounts& counts);
  void resolve_impact(const StepIsland& island, SimulationState& state, Recorder* recorder, SimulationCounts& counts);
  std::string why_unsolved(const InclusionOutcome& outcome);

  // Impacts within the inclusion of a step.
  bool is_impact(const StepIsland& island) const;
  bool jumps(const Active& active) const;
  bool something_jams() const;
  double turning_of(const Active& active) const;
  std::optional<RowRestitution> restitution_in_step(const ContactCoefficients& coefficients) const {
    return in_inclusion_form_ ? law_.restitution_in_step(coefficients) : std::nullopt;
  }
  double work_of(Index first_row, Index rows) const;
  void book_impacts_of_inclusion(SimulationState& state, Recorder* recorder, SimulationCounts& counts);
  ImpactRecord record_of_inclusion(const StepIsland& island, const SimulationState& state) const;
  void add_elements_of_inclusion(const StepIsland& island, ImpactRecord& record) const;

  // To the end of the step.
  void finish(SimulationState& state);
  void book_applied_work(SimulationState& state, bool driven);
  void project_positions(double t, Vec& q);
  void check_finite(const SimulationState& state) const;
  void book_energy(SimulationState& state) const;
  [[noreturn]] void fail_diverged(double t, const Vec& u) const;
  void fail_or_warn(double t, const char* kind, const std::string& why);  // of a kind one warning
  void note_once(const std::string& kind, const std::string& text);

  const System& system_;
  const ImpactLaw& law_;
  const InclusionSolver& solver_;
  const TolerantSolver tolerant_solver_;
  const IntegratorOptions options_;
  const LengthScale lengths_;
  const double h_, theta_;
  const Index n_, joints_, geometric_joints_;  // velocities and rows of joints
  bool in_inclusion_form_ = false;
  const bool mass_is_constant_;
  const bool constant_;          // mass and forces: one pass solves the step
  const bool steady_;            // and no joints: every flight changes the velocity by the same
  const bool fixed_directions_;  // of contacts and clutches
  // Forces that change are followed together with the contacts, and joints do not stand in between.
  bool follows_forces() const { return in_inclusion_form_ && joints_ == 0 && !constant_; }
  // The forces change γ by the same in every step: nothing turns, and no impact splits the step.
  bool changes_steadily() const { return steady_ && fixed_directions_ && in_inclusion_form_; }

  // What a user is told.
  Note note_;
  std::vector<std::string> noted_;
  std::int64_t unsolved_ = 0;  // of this step
  StepWatch step_watch_;
  std::vector<ContactSample> samples_;

  // At the beginning of the step.
  MassMatrix M_;
  Rows B_;
  Vec b_;
  ConstrainedMass manifold_;            // M and B
  std::vector<bool> block_has_joints_;  // of the mass matrix
  Contacts contacts_;
  Clutches clutches_;
  std::vector<bool> overrun_;  // of each clutch, in the first step: the state to start from drives it backwards

  // Velocities in the course of it.
  Vec u_begin_;   // at its beginning; after the impact where a law has split one off
  Vec u_free_;    // at its end, but for the impulses of its inclusion
  Vec velocity_;  // at its end

  // Between impacts.
  ConstrainedMass stiff_;  // A and B, if forces have gradients
  ConstrainedMass* response_ = nullptr;
  ForceGradient gradient_;
  MassMatrix M_theta_;  // where it is not constant
  Rows B_theta_;
  Vec b_theta_, q_theta_, u_theta_, q_end_, displacement_;
  Vec inner_, applied_, accelerated_, residual_;
  Vec imbalance_;  // what forces and impulses leave of the momentum, and the change of velocity that follows from it
  Vec gap_, miss_, shift_, kick_, joint_impulse_, u_kicked_;  // by joints
  Vec steady_change_;          // of the velocity in a step, where nothing changes the forces
  bool steady_loads_ = false;  // and some of them are applied

  // Which contacts take part.
  std::vector<Active> active_;
  bool something_impacts_ = false;  // of them
  bool something_swings_ = false;
  bool selected_as_before_ = false;  // they are those that W_ belongs to
  // Of frictionless contacts along directions that never change, under constant forces: all there are were sustained in
  // the last two steps; and all are closed in this one: γ_k is γ_{k+1} of the step before and Λ starts as it is.
  bool all_sustained_ = false;
  bool goes_on_ = false;
  bool impulses_are_told_ = true;  // to the state: Λ tells of those that go on until someone asks
  bool in_contact_ = false;        // the last step was, to its end: active_, W_ and Lambda_ tell of it
  double gap_allowance_ = 0;       // for rounding of positions
  double curve_allowance_ = 0;     // for what a step makes of a contact on a curved path
  // What a sustained contact is off the gap it keeps before that is taken back, and where it comes to a halt meanwhile.
  double loose_gap() const { return 100 * gap_allowance_; }
  double widest_loose_gap() const { return 3 * loose_gap(); }
  Vec q_ahead_;
  Contacts ahead_;  // where the step would end if nothing stopped it
  ContactFinder finder_;
  PassageSearch passages_;

  // Along which directions.
  Rows W_;                              // of the active contacts, then of the clutches
  std::vector<std::uint32_t> rows_of_;  // the contacts that are in W_, as points of contacts_
  bool rows_stand_ = false;             // as they are in contacts_, which have not been found anew since
  bool speeds_stand_ = false;           // and γ_{k+1} of the step before is W_ᵀu at the beginning of this one
  Index clutch_row_ = 0;
  Rows B_end_;
  Vec b_end_;
  ConstrainedMass end_response_;  // A with the joints at the end of the step

  // The inclusion of the step.
  bool sets_are_posed_ = false;  // the force sets belong to W_ as it is
  bool G_is_posed_ = false;      // and so does G, which depends on nothing else
  Index joint_rows_ = 0;         // of the inclusion, after those of W_: none where joints are eliminated
  Rows W_and_joints_;
  Delassus G_;
  Mat G_dense_;
  Vec own_compliance_;           // diagonal of G
  Vec u_approach_;               // u_begin_ as the joints at the end of the step allow it, for impacts of inclusions
  Vec gamma_k_;                  // W(q_k)ᵀu: what approaches, and is restituted; after a split impact what it left
  Vec gamma_begin_, gamma_end_;  // W̃ᵀu: at the beginning (after a split impact) and at the end of the step
  double gamma_begin(Index row) const { return fixed_directions_ ? gamma_k_(row) : gamma_begin_(row); }
  Vec gap_rate_;  // of contacts that keep their gap; nowhere if none does
  double gap_rate(Index row) const { return gap_rate_.size() == 0 ? 0 : gap_rate_(row); }
  Vec force_change_;  // of γ by the forces of the step
  double force_speed(Index row) const { return std::abs(force_change_(row)); }
  Vec epsilon_, Lambda_, xi_;
  Inclusion inclusion_;
  std::unique_ptr<InclusionFollower> follower_;
  int iterations_ = 0;
  double solved_residual_ = 0;
  int solutions_ = 1;
  Vec column_;
  Vec balance_size_;  // of the terms that balance each other in a momentum

  // What answers to its impulses.
  bool swinging_fails_ = false;  // an inclusion has no solution with it, or one that slides against itself
  Vec u_flight_;                 // u_free_ of a flight, before impacts that a law has split off
  Vec u_jumped_;                 // at the beginning of the step, with their jumps
  Vec u_followed_;               // the end velocity with which the forces in u_free_ were taken
  Vec u_straight_;               // u_free_ of a flight before turning contacts are followed
  Vec joint_reaction_;           // of the joints to contacts that go on

  // What is seen at its end.
  bool end_is_seen_ = false;                           // γ_{k+1} belongs to Λ as it is
  double largest_jump_ = 0, largest_force_speed_ = 0;  // of γ in the step
  double impulse_work_ = 0;                            // of all impulses in it
  bool all_stay_closed_ = false;                       // every row carries an impulse and hardly opens
  double jump_speed_ = 0;                              // beyond what the forces of many steps do
  bool something_jumps_ = false;                       // that much: a contact may

  // Impacts.
  StepIslands islands_;
  IslandImpact impact_;
  Vec q_impact_;
  Contacts at_impact_;  // where a split law's impact happens, in the middle of the flight
  ContactFinder impact_finder_;
  std::vector<Active> all_active_;
  std::vector<Eigen::Vector3d> supports_;  // of the active contacts, in the half step before a split impact
  Vec undisturbed_, Lambda_impact_;
  Vec jump_, supported_;   // by split impacts, of velocity; before them, of momentum
  Vec applied_in_flight_;  // as if no law had split an impact off the step
};

}  // namespace carom
