#include "tools/report/run_data.h"

#include <algorithm>
#include <optional>
#include <set>

#include "config/diagnostics.h"
#include "config/scene.h"
#include "tools/report/columns.h"
#include "tools/report/drawing_data.h"
#include "tools/report/impact_data.h"
#include "tools/run_file/columns.h"
#include "tools/run_summary.h"

namespace carom {

namespace {

// What the page may weigh, shared by its runs.
constexpr std::int64_t most_frames = 1500;
constexpr std::int64_t motion_bytes = 6'000'000;
constexpr std::int64_t energy_rows = 20'000;
constexpr std::int64_t contact_rows = 60'000;
constexpr std::size_t most_contacts_drawn = 12;
constexpr std::size_t most_penetrations = 200;
constexpr std::int64_t most_impacts = 4000;
constexpr std::size_t most_details = 300;
constexpr std::size_t detail_coordinates = 25'000;  // of all impacts posed again: each takes a dense mass matrix

struct Share {
  std::int64_t runs = 1;

  std::int64_t frames(std::int64_t numbers_a_frame) const {
    const auto bytes = static_cast<std::int64_t>(sizeof(float)) * std::max<std::int64_t>(1, numbers_a_frame) * runs;
    return std::clamp<std::int64_t>(motion_bytes / bytes, 2, most_frames);
  }
  std::int64_t energy() const { return std::clamp<std::int64_t>(energy_rows / runs, 1000, 4000); }
  std::int64_t contact(std::size_t contacts) const {
    return std::clamp<std::int64_t>(contact_rows / (runs * static_cast<std::int64_t>(contacts)), 400, 3000);
  }
  std::int64_t impacts() const { return most_impacts / runs; }
  std::size_t details(std::size_t coordinates) const {
    return std::min(most_details, detail_coordinates / std::max<std::size_t>(1, coordinates)) /
           static_cast<std::size_t>(runs);
  }
};

// The scene as the run took it; nothing, with the reason, if it cannot be built from the file.
struct RunScene {
  std::optional<Scene> scene;
  std::string reason;
};

RunScene scene_of_run(const RunFileReader& run) {
  try {
    return {read_scene_text(run.scene_yaml(), run.path() + ":/scene_yaml"), {}};
  } catch (const BadInput& e) {
    return {std::nullopt, e.what()};
  } catch (const BadRunFile& e) {
    return {std::nullopt, e.what()};
  }
}

// Where the pose of each body is: a dataset of its own, or a place in the table for all.
std::vector<Column> pose_columns(const RunFileReader& run, const System& system, const std::vector<Index>& bodies) {
  const PoseLayout layout = system.poses();
  std::vector<Column> columns;
  if (run.find("bodies/pose")) {
    for (const Index body : bodies) columns.push_back({"bodies/pose", body * layout.size});
    return columns;
  }
  std::set<std::string> taken;
  std::vector<std::string> links;
  for (const std::string& body : layout.bodies) links.push_back(link_name(body, taken));
  for (const Index body : bodies) columns.push_back({"bodies/" + links[static_cast<std::size_t>(body)] + "/pose"});
  return columns;
}

// Poses of the bodies, frame by frame.
class PoseTable {
 public:
  PoseTable(std::size_t frames, std::size_t bodies, Index size)
      : bodies_(bodies), size_(static_cast<std::size_t>(size)), numbers_(frames * bodies * size_) {}

  double* at(std::size_t frame, std::size_t body) { return numbers_.data() + (frame * bodies_ + body) * size_; }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::size_t bodies_, size_;
  std::vector<double> numbers_;
};

bool has_poses(const RunFileReader& run, const std::vector<Column>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const Column& c) { return run.find(c.path) != nullptr; });
}

void take_recorded(const RunFileReader& run, const std::vector<Column>& columns, const RowNumbers& rows, Index size,
                   PoseTable& poses) {
  for (std::size_t body = 0; body < columns.size(); ++body) {
    const std::vector<double> own = read_rows(run, columns[body], size, rows);
    for (std::size_t frame = 0; frame < rows.size(); ++frame)
      std::copy_n(own.begin() + static_cast<Index>(frame) * size, size, poses.at(frame, body));
  }
}

// The system knows where a state puts its bodies; poses need not be in the file.
void take_from_state(const RunFileReader& run, const System& system, const std::vector<Index>& bodies,
                     const RowNumbers& rows, PoseTable& poses) {
  for (std::size_t frame = 0; frame < rows.size(); ++frame) {
    const std::vector<double> state = run.read("q", rows[frame], 1);
    const Vec q = Eigen::Map<const Vec>(state.data(), static_cast<Index>(state.size()));
    for (std::size_t body = 0; body < bodies.size(); ++body) system.pose(q, bodies[body], poses.at(frame, body));
  }
}

