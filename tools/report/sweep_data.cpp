#include "tools/report/sweep_data.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tools/report/columns.h"

namespace carom {

namespace {

// Link names stand for names with '/'.
std::string link_of(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

// In the order that the file gives them, else alphabetically.
std::vector<std::string> names_of(const ResultFile& file, const std::vector<std::string>& given,
                                  const std::string& group) {
  return given.empty() ? file.children(group) : given;
}

// Draws without a grid have one extent, the points, with a coordinate each.
std::vector<std::string> axis_names(const ResultFile& file) {
  const std::vector<std::string> coordinates = file.texts("coordinates");
  return names_of(file, coordinates.empty() ? file.texts("axes") : coordinates, "axes");
}

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

Json sweep_data(const ResultFile& file) {
  constexpr std::int64_t most_numbers = 1'000'000;  // of all measures: 11 MB of page
  Json json = {{"mode", file.text("mode")},
               {"scene_yaml", file.read_text("scene_yaml")},
               {"sweep_yaml", file.read_text("sweep_yaml")},
               {"carom_version", file.text("carom_version")},
               {"scene", file.text("sweep")},
               {"about", file.text("about")},
               {"status", file.text("status")},
               {"axes", Json::array()},
               {"measures", Json::array()}};
  std::vector<std::int64_t> grid;
  for (const std::string& name : axis_names(file)) {
    const ResultArray axis = file.read("axes/" + link_of(name));
    const std::int64_t length = count_of(axis.shape);
    grid.push_back(length);
    Json one = {{"name", name}, {"units", axis.units}, {"length", length}};
    one["values"] = axis.is_text() ? Json(axis.texts) : Json(axis.numbers);
    json["axes"].push_back(one);
  }
  const bool is_grid = file.text("mode") == "grid" || file.text("mode").empty();
  if (grid.empty()) throw BadRunFile(file.path() + ": the sweep has no axes");
  if (!is_grid) grid.resize(1);
  std::int64_t numbers = 0;
  Json left_out = Json::array();
  for (const std::string& name : names_of(file, file.texts("measures"), "measures")) {
    const ResultArray measure = file.read("measures/" + link_of(name));
    if (measure.is_text()) continue;
    if (count_of(measure.shape) != count_of(grid))
      throw BadRunFile(fmt::format("{}: measures/{} has {} values, the axes make {}", file.path(), name,
                                   count_of(measure.shape), count_of(grid)));
    numbers += count_of(measure.shape);
    if (numbers > most_numbers && !json["measures"].empty()) {
      left_out.push_back(name);
      continue;
    }
    json["measures"].push_back({{"name", name}, {"units", measure.units}, {"values", packed(measure.numbers)}});
  }
  if (json["measures"].empty()) throw BadRunFile(file.path() + ": the sweep has no measures");
  json["left_out"] = left_out;
  return json;
}

}  // namespace carom
