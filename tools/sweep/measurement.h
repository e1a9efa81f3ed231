// Measures of a sweep made ready: vectors written out, names found in the system, units known.

#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "config/sweep_file.h"
#include "engine/impact_result.h"
#include "engine/recorder.h"
#include "engine/system.h"

namespace carom {

inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();  // a value that a point does not have

struct Measurement {
  const MeasureSpec* spec = nullptr;
  std::string argument;
  std::string name, units;
  std::vector<std::string> states;  // what 0, 1, ... stand for, if it counts states
};

// What there is to measure at one point: the system of a scene, or the elements of a raw problem.
struct MeasuredThing {
  const System* system = nullptr;
  bool finds_contacts = false;        // contacts that have no name beforehand
  std::vector<std::string> elements;  // that an impact can have
  std::size_t velocities = 0;
};

// BadInput with the place of every measure that does not fit.
std::vector<Measurement> measurements_of(const SweepFile& sweep, const MeasuredThing& thing);

// The first impact, resolved.
struct ResolvedImpact {
  double time = 0;
  const std::vector<Element>* elements = nullptr;
  const ImpactResult* result = nullptr;
};

// NaN where the impact has no such value.
double value_of(const Measurement& measurement, const ResolvedImpact& impact, const System* system);

// A number of a sample, by its path in a run file: time, q.NAME, u.0, energy/total, contacts/NAME/gap,
// contacts/NAME/velocity.normal, bodies/NAME/pose.x.
class LoggedQuantity {
 public:
  // Nothing if the system has none such; `why` then tells.
  static std::optional<LoggedQuantity> find(const std::string& path, const System& system, std::string* why = nullptr);

  double operator()(const Sample& sample) const;
  const std::string& units() const { return units_; }
  bool is_state() const { return kind_ == Kind::contact_state; }

 private:
  enum class Kind {
    time,
    position,
    velocity,
    energy,
    contact_gap,
    contact_velocity,
    contact_impulse,
    contact_state,
    pose
  };

  // What the path, or a part of it, names; false where nothing is, and `why` tells.
  bool read(const std::string& path, std::string& why);
  bool read_coordinate(bool position, const std::string& name, std::string& why);
  bool read_energy(const std::string& name, std::string& why);
  bool read_contact(const std::string& name, const std::string& column, const std::string& component, std::string& why);
  bool read_pose(const std::string& body, const std::string& component, std::string& why);

  Kind kind_ = Kind::time;
  const System* system_ = nullptr;
  Index index_ = 0;      // of the coordinate, energy, contact or body
  Index component_ = 0;  // of a vector
  std::string units_;
};

}  // namespace carom
