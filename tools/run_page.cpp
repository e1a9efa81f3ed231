#include "tools/run_page.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "engine/printable.h"
#include "tools/table.h"

namespace carom {

namespace {

constexpr std::size_t most_contacts_listed = 30;

std::string verdict_of(const ImpactSummary& impact) {
  std::vector<std::string> words;
  if (!impact.energetic) {
    words.push_back(impact.kinetic_before > 0
                        ? fmt::format("creates energy (+{:.0f} %)", 100 * impact.work / impact.kinetic_before)
                        : "creates energy");
  }
  if (!impact.kinematic) words.emplace_back("still approaching");
  if (!impact.kinetic) words.emplace_back("impulse outside its set");
  return words.empty() ? good("consistent") : bad(fmt::format("{}", fmt::join(words, ", ")));
}

std::string who(const ImpactSummary& impact) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, impact.elements.size()); ++i)
    names.push_back(impact.elements[i].name + " " + impact.elements[i].state);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (impact.elements.size() > most) text += fmt::format(" and {} more", impact.elements.size() - most);
  return text;
}

// What rounding is measured by: the largest energy or work of the run.
double energy_size(const EnergySummary& energy) {
  double size = 0;
  for (const EnergySummary::Work& work : energy.works) size = size_of({size, work.value});
  for (const EnergySummary::Column& c : energy.columns) size = size_of({size, c.lowest, c.highest});
  return size;
}

std::string energy_text(const EnergySummary& energy) {
  const double size = energy_size(energy);
  Table table({"energy (J)", "start", "end", "lowest", "at t", "highest", "at t"});
  for (const EnergySummary::Column& c : energy.columns)
    table.add({c.name, figure(c.first, size), figure(c.last, size), figure(c.lowest, size), figure(c.lowest_time),
               figure(c.highest, size), figure(c.highest_time)});
  std::string text = table.text();
  std::vector<std::string> went;
  for (const EnergySummary::Work& work : energy.works)
    went.push_back(fmt::format("{} {}", work.called, signed_figure(work.value, size)));
  return text + fmt::format("  where it went: {} (J)\n", fmt::join(went, ", "));
}

// Whether the row, as it is shown, does not add up.
bool others_work_too(const ImpactSummary& impact, double size) {
  return figure(impact.kinetic_before + impact.work, size) != figure(impact.kinetic_after, size);
}

