#include "tools/python/recording.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>

#include "tools/run_file/columns.h"

namespace carom {

namespace {

constexpr std::size_t most_impact_coordinates = 1000;  // as in a run file

template <class T>
void append(std::vector<T>& to, const T* from, std::size_t count) {
  to.insert(to.end(), from, from + count);
}

void append(std::vector<double>& to, const Vec& v) { to.insert(to.end(), v.begin(), v.end()); }

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Vec row_of(const Column& column, std::size_t row) {
  const auto width = static_cast<Index>(column.width());
  return Eigen::Map<const Vec>(column.numbers().data() + static_cast<Index>(row) * width, width);
}

// The first numbers of a vector that was kept; the rest is zero.
Eigen::Vector3d vector_at(const Column& column, std::size_t place, std::size_t size) {
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();
  std::copy_n(column.numbers().data() + place * size, size, vector.data());
  return vector;
}

}  // namespace

ColumnType type_of_column(const std::string& path) {
  const std::string name = last_part(path);
  if (path.starts_with("energy/") || path.starts_with("bodies/")) return ColumnType::number;
  if (name == "state") return ColumnType::state;
  if (name == "step") return ColumnType::integer;
  if (!path.starts_with("impacts/")) return ColumnType::number;
  if (is_one_of(name, {"kinematic", "kinetic", "energetic"})) return ColumnType::verdict;
  return is_one_of(name, {"solutions", "iterations", "impact", "element"}) ? ColumnType::integer : ColumnType::number;
}

std::size_t Column::width() const {
  std::size_t numbers_a_row = 1;
  for (const std::int64_t extent : shape) numbers_a_row *= static_cast<std::size_t>(extent);
  return numbers_a_row;
}

std::size_t Column::rows() const {
  const std::size_t count = std::visit([](const auto& list) { return list.size(); }, values);
  return width() > 0 ? count / width() : 0;
}

// ---- the columns
// -----------------------------------------------------------------------------------------------------

Recording::Recording(std::shared_ptr<const System> system, int contact_size, const RunSelection& selection)
    : system_(std::move(system)),
      contact_size_(static_cast<std::size_t>(contact_size)),
      selection_(selection),
      pose_layout_(system_->poses()) {
  time_ = add("time", {}, "s");
  step_ = add("step", {}, "");
  q_ = add_coordinates("q", system_->positions(), selection.state);
  u_ = add_coordinates("u", system_->velocities(), selection.state);
  for (const LedgerColumn& column : ledger_columns())
    energy_.push_back(add(fmt::format("energy/{}", column.name), {}, "J", selection.energy));
  if (selection.poses) add_poses();
  contact_numbers_ = logged_contacts();
  add_contacts();
  if (selection.impacts) add_impacts();
}

Column* Recording::add(const std::string& path, const Shape& shape, const std::string& units, bool listed) {
  columns_.push_back(std::make_unique<Column>());
  Column& column = *columns_.back();
  column.path = path;
  column.shape = shape;
  if (!units.empty()) column.units = {units};
  switch (type_of_column(path)) {
    case ColumnType::number:
      break;
    case ColumnType::integer:
      column.values.emplace<1>();
      break;
    case ColumnType::verdict:
    case ColumnType::state:
      column.values.emplace<2>();
      break;
  }
  if (listed && column.width() > 0) listed_.push_back(&column);
  return &column;
}

Column* Recording::add_coordinates(const std::string& path, const std::vector<Coordinate>& coordinates, bool listed) {
  Column* column = add(path, {static_cast<std::int64_t>(coordinates.size())}, "", listed);
  for (const Coordinate& coordinate : coordinates) {
    column->names.push_back(coordinate.name);
    column->units.push_back(coordinate.unit());
  }
  return column;
}

void Recording::add_poses() {
  const auto size = static_cast<std::int64_t>(pose_layout_.size);
  if (pose_layout_.bodies.size() > most_groups) {
    poses_ = {add("bodies/pose", {static_cast<std::int64_t>(pose_layout_.bodies.size()), size}, "")};
    poses_[0]->names = pose_layout_.bodies;
    poses_[0]->units = pose_units(pose_layout_.size);
    return;
  }
  std::set<std::string> taken;
  for (const std::string& body : pose_layout_.bodies) {
    poses_.push_back(add(fmt::format("bodies/{}/pose", link_name(body, taken)), {size}, ""));
    poses_.back()->names = pose_names(pose_layout_.size);
    poses_.back()->units = pose_units(pose_layout_.size);
  }
}

std::vector<std::size_t> Recording::logged_contacts() const {
  std::vector<std::size_t> numbers;
  if (!selection_.contacts) return numbers;
  for (std::size_t i = 0; i < system_->named_contacts(); ++i)
    if (selection_.contact_names.empty() || is_one_of(system_->contact_name(i), selection_.contact_names))
      numbers.push_back(i);
  return numbers;
}

std::vector<std::string> Recording::directions() const {
  const std::vector<std::string>& all = direction_names();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(contact_size_)};
}

