#include "tools/figures/wave_diagram.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom {

namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double half_square(const std::vector<double>& values, double width) {
  double sum = 0;
  for (double v : values) sum += 0.5 * v * v * width;
  return sum;
}

struct Region {
  double x = 0, t = 0, count = 0;  // sums, for its middle
  double velocity = 0, strain = 0;
};

// The region that a cell belongs to: the same velocity and strain in the same rod, touching.
void collect(std::vector<Region>& regions, double x, double t, double velocity, double strain, double reach) {
  for (Region& region : regions) {
    const bool same = std::abs(region.velocity - velocity) < 1e-9 && std::abs(region.strain - strain) < 1e-9;
    if (!same || std::hypot(region.x / region.count - x, region.t / region.count - t) > reach) continue;
    region.x += x, region.t += t, region.count += 1;
    return;
  }
  regions.push_back({x, t, 1, velocity, strain});
}

}  // namespace

RodMotion rod_motion(const std::vector<int>& lengths, const std::vector<double>& velocities, int cells) {
  RodMotion motion;
  motion.lengths = lengths;
  motion.cells = cells;
  std::vector<int> in_cells;
  for (int length : lengths) in_cells.push_back(length * cells);
  const double dx = 1.0 / cells;
  const ThinRodCollision collision = collide_thin_rods(in_cells, velocities, [&](const ThinRodState& state) {
    motion.states.push_back(state);
    RodSample sample;
    sample.time = state.time * dx;
    for (std::size_t k = 0; k < state.velocity.size(); ++k) {
      sample.mean_velocity.push_back(mean_of(state.velocity[k]));
      sample.kinetic.push_back(half_square(state.velocity[k], dx));
      sample.strain_energy.push_back(half_square(state.strain[k], dx));
    }
    motion.samples.push_back(std::move(sample));
  });
  for (double t : collision.opens_at) motion.opens_at.push_back(t * dx);
  return motion;
}

Panel wave_panel(const RodMotion& motion, const std::string& title, double until) {
  const double dx = 1.0 / motion.cells;
  const double total = std::accumulate(motion.lengths.begin(), motion.lengths.end(), 0.0);
  Panel panel(title, {0, total}, {0, until}, "x / m", "t / s");
  double fastest = 0;
  for (const auto& rod : motion.states.front().velocity)
    for (double v : rod) fastest = std::max(fastest, std::abs(v));
  std::vector<Region> regions;
  for (const ThinRodState& state : motion.states) {
    const double t = state.time * dx;
    if (t >= until) break;
    double x = 0;
    for (std::size_t k = 0; k < state.velocity.size(); ++k) {
      const std::vector<double>& v = state.velocity[k];
      for (std::size_t first = 0; first < v.size();) {
        std::size_t last = first;
        while (last < v.size() && v[last] == v[first]) ++last;
        const double a = x + static_cast<double>(first) * dx, b = x + static_cast<double>(last) * dx;
        if (std::abs(v[first]) > 1e-9)
          panel.area({{a, t}, {b, t}, {b, t + dx}, {a, t + dx}}, v[first] > 0 ? Ink::blue : Ink::orange,
                     0.55 * std::abs(v[first]) / fastest, v[first] > 0 ? "moves to the right" : "moves to the left");
        first = last;
      }
      for (std::size_t cell = 0; cell < v.size(); ++cell)
        collect(regions, x + (static_cast<double>(cell) + 0.5) * dx, t + 0.5 * dx, v[cell], state.strain[k][cell],
                0.75 * motion.lengths[k]);
      x += motion.lengths[k];
    }
  }
  double wall = 0;
  for (std::size_t k = 0; k + 1 < motion.lengths.size(); ++k) {
    wall += motion.lengths[k];
    panel.line({{wall, 0}, {wall, motion.opens_at[k]}}, {.ink = Ink::black, .width = 2.2, .legend = "contact closed"});
    panel.line({{wall, motion.opens_at[k]}, {wall, until}},
               {.ink = Ink::red, .width = 1.2, .dashed = true, .legend = "open"});
  }
  for (const Region& region : regions)
    if (region.count * dx * dx > 0.1 * total * until / 12)
      panel.text({region.x / region.count, region.t / region.count}, fmt::format("{:.3g}", region.velocity));
  return panel;
}

}  // namespace carom