std::string with_noun(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string impacts_text(const RunSummary& run, const std::vector<ImpactSummary>& impacts) {
  std::string text = "\n  " + with_noun(run.impacts, "impact", "impacts");
  if (run.creating_energy > 0)
    text += ", " + bad(fmt::format("{} energy ({} J)", with_noun(run.creating_energy, "creates", "create"),
                                   signed_figure(run.energy_created)));
  if (run.still_approaching > 0)
    text += ", " + bad(with_noun(run.still_approaching, "leaves", "leave") + " a contact approaching");
  if (run.outside_set > 0) text += ", " + bad(fmt::format("{} with an impulse outside its set", run.outside_set));
  if (run.unsolved > 0) text += ", " + bad(with_noun(run.unsolved, "step misses", "steps miss") + " a solution");
  text += "\n";
  if (impacts.empty()) return text;
  double size = 0;
  for (const ImpactSummary& impact : impacts) size = size_of({size, impact.kinetic_before, impact.kinetic_after});
  Table table({"impact", "t (s)", "at", "T⁻ (J)", "T⁺ (J)", "work (J)", "verdict"});
  for (const ImpactSummary& impact : impacts)
    table.add({std::to_string(impact.number), fmt::format("{:.6g}", impact.time), who(impact),
               figure(impact.kinetic_before, size), figure(impact.kinetic_after, size),
               figure(impact.work, impact.kinetic_before), verdict_of(impact)});
  text += table.text();
  if (run.some_take_part) text += "  T⁻ and T⁺ are of the bodies that take part, by contacts and joints\n";
  if (std::any_of(impacts.begin(), impacts.end(), [&](const ImpactSummary& i) { return others_work_too(i, size); }))
    text += "  T⁺ − T⁻ differs from the contacts' work where forces within the step or a prescribed motion work too\n";
  const std::int64_t more = run.impacts - static_cast<std::int64_t>(impacts.size());
  if (more > 0) text += fmt::format("  ... and {} more: --impacts shows all\n", more);
  return text;
}

std::string contacts_text(std::vector<ContactSummary> contacts, double length) {
  if (contacts.empty()) return {};
  std::size_t more = 0;
  if (contacts.size() > most_contacts_listed) {
    std::stable_sort(contacts.begin(), contacts.end(),
                     [](const ContactSummary& a, const ContactSummary& b) { return a.impacts > b.impacts; });
    more = contacts.size() - most_contacts_listed;
    contacts.resize(most_contacts_listed);
  }
  Table table({"contact", "impacts", "samples closed", "smallest gap (m)"});
  for (const ContactSummary& contact : contacts)
    table.add({contact.name, std::to_string(contact.impacts), contact.sampled ? std::to_string(contact.closed) : "—",
               contact.sampled ? figure(contact.smallest_gap, length) : "—"});
  const bool any_unsampled =
      std::any_of(contacts.begin(), contacts.end(), [](const ContactSummary& contact) { return !contact.sampled; });
  return "\n" + table.text() +
         (any_unsampled ? "  —: found by 'collide' or not recorded, so not sampled; its impacts are counted\n" : "") +
         (more > 0 ? fmt::format("  ... and {} more with fewer impacts: --json has all\n", more) : "");
}

std::string penetrations_text(const RunSummary& run) {
  if (!run.penetrations || run.penetrations->empty()) return {};
  Table table({"overlap at", "deepest (m)", "at t (s)", "of the smaller body", "deep on end (s)"});
  const std::size_t shown = std::min(most_contacts_listed, run.penetrations->size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [contact, figures] = (*run.penetrations)[i];
    const std::string lasted = figures.lasted > 0 ? figure(figures.lasted) : "—";
    table.add({contact, fmt::format("{:.3g}", figures.depth), fmt::format("{:.6g}", figures.time),
               figures.size > 0 ? fmt::format("{:.2g} %", 100 * figures.depth / figures.size) : "—",
               figures.stays_deep(run.step) ? bad(lasted) : lasted});
  }
  const std::size_t more = run.penetrations->size() - shown;
  return "\n" + table.text() + (more > 0 ? fmt::format("  ... and {} more, less deep: --json has all\n", more) : "") +
         fmt::format("  deep: by more than {:g} % of the smaller body\n", 100 * Penetration::deep_part);
}

std::string log_text(const std::vector<RunMessage>& log) {
  std::string text = log.empty() ? "" : "\n  told before and during the run\n";
  for (const RunMessage& message : log) {
    const std::string line = printable(fmt::format("{}: {}", message.level, message.text));
    const std::string when = message.step == 0 ? "" : fmt::format("step {}, t = {:g} s: ", message.step, message.time);
    text += wrapped(when + line, page_width(), "  ", "    ");
  }
  return text;
}

// "every step", "every 10th step"
std::string every_text(std::int64_t every) {
  if (every == 1) return "every step";
  const std::int64_t tens = every % 100 / 10, ones = every % 10;
  const char* ending = tens == 1 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
  return fmt::format("every {}{} step", every, ending);
}

}  // namespace

std::string run_page(const RunSummary& run, const std::vector<ImpactSummary>& impacts) {
  const bool went_well = run.status == "complete";
  std::string text =
      fmt::format("{}   law {}   {}\n", run.scene, run.law, went_well ? good(run.status) : bad(run.status));
  text += fmt::format("  {} steps of {:g} s, {}θ {:g}, t = {:g} to {:g} s; {} samples, {}; {}carom {}, {}\n", run.steps,
                      run.step, run.scheme.empty() ? "" : run.scheme + ", ", run.theta, run.first_time, run.last_time,
                      run.samples, every_text(run.every),
                      run.wall_seconds > 0 ? fmt::format("wall time {:.3g} s; ", run.wall_seconds) : "", run.version,
                      run.compiler);
  if (run.status == "running") text += "  not finished: still running, or killed (carom recover)\n";
  if (run.recovered)
    text += went_well ? "  recovered after a kill at its end\n"
                      : "  recovered after a kill: the last moments are missing\n";
  if (run.energy) text += "\n" + energy_text(*run.energy);
  if (run.has_impacts) text += impacts_text(run, impacts);
  return text + contacts_text(run.contacts, run.length) + penetrations_text(run) + log_text(run.log);
}

}  // namespace carom
