#include "solvers/certificates/newton_worst.h"

#include <cmath>

#include "solvers/certificates/contact_modes.h"

namespace carom {

namespace {

constexpr double most_newton_modes = 5000;  // four a rough contact, two any other element: six rough contacts

}  // namespace

WorstVelocity newton_worst(const ContactIsland& island, const PieceLimits& limits) {
  if (island.rows.empty()) return {};
  if (!island.rays_exact || !(island.epsilon.array() > -1).all()) return WorstVelocity::unknown();
  const UnitIsland unit(island);
  std::vector<std::vector<ElementMode>> modes;
  for (const UnitIsland::Element& element : unit.elements) modes.push_back(modes_of(unit, element));
  ModeLists lists;
  for (const auto& list : modes) lists.push_back(&list);
  if (number_of_choices(lists) > most_newton_modes) return WorstVelocity::unknown();
  PieceSearch search(unit, limits);
  const Mat R = Vec(1 + unit.epsilon.array()).asDiagonal() * unit.L;
  const double all = number_of_choices(lists);
  double visited = 0;
  visit_choices(lists, [&](const ModeChoice& chosen) {
    const PhaseMode mode(unit, chosen);
    search.visit({mode.X - unit.G * mode.P, R, mode.signs, mode.P});
    return search.affordable() && search.promising(++visited / all);
  });
  WorstVelocity worst = search.worst();
  if (visited < all) worst.bound = HUGE_VAL;
  return worst;
}

}  // namespace carom
