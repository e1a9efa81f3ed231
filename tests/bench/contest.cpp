#include "tests/bench/contest.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace carom::bench {

namespace {

void add_target(const std::string& text, bool met, Standing& standing) {
  standing.target += (standing.target.empty() ? "" : ", ") + text;
  standing.met = standing.met && met;
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double processor_seconds_of(const std::function<void()>& work) {
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

Timing summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {0.5 * (values[(n - 1) / 2] + values[n / 2]), values.front(), values.back()};
}

Standing hold(const Contest& contest) {
  std::vector<double> carom, floor, siconos, times_floor, times_siconos;
  for (int round = 0; round < contest.rounds; ++round) {
    carom.push_back(contest.carom());
    if (contest.floor) {
      floor.push_back(contest.floor());
      times_floor.push_back(carom.back() / floor.back());
    }
    if (contest.siconos) {
      siconos.push_back(contest.siconos());
      times_siconos.push_back(siconos.back() / carom.back());
    }
  }
  Standing standing;
  standing.name = contest.name;
  standing.unit = contest.unit;
  standing.carom = summary(carom);
  if (contest.floor) {
    standing.floor = summary(floor);
    standing.times_floor = summary(times_floor);
  }
  if (contest.siconos) {
    standing.siconos = summary(siconos);
    standing.times_siconos = summary(times_siconos);
  }
  if (contest.most_times_floor && contest.floor)
    add_target(fmt::format("≤ {:g} × floor", *contest.most_times_floor),
               standing.times_floor->median <= *contest.most_times_floor, standing);
  if (contest.least_times_siconos && contest.siconos)
    add_target(fmt::format("≥ {:g} × Siconos", *contest.least_times_siconos),
               standing.times_siconos->median >= *contest.least_times_siconos, standing);
  if (contest.most_seconds)
    add_target(fmt::format("≤ {:g} ns", *contest.most_seconds * 1e9), standing.carom.median <= *contest.most_seconds,
               standing);
  if (contest.remark) standing.remark = contest.remark();
  return standing;
}

}  // namespace carom::bench
