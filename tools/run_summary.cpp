#include "tools/run_summary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <unordered_map>

#include "config/diagnostics.h"
#include "config/scene.h"
#include "engine/impact_result.h"

namespace carom {

namespace {

constexpr std::int64_t block_rows = 1 << 16;

// Calls with (first row, values) for block after block.
void for_each_block(const RunFileReader& run, const std::string& path,
                    const std::function<void(std::int64_t, const std::vector<double>&)>& take) {
  const DatasetInfo& info = run.dataset(path);
  const std::int64_t rows = std::max<std::int64_t>(1, block_rows / info.width());
  for (std::int64_t first = 0; first < info.rows; first += rows) take(first, run.read(path, first, rows));
}

EnergySummary::Column energy_column(const RunFileReader& run, const std::string& name) {
  EnergySummary::Column column;
  column.name = name;
  std::int64_t lowest_row = 0, highest_row = 0;
  for_each_block(run, "energy/" + name, [&](std::int64_t first, const std::vector<double>& values) {
    if (first == 0) column.first = column.lowest = column.highest = values.front();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (*low < column.lowest) {
      column.lowest = *low;
      lowest_row = first + (low - values.begin());
    }
    if (*high > column.highest) {
      column.highest = *high;
      highest_row = first + (high - values.begin());
    }
    column.last = values.back();
  });
  column.lowest_time = run.read("time", lowest_row, 1).front();
  column.highest_time = run.read("time", highest_row, 1).front();
  return column;
}

EnergySummary energy_of(const RunFileReader& run) {
  EnergySummary energy;
  for (const LedgerColumn& column : ledger_columns()) {
    if (column.kind == LedgerColumn::Kind::energy) {
      energy.columns.push_back(energy_column(run, column.name));
    } else {
      const double last = run.read(std::string("energy/") + column.name, run.samples() - 1, 1).front();
      energy.works.push_back({column.name, column.called, last});
    }
  }
  return energy;
}

void count_verdicts(const RunFileReader& run, RunSummary& summary) {
  summary.has_impacts = true;
  summary.impacts = run.impacts();
  for_each_block(run, "impacts/kinematic", [&](std::int64_t, const std::vector<double>& holds) {
    summary.still_approaching += std::count(holds.begin(), holds.end(), 0.0);
  });
  for_each_block(run, "impacts/kinetic", [&](std::int64_t, const std::vector<double>& holds) {
    summary.outside_set += std::count(holds.begin(), holds.end(), 0.0);
  });
  for_each_block(run, "impacts/energetic", [&](std::int64_t first, const std::vector<double>& holds) {
    const std::vector<double> work = run.read("impacts/work", first, static_cast<std::int64_t>(holds.size()));
    for (std::size_t i = 0; i < holds.size(); ++i) {
      if (holds[i] != 0) continue;
      ++summary.creating_energy;
      summary.energy_created += work[i];
    }
  });
}

// Whether T⁻ of an impact is less than the energy of all bodies at that moment. Only the first ones are looked at: a
// scene of which some bodies keep out of an impact shows it early.
bool leaves_bodies_out(const RunFileReader& run) {
  constexpr std::int64_t most = 50;
  for (const char* needed : {"impacts/q", "impacts/u", "impacts/kinetic_before"})
    if (!run.find(needed)) return false;
  std::optional<Scene> scene;
  try {
    scene = read_scene_text(run.scene_yaml(), run.path(), {{}, true});
  } catch (const BadInput&) {
    return false;  // of another version
  }
  const std::vector<double> q = run.read("impacts/q", 0, most), u = run.read("impacts/u", 0, most),
                            T_minus = run.read("impacts/kinetic_before", 0, most);
  const std::size_t width_q = static_cast<std::size_t>(scene->q.size()),
                    width_u = static_cast<std::size_t>(scene->u.size());
  if (q.size() != T_minus.size() * width_q || u.size() != T_minus.size() * width_u) return false;
  MassMatrix M;
  for (std::size_t i = 0; i < T_minus.size(); ++i) {
    scene->system->mass(Eigen::Map<const Vec>(q.data() + i * width_q, scene->q.size()), M);
    const double T = M.kinetic_energy(Eigen::Map<const Vec>(u.data() + i * width_u, scene->u.size()));
    if (T > (1 + 1e-9) * T_minus[i]) return true;
  }
  return false;
}

// Of the coordinates at the start and the gaps of all contacts.
double length_of(const RunFileReader& run, const std::vector<ContactSummary>& contacts) {
  double length = 0;
  if (run.find("q") && run.samples() > 0)
    for (const double value : run.read("q", 0, 1)) length = std::max(length, std::abs(value));
  for (const ContactSummary& contact : contacts)
    if (std::isfinite(contact.largest_gap)) length = std::max(length, contact.largest_gap);
  return length;
}

std::vector<PenetrationSummary> penetrations_of(const RunFileReader& run) {
  const std::vector<std::string> contacts = run.read_texts("penetration/contact");
  std::vector<PenetrationSummary> penetrations(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) penetrations[i].contact = contacts[i];
  const auto fill = [&](const char* path, double Penetration::*figure) {
    const std::vector<double> values = run.read(path);
    if (values.size() != contacts.size())
      throw BadRunFile(run.path() + ": the datasets of /penetration differ in length (damaged)");
    for (std::size_t i = 0; i < contacts.size(); ++i) penetrations[i].figures.*figure = values[i];
  };
  fill("penetration/depth", &Penetration::depth);
  fill("penetration/time", &Penetration::time);
  fill("penetration/size", &Penetration::size);
  fill("penetration/lasted", &Penetration::lasted);
  return penetrations;
}

// How often each contact is closed, and how near it came. One table for all, or one group each.
std::vector<ContactSummary> sampled_contacts(const RunFileReader& run) {
  std::vector<ContactSummary> contacts;
  const auto is_closed = [](double state) { return state != static_cast<double>(State::open); };
  const auto scan = [&](const std::string& below, const std::vector<std::string>& names) {
    const std::size_t begin = contacts.size(), count = names.size();
    for (const std::string& name : names) {
      contacts.emplace_back();
      contacts.back().name = name;
      contacts.back().sampled = true;
    }
    for_each_block(run, below + "state", [&](std::int64_t, const std::vector<double>& states) {
      for (std::size_t i = 0; i < states.size(); ++i) contacts[begin + i % count].closed += is_closed(states[i]);
    });
    for_each_block(run, below + "gap", [&](std::int64_t first, const std::vector<double>& gaps) {
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        ContactSummary& contact = contacts[begin + i % count];
        contact.smallest_gap = first == 0 && i < count ? gaps[i] : std::min(contact.smallest_gap, gaps[i]);
        if (std::isfinite(gaps[i])) contact.largest_gap = std::max(contact.largest_gap, std::abs(gaps[i]));
      }
    });
  };
  if (const DatasetInfo* table = run.find("contacts/gap")) {
    scan("contacts/", table->names);
    return contacts;
  }
  for (const DatasetInfo& info : run.datasets()) {
    const std::string before = "contacts/", after = "/gap";
    if (info.path.rfind(before, 0) != 0 || info.path.size() <= before.size() + after.size()) continue;
    const std::size_t end = info.path.size() - after.size();
    if (info.path.compare(end, after.size(), after) != 0) continue;
    scan(info.path.substr(0, end + 1), {info.path.substr(before.size(), end - before.size())});
  }
  return contacts;
}

void count_impacts(const RunFileReader& run, std::vector<ContactSummary>& contacts) {
  const std::vector<std::string> names = run.read_texts("impacts/element_names");
  std::vector<std::int64_t> counts(names.size(), 0);
  for_each_block(run, "impacts/elements/element", [&](std::int64_t, const std::vector<double>& elements) {
    for (const double element : elements) ++counts.at(static_cast<std::size_t>(element));
  });
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < contacts.size(); ++i) known.emplace(contacts[i].name, i);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, is_new] = known.try_emplace(names[i], contacts.size());
    if (is_new) {
      contacts.emplace_back();
      contacts.back().name = names[i];
    }
    contacts[found->second].impacts += counts[i];
  }
}

