#include "models/thin_rods.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace carom {

namespace {

struct Rod {
  std::vector<double> f, g;  // right- and left-going, one entry a cell

  double mean_velocity() const {
    return (std::accumulate(f.begin(), f.end(), 0.0) + std::accumulate(g.begin(), g.end(), 0.0)) /
           static_cast<double>(f.size());
  }

  // Moves the waves by one cell; what enters at the two ends is given.
  void shift(double enters_left, double enters_right) {
    std::rotate(f.rbegin(), f.rbegin() + 1, f.rend());
    std::rotate(g.begin(), g.begin() + 1, g.end());
    f.front() = enters_left;
    g.back() = enters_right;
  }
};

ThinRodState state_of(const std::vector<Rod>& rods, int time) {
  ThinRodState state;
  state.time = time;
  for (const Rod& rod : rods) {
    std::vector<double> velocity, strain;
    for (std::size_t k = 0; k < rod.f.size(); ++k) {
      velocity.push_back(rod.f[k] + rod.g[k]);
      strain.push_back(rod.g[k] - rod.f[k]);
    }
    state.velocity.push_back(std::move(velocity));
    state.strain.push_back(std::move(strain));
  }
  return state;
}

}  // namespace

ThinRodCollision collide_thin_rods(const std::vector<int>& lengths, const std::vector<double>& velocities,
                                   const std::function<void(const ThinRodState&)>& observe) {
  if (lengths.empty() || lengths.size() != velocities.size()) throw std::invalid_argument("one velocity a rod");
  std::vector<Rod> rods;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 1) throw std::invalid_argument("a rod is at least one cell long");
    const auto cells = static_cast<std::size_t>(lengths[i]);
    rods.push_back({std::vector<double>(cells, velocities[i] / 2), std::vector<double>(cells, velocities[i] / 2)});
  }
  ThinRodCollision collision;
  const std::size_t contacts = rods.size() - 1;
  std::vector<double> gap(contacts, 0.0);
  collision.opens_at.assign(contacts, 0.0);
  const int total = std::accumulate(lengths.begin(), lengths.end(), 0);
  // Waves cross all rods and come back several times before the last contact can open.
  for (int step = 0; step < 8 * total; ++step) {
    if (observe) observe(state_of(rods, step));
    std::vector<double> enters_left(rods.size());
    std::vector<double> enters_right(rods.size());
    enters_left.front() = rods.front().g.front();
    enters_right.back() = rods.back().f.back();
    for (std::size_t k = 0; k < contacts; ++k) {
      const double f = rods[k].f.back();
      const double g = rods[k + 1].g.front();
      const bool closed = gap[k] <= 0 && g - f <= 0;
      enters_right[k] = closed ? g : f;
      enters_left[k + 1] = closed ? f : g;
      if (closed) {
        collision.opens_at[k] = step + 1;
      } else {
        gap[k] = std::max(0.0, gap[k] + 2 * (g - f));
      }
    }
    for (std::size_t i = 0; i < rods.size(); ++i) rods[i].shift(enters_left[i], enters_right[i]);
  }
  for (const Rod& rod : rods) collision.mean_velocity.push_back(rod.mean_velocity());
  return collision;
}

}  // namespace carom
