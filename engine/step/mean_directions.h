// W̄ = ½(W(q_k) + W̃): along the mean of their directions at either end of the step push those contacts that go on and
// whose lever arms, or joints on their bodies, turn within it. What is closed at either end, W(q_k)ᵀu_k = W̃ᵀv = 0, then
// does the work ¼Λᵀ(W̃ − W(q_k))ᵀ(u_k − v), of third order in h. Along W̃ alone it would be of second, and a top on its
// tip would lose its spin. Points and disks, whose normals pass through their centres, are left as the classical step
// has them.

#pragma once

#include "engine/step/contact_step.h"

namespace carom {

// Marks the contacts that swing: those that do so.
void mark_swinging(const StepSetting& setting, const Place& begin, const StepRows& rows, ActiveSet& active);

// momentum += factor·W̄Λ, of all contacts and clutches, or of a contact.
void add_impulses(const ContactStep& step, const Vec& Lambda, double factor, Vec& momentum);
void add_impulse(const ContactStep& step, const ActiveContact& active, const Vec& Lambda, double factor, Vec& momentum);
// momentum += (W̄ − W̃)Λ = ½(W(q_k) − W̃)Λ of what swings.
void add_turning(const ContactStep& step, const Vec& Lambda, Vec& momentum);

}  // namespace carom
