// What a scene's law finds wrong with its contacts and clutches, told at the key that gives it before anything runs.
// Only what an impact would be refused for in any case: contacts and clutches that exist, whatever meets when.

#pragma once

#include "config/scene.h"
#include "config/scene_draft.h"

namespace carom {

// The law, and where it is given: if by an option, then that is what does not fit.
struct GivenLaw {
  const LawChoice& law;
  Place place;
};

// Named contacts and clutches.
void check_law_of_parts(const GivenLaw& law, const SceneDraft& draft, Diagnostics& diagnostics);

// Contacts that `collide` can find, by the materials that meet; together with the named ones, which are good already.
void check_law_of_found_contacts(const GivenLaw& law, const Assembly& assembly, const SceneDraft& draft,
                                 Diagnostics& diagnostics);

// Contacts and clutches of a closed-form model, at its own key of the same name.
void check_law_of_model(const GivenLaw& law, const System& system, const Vec& q, SpecReader& root,
                        Diagnostics& diagnostics);

// Scene::shared_restitution, once the system is there; none without contacts.
std::optional<double> shared_restitution(const Scene& scene, const SceneDraft& draft);

// Whether a law that takes one contact at a time meets clutches that the contacts act on, in the initial pose.
void check_law_of_clutches(const GivenLaw& law, const Scene& scene, const SceneDraft& draft, Diagnostics& diagnostics);

// What a law finds wrong with its own parameters at the impact that the scene begins with, if it begins with one.
void check_law_of_initial_impact(const Scene& scene, SpecReader& root, Diagnostics& diagnostics);

}  // namespace carom
