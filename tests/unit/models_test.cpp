#include <doctest/doctest.h>

#include "models/thin_rods.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/kane_pendulum.h"

using namespace carom;
using testing::KanePendulum;

TEST_CASE("Kane's pendulum in angles and as two hinged rods: the same impact to 1e-10, by every law") {
  const auto solver = find_solver("auto")->make();
  int compared = 0;
  for (double restitution : {0.0, 0.3, 0.5, 0.7, 1.0}) {
    for (double friction : {0.0, 0.2, 0.5, 1.0}) {
      KanePendulum pendulum;
      pendulum.restitution = restitution;
      pendulum.friction = friction;
      for (const LawEntry& law : impact_laws()) {
        const auto minimal = make_law({law.name, {}})->resolve(pendulum.in_angles(), *solver);
        const auto maximal = make_law({law.name, {}})->resolve(pendulum.as_hinged_rods(), *solver);
        REQUIRE(minimal.status == maximal.status);
        if (minimal.status != LawOutcome::Status::resolved) continue;
        const ImpactResult& a = minimal.results.front();
        const ImpactResult& b = maximal.results.front();
        CAPTURE(law.name);
        CHECK((pendulum.rod_velocities(a.u_plus(0), a.u_plus(1)) - b.u_plus).norm() < 1e-10);
        CHECK((a.elements[0].Lambda - b.elements[0].Lambda).norm() < 1e-10);
        CHECK(std::abs(a.work - b.work) < 1e-10);
        CHECK(a.elements[0].state == b.elements[0].state);
        ++compared;
      }
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("thin rods keep momentum and energy of the mean motion only for equal lengths") {
  const ThinRodCollision equal = collide_thin_rods({4, 4, 4, 4}, {1, 0, 0, 0});
  CHECK(equal.mean_velocity == std::vector<double>{0, 0, 0, 1});
  const ThinRodCollision unequal = collide_thin_rods({3, 7}, {1, 0});
  CHECK(3 * unequal.mean_velocity[0] + 7 * unequal.mean_velocity[1] == doctest::Approx(3));
  CHECK(unequal.mean_velocity[1] - unequal.mean_velocity[0] == doctest::Approx(3.0 / 7));
  const ThinRodCollision apart = collide_thin_rods({3, 3}, {0, 1});
  CHECK(apart.mean_velocity == std::vector<double>{0, 1});
}
