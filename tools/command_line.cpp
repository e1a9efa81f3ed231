#include "tools/command_line.h"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/plugin_file.h"
#include "tools/log.h"
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

void refuse_unknown_subcommand(const std::string& name) {
  if (name.starts_with('-')) return;
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands()) names.push_back(subcommand.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw BadInput(
        fmt::format("carom: there is no subcommand '{}'{}; carom help lists them", name, suggestion(name, names)));
}

// What there is to say of an argument that nothing expected: the option that may be meant.
std::string nearest_option(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands()) {
    std::vector<std::string> names;
    for (const CLI::Option* option : sub->get_options()) names.push_back(option->get_name());
    for (const std::string& extra : sub->remaining()) {
      const std::string name = extra.substr(0, extra.find('='));
      if (name.starts_with("-")) return fmt::format("there is no option '{}'{}", name, suggestion(name, names));
    }
  }
  return "";
}

// Options of every command: what is told beside its results. Some commands leave out more than notes when quiet.
std::shared_ptr<LogOptions> log_options(CLI::App& sub) {
  auto log = std::make_shared<LogOptions>();
  CLI::Option* quiet = sub.get_option_no_throw("--quiet");
  if (!quiet) quiet = sub.add_flag("-q,--quiet", log->quiet, "no notes");
  sub.add_flag("-v", log->verbose, "tell details too");
  sub.add_option("--log", log->file, broken("a file that gets all that is told, with times"))->check(not_empty);
  sub.parse_complete_callback([log, quiet] { log->quiet = quiet->count() > 0; });
  return log;
}

std::string first_steps() {
  return fmt::format(R"(carom {}: impacts in rigid multibody systems, by any law

  carom new pendulum                    a scene to begin with: pendulum.yaml
  carom simulate pendulum.yaml          steps it through time into pendulum.h5
  carom report pendulum.h5              one page to look at: pendulum.html
  carom compare pendulum.yaml           the same by every impact law
  carom keys contacts                   what a scene may hold
  carom help                            every command; carom help COMMAND has its options
)",
                     version());
}

// `help COMMAND` is the same as `COMMAND --help`.
std::vector<std::string> with_help_in_front(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

void load_plugins(const std::vector<std::string>& named) {
  for (const std::string& path : plugins_of_environment()) load_plugin(path);
  for (const std::string& path : named) load_plugin(path);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  if (argc == 1) {
    std::cout << first_steps();
    return done;
  }
  std::vector<std::string> arguments = with_help_in_front(argc, argv);
  CLI::App app{"carom: impacts in rigid multibody systems, by any law"};
  app.name("carom");
  app.set_version_flag("--version", std::string("carom ") + version());
  app.require_subcommand(1);
  const std::string exit_codes =
      "Exit codes: 0 done, 1 failed in a run, 2 bad usage or input, 3 negative verdict, 130 interrupted.";
  app.footer("Start with: carom new pendulum; carom help COMMAND has the options of a command.\n" + exit_codes);
  const std::string plugin_help = "laws, models and solvers of one's own, built with find_package(carom)";
  std::vector<std::string> plugins, plugins_of_subcommand;
  Parser(app).repeated("--plugin", plugins, plugin_help + "; also before the command, and in CAROM_PLUGINS, with ':'");
  int code = done;
  for (const Subcommand& subcommand : subcommands()) {
    CLI::App* sub = app.add_subcommand(subcommand.name, broken(subcommand.help));
    sub->footer(exit_codes);  // not the program's own, which it would inherit
    Parser parser(*sub);
    const auto run = subcommand.declare(parser);
    parser.repeated("--plugin", plugins_of_subcommand, plugin_help);
    sub->callback([&, run, log = log_options(*sub)] {
      open_log(*log);
      plugins.insert(plugins.end(), plugins_of_subcommand.begin(), plugins_of_subcommand.end());
      load_plugins(plugins);
      code = run();
    });
  }
  if (!arguments.empty()) refuse_unknown_subcommand(arguments.front());
  std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
  try {
    app.parse(arguments);
  } catch (const CLI::ExtrasError& e) {
    const std::string option = nearest_option(app);
    std::cerr << "carom: " << (option.empty() ? e.what() : option) << "\nTry 'carom help' or 'carom help COMMAND'.\n";
    return bad_usage;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    std::cerr << "carom: " << e.what() << "\nTry 'carom help' or 'carom help COMMAND'.\n";
    return bad_usage;
  }
  return code;
}

}  // namespace carom
