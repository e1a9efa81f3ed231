#include "tools/run_json.h"

namespace carom {

namespace {

Json impact_to_json(const ImpactSummary& impact) {
  Json elements = Json::array();
  for (const auto& e : impact.elements)
    elements.push_back({{"name", e.name},
                        {"state", e.state},
                        {"velocity_before", e.velocity_before},
                        {"velocity_after", e.velocity_after},
                        {"impulse", e.impulse}});
  return {
      {"impact", impact.number},
      {"time", impact.time},
      {"step", impact.step},
      {"kinetic_before", impact.kinetic_before},
      {"kinetic_after", impact.kinetic_after},
      {"work", impact.work},
      {"consistency", {{"kinematic", impact.kinematic}, {"kinetic", impact.kinetic}, {"energetic", impact.energetic}}},
      {"solutions", impact.solutions},
      {"iterations", impact.iterations},
      {"residual", impact.residual},
      {"elements", elements}};
}

Json energy_to_json(const EnergySummary& energy) {
  Json json;
  for (const EnergySummary::Column& c : energy.columns)
    json[c.name] = {{"start", c.first},
                    {"end", c.last},
                    {"lowest", {{"value", c.lowest}, {"time", c.lowest_time}}},
                    {"highest", {{"value", c.highest}, {"time", c.highest_time}}}};
  for (const EnergySummary::Work& work : energy.works) json[work.name] = work.value;
  return json;
}

Json penetrations_to_json(const std::vector<PenetrationSummary>& penetrations, double step) {
  Json list = Json::array();
  for (const auto& [contact, figures] : penetrations)
    list.push_back({{"contact", contact},
                    {"depth", figures.depth},
                    {"time", figures.time},
                    {"size", figures.size > 0 ? Json(figures.size) : Json()},
                    {"lasted", figures.lasted},
                    {"stays_deep", figures.stays_deep(step)}});
  return list;
}

}  // namespace

Json run_json(const RunSummary& run, const std::vector<ImpactSummary>& impacts) {
  Json json = {{"file", run.file},
               {"scene", run.scene},
               {"law", run.law},
               {"scheme", run.scheme},
               {"status", run.status},
               {"recovered", run.recovered},
               {"carom_version", run.version},
               {"compiler", run.compiler},
               {"step", run.step},
               {"theta", run.theta},
               {"every", run.every},
               {"steps", run.steps},
               {"samples", run.samples},
               {"time", {{"start", run.first_time}, {"end", run.last_time}}},
               {"wall_seconds", run.wall_seconds},
               {"unsolved", run.unsolved}};
  json["energy"] = run.energy ? energy_to_json(*run.energy) : Json();
  json["impacts"] = Json();
  if (run.has_impacts) {
    json["impacts"] = {{"count", run.impacts},
                       {"creating_energy", run.creating_energy},
                       {"energy_created", run.energy_created},
                       {"still_approaching", run.still_approaching},
                       {"outside_set", run.outside_set}};
    Json list = Json::array();
    for (const ImpactSummary& impact : impacts) list.push_back(impact_to_json(impact));
    json["impacts"]["list"] = list;
  }
  json["contacts"] = Json::array();
  for (const ContactSummary& contact : run.contacts) {
    json["contacts"].push_back({{"name", contact.name},
                                {"impacts", contact.impacts},
                                {"samples_closed", contact.sampled ? Json(contact.closed) : Json()},
                                {"smallest_gap", contact.sampled ? Json(contact.smallest_gap) : Json()}});
  }
  json["log"] = Json::array();
  for (const RunMessage& message : run.log)
    json["log"].push_back(
        {{"time", message.time}, {"step", message.step}, {"level", message.level}, {"text", message.text}});
  json["penetration"] = run.penetrations ? penetrations_to_json(*run.penetrations, run.step) : Json();
  return json;
}

}  // namespace carom
