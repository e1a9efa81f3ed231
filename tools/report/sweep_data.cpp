#include "tools/report/sweep_data.h"

#include "tools/report/columns.h"
#include "tools/sweep_summary.h"

namespace carom {

Json sweep_data(const SweepArrays& arrays) {
  constexpr std::size_t most_numbers = 1'000'000;  // of all measures: 11 MB of page
  Json json = {{"mode", arrays.mode},
               {"scene_yaml", arrays.scene_yaml},
               {"sweep_yaml", arrays.sweep_yaml},
               {"carom_version", arrays.carom_version},
               {"scene", arrays.name},
               {"about", arrays.about},
               {"status", arrays.status},
               {"axes", Json::array()},
               {"measures", Json::array()},
               {"left_out", Json::array()}};
  for (const SweepAxis& axis : arrays.axes) {
    Json one = {{"name", axis.name}, {"units", axis.units}, {"length", axis.size()}};
    one["values"] = axis.texts.empty() ? Json(axis.numbers) : Json(axis.texts);
    json["axes"].push_back(one);
  }
  json["reasons"] = Json::array();
  for (const auto& [reason, points] : reasons_of(arrays))
    json["reasons"].push_back({{"points", points}, {"reason", reason}});
  std::size_t numbers = 0;
  for (const SweepMeasure& measure : arrays.measures) {
    numbers += measure.values.size();
    if (numbers > most_numbers && !json["measures"].empty()) {
      json["left_out"].push_back(measure.name);
    } else {
      json["measures"].push_back(
          {{"name", measure.name}, {"units", measure.units}, {"values", packed(measure.values)}});
    }
  }
  return json;
}

}  // namespace carom
