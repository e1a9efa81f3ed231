#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/suggestion.h"
#include "tools/run_file/columns.h"
#include "tools/sweep/measurement.h"

namespace carom {

namespace {

std::vector<std::string> energy_names() {
  std::vector<std::string> names;
  for (const LedgerColumn& column : ledger_columns()) names.emplace_back(column.name);
  return names;
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
  if (quantity.read(path, reason)) return quantity;
  if (why) *why = reason;
  return std::nullopt;
}

bool LoggedQuantity::read(const std::string& path, std::string& why) {
  if (path == "time") {
    units_ = "s";
    return true;
  }
  if (path.rfind("q.", 0) == 0 || path.rfind("u.", 0) == 0) return read_coordinate(path[0] == 'q', path.substr(2), why);
  const Split parts = split(path);
  const std::size_t dot = parts.rest.find('.');
  const std::string column = parts.rest.substr(0, dot);
  const std::string component = dot == std::string::npos ? "" : parts.rest.substr(dot + 1);
  if (parts.head == "energy" && parts.name.empty()) return read_energy(parts.rest, why);
  if (parts.head == "contacts" && !parts.name.empty()) return read_contact(parts.name, column, component, why);
  if (parts.head == "bodies" && !parts.name.empty() && column == "pose") return read_pose(parts.name, component, why);
  why = fmt::format(
      "'{}' is no logged quantity; these are time, q.NAME, u.NAME, energy/{{{}}}, contacts/NAME/{{gap, "
      "velocity.normal, impulse.normal, state}}, bodies/NAME/pose.x",
      path, fmt::join(energy_names(), ", "));
  return false;
}

bool LoggedQuantity::read_coordinate(bool position, const std::string& name, std::string& why) {
  const std::vector<Coordinate> coordinates = position ? system_->positions() : system_->velocities();
  const auto index = find_entry(name, names_of(coordinates), "coordinate", why);
  if (!index) return false;
  kind_ = position ? Kind::position : Kind::velocity;
  index_ = *index;
  units_ = coordinates[static_cast<std::size_t>(*index)].unit();
  return true;
}

bool LoggedQuantity::read_energy(const std::string& name, std::string& why) {
  const auto index = find_entry(name, energy_names(), "energy", why);
  if (!index) return false;
  kind_ = Kind::energy;
  index_ = *index;
  units_ = "J";
  return true;
}

bool LoggedQuantity::read_contact(const std::string& name, const std::string& column, const std::string& component,
                                  std::string& why) {
  struct Column {
    Kind kind;
    const char* units;
    bool has_directions;
  };
  static constexpr std::array<Column, 4> columns = {{{Kind::contact_gap, "m", false},
                                                     {Kind::contact_velocity, "m/s", true},
                                                     {Kind::contact_impulse, "N s", true},
                                                     {Kind::contact_state, "1", false}}};
  const auto contact = find_entry(name, contact_names(*system_), "named contact", why);
  const auto index = contact ? find_entry(column, {"gap", "velocity", "impulse", "state"}, "quantity of a contact", why)
                             : std::nullopt;
  if (!index) return false;
  const Column& found = columns[static_cast<std::size_t>(*index)];
  kind_ = found.kind;
  units_ = found.units;
  index_ = *contact;
  if (!found.has_directions) {
    if (!component.empty()) why = fmt::format("'{}' has no part '{}'", column, component);
    return component.empty();
  }
  const auto direction = find_entry(component, direction_names(), "direction", why);
  if (direction) component_ = *direction;
  return direction.has_value();
}

bool LoggedQuantity::read_pose(const std::string& body, const std::string& component, std::string& why) {
  const PoseLayout poses = system_->poses();
  const auto place = find_entry(body, poses.bodies, "body", why);
  const auto index = place ? find_entry(component, pose_names(poses.size), "part of a pose", why) : std::nullopt;
  if (!index) return false;
  kind_ = Kind::pose;
  index_ = *place;
  component_ = *index;
  units_ = pose_units(poses.size)[static_cast<std::size_t>(*index)];
  return true;
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
      return ledger_columns()[static_cast<std::size_t>(index_)].of(sample.energy);
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
