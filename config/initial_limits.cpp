#include "config/initial_limits.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace carom {

namespace {

// Of 16 digits 8 are left for an angle and its sine, 4 for a length.
constexpr double most_radians = 1e8, most_metres = 1e12;

double most_of(const std::string& unit) { return unit.starts_with("rad") ? most_radians : most_metres; }

Vec3 world_point(const Anchor& anchor, const Assembly& assembly, bool planar) {
  if (anchor.body == world) return anchor.at;
  double pose[7];
  assembly.pose(assembly.initial_positions(), anchor.body, pose);
  if (planar) return Vec3(pose[0], pose[1], 0) + Eigen::AngleAxisd(pose[2], Vec3::UnitZ()) * anchor.at;
  return Vec3(pose[0], pose[1], pose[2]) + Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]) * anchor.at;
}

}  // namespace

std::vector<std::string> coordinates_without_digits(const Scene& scene) {
  std::vector<std::string> sentences;
  const auto look_at = [&](const std::vector<Coordinate>& names, const Vec& values, double factor,
                           const std::string& what) {
    for (Index i = 0; i < values.size(); ++i) {
      const Coordinate& coordinate = names[static_cast<std::size_t>(i)];
      if (std::abs(factor * values(i)) <= most_of(coordinate.unit)) continue;
      sentences.push_back(fmt::format("'{}' = {:g} {} {}", coordinate.name, values(i), coordinate.unit, what));
    }
  };
  look_at(scene.system->positions(), scene.q, 1, "is so large that no digits are left for its motion");
  look_at(
      scene.system->velocities(), scene.u, scene.integrator.step,
      fmt::format("goes so far in a step of {:g} s that no digits are left for where it is", scene.integrator.step));
  return sentences;
}

void refuse_undirected_springs(const Assembly& assembly, const std::vector<Spring>& springs, const SceneDraft& draft,
                               Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const Spring& spring = springs[i];
    if (spring.kind != Spring::Kind::points || !spring.rest || !(spring.stiffness > 0)) continue;
    const Vec3 apart = world_point(spring.b, assembly, draft.planar) - world_point(spring.a, assembly, draft.planar);
    if (!(apart.norm() < rounding * *spring.rest)) continue;
    const Origin& at = draft.springs[i].origin;
    diagnostics.error(at.place, at.path,
                      fmt::format("its ends are at one point initially, so that a spring with a rest length of {:g} m "
                                  "has no direction to push in; move one of them, or set 'rest: 0'",
                                  *spring.rest));
  }
}

}  // namespace carom
