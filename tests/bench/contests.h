// What is compared, one function a row of the table.

#pragma once

#include "tests/bench/contest.h"

namespace carom::bench {

Contest ball_contest();
Contest kane_contest();
Contest located_contest(const std::string& what, const std::string& scene, int steps);  // beside moreau-jean
Contest resting_chain_contest(int balls, bool with_siconos);
Contest cold_chain_contest(int balls, bool with_siconos);
Contest pile_contest(int disks, double tolerance);
Contest compliant_contest();
Contest impact_contest(const std::string& law);
Contest recorder_contest();

// Cost against size, without others.
double chain_seconds_a_step(int balls);
double chain_bytes_a_ball(int balls);
struct PileCost {
  struct Seconds {
    double first_step = 0;  // from no impulses at all
    double a_step = 0;      // at rest
  };
  // Of a pile that partly moves: while a disk thrown up from it is in flight, and while one rolls over it. All contacts
  // are looked at anew in the first case; in the second the impulses change from step to step, and they are solved for.
  struct Moving {
    double thrown = 0, rolling = 0;
  };
  Moving moving;                  // seconds a step
  Seconds seconds;                // with as many threads as there are cores
  Seconds of_one_thread, gained;  // in the same rounds; one thread's seconds over those of all
  std::size_t contacts = 0;
  int failed = 0;
};
PileCost pile_cost(int disks, double tolerance);

}  // namespace carom::bench
