#include "tests/bench/deposit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace carom::bench {

namespace {

using Eigen::Vector2d;

constexpr double touching = 1e-9;  // relative to the radii: what rounding makes of a contact

struct Disk {
  Vector2d centre;
  double radius;
};

// Disks by the square cells their centres are in; a cell is as wide as the largest disk.
class Cells {
 public:
  explicit Cells(double side) : side_(side) {}

  void add(const Disk& disk) { disks_[cell_of(disk.centre)].push_back(disk); }

  template <class Visit>
  void visit_near(const Vector2d& point, double distance, Visit visit) const {
    const Vector2d reach(distance, distance);
    const auto [low_x, low_y] = cell_of(point - reach);
    const auto [high_x, high_y] = cell_of(point + reach);
    for (int x = low_x; x <= high_x; ++x)
      for (int y = low_y; y <= high_y; ++y)
        if (const auto cell = disks_.find({x, y}); cell != disks_.end())
          for (const Disk& disk : cell->second) visit(disk);
  }

 private:
  std::pair<int, int> cell_of(const Vector2d& point) const {
    return {static_cast<int>(std::floor(point.x() / side_)), static_cast<int>(std::floor(point.y() / side_))};
  }

  double side_;
  std::map<std::pair<int, int>, std::vector<Disk>> disks_;
};

class Box {
 public:
  Box(const std::vector<double>& radii, double width)
      : width_(width), largest_(*std::max_element(radii.begin(), radii.end())), cells_(2 * largest_) {
    for (const double radius : radii)
      if (places_.try_emplace(radius).second) offer(radius, {radius, radius});
  }

  Vector2d set_down(double radius) {
    Places& places = places_.at(radius);
    while (!is_free(radius, places.top().second)) places.pop();
    const Disk disk{places.top().second, radius};
    cells_.add(disk);
    for (const auto& [next_radius, unused] : places_) offer_places_beside(disk, next_radius);
    return disk.centre;
  }

 private:
  struct Higher {
    bool operator()(const std::pair<double, Vector2d>& a, const std::pair<double, Vector2d>& b) const {
      return a.first > b.first;
    }
  };
  using Places = std::priority_queue<std::pair<double, Vector2d>, std::vector<std::pair<double, Vector2d>>, Higher>;

  // What another disk takes stays taken.
  bool is_free(double radius, const Vector2d& centre) const {
    bool is_free = true;
    cells_.visit_near(centre, radius + largest_, [&](const Disk& other) {
      const double apart = (centre - other.centre).norm();
      is_free = is_free && apart >= (1 - touching) * (radius + other.radius);
    });
    return is_free;
  }

  void offer(double radius, const Vector2d& centre) {
    const double slack = touching * radius;
    if (centre.x() < radius - slack || centre.x() > width_ - radius + slack || centre.y() < radius - slack) return;
    if (is_free(radius, centre)) places_.at(radius).emplace(centre.y(), centre);
  }

  // A leg of the right-angled triangle; NaN, which no box takes, if there is none.
  static double leg(double hypotenuse, double other) { return std::sqrt(hypotenuse * hypotenuse - other * other); }

  void offer_places_beside(const Disk& disk, double radius) {
    const double distance = disk.radius + radius;
    for (const double sign : {-1.0, 1.0}) {
      const double along = leg(distance, disk.centre.y() - radius);
      if (along > 0) offer(radius, {disk.centre.x() + sign * along, radius});
    }
    for (const double x : {radius, width_ - radius}) {
      const double up = leg(distance, disk.centre.x() - x);
      if (up > 0) offer(radius, {x, disk.centre.y() + up});
    }
    cells_.visit_near(disk.centre, distance + radius + largest_,
                      [&](const Disk& other) { offer_notch(disk, other, radius); });
  }

  // Above two disks and between them: there it does not roll off.
  void offer_notch(const Disk& a, const Disk& b, double radius) {
    const Vector2d across = b.centre - a.centre;
    const double apart = across.norm(), from_a = a.radius + radius, from_b = b.radius + radius;
    if (!(apart > 0) || apart >= from_a + from_b) return;
    const double along = 0.5 * (apart + (from_a * from_a - from_b * from_b) / apart);
    const Vector2d e = across / apart, up = e.x() > 0 ? Vector2d(-e.y(), e.x()) : Vector2d(e.y(), -e.x());
    const Vector2d centre = a.centre + along * e + leg(from_a, along) * up;
    if ((centre.x() - a.centre.x()) * (centre.x() - b.centre.x()) < 0) offer(radius, centre);
  }

  double width_, largest_;
  Cells cells_;
  std::map<double, Places> places_;  // for each radius, the lowest first
};

}  // namespace

std::vector<Vector2d> deposited(const std::vector<double>& radii, double width) {
  std::vector<Vector2d> centres;
  if (radii.empty()) return centres;
  Box box(radii, width);
  for (const double radius : radii) centres.push_back(box.set_down(radius));
  return centres;
}

}  // namespace carom::bench
