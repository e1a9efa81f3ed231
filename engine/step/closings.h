// Which contacts close within a step in which they have no part, and when. A contact closes where its gap falls below
// the level it is not to pass: zero, or the gap it has already if that is negative.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/contact_finder.h"
#include "engine/step/activation.h"

namespace carom {

// Above its level, and its rate.
struct Clearance {
  double gap = 0, gamma = 0;
};

// A contact that has closed at a time since the beginning of the step, or that comes nearest to it.
struct Closing {
  std::uint64_t key = 0;
  Clearance here;
  double expected = 0;      // when it reaches its level, by its rate here
  double rose_at_most = 0;  // of one that left as the step began: on the way
};

// Two ends of a way on which a contact comes near and goes away again, and may have closed in between.
struct Dip {
  std::size_t point = 0;  // at the beginning of the step
  double from = 0, to = 0;
  Clearance at_from, at_to;

  // Of gaps that bend upwards: where the tangents at both ends meet, and how deep that is.
  double lowest_time() const;
  double bound() const { return at_from.gap + at_from.gamma * (lowest_time() - from); }
};

class Closings {
 public:
  explicit Closings(const StepSetting& setting) : setting_(setting) {}

  // What is not active at the beginning of a step.
  void watch(const Place& begin, const ActiveSet& active, const Vec& u);

  // At a place to which the step leads after a time.
  void look(const Place& place, const Vec& u, double time);
  // Whether none has closed, or may have in between, at one glance: mostly so.
  bool none_is_near() const;
  // The first one that is further below its level than allowed; the first that comes nearer; of the last look.
  std::optional<Closing> closed(double allowed);
  std::optional<Closing> next();
  // One that came near, goes away there and may have been lower in between than allowed.
  std::optional<Dip> dip(double allowed);
  Clearance clearance_of(std::size_t point) const;                   // of the last look
  void clear(const Dip& dip) { watched_[dip.point].comes = false; }  // it did not close

 private:
  struct Watched {
    double level = 0;
    double gamma = 0;
    bool active = false;
    bool comes = false;  // nearer, and may have gone away again
  };

  double level_of(const ContactPoint& point, std::size_t guess);
  template <class Counts>
  std::optional<Closing> first(const Counts& counts);

  const StepSetting& setting_;
  bool some_come_ = false;
  Contacts before_;  // points alone
  std::vector<Watched> watched_;
  ContactFinder finder_;
  std::vector<std::uint64_t> active_pairs_;
  const Contacts* there_ = nullptr;
  const Vec* u_ = nullptr;
  double allowance_ = 0;
  double time_ = 0;
};

}  // namespace carom
