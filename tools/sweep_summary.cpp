#include "tools/sweep_summary.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include "tools/csv.h"
#include "tools/table.h"

namespace carom {

namespace {

constexpr std::size_t most_reasons = 10;

std::string coordinate_text(const SweepAxis& axis, std::size_t i) {
  return axis.texts.empty() ? fmt::format("{:.6g}", axis.numbers[i]) : axis.texts[i];
}

std::string place_text(const SweepArrays& arrays, std::size_t point) {
  std::string text;
  for (std::size_t k = 0; k < arrays.axes.size(); ++k)
    text += fmt::format("{}{} {}", k ? ", " : "", arrays.axes[k].name,
                        coordinate_text(arrays.axes[k], arrays.position(k, point)));
  return text;
}

std::vector<std::size_t> status_counts(const SweepArrays& arrays) {
  std::vector<std::size_t> counts(point_status_names().size(), 0);
  for (std::size_t p = 0; p < arrays.points(); ++p) {
    if (arrays.done[p]) ++counts[arrays.point_status[p]];
  }
  return counts;
}

struct Extremes {
  std::size_t lowest = 0, highest = 0;  // points
  std::size_t values = 0;
};

// Of the points that have a value; the first of equal ones.
std::optional<Extremes> extremes_of(const SweepMeasure& measure) {
  Extremes e;
  for (std::size_t p = 0; p < measure.values.size(); ++p) {
    const double value = measure.values[p];
    if (std::isnan(value)) continue;
    if (e.values == 0 || value < measure.values[e.lowest]) e.lowest = p;
    if (e.values == 0 || value > measure.values[e.highest]) e.highest = p;
    ++e.values;
  }
  return e.values > 0 ? std::optional<Extremes>(e) : std::nullopt;
}

// A state by its name.
std::string value_text(const SweepMeasure& measure, std::size_t point) {
  const double value = measure.values[point];
  const bool is_state = value >= 0 && value < static_cast<double>(measure.states.size());
  return is_state ? measure.states[static_cast<std::size_t>(value)] : figure(value);
}

std::string range_text(const SweepAxis& axis) {
  if (axis.texts.empty()) {
    const auto [low, high] = std::minmax_element(axis.numbers.begin(), axis.numbers.end());
    return fmt::format("{:.6g} … {:.6g}{}", *low, *high, axis.units.empty() ? "" : " " + axis.units);
  }
  std::vector<std::string> distinct;
  for (const std::string& text : axis.texts) {
    if (std::find(distinct.begin(), distinct.end(), text) == distinct.end()) distinct.push_back(text);
  }
  return fmt::format("{}", fmt::join(distinct, ", "));
}

std::string sweep_heading(const SweepArrays& arrays) {
  const std::vector<std::size_t> shape = arrays.shape();
  const std::string extents = shape.size() > 1 ? fmt::format("{} = ", fmt::join(shape, " × ")) : "";
  std::string text =
      fmt::format("{}{}: {}, {}{} points ({})\n", arrays.name, arrays.about.empty() ? "" : " — " + arrays.about,
                  arrays.status, extents, arrays.points(), arrays.mode);
  const std::vector<std::size_t> counts = status_counts(arrays);
  std::vector<std::string> words;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    if (counts[s] > 0) words.push_back(fmt::format("{} {}", counts[s], point_status_names()[s]));
  }
  const std::size_t open = arrays.points() - arrays.done_count();
  if (open > 0) words.push_back(fmt::format("{} not computed", open));
  return text + fmt::format("  {}\n", fmt::join(words, ", "));
}

}  // namespace

std::vector<std::pair<std::string, std::size_t>> reasons_of(const SweepArrays& arrays) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [point, reason] : arrays.reasons) ++counts[reason];
  std::vector<std::pair<std::string, std::size_t>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

