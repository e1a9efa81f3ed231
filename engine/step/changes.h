// When, within a step, contacts that go on change what they do: let go, begin to slip, or come to a halt. A step that
// goes over such an instant misses it by h², each time by another part of it; divided there it is of second order.
//
//   halts         the slip s falls from s(0) to s(h) ≤ 0; where the contact sticks at the end, to what it would have
//                 fallen to under all of the friction
//   slips, opens  the margin of the force, λ_N − |λ_T|/μ or λ_N, falls through zero. A step knows its mean, which is
//                 that of its middle; a brief one from the same state knows it at the beginning. Where the contact has
//                 changed already, the mean is what it would have been to prevent that.

#pragma once

#include <optional>
#include <vector>

#include "engine/step/step_inclusion.h"

namespace carom {

// A step in contact, taken.
struct TakenStep {
  const ActiveSet& active;
  const PosedStep& posed;
  const Vec& Lambda;
  const Vec& gamma_end;
};

class Changes {
 public:
  explicit Changes(const StepSetting& setting) : setting_(setting) {}

  // Of the step just taken. True if some may open or slip: then a brief step from the same state is to be looked at.
  bool look(const TakenStep& step);
  void look_at_beginning(const TakenStep& brief);
  // The first, as a time since the beginning; none if that is next to one of the ends.
  std::optional<double> first() const;

 private:
  struct Margin {
    std::size_t contact;
    bool of_slip;
    double mean;  // in the step, as a force
  };

  void find_friction(const TakenStep& step);
  void look_at_normal(const TakenStep& step, std::size_t contact);
  void look_at_slip(const TakenStep& step, std::size_t contact);
  double normal_margin(const TakenStep& step, const ActiveContact& contact) const;
  double slip_margin(const TakenStep& step, const ActiveContact& contact, const ForceSet& friction) const;
  void expect(double time);

  const StepSetting& setting_;
  std::vector<Margin> falling_;
  std::vector<ForceSet> friction_;  // of each contact; unilateral: it has none
  double h_ = 0, first_ = 0;
};

}  // namespace carom
