// Which contacts take part in a step: those whose predicted gap g_k + ½hγ_k ≤ 0, and those that went on in the step
// before and keep their gap.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/active_contact.h"
#include "engine/contact_finder.h"
#include "engine/passage.h"
#include "engine/step/place.h"
#include "engine/step_watch.h"

namespace carom {

struct ActiveSet {
  std::vector<ActiveContact> contacts;
  std::vector<bool> overrun;  // of each clutch, in the first step: the state to start from drives it backwards
  Index rows = 0;             // of the contacts
  bool something_impacts = false;
  bool something_swings = false;
  double gap_allowance = 0;    // for rounding of positions
  double curve_allowance = 0;  // for what a step makes of a contact on a curved path
  // The same as long as all contacts go on as they did in the step before.
  std::uint64_t version = 0;

  void number_rows();

  // What a sustained contact is off the gap it keeps before that is taken back, and where it comes to a halt meanwhile.
  double loose_gap() const { return 100 * gap_allowance; }
  double widest_loose_gap() const { return 3 * loose_gap(); }
};

// Whether g_k + ½hγ_k ≤ 0 decides alone about the contacts along a normal, as it does in the classical step about
// points, balls and disks.
class CaptureRule {
 public:
  virtual ~CaptureRule() = default;
  virtual bool decides_alone(Rows::Row normal) const = 0;
  virtual double largest_kept_gap(const ActiveSet& active) const = 0;  // of those it does not decide about
};

// Of the terms of w·u, and what rounding makes of them: no approach.
double sum_of_sizes(Rows::Row row, const Vec& u);
inline double rounded_speed(Rows::Row row, const Vec& u) { return rounding * sum_of_sizes(row, u); }

// Of bodies that slide over each other at the end of a step: overlap, as a part of what the step would close, and
// approach, as a part of what it is at the beginning.
inline constexpr double slides_over = 1e-2;

struct ContactRow {
  std::uint32_t point;  // among the contacts at the beginning of the step
  std::uint32_t row;    // of its normal in the W of a step
};

// Velocities along contacts that are known from the end of the step before, in the same bits: W of many takes long to
// read.
struct KnownSpeeds {
  std::span<const ContactRow> contacts = {};  // none: nothing is known
  const Vec* gamma = nullptr;
};

class Activation {
 public:
  Activation(const StepSetting& setting, StepForces& forces, StepWatch& watch);

  void begin(const CaptureRule& rule, std::size_t contacts);  // `rule` outlives the run
  // Whether the contacts of the step before, which were all there are, stay closed: nothing is to be selected anew.
  bool all_go_on(const Place& begin, const SimulationState& state, const KnownSpeeds& known);
  // By the impulses of the step before, which the state holds.
  ActiveSet& select(const Place& begin, const SimulationState& state, const KnownSpeeds& known);
  // Those that touch here: that go on, rest or approach; and those that leave, where an impact is to see all of them.
  ActiveSet& select_closed(const Place& here, const SimulationState& state, bool with_leaving);
  ActiveSet& active() { return active_; }
  const ActiveSet& active() const { return active_; }

  // Whether a sustained contact keeps the gap it landed with, and is not dropped because its path is curved: the
  // scheme meets the path to h³ in a step, far beyond rounding.
  bool keeps_gap(Rows::Row normal, double gap) const {
    return !(gap > rule_->largest_kept_gap(active_)) && !rule_->decides_alone(normal);
  }

 private:
  void begin_selection(const SimulationState& state);
  void find_overrun_clutches(const Clutches& clutches, const SimulationState& state);
  void leave_out_rounded_approach(const Place& begin, const SimulationState& state);
  void leave_out_what_passes(const Place& begin, const SimulationState& state);
  bool passes(ActiveContact& active, const SimulationState& state);
  const ContactPoint* nearest_ahead(std::uint64_t key) const;

  const StepSetting& setting_;
  const CaptureRule* rule_ = nullptr;
  StepForces& forces_;
  StepWatch& watch_;
  ActiveSet active_;
  Vec displacement_, q_ahead_;
  Contacts ahead_;  // where the step would end if nothing stopped it
  ContactFinder finder_;
  PassageSearch passages_;
};

}  // namespace carom