Json motion_data(const RunFileReader& run, const System& system, const std::vector<Index>& bodies, const Share& share) {
  if (bodies.empty()) return {{"reason", "The system has no bodies to draw."}};
  const std::vector<Column> columns = pose_columns(run, system, bodies);
  const DatasetInfo* q = run.find("q");
  const bool has_state = q && q->width() == static_cast<std::int64_t>(system.positions().size());
  if (!has_poses(run, columns) && !has_state)
    return {{"reason", "The run holds neither poses nor the state of its bodies (output.record)."}};
  const Index size = system.poses().size;
  const RowNumbers rows = evenly_spread(run.samples(), share.frames(size * static_cast<std::int64_t>(bodies.size())));
  PoseTable poses(rows.size(), bodies.size(), size);
  if (has_state) {
    take_from_state(run, system, bodies, rows, poses);
  } else {
    take_recorded(run, columns, rows, size, poses);
  }
  return {{"frames", rows.size()},
          {"samples", run.samples()},
          {"time", packed(read_rows(run, {"time"}, 1, rows))},
          {"pose", packed_single(poses.numbers())}};
}

Json energy_data(const RunFileReader& run, const Share& share) {
  if (!run.find("energy/total")) return nullptr;
  const auto path_of = [](const LedgerColumn& column) { return std::string("energy/") + column.name; };
  std::vector<Column> decisive;
  for (const LedgerColumn& column : ledger_columns())
    if (column.kind == LedgerColumn::Kind::energy || !column.entry) decisive.push_back({path_of(column)});
  const RowNumbers rows = keeping_extremes(run, decisive, share.energy());
  Json json = {{"rows", rows.size()}, {"samples", run.samples()}, {"time", packed(read_rows(run, {"time"}, 1, rows))}};
  for (const LedgerColumn& column : ledger_columns()) {
    json[column.name] = packed(read_rows(run, {path_of(column)}, 1, rows));
    const bool is_work = column.kind == LedgerColumn::Kind::work;
    json[is_work ? "works" : "energies"].push_back(
        {{"name", column.name}, {"called", column.called}, {"meaning", column.meaning}});
  }
  return json;
}

// What a contact carried in impacts: samples are single steps, and an impact falls between them more often than not.
Json impulses_in(const std::vector<ImpactSummary>& impacts, const std::string& contact, std::int64_t directions) {
  std::vector<double> time, impulse;
  for (const ImpactSummary& impact : impacts) {
    for (const auto& element : impact.elements) {
      if (element.name != contact) continue;
      time.push_back(impact.time);
      for (std::size_t k = 0; k < static_cast<std::size_t>(directions); ++k)
        impulse.push_back(k < element.impulse.size() ? element.impulse[k] : 0);
    }
  }
  return {{"time", packed(time)}, {"impulse", packed(impulse)}};
}

Json contact_data(const RunFileReader& run, const std::string& name, const std::vector<ImpactSummary>& impacts,
                  std::int64_t most) {
  Column gap{"contacts/" + name + "/gap"}, impulse{"contacts/" + name + "/impulse"};
  if (const DatasetInfo* table = run.find("contacts/gap")) {
    const auto place = std::find(table->names.begin(), table->names.end(), name) - table->names.begin();
    const DatasetInfo& impulses = run.dataset("contacts/impulse");
    gap = {"contacts/gap", place};
    impulse = {"contacts/impulse", place * impulses.shape.back()};
  }
  const std::int64_t directions = run.dataset(impulse.path).shape.back();
  const RowNumbers rows = keeping_extremes(run, {gap, impulse}, most);
  return {{"name", name},
          {"rows", rows.size()},
          {"directions", directions},
          {"time", packed(read_rows(run, {"time"}, 1, rows))},
          {"gap", packed(read_rows(run, gap, 1, rows))},
          {"impulse", packed(read_rows(run, impulse, directions, rows))},
          {"impacts", impulses_in(impacts, name, directions)}};
}

// Those with most impacts.
Json contacts_data(const RunFileReader& run, std::vector<ContactSummary> contacts,
                   const std::vector<ImpactSummary>& impacts, const Share& share) {
  std::erase_if(contacts, [](const ContactSummary& contact) { return !contact.sampled; });
  Json json = {{"count", contacts.size()}, {"list", Json::array()}};
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const ContactSummary& a, const ContactSummary& b) { return a.impacts > b.impacts; });
  contacts.resize(std::min(contacts.size(), most_contacts_drawn));
  for (const ContactSummary& contact : contacts)
    json["list"].push_back(contact_data(run, contact.name, impacts, share.contact(contacts.size())));
  return json;
}

// The deepest.
Json penetration_data(const RunSummary& summary) {
  if (!summary.penetrations) return nullptr;
  Json json = {{"count", summary.penetrations->size()}, {"list", Json::array()}};
  for (std::size_t i = 0; i < std::min(most_penetrations, summary.penetrations->size()); ++i) {
    const auto& [contact, figures] = (*summary.penetrations)[i];
    json["list"].push_back({{"contact", contact},
                            {"depth", figures.depth},
                            {"time", figures.time},
                            {"part", figures.size > 0 ? Json(figures.depth / figures.size) : Json()},
                            {"lasted", figures.lasted},
                            {"stays_deep", figures.stays_deep(summary.step)}});
  }
  return json;
}

