// A step in contact, as the workers see it that pose it, solve it and name what happened; a view.

#pragma once

#include "engine/step/treatment.h"

namespace carom {

struct ContactStep {
  const SimulationState& state;  // at its beginning
  const Place& begin;
  ActiveSet& active;
  Departure& departure;
  const StepRows& rows;

  const ContactPoint& point(const ActiveContact& contact) const { return begin.contacts().points[contact.point]; }
  // W(q_k)ᵀu of a contact's row.
  double at_begin(const ActiveContact& contact, Index k, const Vec& u) const {
    return begin.contacts().W.dot(point(contact).first_row + k, u);
  }
  StepElements elements() const {
    return {departure.place->M(),        active.contacts, begin.contacts().points, rows.W,
            departure.place->clutches(), active.overrun,  departure.place->B()};
  }
};

}  // namespace carom
