// The command line as subcommands declare it. Hides the parser, which is slow to compile, behind five functions.

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace carom {

// How a subcommand ended, as the shell sees it.
enum ExitCode { done = 0, failed_running = 1, bad_usage = 2, negative_verdict = 3, interrupted = 130 };

class CommandLine {
 public:
  virtual ~CommandLine() = default;
  virtual void positional(const std::string& name, std::string& value, const std::string& help, bool required) = 0;
  virtual void flag(const std::string& name, bool& value, const std::string& help) = 0;
  virtual void option(const std::string& name, std::string& value, const std::string& help) = 0;
  virtual void list(const std::string& name, std::vector<std::string>& value, const std::string& help) = 0;  // a,b,c
  virtual void repeated(const std::string& name, std::vector<std::string>& value, const std::string& help) = 0;
};

struct Subcommand {
  std::string name;
  std::string help;
  // Declares options and returns what to run once they are parsed.
  std::function<std::function<int()>(CommandLine&)> declare;
};

// One line in subcommands.def adds one.
const std::vector<Subcommand>& subcommands();

int run_command_line(int argc, char** argv);

}  // namespace carom