bool is_consistent(const ImpactSummary& impact) { return impact.kinematic && impact.kinetic && impact.energetic; }

// The impacts that are asked again: those with a negative verdict, then the earliest.
std::vector<std::size_t> detailed(const std::vector<ImpactSummary>& impacts, std::size_t most) {
  std::vector<std::size_t> chosen(impacts.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  std::stable_partition(chosen.begin(), chosen.end(), [&](std::size_t i) { return !is_consistent(impacts[i]); });
  chosen.resize(std::min(chosen.size(), most));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Json impact_row(const ImpactSummary& impact) {
  constexpr std::size_t most_elements = 8;
  Json elements = Json::array();
  for (std::size_t i = 0; i < std::min(impact.elements.size(), most_elements); ++i) {
    const auto& e = impact.elements[i];
    elements.push_back({{"name", e.name},
                        {"state", e.state},
                        {"before", e.velocity_before},
                        {"after", e.velocity_after},
                        {"impulse", e.impulse}});
  }
  return {{"impact", impact.number},         {"time", impact.time},           {"T_minus", impact.kinetic_before},
          {"T_plus", impact.kinetic_after},  {"work", impact.work},           {"kinematic", impact.kinematic},
          {"kinetic", impact.kinetic},       {"energetic", impact.energetic}, {"solutions", impact.solutions},
          {"count", impact.elements.size()}, {"elements", elements}};
}

Json impacts_data(const RunFileReader& run, const RunSummary& summary, const std::vector<ImpactSummary>& impacts,
                  const RunScene& scene, const Share& share) {
  if (!summary.has_impacts) return nullptr;
  Json json = {{"count", summary.impacts},
               {"creating_energy", summary.creating_energy},
               {"energy_created", summary.energy_created},
               {"still_approaching", summary.still_approaching},
               {"outside_set", summary.outside_set},
               {"list", Json::array()},
               {"details", Json::array()}};
  for (const ImpactSummary& impact : impacts) json["list"].push_back(impact_row(impact));
  if (!scene.scene) {
    json["reason"] = scene.reason;
    return json;
  }
  for (const std::size_t i : detailed(impacts, share.details(scene.scene->system->velocities().size())))
    json["details"].push_back(impact_data(run, *scene.scene, impacts[i]));
  return json;
}

Json run_data(const RunFileReader& run, const RunScene& scene, const std::vector<Index>& bodies, const Share& share) {
  const RunSummary summary = summarise(run);
  const std::vector<ImpactSummary> impacts =
      summary.has_impacts ? read_impacts(run, share.impacts()) : std::vector<ImpactSummary>{};
  Json json = {{"law", summary.law},
               {"status", summary.status},
               {"step", summary.step},
               {"theta", summary.theta},
               {"every", summary.every},
               {"steps", summary.steps},
               {"samples", summary.samples},
               {"start", summary.first_time},
               {"end", summary.last_time},
               {"wall_seconds", summary.wall_seconds},
               {"recovered", summary.recovered}};
  json["motion"] = scene.scene ? motion_data(run, *scene.scene->system, bodies, share) : Json{{"reason", scene.reason}};
  json["energy"] = energy_data(run, share);
  json["contacts"] = contacts_data(run, summary.contacts, impacts, share);
  json["penetration"] = penetration_data(summary);
  json["log"] = Json::array();
  for (const RunMessage& message : summary.log)
    json["log"].push_back(
        {{"time", message.time}, {"step", message.step}, {"level", message.level}, {"text", message.text}});
  json["impacts"] = impacts_data(run, summary, impacts, scene, share);
  return json;
}

}  // namespace

Json runs_data(const std::vector<RunFileReader>& runs) {
  const Share share{static_cast<std::int64_t>(runs.size())};
  Json json;
  std::vector<Index> bodies;
  json["runs"] = Json::array();
  for (const RunFileReader& run : runs) {
    if (run.samples() == 0) throw BadRunFile(run.path() + ": holds no samples yet");
    const RunScene scene = scene_of_run(run);
    if (&run == &runs.front()) {
      json["scene"] = run.text("scene");
      json["scene_yaml"] = run.scene_yaml();
      json["carom_version"] = run.text("carom_version");
      json["about"] = scene.scene ? scene.scene->about : "";
      if (scene.scene) bodies = drawn_bodies(*scene.scene->system);
      json["drawing"] = scene.scene ? drawing_data(*scene.scene->system, bodies) : Json();
    }
    json["runs"].push_back(run_data(run, scene, bodies, share));
  }
  return json;
}

}  // namespace carom