// A contact of two blocks has a point for each of their corners, most of which are never there.
bool is_ever_there(const ContactSummary& contact) {
  return !contact.sampled || contact.impacts > 0 || std::isfinite(contact.smallest_gap);
}

// As the scene that ran says it.
std::string scheme_of(const RunFileReader& run) {
  try {
    const Document scene = Document::from_text(run.scene_yaml(), run.path());
    const auto integrator = MapReader(scene.root()).get("integrator");
    const auto scheme = integrator ? MapReader(*integrator).get("scheme") : std::nullopt;
    return scheme ? scheme->text() : IntegratorOptions{}.scheme;
  } catch (const BadInput&) {
    return {};  // of another version
  }
}

}  // namespace

RunSummary summarise(const RunFileReader& run) {
  RunSummary summary;
  summary.file = run.path();
  summary.scene = run.text("scene");
  summary.law = run.text("law");
  summary.scheme = scheme_of(run);
  summary.status = run.status();
  summary.version = run.text("carom_version");
  summary.compiler = run.text("compiler");
  summary.recovered = run.number("recovered") != 0;
  summary.step = run.number("step");
  summary.theta = run.number("theta");
  summary.wall_seconds = run.number("wall_seconds");
  summary.unsolved = static_cast<std::int64_t>(run.number("unsolved_count"));
  summary.every = static_cast<std::int64_t>(run.number("every", 1));
  summary.samples = run.samples();
  if (summary.samples > 0) {
    summary.first_time = run.read("time", 0, 1).front();
    summary.last_time = run.read("time", summary.samples - 1, 1).front();
    summary.steps = static_cast<std::int64_t>(run.read("step", summary.samples - 1, 1).front());
    if (run.find("energy/total")) summary.energy = energy_of(run);
  }
  summary.steps = static_cast<std::int64_t>(run.number("steps", static_cast<double>(summary.steps)));
  summary.log = run.log();
  summary.contacts = sampled_contacts(run);
  if (run.find("penetration/depth")) summary.penetrations = penetrations_of(run);
  if (run.find("impacts/time")) {
    count_verdicts(run, summary);
    count_impacts(run, summary.contacts);
    summary.some_take_part = leaves_bodies_out(run);
  }
  summary.length = length_of(run, summary.contacts);
  std::erase_if(summary.contacts, [](const ContactSummary& contact) { return !is_ever_there(contact); });
  return summary;
}

