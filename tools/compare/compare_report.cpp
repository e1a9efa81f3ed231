#include "tools/compare/compare_report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tools/impact_report.h"
#include "tools/table.h"

namespace carom {

namespace {

std::string created_text(const SimulationCounts& counts) {
  if (counts.inconsistent == 0) return "0";
  return bad(fmt::format("{} in {}", work_figure(counts.energy_created, 0), counts.inconsistent));
}

struct Largest {
  double value = 0;
  Coordinate coordinate;
};

Largest largest_of(const Departure& departure, const std::vector<Coordinate>& coordinates) {
  if (coordinates.empty()) return {};
  Index at = 0;
  const double value = departure.largest.maxCoeff(&at);
  return {value, coordinates[static_cast<std::size_t>(at)]};
}

// When, how far, where: cells of the table.
std::vector<std::string> departure_cells(const ComparedRun& run, const std::string& reference,
                                         const std::vector<Coordinate>& coordinates, double size) {
  if (run.law == reference) return {"reference", "", "", ""};
  if (!run.departure) return {"—", "", "", ""};
  const Largest largest = largest_of(*run.departure, coordinates);
  const std::string when = run.departure->parted      ? fmt::format("{:.6g}", *run.departure->parted)
                           : run.status == "complete" ? "never"
                                                      : "—";
  if (figure(largest.value, size) == figure(0)) return {when, "0", "", ""};
  const std::string unit =
      largest.coordinate.kind == Coordinate::Kind::quaternion ? "" : " " + largest.coordinate.unit();
  return {when, figure(largest.value) + unit, largest.coordinate.name,
          fmt::format("{:.6g}", run.departure->time_of_largest)};
}

std::string status_text(const ComparedRun& run) {
  if (run.status == "complete") return good(run.status);
  return bad(fmt::format("{} at {:.4g} s", run.status == "interrupted" ? run.status : "stopped", run.time));
}

// A law that refuses the very first impact has no row: there is nothing to tell of its run.
bool has_row(const ComparedRun& run) { return run.ran && (run.steps > 0 || run.status == "interrupted"); }

std::vector<std::string> verdicts(const SimulationCounts& counts) {
  std::vector<std::string> list;
  if (counts.still_approaching > 0)
    list.push_back(
        fmt::format("{} of {} impacts leave a contact approaching", counts.still_approaching, counts.impacts));
  if (counts.outside_set > 0)
    list.push_back(fmt::format("{} of {} impacts have an impulse outside its set", counts.outside_set, counts.impacts));
  return list;
}

// Why a law was not run or did not come to the end, and what was remarked on the way, once for all laws that say it.
std::string remarks(const std::vector<ComparedRun>& runs) {
  std::string ends;
  std::vector<std::pair<std::string, std::string>> notes;  // what, who
  for (const ComparedRun& run : runs) {
    if (run.status != "complete" && run.status != "interrupted")
      ends += "  " + run.law + "\n" + wrapped(run.status, page_width(), "    ");
    std::vector<std::string> told_of_run = verdicts(run.counts);
    told_of_run.insert(told_of_run.end(), run.notes.begin(), run.notes.end());
    for (const std::string& note : told_of_run) {
      const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& told) { return told.first == note; });
      if (same == notes.end()) {
        notes.emplace_back(note, run.law);
      } else {
        same->second += ", " + run.law;
      }
    }
  }
  std::string text = ends.empty() ? "" : "\n" + faint(ends);
  if (!notes.empty()) text += "\n";
  for (const auto& [what, who] : notes) text += wrapped(who + ": " + what, page_width(), "  ", "    ");
  return text;
}

Json energy_json(const EnergyLedger& energy) {
  Json json = {{"start", energy.initial}, {"end", energy.total()}};
  for (const LedgerColumn& column : ledger_columns())
    if (column.kind == LedgerColumn::Kind::work) json[column.name] = column.of(energy);
  return json;
}

Json departure_json(const Departure& departure, const std::vector<Coordinate>& coordinates) {
  const Largest largest = largest_of(departure, coordinates);
  return {{"parted", departure.parted ? Json(*departure.parted) : Json()},
          {"compared_until", departure.compared_until},
          {"largest",
           {{"value", largest.value},
            {"coordinate", largest.coordinate.name},
            {"unit", largest.coordinate.unit()},
            {"time", departure.time_of_largest}}},
          {"by_coordinate", to_json(departure.largest)}};
}

}  // namespace

std::string runs_table(const Scene& scene, const std::vector<ComparedRun>& runs, const std::string& reference) {
  const std::vector<Coordinate> coordinates = scene.system->positions();
  Table table({"law", "impacts", "energy at end / J", "by impacts / J", "created / J", "diverges at t / s",
               "largest |Δq|", "of", "at t / s", "status"});
  const ComparedRun* any = nullptr;
  for (const ComparedRun& run : runs) {
    if (!has_row(run)) continue;
    any = &run;
    std::vector<std::string> row = {run.law, std::to_string(run.counts.impacts),
                                    figure(run.energy.total(), run.energy.size()),
                                    work_figure(run.energy.work_impacts, run.energy.size()), created_text(run.counts)};
    for (const std::string& cell : departure_cells(run, reference, coordinates, largest(scene.q))) row.push_back(cell);
    row.push_back(status_text(run));
    table.add(row);
  }
  std::string text =
      fmt::format("Through time: {:g} s in steps of {:g} s", scene.integrator.duration, scene.integrator.step);
  if (any) text += fmt::format(", energy {} J at the start", figure(any->energy.initial, any->energy.size()));
  text +=
      "\n" +
      wrapped(fmt::format("Δq: difference from {}, coordinate by coordinate; diverged: |Δq| above {:g} of the largest "
                          "coordinate",
                          reference, parting_tolerance),
              page_width(), "  ", "    ") +
      wrapped(
          "newton, moreau and inelastic take the step's forces into their impact, the others do not: even equal "
          "laws differ by order h",
          page_width(), "  ", "    ") +
      "\n";
  return text + (any ? table.text() : "") + remarks(runs);
}

Json runs_json(const Scene& scene, const std::vector<ComparedRun>& runs) {
  const std::vector<Coordinate> coordinates = scene.system->positions();
  Json list = Json::array();
  for (const ComparedRun& run : runs) {
    Json json = {{"law", run.law}, {"status", run.status}};
    json["restitution"] = run.restitution ? Json(*run.restitution) : Json();
    if (run.ran) {
      json["time"] = run.time;
      json["steps"] = run.steps;
      json["impacts"] = run.counts.impacts;
      json["creating_energy"] = run.counts.inconsistent;
      json["energy_created"] = run.counts.energy_created;
      json["still_approaching"] = run.counts.still_approaching;
      json["outside_set"] = run.counts.outside_set;
      json["energy"] = energy_json(run.energy);
      json["difference"] = run.departure ? departure_json(*run.departure, coordinates) : Json();
      json["notes"] = run.notes;
    }
    list.push_back(json);
  }
  return list;
}

}  // namespace carom
