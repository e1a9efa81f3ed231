#include "tools/command_line.h"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "config/diagnostics.h"
#include "tools/table.h"
#include "tools/version.h"

namespace carom {

#define CAROM_SUBCOMMAND(name) Subcommand name##_subcommand();
#include "tools/subcommands.def"
#undef CAROM_SUBCOMMAND

const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> list = {
#define CAROM_SUBCOMMAND(name) name##_subcommand(),
#include "tools/subcommands.def"
#undef CAROM_SUBCOMMAND
  };
  return list;
}

namespace {

// The parser puts help behind a column of names and breaks it at newlines.
constexpr std::size_t names_width = 30;

std::string broken(const std::string& help) {
  std::string text = wrapped(help, page_width() - names_width, "");
  text.pop_back();
  return text;
}

// An empty value would pass for an option that is not there.
std::string not_empty(const std::string& value) { return value.empty() ? "the value is empty" : ""; }

class Parser final : public CommandLine {
 public:
  explicit Parser(CLI::App& app) : app_(app) {}

  void positional(const std::string& name, std::string& value, const std::string& help, bool required) override {
    app_.add_option(name, value, broken(help))->required(required)->check(not_empty);
  }
  void flag(const std::string& name, bool& value, const std::string& help) override {
    app_.add_flag(name, value, broken(help));
  }
  void option(const std::string& name, std::string& value, const std::string& help) override {
    app_.add_option(name, value, broken(help))->check(not_empty);
  }
  void list(const std::string& name, std::vector<std::string>& value, const std::string& help) override {
    app_.add_option(name, value, broken(help))->delimiter(',')->expected(1)->take_all()->check(not_empty);
  }
  void repeated(const std::string& name, std::vector<std::string>& value, const std::string& help) override {
    app_.add_option(name, value, broken(help))->expected(1)->take_all()->check(not_empty);
  }

 private:
  CLI::App& app_;
};

void refuse_unknown_subcommand(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands()) names.push_back(subcommand.name);
  if (std::find(names.begin(), names.end(), argv[1]) == names.end())
    throw BadInput(fmt::format("carom: there is no subcommand '{}'{}; carom --help lists them", argv[1],
                               suggestion(argv[1], names)));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{"carom: impacts in rigid multibody systems, by any law"};
  app.set_version_flag("--version", std::string("carom ") + version());
  app.require_subcommand(1);
  const std::string exit_codes =
      "Exit codes: 0 done, 1 failed in a run, 2 bad usage or input, 3 negative verdict, 130 interrupted.";
  app.footer("Start with: carom impact FILE --law newton,poisson,stronge\n" + exit_codes);
  int code = done;
  for (const Subcommand& subcommand : subcommands()) {
    CLI::App* sub = app.add_subcommand(subcommand.name, broken(subcommand.help));
    sub->footer(exit_codes);  // not the program's own, which it would inherit
    Parser parser(*sub);
    sub->callback([run = subcommand.declare(parser), &code] { code = run(); });
  }
  refuse_unknown_subcommand(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    std::cerr << "carom: " << e.what() << "\nTry 'carom --help' or 'carom SUBCOMMAND --help'.\n";
    return bad_usage;
  }
  return code;
}

}  // namespace carom