std::vector<ImpactSummary> read_impacts(const RunFileReader& run, std::int64_t most) {
  std::vector<ImpactSummary> impacts;
  const DatasetInfo* all = run.find("impacts/time");
  if (!all) return impacts;
  const std::int64_t count = std::min(most, all->rows);
  impacts.resize(static_cast<std::size_t>(count));
  const auto fill = [&](const char* path, const auto& set) {
    const std::vector<double> values = run.read(path, 0, count);
    for (std::size_t i = 0; i < impacts.size(); ++i) set(impacts[i], values[i]);
  };
  for (std::size_t i = 0; i < impacts.size(); ++i) impacts[i].number = static_cast<std::int64_t>(i);
  fill("impacts/time", [](ImpactSummary& s, double v) { s.time = v; });
  fill("impacts/step", [](ImpactSummary& s, double v) { s.step = static_cast<std::int64_t>(v); });
  fill("impacts/kinetic_before", [](ImpactSummary& s, double v) { s.kinetic_before = v; });
  fill("impacts/kinetic_after", [](ImpactSummary& s, double v) { s.kinetic_after = v; });
  fill("impacts/work", [](ImpactSummary& s, double v) { s.work = v; });
  fill("impacts/kinematic", [](ImpactSummary& s, double v) { s.kinematic = v != 0; });
  fill("impacts/kinetic", [](ImpactSummary& s, double v) { s.kinetic = v != 0; });
  fill("impacts/energetic", [](ImpactSummary& s, double v) { s.energetic = v != 0; });
  fill("impacts/solutions", [](ImpactSummary& s, double v) { s.solutions = static_cast<std::int64_t>(v); });
  fill("impacts/iterations", [](ImpactSummary& s, double v) { s.iterations = static_cast<std::int64_t>(v); });
  fill("impacts/residual", [](ImpactSummary& s, double v) { s.residual = v; });

  const std::vector<std::string> names = run.read_texts("impacts/element_names");
  const std::int64_t rows = run.dataset("impacts/elements/impact").rows;
  const auto width = static_cast<std::size_t>(run.dataset("impacts/elements/impulse").width());
  for (std::int64_t first = 0; first < rows; first += block_rows) {
    const std::vector<double> of = run.read("impacts/elements/impact", first, block_rows);
    if (of.front() >= static_cast<double>(count)) break;
    const std::vector<double> element = run.read("impacts/elements/element", first, block_rows),
                              state = run.read("impacts/elements/state", first, block_rows),
                              before = run.read("impacts/elements/velocity_before", first, block_rows),
                              after = run.read("impacts/elements/velocity_after", first, block_rows),
                              impulse = run.read("impacts/elements/impulse", first, block_rows);
    const auto vector = [&](const std::vector<double>& all_values, std::size_t i) {
      const auto begin = all_values.begin() + static_cast<std::ptrdiff_t>(i * width);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(width));
    };
    for (std::size_t i = 0; i < of.size() && of[i] < static_cast<double>(count); ++i) {
      impacts[static_cast<std::size_t>(of[i])].elements.push_back(
          {names.at(static_cast<std::size_t>(element[i])), name_of(static_cast<State>(state[i])), vector(before, i),
           vector(after, i), vector(impulse, i)});
    }
  }
  return impacts;
}

}  // namespace carom
