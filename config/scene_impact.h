// An impact of a scene as a raw problem: contacts at a state, with joints and clutches.

#pragma once

#include <optional>

#include "config/impact_file.h"
#include "config/scene.h"

namespace carom {

// The contacts that are closed in the initial state or close within the first half step. BadInput with a sentence if
// there is none and no clutch is overrun, or if the system is too large for a dense problem. `file` is for messages.
ImpactFile initial_impact(const Scene& scene, const std::string& file);

// The contacts that are closed at a state met on the way; none if there is no such contact.
std::optional<ImpactFile> closed_contacts_at(const Scene& scene, double time, const Vec& q, const Vec& u,
                                             const std::string& file);

// The contacts named, at a state met on the way.
ImpactFile impact_at(const Scene& scene, double time, const Vec& q, const Vec& u,
                     const std::vector<std::string>& contacts, const std::string& file);

}  // namespace carom
