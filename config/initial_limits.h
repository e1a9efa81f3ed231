// What no initial state may be, although each number of it is one.

#pragma once

#include <vector>

#include "config/scene.h"
#include "config/scene_draft.h"
#include "config/scene_initial.h"

namespace carom {

// Coordinates so large, or that change so much within a step, that their digits are used up; each where it is given,
// under `initial` or at its body, or else at the place of what is not told apart.
void refuse_coordinates_without_digits(const Scene& scene, const SceneDraft& draft, const GivenCoordinates& given,
                                       const Origin& initial, const Origin& otherwise, Diagnostics& diagnostics);

// Masses and moments of inertia so small or large that the squares of impulses are no numbers.
void refuse_masses_out_of_range(const Scene& scene, const SceneDraft& draft, const Origin& otherwise,
                                Diagnostics& diagnostics);

// Springs that push although their ends are at one point: in which direction, nobody has said. At their places.
void refuse_undirected_springs(const Assembly& assembly, const std::vector<Spring>& springs, const SceneDraft& draft,
                               Diagnostics& diagnostics);

}  // namespace carom
