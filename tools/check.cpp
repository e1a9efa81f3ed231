// carom check: what is guaranteed of a law before anything runs. Of a raw problem, of the first impact of a scene, or
// of every impact of a run.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "tools/check_impacts.h"
#include "tools/command_line.h"
#include "tools/log.h"
#include "tools/progress.h"
#include "tools/table.h"

namespace carom {

namespace {

struct Options {
  CheckOptions checked;
  bool verbose = false;
  bool json = false;
  bool strict = false;
};

// The law that the file names, or all that are asked for if it is not among them; within the ranges, where they are
// given. A law that has no solution here guarantees nothing of this impact.
bool own_law_is_guaranteed(const CheckedImpact& impact) {
  const auto is_own = [&](const LawAssessment& law) { return impact.file.law && impact.file.law->type == law.law; };
  const bool named = std::any_of(impact.laws.begin(), impact.laws.end(), is_own);
  for (const LawAssessment& law : impact.laws) {
    const bool sound = law.guaranteed() && law.here && law.here->kinematic.holds && law.here->kinetic.holds;
    if ((!named || is_own(law)) && !(sound && (!law.within || law.within->proven))) return false;
  }
  return true;
}

// Of many impacts: those at which a law creates energy or has no solution.
std::string exceptions(const std::vector<CheckedImpact>& impacts) {
  constexpr std::size_t most = 20;
  std::string text;
  std::size_t told = 0, more = 0;
  for (const CheckedImpact& impact : impacts) {
    if (!goes_wrong(impact)) continue;
    if (told == most) {
      ++more;
      continue;
    }
    text += check_text(impact, false);
    ++told;
  }
  if (more > 0) text += fmt::format("... and {} more like these: --json has all\n", more);
  return text.empty() ? "" : text + "\n";
}

// Of many impacts: how many are guaranteed by law, and where it is missed most.
std::string run_summary(const std::vector<CheckedImpact>& impacts) {
  const ImpactFile& file = impacts.front().file;
  std::string text =
      fmt::format("{}   {} impacts, t = {:.6g} to {:.6g} s\n", file.about.empty() ? file.scene : file.about,
                  impacts.size(), impacts.front().time.value_or(0), impacts.back().time.value_or(0));
  for (std::size_t l = 0; l < impacts.front().laws.size(); ++l) {
    std::size_t guaranteed = 0, creating = 0, unsolved = 0, refused = 0;
    double created = 0;
    std::set<std::string> theorems, obstacles;
    const CheckedImpact* most = nullptr;
    for (const CheckedImpact& impact : impacts) {
      const LawAssessment& law = impact.laws[l];
      guaranteed += law.guaranteed();
      if (law.guaranteed()) theorems.insert(law.proof.theorem);
      if (law.standing == LawAssessment::Standing::not_guaranteed) obstacles.insert(law.proof.obstacle);
      refused += law.standing == LawAssessment::Standing::refused;
      unsolved += !law.unsolved.empty();
      if (!law.here || law.here->energetic.holds) continue;
      ++creating;
      if (law.here->work > created) most = &impact;
      created = std::max(created, law.here->work);
    }
    std::string line =
        fmt::format("{}: guaranteed at {} of {} impacts", impacts.front().laws[l].law, guaranteed, impacts.size());
    if (!theorems.empty()) line += fmt::format(", {}", fmt::join(theorems, "; "));
    if (!obstacles.empty())
      line += fmt::format("; not at {} ({}{})", impacts.size() - guaranteed - refused, *obstacles.begin(),
                          obstacles.size() > 1 ? fmt::format("; and {} other reasons", obstacles.size() - 1) : "");
    if (most)
      line += fmt::format("; {} {} energy, most at t = {:.6g} s ({} J)", creating, creating == 1 ? "creates" : "create",
                          most->time.value_or(0), figure(created));
    if (unsolved > 0) line += fmt::format("; {} {} no solution", unsolved, unsolved == 1 ? "has" : "have");
    if (refused > 0) line += fmt::format("; not applicable at {}", refused);
    text += wrapped(line, page_width(), "  ", "    ");
  }
  return text;
}

void tell_warnings(const CheckedFile& checked) {
  for (const std::string& warning : checked.warnings) tell_warning(warning);
  for (const std::string& note : checked.notes) tell_note(note);
}

int run(const Options& options) {
  CheckOptions asked = options.checked;
  asked.details = options.verbose || options.json;
  StatusLine status(false);
  const CheckedFile checked = check_impacts(asked, tell_warnings, [&](const std::string& text) { status.show(text); });
  status.clear();
  const std::vector<CheckedImpact>& impacts = checked.impacts;
  if (options.json) {
    std::cout << dump(checked_json(checked));
  } else {
    if (impacts.size() == 1 || options.verbose)
      for (const CheckedImpact& impact : impacts) std::cout << check_text(impact, options.verbose);
    if (impacts.size() > 1) std::cout << (options.verbose ? "\n" : exceptions(impacts)) << run_summary(impacts);
    std::cout << text_of(checked.configurations) << text_of(checked.critical_friction);
  }
  const bool guaranteed = std::all_of(impacts.begin(), impacts.end(), own_law_is_guaranteed);
  return options.strict && !guaranteed ? negative_verdict : done;
}

}  // namespace

Subcommand check_subcommand() {
  return {
      "check", "what is guaranteed of a law before anything runs: energy, solutions, friction", [](CommandLine& line) {
        auto options = std::make_shared<Options>();
        line.positional("FILE", options->checked.input.name, "scene, or raw impact problem (YAML)", false);
        line.list("--law", options->checked.laws, "laws to check, a,b,c or all (default: the file's)");
        line.repeated("--set", options->checked.sets, "override a value of the file: key=value");
        line.option("--duration", options->checked.duration, "scene: how many seconds to search for the first impact");
        line.option("--run", options->checked.run, "check every impact of a run (RUN.h5)");
        line.list("--ranges", options->checked.ranges,
                  "coefficients of the worst case, e.g. restitution=0..1,friction=0..0.5");
        line.flag("--verbose", options->verbose, "every condition with its source and figures");
        line.flag("--json", options->json, "print JSON");
        line.flag("--fix", options->checked.fix, "scene: project the initial state onto joints and contacts");
        line.flag("--strict", options->strict,
                  "exit 3 if the file's own law (if it is not among those checked: any of them) is not guaranteed, "
                  "has no solution, or leaves a contact approaching or an impulse outside its set here; with --ranges, "
                  "within them");
        return [options] { return run(*options); };
      }};
}

}  // namespace carom
