// Painlevé's critical friction along a run: how near friction comes to locking a contact
// (solvers/certificates/system.h), at every impact and at the recorded states in which the contact is closed.

#pragma once

#include <string>
#include <vector>

#include "config/impact_file.h"
#include "config/scene.h"
#include "tools/json.h"
#include "tools/run_file/reader.h"

namespace carom {

struct CriticalFriction {
  struct Point {
    double time;
    double ratio;  // μ_c/μ: what the contact's friction could be multiplied by
  };

  std::string contact;
  double friction = 0;  // μ, the largest where it has two
  std::vector<Point> points;

  const Point& least() const;
};

// Of frictional contacts whose friction pushes them, by name.
class CriticalFrictionAlong {
 public:
  void add(double time, const ImpactFile& impact);
  void add_recorded_states(const Scene& scene, const RunFileReader& run);

  std::vector<CriticalFriction> contacts() const;  // points in the order of time

 private:
  std::vector<CriticalFriction> contacts_;
};

std::string text_of(const std::vector<CriticalFriction>& contacts);
Json json_of(const std::vector<CriticalFriction>& contacts);

}  // namespace carom
