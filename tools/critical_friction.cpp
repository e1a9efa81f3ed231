#include "tools/critical_friction.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "config/scene_impact.h"
#include "solvers/certificates/contact_coupling.h"
#include "tools/table.h"

namespace carom {

namespace {

// Of the recorded states: as many as a large system has time for.
std::int64_t stride(std::int64_t samples, Index velocities) {
  const double n = static_cast<double>(std::max<Index>(1, velocities));
  const auto most = static_cast<std::int64_t>(std::clamp(5e7 / (n * n * n), 10.0, 500.0));
  return std::max<std::int64_t>(1, (samples + most - 1) / most);
}

}  // namespace

const CriticalFriction::Point& CriticalFriction::least() const {
  return *std::min_element(points.begin(), points.end(),
                           [](const Point& a, const Point& b) { return a.ratio < b.ratio; });
}

void CriticalFrictionAlong::add(double time, const ImpactFile& impact) {
  const ImpactProblem problem = impact_problem(impact);
  for (std::size_t i = 0; i < impact.elements.size(); ++i) {
    const Contact* contact = impact.elements[i].contact();
    if (!contact || !contact->has_friction()) continue;
    const double coupling = friction_coupling(problem, i);
    if (!(coupling > 0)) continue;
    const std::string& name = impact.elements[i].name;
    auto place = std::find_if(contacts_.begin(), contacts_.end(),
                              [&](const CriticalFriction& known) { return known.contact == name; });
    if (place == contacts_.end()) place = contacts_.insert(place, {name, contact->friction.maxCoeff(), {}});
    place->points.push_back({time, 1 / coupling});
  }
}

void CriticalFrictionAlong::add_recorded_states(const Scene& scene, const RunFileReader& run) {
  if (!run.find("time") || !run.find("q") || !run.find("u")) return;
  const std::int64_t step = stride(run.samples(), scene.u.size());
  for (std::int64_t k = 0; k < run.samples(); k += step) {
    const std::vector<double> time = run.read("time", k, 1), q = run.read("q", k, 1), u = run.read("u", k, 1);
    const auto closed =
        closed_contacts_at(scene, time.front(), Eigen::Map<const Vec>(q.data(), static_cast<Index>(q.size())),
                           Eigen::Map<const Vec>(u.data(), static_cast<Index>(u.size())), run.path());
    if (closed) add(time.front(), *closed);
  }
}

std::vector<CriticalFriction> CriticalFrictionAlong::contacts() const {
  std::vector<CriticalFriction> sorted = contacts_;
  for (CriticalFriction& contact : sorted)
    std::stable_sort(contact.points.begin(), contact.points.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
  return sorted;
}

std::string text_of(const std::vector<CriticalFriction>& contacts) {
  std::string text;
  for (const CriticalFriction& contact : contacts) {
    const auto [time, ratio] = contact.least();
    const double critical = ratio * contact.friction;
    const std::string distance =
        ratio > 1 ? good(fmt::format("{} below it", figure(critical - contact.friction, critical)))
                  : bad(fmt::format("{} above it: it locks", figure(contact.friction - critical, critical)));
    text +=
        wrapped(fmt::format("lowest critical friction along the run: μ_c = {} ('{}', t = {:.6g} s); its μ = {} is {} "
                            "({} states checked)",
                            figure(critical), contact.contact, time, coefficient(contact.friction), distance,
                            contact.points.size()),
                page_width(), "  ", "    ");
  }
  return text;
}

Json json_of(const std::vector<CriticalFriction>& contacts) {
  Json json = Json::array();
  for (const CriticalFriction& contact : contacts) {
    const auto [least_time, least_ratio] = contact.least();
    Json item = {{"contact", contact.contact},
                 {"friction", contact.friction},
                 {"least",
                  {{"time", least_time},
                   {"critical", least_ratio * contact.friction},
                   {"distance", (least_ratio - 1) * contact.friction}}},
                 {"time", Json::array()},
                 {"critical", Json::array()}};
    for (const auto& [time, ratio] : contact.points) {
      item["time"].push_back(time);
      item["critical"].push_back(ratio * contact.friction);
    }
    json.push_back(std::move(item));
  }
  return json;
}

}  // namespace carom
