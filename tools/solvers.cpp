// carom solvers: what inclusion solvers there are.

#include <spdlog/fmt/fmt.h>

#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "solvers/inclusion/list.h"
#include "tools/command_line.h"
#include "tools/json.h"
#include "tools/table.h"

namespace carom {

namespace {

struct Options {
  std::string name;
  bool json = false;
};

Json solver_json(const SolverEntry& solver) {
  return {{"name", solver.name},     {"statement", solver.statement}, {"method", solver.method},
          {"source", solver.source}, {"domain", solver.domain},       {"known_failures", solver.failures}};
}

std::string solver_page(const SolverEntry& solver) {
  return solver.name + "\n" + wrapped(solver.statement, 100, "  ") + "\n  method\n" +
         wrapped(solver.method, 100, "    ") + "  source\n" + wrapped(solver.source, 100, "    ") + "  domain\n" +
         wrapped(solver.domain, 100, "    ") + "  known failures\n" + wrapped(solver.failures, 100, "    ");
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
  std::cout << table.prose("") << "\nFor details: carom solvers NAME\n";
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
