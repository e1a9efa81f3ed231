// carom laws: what impact laws there are.

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <iostream>
#include <memory>

#include "config/law_file.h"
#include "solvers/laws/added_laws.h"
#include "tools/command_line.h"
#include "tools/json.h"
#include "tools/table.h"

namespace carom {

namespace {

struct Options {
  std::string name;
  bool json = false;
};

// Coefficients of the elements that the law reads, with their ranges; it sets none on those that it does not read.
std::vector<ParameterSpec> coefficients(const LawEntry& law) {
  std::vector<ParameterSpec> list;
  if (!law.uses_restitution || law.is_combinator()) return list;
  const auto add = [&](const char* name, const CoefficientRange& range, const char* meaning) {
    if (!std::isfinite(range.highest)) return;
    list.push_back({.name = name, .default_text = "0", .meaning = meaning, .range_text = range.text()});
  };
  add("contact restitution", law.contact_restitution, "ε of a contact");
  add("contact tangential_restitution", law.tangential_restitution, "ε_T of a contact with friction");
  add("clutch restitution", law.clutch_restitution, "ε of a clutch");
  return list;
}

Json parameter_json(const ParameterSpec& spec) {
  return {{"name", spec.name}, {"default", spec.default_text}, {"range", spec.range_text}, {"meaning", spec.meaning}};
}

Json law_json(const LawEntry& law) {
  Json json = {{"name", law.name},     {"statement", law.statement}, {"equation", law.equation},
               {"source", law.source}, {"domain", law.domain},       {"known_failures", law.failures}};
  if (const std::string origin = law_list().origin_of(law.name); !origin.empty()) json["origin"] = origin;
  json["parameters"] = Json::array();
  for (const ParameterSpec& spec : law.parameters) json["parameters"].push_back(parameter_json(spec));
  json["coefficients"] = Json::array();
  for (const ParameterSpec& spec : coefficients(law)) json["coefficients"].push_back(parameter_json(spec));
  return json;
}

std::string law_page(const LawEntry& law) {
  std::string text = law.name + "\n" + wrapped(law.statement, 100, "  ") + "\n";
  text += "  equation\n" + wrapped(law.equation, 100, "    ") + "  source\n" + wrapped(law.source, 100, "    ");
  text += "  domain\n" + wrapped(law.domain, 100, "    ") + "  known failures\n" + wrapped(law.failures, 100, "    ");
  if (const std::string origin = law_list().origin_of(law.name); !origin.empty())
    text += "  added from\n" + wrapped(origin, 100, "    ");
  const auto section = [&](const char* title, const std::vector<ParameterSpec>& specs) {
    if (specs.empty()) return;
    text += fmt::format("  {}\n{}", title, parameter_table(specs, "    "));
  };
  section("parameters (keys under law:)", law.parameters);
  section("coefficients of the elements", coefficients(law));
  if (law.is_combinator()) text += "  coefficients of the elements\n    those of the law of each collision\n";
  if (!law.uses_restitution) text += "  coefficients of the elements\n    any: this law sets no range on them\n";
  return text;
}

int run(const Options& options) {
  if (!options.name.empty()) {
    const LawEntry* law = find_law(options.name);
    if (!law) throw BadInput(unknown_law_message(options.name));
    std::cout << (options.json ? dump(law_json(*law)) : law_page(*law));
    return done;
  }
  if (options.json) {
    Json list = Json::array();
    for (const LawEntry& law : impact_laws()) list.push_back(law_json(law));
    std::cout << dump(list);
    return done;
  }
  Table table({"law", "statement", "source"});
  for (const LawEntry& law : impact_laws()) table.add({law.name, law.statement, law.source});
  std::cout << table.prose("") << "\nFor details: carom laws NAME\n";
  return done;
}

}  // namespace

Subcommand laws_subcommand() {
  return {"laws", "list the impact laws; with NAME, show equation, source, parameters, domain, known failures",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("NAME", options->name, "one law", false);
            line.flag("--json", options->json, "print JSON");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