std::string sweep_page(const SweepArrays& arrays) {
  std::string text = sweep_heading(arrays) + "\n";
  Table axes({"varied", "values", "range"});
  for (const SweepAxis& axis : arrays.axes) axes.add({axis.name, std::to_string(axis.size()), range_text(axis)});
  text += axes.text() + "\n";
  Table measures({"measure", "unit", "least", "at", "greatest", "at"});
  for (const SweepMeasure& measure : arrays.measures) {
    const auto extremes = extremes_of(measure);
    if (!extremes) {
      measures.add({measure.name, measure.units, "missing", "", "missing", ""});
      continue;
    }
    measures.add({measure.name, measure.units, value_text(measure, extremes->lowest),
                  place_text(arrays, extremes->lowest), value_text(measure, extremes->highest),
                  place_text(arrays, extremes->highest)});
  }
  text += measures.text();
  const auto reasons = reasons_of(arrays);
  if (!reasons.empty()) text += "\n";
  for (std::size_t i = 0; i < std::min(reasons.size(), most_reasons); ++i)
    text += wrapped(fmt::format("{} ×  {}", reasons[i].second, reasons[i].first), page_width(), "  ", "    ");
  if (reasons.size() > most_reasons) text += fmt::format("  and {} more reasons\n", reasons.size() - most_reasons);
  return text;
}

Json sweep_json(const SweepArrays& arrays) {
  Json json = {{"sweep", arrays.name},       {"about", arrays.about},   {"status", arrays.status},
               {"mode", arrays.mode},        {"shape", arrays.shape()}, {"points", arrays.points()},
               {"done", arrays.done_count()}};
  const std::vector<std::size_t> counts = status_counts(arrays);
  for (std::size_t s = 0; s < counts.size(); ++s) json["point_status"][point_status_names()[s]] = counts[s];
  json["axes"] = Json::array();
  for (const SweepAxis& axis : arrays.axes)
    json["axes"].push_back({{"name", axis.name},
                            {"units", axis.units},
                            {"values", axis.texts.empty() ? Json(axis.numbers) : Json(axis.texts)}});
  json["measures"] = Json::array();
  for (const SweepMeasure& measure : arrays.measures) {
    const auto e = extremes_of(measure);
    json["measures"].push_back({{"name", measure.name},
                                {"units", measure.units},
                                {"values", e ? e->values : 0},
                                {"least", e ? Json(measure.values[e->lowest]) : Json()},
                                {"least_at", e ? Json(e->lowest) : Json()},
                                {"greatest", e ? Json(measure.values[e->highest]) : Json()},
                                {"greatest_at", e ? Json(e->highest) : Json()}});
  }
  json["reasons"] = Json::array();
  for (const auto& [reason, count] : reasons_of(arrays))
    json["reasons"].push_back({{"points", count}, {"reason", reason}});
  return json;
}

void write_sweep_csv(std::ostream& out, const SweepArrays& arrays) {
  for (const SweepAxis& axis : arrays.axes) out << csv_cell(axis.name) << ',';
  for (const SweepMeasure& measure : arrays.measures) out << csv_cell(measure.name) << ',';
  out << "status,reason\n";
  for (std::size_t p = 0; p < arrays.points(); ++p) {
    if (!arrays.done[p]) continue;
    for (std::size_t k = 0; k < arrays.axes.size(); ++k) {
      const SweepAxis& axis = arrays.axes[k];
      const std::size_t i = arrays.position(k, p);
      out << (axis.texts.empty() ? csv_cell(axis.numbers[i]) : csv_cell(axis.texts[i])) << ',';
    }
    for (const SweepMeasure& measure : arrays.measures) out << csv_cell(measure.values[p]) << ',';
    const auto reason = arrays.reasons.find(p);
    out << point_status_names()[arrays.point_status[p]] << ','
        << (reason == arrays.reasons.end() ? "" : csv_cell(reason->second)) << '\n';
  }
}

}  // namespace carom
