// carom verify: every published result, recomputed.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "config/published.h"
#include "tools/command_line.h"
#include "tools/json.h"
#include "tools/table.h"

namespace carom {

namespace {

std::string verdict(const PublishedCheck& check) {
  if (!check.agrees) return bad("differs");
  if (check.print_is_right && check.within > 0) return good(fmt::format("agrees within {:g}", check.within));
  return check.print_is_right ? good("agrees") : "misprint, should be " + check.expected;
}

// One table a source, the notes of its rows below it.
std::string section(const std::vector<PublishedCheck>& checks, const std::string& source) {
  Table table({"", "quantity", "published", "ours", "verdict"});
  std::string notes;
  std::string claim;
  for (const PublishedCheck& check : checks) {
    if (check.source != source) continue;
    const bool first = check.claim != claim;
    claim = check.claim;
    table.add({first ? claim : "", check.quantity, check.printed, check.ours, verdict(check)});
    if (first && !check.note.empty()) notes += wrapped(claim + ": " + check.note, page_width(), "  ");
  }
  return source + "\n" + table.prose() + faint(notes) + "\n";
}

std::string report(const std::vector<PublishedCheck>& checks) {
  std::vector<std::string> sources;
  for (const PublishedCheck& check : checks) {
    if (std::find(sources.begin(), sources.end(), check.source) == sources.end()) sources.push_back(check.source);
  }
  std::string text;
  for (const std::string& source : sources) text += section(checks, source);
  return text;
}

int run(bool json) {
  const std::vector<PublishedCheck> checks = check_published();
  const auto misprints = std::count_if(
      checks.begin(), checks.end(), [](const PublishedCheck& check) { return check.agrees && !check.print_is_right; });
  const auto failed =
      std::count_if(checks.begin(), checks.end(), [](const PublishedCheck& check) { return !check.agrees; });
  const auto formulas =
      std::count_if(checks.begin(), checks.end(), [](const PublishedCheck& check) { return check.is_formula; });
  const auto figures = static_cast<std::ptrdiff_t>(checks.size()) - formulas;
  if (json) {
    Json list = Json::array();
    for (const PublishedCheck& check : checks) {
      list.push_back({{"source", check.source},
                      {"claim", check.claim},
                      {"quantity", check.quantity},
                      {"printed", check.printed},
                      {"expected", check.expected},
                      {"ours", check.ours},
                      {"agrees", check.agrees},
                      {"print_is_right", check.print_is_right},
                      {"kind", check.is_formula ? "formula" : "figure"},
                      {"tolerance", check.within > 0 ? Json(check.within) : Json(nullptr)},
                      {"note", check.note.empty() ? Json(nullptr) : Json(check.note)}});
    }
    std::cout << dump({{"checks", list},
                       {"total", checks.size()},
                       {"figures", figures},
                       {"formulas", formulas},
                       {"printed_wrong", misprints},
                       {"differ", failed}});
  } else {
    std::cout << report(checks)
              << fmt::format(
                     "{} printed figures and {} formulas, evaluated at parameters of our own: {} agree, {} are "
                     "misprints, {} differ.\n",
                     figures, formulas, static_cast<std::ptrdiff_t>(checks.size()) - misprints - failed, misprints,
                     failed);
  }
  return failed ? negative_verdict : done;
}

}  // namespace

Subcommand verify_subcommand() {
  return {"verify", "every published result, recomputed: source, published, ours, verdict", [](CommandLine& line) {
            auto json = std::make_shared<bool>(false);
            line.flag("--json", *json, "print JSON");
            return [json] { return run(*json); };
          }};
}

}  // namespace carom
