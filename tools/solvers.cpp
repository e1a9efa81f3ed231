// carom solvers: what inclusion solvers there are.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "solvers/inclusion/added_solvers.h"
#include "solvers/inclusion/ladder.h"
#include "tools/command_line.h"
#include "tools/json.h"
#include "tools/table.h"

namespace carom {

namespace {

struct Options {
  std::string name;
  bool json = false;
};

// What a rung of the ladder takes, in words.
std::string suits(const Suits& suits) {
  std::vector<std::string> words;
  const bool bounded = suits.most_rows < std::numeric_limits<Index>::max();
  if (suits.least_rows > 0 && bounded) {
    words.push_back(fmt::format("{} to {} rows", suits.least_rows, suits.most_rows));
  } else if (bounded) {
    words.push_back(fmt::format("up to {} rows", suits.most_rows));
  } else if (suits.least_rows > 0) {
    words.push_back(fmt::format("{} rows or more", suits.least_rows));
  }
  if (suits.friction != Suits::Friction::any)
    words.push_back(suits.friction == Suits::Friction::planar ? "planar" : "in space");
  if (suits.joints) words.push_back("joints too");
  if (suits.wanted != Suits::Wanted::either)
    words.push_back(suits.wanted == Suits::Wanted::one ? "one solution" : "all solutions");
  if (suits.directions != Suits::Directions::either)
    words.push_back(suits.directions == Suits::Directions::known ? "directions known" : "G alone known");
  if (suits.most_combinations < HUGE_VAL)
    words.push_back(fmt::format("up to {:g} combinations", suits.most_combinations));
  return fmt::format("{}", fmt::join(words, ", "));
}

Json ladder_json() {
  Json list = Json::array();
  for (const Rung& rung : ladder())
    list.push_back({{"solver", rung.name}, {"purpose", rung.purpose}, {"suits", suits(rung.suits)}});
  return list;
}

std::string ladder_table() {
  Table table({"rung", "solver", "purpose", "suits"});
  int number = 0;
  for (const Rung& rung : ladder()) table.add({std::to_string(++number), rung.name, rung.purpose, suits(rung.suits)});
  return table.prose("");
}

Json solver_json(const SolverEntry& solver) {
  Json json = {{"name", solver.name},     {"statement", solver.statement}, {"method", solver.method},
               {"source", solver.source}, {"domain", solver.domain},       {"known_failures", solver.failures}};
  if (const std::string origin = solver_list().origin_of(solver.name); !origin.empty()) json["origin"] = origin;
  if (solver.solve == climb) json["ladder"] = ladder_json();
  return json;
}

std::string solver_page(const SolverEntry& solver) {
  const std::string origin = solver_list().origin_of(solver.name);
  return solver.name + "\n" + wrapped(solver.statement, 100, "  ") + "\n  method\n" +
         wrapped(solver.method, 100, "    ") + "  source\n" + wrapped(solver.source, 100, "    ") + "  domain\n" +
         wrapped(solver.domain, 100, "    ") + "  known failures\n" + wrapped(solver.failures, 100, "    ") +
         (origin.empty() ? "" : "  added from\n" + wrapped(origin, 100, "    ")) +
         (solver.solve == climb ? "  ladder\n" + ladder_table() : "");
}

int run(const Options& options) {
  if (!options.name.empty()) {
    const SolverEntry* solver = find_solver(options.name);
    if (!solver) {
      std::vector<std::string> names;
      for (const SolverEntry& entry : inclusion_solvers()) names.push_back(entry.name);
      throw BadInput(fmt::format("unknown solver '{}'{}; the solvers are {}", options.name,
                                 suggestion(options.name, names), fmt::join(names, ", ")));
    }
    std::cout << (options.json ? dump(solver_json(*solver)) : solver_page(*solver));
    return done;
  }
  if (options.json) {
    Json list = Json::array();
    for (const SolverEntry& solver : inclusion_solvers()) list.push_back(solver_json(solver));
    std::cout << dump(list);
    return done;
  }
  Table table({"solver", "statement", "domain"});
  for (const SolverEntry& solver : inclusion_solvers()) table.add({solver.name, solver.statement, solver.domain});
  std::cout << table.prose("") << "\nWhat auto asks, from the top until one answers:\n\n"
            << ladder_table() << "\nFor details: carom solvers NAME\n";
  return done;
}

}  // namespace

Subcommand solvers_subcommand() {
  return {"solvers", "list the inclusion solvers; with NAME, show method, source, domain, known failures",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("NAME", options->name, "one solver", false);
            line.flag("--json", options->json, "print JSON");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
