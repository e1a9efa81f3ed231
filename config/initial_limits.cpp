#include "config/initial_limits.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "engine/mass_range.h"

namespace carom {

namespace {

// Of 16 digits 8 are left for an angle and its sine, 4 for a length.
constexpr double largest_angle = 1e8, largest_length = 1e12;

double most_of(const Coordinate& coordinate) { return coordinate.is_angle() ? largest_angle : largest_length; }

// Null in a closed-form model.
const BodyDraft* body_of(const Coordinate& coordinate, const SceneDraft& draft) {
  const auto found = draft.index.find(coordinate.name.substr(0, coordinate.name.rfind('.')));
  return found == draft.index.end() ? nullptr : &draft.bodies[static_cast<std::size_t>(found->second)];
}

Vec3 world_point(const Anchor& anchor, const Assembly& assembly, bool planar) {
  if (anchor.body == world) return anchor.at;
  double pose[7];
  assembly.pose(assembly.initial_positions(), anchor.body, pose);
  if (planar) return Vec3(pose[0], pose[1], 0) + Eigen::AngleAxisd(pose[2], Vec3::UnitZ()) * anchor.at;
  return Vec3(pose[0], pose[1], pose[2]) + Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]) * anchor.at;
}

}  // namespace

void refuse_coordinates_without_digits(const Scene& scene, const SceneDraft& draft, const GivenCoordinates& given,
                                       const Origin& initial, const Origin& otherwise, Diagnostics& diagnostics) {
  const auto look_at = [&](const std::vector<Coordinate>& names, const Vec& values, const std::vector<bool>& is_given,
                           double factor, bool is_velocity, const std::string& what) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Coordinate& coordinate = names[i];
      const double value = values(static_cast<Index>(i));
      if (std::abs(factor * value) <= most_of(coordinate)) continue;
      const BodyDraft* body = body_of(coordinate, draft);
      const Origin* said = body ? body->says(coordinate.is_length(), is_velocity) : nullptr;
      const Origin& at = i < is_given.size() && is_given[i] ? initial : said ? *said : body ? body->origin : otherwise;
      diagnostics.error(at.place, at.path,
                        fmt::format("'{}' = {:g} {} {}", coordinate.name, value, coordinate.unit(), what));
    }
  };
  look_at(scene.system->positions(), scene.q, given.q, 1, false, "is so large that no digits are left for its motion");
  look_at(
      scene.system->velocities(), scene.u, given.u, scene.integrator.step, true,
      fmt::format("goes so far in a step of {:g} s that no digits are left for where it is", scene.integrator.step));
}

void refuse_masses_out_of_range(const Scene& scene, const SceneDraft& draft, const Origin& otherwise,
                                Diagnostics& diagnostics) {
  MassMatrix M;
  scene.system->mass(scene.q, M);
  const std::vector<Coordinate> velocities = scene.system->velocities();
  const BodyDraft* told = nullptr;
  for (Index i = 0; i < M.size(); ++i) {
    const Index block = M.block_of(i), at = i - M.offset(block);
    const double mass = M.block(block)(at, at);
    if (mass >= least_mass && mass <= most_mass) continue;
    const Coordinate& coordinate = velocities[static_cast<std::size_t>(i)];
    const BodyDraft* body = body_of(coordinate, draft);
    if (body && body == told) continue;
    told = body;
    const Origin& where = body ? body->origin : otherwise;
    const bool is_length = coordinate.is_length();
    diagnostics.error(
        where.place, where.path,
        fmt::format("the {} of '{}', {:g} {}, is outside {:g} .. {:g}, where impulses have squares: choose other units",
                    is_length ? "mass" : "moment of inertia", coordinate.name, mass, is_length ? "kg" : "kg m²",
                    least_mass, most_mass));
  }
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
