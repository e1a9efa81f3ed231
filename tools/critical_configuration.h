// Painlevé's critical friction over the configurations of a scene: the least that is found while a contact stays closed
// (Brogliato 2012, Proposition 12: below it no singularity occurs on the whole way).
//
// From the scene's impact the system is moved by random steps of shrinking length along motions that keep the contact
// closed and the joints together; what leaves them is drawn back by Newton's method, what penetrates anything is not
// counted. Seeded and counted: the least that is found, not proven.

#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "config/scene.h"
#include "tools/json.h"

namespace carom {

struct CriticalConfiguration {
  std::string contact;
  double friction = 0;     // μ, the largest where it has two
  double here = HUGE_VAL;  // μ_c at the impact itself
  double least = HUGE_VAL;
  Vec q;  // where it is least
  int configurations = 0;
};

// Of the frictional contacts named, whose friction pushes them somewhere. None in systems too large to look around in.
std::vector<CriticalConfiguration> critical_configurations(const Scene& scene, double time, const Vec& q,
                                                           const std::vector<std::string>& contacts);

std::string text_of(const std::vector<CriticalConfiguration>& contacts);
Json json_of(const std::vector<CriticalConfiguration>& contacts);

}  // namespace carom
