#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/suggestion.h"
#include "tools/run_file/columns.h"
#include "tools/sweep/measurement.h"

namespace carom {

namespace {

double energy_of(const EnergyLedger& ledger, Index i) {
  const std::array<double, 7> values = {ledger.kinetic,      ledger.potential,    ledger.total(), ledger.work_impacts,
                                        ledger.work_contact, ledger.work_applied, ledger.drift()};
  return values[static_cast<std::size_t>(i)];
}

// By name, or by number from 0.
std::optional<Index> find_entry(const std::string& word, const std::vector<std::string>& names, const char* what,
                                std::string& why) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return found - names.begin();
  std::size_t number = 0;
  const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (status == std::errc() && stop == word.data() + word.size() && number < names.size())
    return static_cast<Index>(number);
  why = fmt::format("there is no {} '{}'{}", what, word, suggestion(word, names));
  if (names.size() <= 20) why += fmt::format("; there are {}", fmt::join(names, ", "));
  return std::nullopt;
}

std::vector<std::string> names_of(const std::vector<Coordinate>& coordinates) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : coordinates) names.push_back(coordinate.name);
  return names;
}

std::vector<std::string> contact_names(const System& system) {
  std::vector<std::string> names;
  for (std::size_t key = 0; key < system.named_contacts(); ++key) names.push_back(system.contact_name(key));
  return names;
}

// "contacts/NAME/rest": a name may hold anything but the last '/'.
struct Split {
  std::string head, name, rest;
};

Split split(const std::string& path) {
  const std::size_t first = path.find('/'), last = path.rfind('/');
  if (first == std::string::npos) return {path, "", ""};
  if (first == last) return {path.substr(0, first), "", path.substr(first + 1)};
  return {path.substr(0, first), path.substr(first + 1, last - first - 1), path.substr(last + 1)};
}

}  // namespace

std::optional<LoggedQuantity> LoggedQuantity::find(const std::string& path, const System& system, std::string* why) {
  std::string reason;
  LoggedQuantity quantity;
  quantity.system_ = &system;
  const auto fail = [&]() -> std::optional<LoggedQuantity> {
    if (why) *why = reason;
    return std::nullopt;
  };
  if (path == "time") {
    quantity.units_ = "s";
    return quantity;
  }
  if (path.rfind("q.", 0) == 0 || path.rfind("u.", 0) == 0) {
    const bool position = path[0] == 'q';
    const std::vector<Coordinate> coordinates = position ? system.positions() : system.velocities();
    const auto index = find_entry(path.substr(2), names_of(coordinates), "coordinate", reason);
    if (!index) return fail();
    quantity.kind_ = position ? Kind::position : Kind::velocity;
    quantity.index_ = *index;
    quantity.units_ = coordinates[static_cast<std::size_t>(*index)].unit;
    return quantity;
  }
  const Split parts = split(path);
  const std::size_t dot = parts.rest.find('.');
  const std::string column = parts.rest.substr(0, dot);
  const std::string component = dot == std::string::npos ? "" : parts.rest.substr(dot + 1);
  if (parts.head == "energy" && parts.name.empty()) {
    const auto index = find_entry(parts.rest, energy_names(), "energy", reason);
    if (!index) return fail();
    quantity.kind_ = Kind::energy;
    quantity.index_ = *index;
    quantity.units_ = "J";
    return quantity;
  }
  if (parts.head == "contacts" && !parts.name.empty()) {
    const auto contact = find_entry(parts.name, contact_names(system), "named contact", reason);
    const std::vector<std::string> columns = {"gap", "velocity", "impulse", "state"};
    const auto index = contact ? find_entry(column, columns, "quantity of a contact", reason) : std::nullopt;
    if (!index) return fail();
    quantity.kind_ = std::array{Kind::contact_gap, Kind::contact_velocity, Kind::contact_impulse,
                                Kind::contact_state}[static_cast<std::size_t>(*index)];
    quantity.units_ = std::array{"m", "m/s", "N s", "1"}[static_cast<std::size_t>(*index)];
    quantity.index_ = *contact;
    const bool vector = *index == 1 || *index == 2;
    if (vector) {
      const auto direction = find_entry(component, direction_names(), "direction", reason);
      if (!direction) return fail();
      quantity.component_ = *direction;
    } else if (!component.empty()) {
      reason = fmt::format("'{}' has no part '{}'", column, component);
      return fail();
    }
    return quantity;
  }
  if (parts.head == "bodies" && !parts.name.empty() && column == "pose") {
    const PoseLayout poses = system.poses();
    const auto body = find_entry(parts.name, poses.bodies, "body", reason);
    const auto index = body ? find_entry(component, pose_names(poses.size), "part of a pose", reason) : std::nullopt;
    if (!index) return fail();
    quantity.kind_ = Kind::pose;
    quantity.index_ = *body;
    quantity.component_ = *index;
    quantity.units_ = pose_units(poses.size)[static_cast<std::size_t>(*index)];
    return quantity;
  }
  reason = fmt::format(
      "'{}' is no logged quantity; these are time, q.NAME, u.NAME, energy/{{{}}}, contacts/NAME/{{gap, "
      "velocity.normal, "
      "impulse.normal, state}}, bodies/NAME/pose.x",
      path, fmt::join(energy_names(), ", "));
  return fail();
}

double LoggedQuantity::operator()(const Sample& sample) const {
  const auto contact = [&]() -> const ContactSample& { return sample.contacts[static_cast<std::size_t>(index_)]; };
  switch (kind_) {
    case Kind::time:
      return sample.time;
    case Kind::position:
      return (*sample.q)(index_);
    case Kind::velocity:
      return (*sample.u)(index_);
    case Kind::energy:
      return energy_of(sample.energy, index_);
    case Kind::contact_gap:
      return contact().gap;
    case Kind::contact_velocity:
      return contact().velocity(component_);
    case Kind::contact_impulse:
      return contact().impulse(component_);
    case Kind::contact_state:
      return static_cast<double>(contact().state);
    case Kind::pose:
      break;
  }
  std::array<double, 7> pose{};
  system_->pose(*sample.q, index_, pose.data());
  return pose[static_cast<std::size_t>(component_)];
}

}  // namespace carom