void Recording::add_contacts() {
  const auto create = [&](const std::string& below, const Shape& scalar) {
    Shape vector = scalar;
    vector.push_back(static_cast<std::int64_t>(contact_size_));
    contacts_.push_back({add(below + "gap", scalar, "m"), add(below + "velocity", vector, "m/s"),
                         add(below + "impulse", vector, "N s"), add(below + "state", scalar, "")});
    for (Column* column : {contacts_.back().velocity, contacts_.back().impulse}) column->directions = directions();
  };
  if (contact_numbers_.size() > most_groups) {
    create("contacts/", {static_cast<std::int64_t>(contact_numbers_.size())});
    for (const std::size_t i : contact_numbers_) contacts_[0].gap->names.push_back(system_->contact_name(i));
    return;
  }
  std::set<std::string> taken;
  for (const std::size_t i : contact_numbers_)
    create(fmt::format("contacts/{}/", link_name(system_->contact_name(i), taken)), {});
}

void Recording::add_impacts() {
  const auto scalar = [&](const std::string& name, const char* units = "") {
    return add("impacts/" + name, {}, units);
  };
  const std::vector<Coordinate> positions = system_->positions(), velocities = system_->velocities();
  const bool keeps_states = !positions.empty() && positions.size() <= most_impact_coordinates;
  impacts_ = {scalar("time", "s"),
              scalar("step"),
              scalar("kinetic_before", "J"),
              scalar("kinetic_after", "J"),
              scalar("work", "J"),
              scalar("kinematic"),
              scalar("kinetic"),
              scalar("energetic"),
              scalar("solutions"),
              scalar("iterations"),
              scalar("residual"),
              add_coordinates("impacts/q", positions, keeps_states),
              add_coordinates("impacts/u", velocities, keeps_states)};
  const auto vector = [&](const std::string& name, const char* units) {
    Column* column = add("impacts/elements/" + name, {static_cast<std::int64_t>(contact_size_)}, units);
    column->directions = directions();
    return column;
  };
  elements_ = {scalar("elements/impact"),       scalar("elements/element"), vector("velocity_before", "m/s"),
               vector("velocity_after", "m/s"), vector("impulse", "N s"),   vector("compression", "N s"),
               vector("decompression", "N s"),  scalar("elements/state")};
}

// ---- keeping
// ---------------------------------------------------------------------------------------------------------

void Recording::sample(const Sample& sample) {
  time_->numbers().push_back(sample.time);
  step_->integers().push_back(sample.step);
  append(q_->numbers(), *sample.q);
  append(u_->numbers(), *sample.u);
  initial_energy_ = sample.energy.initial;
  for (std::size_t i = 0; i < energy_.size(); ++i)
    energy_[i]->numbers().push_back(ledger_columns()[i].of(sample.energy));
  const bool one_table = poses_.size() == 1;
  for (std::size_t b = 0; !poses_.empty() && b < pose_layout_.bodies.size(); ++b) {
    double pose[7];
    system_->pose(*sample.q, static_cast<Index>(b), pose);
    append(poses_[one_table ? 0 : b]->numbers(), pose, static_cast<std::size_t>(pose_layout_.size));
  }
  keep_contacts(sample);
}

void Recording::keep_contacts(const Sample& sample) {
  for (std::size_t i = 0; i < contact_numbers_.size(); ++i) {
    const ContactSample& contact = sample.contacts[contact_numbers_[i]];
    const ContactColumns& to = contacts_[contacts_.size() == 1 ? 0 : i];
    to.gap->numbers().push_back(contact.gap);
    append(to.velocity->numbers(), contact.velocity.data(), contact_size_);
    append(to.impulse->numbers(), contact.impulse.data(), contact_size_);
    to.state->codes().push_back(static_cast<std::uint8_t>(contact.state));
  }
}

std::int64_t Recording::element_number(const std::string& name) {
  const auto [found, is_new] = element_numbers_.try_emplace(name, static_cast<std::int64_t>(element_numbers_.size()));
  if (is_new) element_names_.push_back(name);
  return found->second;
}

void Recording::keep_element(const ImpactElementRecord& element, std::int64_t impact) {
  elements_.impact->integers().push_back(impact);
  elements_.element->integers().push_back(element_number(element.name));
  append(elements_.velocity_before->numbers(), element.velocity_before.data(), contact_size_);
  append(elements_.velocity_after->numbers(), element.velocity_after.data(), contact_size_);
  append(elements_.impulse->numbers(), element.impulse.data(), contact_size_);
  append(elements_.compression->numbers(), element.compression.data(), contact_size_);
  append(elements_.decompression->numbers(), element.decompression.data(), contact_size_);
  elements_.state->codes().push_back(static_cast<std::uint8_t>(element.state));
}

