// carom models: what closed-form models there are.

#include <spdlog/fmt/fmt.h>

#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "models/added_models.h"
#include "tools/command_line.h"
#include "tools/json.h"
#include "tools/table.h"

namespace carom {

namespace {

struct Options {
  std::string name;
  bool json = false;
};

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& model : closed_form_models()) names.push_back(model.name);
  return names;
}

Json model_json(const ModelEntry& model) {
  Json json = {{"name", model.name},
               {"statement", model.statement},
               {"coordinates", model.coordinates},
               {"source", model.source}};
  if (const std::string origin = model_list().origin_of(model.name); !origin.empty()) json["origin"] = origin;
  json["parameters"] = Json::array();
  for (const ParameterSpec& spec : model.parameters)
    json["parameters"].push_back(
        {{"name", spec.name}, {"default", spec.default_text}, {"range", spec.range_text}, {"meaning", spec.meaning}});
  return json;
}

std::string model_page(const ModelEntry& model) {
  std::string text = model.name + "\n" + wrapped(model.statement, 100, "  ") + "\n";
  text +=
      "  coordinates\n" + wrapped(model.coordinates, 100, "    ") + "  source\n" + wrapped(model.source, 100, "    ");
  if (const std::string origin = model_list().origin_of(model.name); !origin.empty())
    text += "  added from\n" + wrapped(origin, 100, "    ");
  if (model.parameters.empty()) return text;
  return text + "  parameters (keys under model:)\n" + parameter_table(model.parameters, "    ");
}

int run(const Options& options) {
  if (!options.name.empty()) {
    const ModelEntry* model = find_model(options.name);
    if (!model)
      throw BadInput(fmt::format("unknown model '{}'{}; the models are {}", options.name,
                                 suggestion(options.name, model_names()), fmt::join(model_names(), ", ")));
    std::cout << (options.json ? dump(model_json(*model)) : model_page(*model));
    return done;
  }
  if (options.json) {
    Json list = Json::array();
    for (const ModelEntry& model : closed_form_models()) list.push_back(model_json(model));
    std::cout << dump(list);
    return done;
  }
  Table table({"model", "statement", "source"});
  for (const ModelEntry& model : closed_form_models()) table.add({model.name, model.statement, model.source});
  std::cout << table.prose("") << "\nFor details: carom models NAME\n";
  return done;
}

}  // namespace

Subcommand models_subcommand() {
  return {"models", "list the closed-form models; with NAME, show coordinates, source, parameters",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("NAME", options->name, "one model", false);
            line.flag("--json", options->json, "print JSON");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
