// Work done by carom and by others, timed in turn: in every round each contender does its share once, so that what
// else happens on the machine hits all of them, and ratios are taken within a round.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace carom::bench {

// Does a share of the work and returns the seconds one unit of it (a step, an impact, a row) took. What is set up
// before is not counted.
using Round = std::function<double()>;

struct Contest {
  std::string name;
  std::string unit;
  Round carom;
  Round floor = {};    // a hand-written loop without any framework
  Round siconos = {};  // empty: it cannot, or is not installed
  std::optional<double> most_times_floor = {};
  std::optional<double> least_times_siconos = {};
  std::optional<double> most_seconds = {};
  int rounds = 7;
  std::function<std::string()> remark = {};  // what else was seen, e.g. steps that failed
};

struct Timing {
  double median = 0, lowest = 0, highest = 0;
};

struct Standing {
  std::string name, unit;
  Timing carom;
  std::optional<Timing> floor, siconos;
  std::optional<Timing> times_floor;    // carom/floor, round by round
  std::optional<Timing> times_siconos;  // siconos/carom
  std::string target;
  bool met = true;
  std::string remark;
};

Timing summary(std::vector<double> values);
Standing hold(const Contest& contest);

// Seconds that `work` takes.
double seconds_of(const std::function<void()>& work);

// Seconds of the processor in this program: the same where the machine is idle; where it is not, what is done only once
// and takes milliseconds is interrupted far more often than what takes less.
double processor_seconds_of(const std::function<void()>& work);

}  // namespace carom::bench