void Recording::impact(const ImpactRecord& impact) {
  if (!selection_.impacts) return;
  const auto number = static_cast<std::int64_t>(impacts_.time->rows());
  for (const ImpactElementRecord& element : impact.elements) keep_element(element, number);
  impacts_.time->numbers().push_back(impact.time);
  impacts_.step->integers().push_back(impact.step);
  impacts_.kinetic_before->numbers().push_back(impact.kinetic_before);
  impacts_.kinetic_after->numbers().push_back(impact.kinetic_after);
  impacts_.work->numbers().push_back(impact.work);
  impacts_.kinematic->codes().push_back(impact.kinematic);
  impacts_.kinetic->codes().push_back(impact.kinetic);
  impacts_.energetic->codes().push_back(impact.energetic);
  impacts_.solutions->integers().push_back(impact.solutions);
  impacts_.iterations->integers().push_back(impact.iterations);
  impacts_.residual->numbers().push_back(impact.residual);
  append(impacts_.q->numbers(), *impact.q);
  append(impacts_.u->numbers(), *impact.u);
}

std::int64_t Recording::last_step() const { return step_->integers().empty() ? -1 : step_->integers().back(); }

const Column* Recording::find(const std::string& path) const {
  for (const Column* column : listed_)
    if (column->path == path) return column;
  return nullptr;
}

// ---- telling it again
// ------------------------------------------------------------------------------------------------

void Recording::contacts_at(std::size_t row, std::vector<ContactSample>& contacts) const {
  const std::size_t count = contact_numbers_.size();
  const bool one_table = contacts_.size() == 1;
  for (std::size_t i = 0; i < count; ++i) {
    const ContactColumns& from = contacts_[one_table ? 0 : i];
    const std::size_t place = one_table ? row * count + i : row;
    contacts[contact_numbers_[i]] = {from.gap->numbers()[place], vector_at(*from.velocity, place, contact_size_),
                                     vector_at(*from.impulse, place, contact_size_),
                                     static_cast<State>(from.state->codes()[place])};
  }
}

void Recording::replay_impact(std::size_t row, std::size_t& element, Recorder& recorder) const {
  const Vec q = row_of(*impacts_.q, row), u = row_of(*impacts_.u, row);
  ImpactRecord record;
  record.time = impacts_.time->numbers()[row];
  record.step = impacts_.step->integers()[row];
  record.q = &q;
  record.u = &u;
  record.kinetic_before = impacts_.kinetic_before->numbers()[row];
  record.kinetic_after = impacts_.kinetic_after->numbers()[row];
  record.work = impacts_.work->numbers()[row];
  record.kinematic = impacts_.kinematic->codes()[row];
  record.kinetic = impacts_.kinetic->codes()[row];
  record.energetic = impacts_.energetic->codes()[row];
  record.solutions = static_cast<int>(impacts_.solutions->integers()[row]);
  record.iterations = static_cast<int>(impacts_.iterations->integers()[row]);
  record.residual = impacts_.residual->numbers()[row];
  const std::vector<std::int64_t>& of_impact = elements_.impact->integers();
  for (; element < of_impact.size() && of_impact[element] == static_cast<std::int64_t>(row); ++element) {
    const auto name = static_cast<std::size_t>(elements_.element->integers()[element]);
    record.elements.push_back({element_names_[name], static_cast<State>(elements_.state->codes()[element]),
                               vector_at(*elements_.velocity_before, element, contact_size_),
                               vector_at(*elements_.velocity_after, element, contact_size_),
                               vector_at(*elements_.impulse, element, contact_size_),
                               vector_at(*elements_.compression, element, contact_size_),
                               vector_at(*elements_.decompression, element, contact_size_)});
  }
  recorder.impact(record);
}

void Recording::replay(Recorder& recorder) const {
  std::vector<ContactSample> contacts(system_->named_contacts());
  std::size_t element = 0;
  const std::size_t impacts = selection_.impacts ? impacts_.time->rows() : 0;
  for (std::size_t row = 0; row < impacts; ++row) replay_impact(row, element, recorder);
  for (std::size_t row = 0; row < time_->rows(); ++row) {
    const Vec q = row_of(*q_, row), u = row_of(*u_, row);
    Sample sample;
    sample.step = step_->integers()[row];
    sample.time = time_->numbers()[row];
    sample.q = &q;
    sample.u = &u;
    sample.energy.initial = initial_energy_;
    for (std::size_t i = 0; i < energy_.size(); ++i)
      if (const auto entry = ledger_columns()[i].entry) sample.energy.*entry = energy_[i]->numbers()[row];
    contacts_at(row, contacts);
    sample.contacts = contacts;
    recorder.sample(sample);
  }
}

}  // namespace carom
