// carom-conformance: whether laws keep what every impact law has to keep; for authors of plug-ins.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "config/law_file.h"
#include "config/plugin_file.h"
#include "solvers/laws/added_laws.h"
#include "tests/support/law_conformance.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::ConformanceResult;

namespace {

enum ExitCode { conforms = 0, failed = 1, bad_usage = 2, does_not_conform = 3 };

const char* const usage = R"(carom-conformance [--plugin FILE.so]... [LAW]...

Tries what every impact law has to keep, and what laws claim, on 160 random problems each: the LAWs, or all laws of the
plug-ins, or all there are. A problem on which something does not hold is written as a file for `carom impact`.
Exit codes: 0 all hold, 1 failed, 2 bad usage, 3 something does not hold.
)";

struct Options {
  std::vector<std::string> plugins = plugins_of_environment();
  std::vector<std::string> laws;
  bool help = false;
};

Options options_of(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument.starts_with("--plugin=")) {
      options.plugins.push_back(argument.substr(9));
    } else if (argument == "--plugin") {
      if (++i == arguments.size()) throw BadInput("carom-conformance: --plugin needs a file");
      options.plugins.push_back(arguments[i]);
    } else if (argument.starts_with("-")) {
      throw BadInput(fmt::format("carom-conformance: there is no option '{}'", argument));
    } else {
      options.laws.push_back(argument);
    }
  }
  return options;
}

std::vector<const LawEntry*> chosen(const Options& options) {
  std::vector<const LawEntry*> laws;
  for (const std::string& name : options.laws) {
    if (!find_law(name)) throw BadInput("carom-conformance: " + unknown_law_message(name));
    laws.push_back(find_law(name));
  }
  if (!laws.empty()) return laws;
  for (const LawEntry& law : impact_laws())
    if (options.plugins.empty() || !law_list().origin_of(law.name).empty()) laws.push_back(&law);
  if (laws.empty()) throw BadInput("carom-conformance: the plug-in has no laws; name one to try carom's own");
  return laws;
}

void tell(const LawEntry& law, const ConformanceResult& result) {
  if (result.tried == 0 && result.least == 0) return;  // it does not claim that
  std::cout << fmt::format("  {} {} ({})\n", result.holds() ? "holds " : "BROKEN", result.claim,
                           result.tried == 1 ? "once" : fmt::format("{} problems", result.tried));
  if (result.tried < result.least) std::cout << "         too few problems: the law resolves none of the others\n";
  if (result.breaches.empty()) return;
  const testing::Breach& first = result.breaches.front();
  std::cout << fmt::format("         {} of them; first: {}\n", result.breaches.size(), first.what);
  if (first.seed > 0) std::cout << "         " << testing::replay(first.parts, law.name, first.seed) << '\n';
}

bool keeps_all(const LawEntry& law) {
  const std::string origin = law_list().origin_of(law.name);
  std::cout << law.name << (origin.empty() ? "" : "   from " + origin) << '\n';
  bool all = true;
  try {
    for (const ConformanceResult& result : testing::conformance(law)) {
      tell(law, result);
      all = all && result.holds();
    }
  } catch (const std::exception& e) {
    std::cout << fmt::format("  BROKEN it throws: {}\n", e.what());
    return false;
  }
  return all;
}

int run(const std::vector<std::string>& arguments) {
  const Options options = options_of(arguments);
  if (options.help) {
    std::cout << usage;
    return conforms;
  }
  for (const std::string& path : options.plugins) load_plugin(path);
  bool all = true;
  for (const LawEntry* law : chosen(options)) all = keeps_all(*law) && all;
  return all ? conforms : does_not_conform;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const BadInput& e) {
    std::cerr << e.what() << '\n';
    return bad_usage;
  } catch (const std::exception& e) {
    std::cerr << "carom-conformance: " << e.what() << '\n';
    return failed;
  }
}
