#include "tools/converge/told.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "tools/table.h"

namespace carom {

namespace {

std::string error_text(double error) { return std::isfinite(error) ? fmt::format("{:.1e}", error) : "–"; }

std::string value_text(double value) { return std::isnan(value) ? "–" : fmt::format("{:.10g}", value); }

std::string order_text(const QuantityStudy& quantity) {
  if (!quantity.order) return "–";
  if (quantity.verdict == OrderVerdict::irregular)
    return fmt::format("{:.2f} ({:.1f} to {:.1f})", *quantity.order, quantity.lowest_order, quantity.highest_order);
  return fmt::format("{:.2f}", *quantity.order);
}

std::string title_of(const Study& study) { return fmt::format("{}, {}", study.scheme, study.law); }

// Sentences, not figures: how far the motion converges.
std::vector<std::string> remarks(const Study& study) {
  std::vector<std::string> list;
  if (study.levels.size() >= 2) {
    const WatchedRun& finest = study.levels.back();
    if (study.impacts_differ_at) {
      list.push_back(fmt::format(
          "impacts: {} and {} with the two finest steps, of the same contacts up to t = {:.6g} s",
          study.levels[study.levels.size() - 2].impacts.size(), finest.impacts.size(), *study.impacts_differ_at));
    } else {
      list.push_back(fmt::format("impacts: {}, of the same contacts with the two finest steps", finest.impacts.size()));
    }
    if (study.converges_until)
      list.push_back(
          fmt::format("the motion converges up to t = {:.6g} s; behind, finer steps come no nearer to each "
                      "other",
                      *study.converges_until));
  }
  if (!study.why_failed.empty()) list.push_back("a run failed " + study.why_failed);
  if (study.stopped) list.push_back("interrupted");
  return list;
}

std::string tolerance_text(const Convergence& found, const Study& study) {
  if (!study.for_tolerance) return "";
  const StepForTolerance& step = *study.for_tolerance;
  if (!step.step) return fmt::format("no step found with errors up to {:g}: {}", step.tolerance, step.why_not);
  std::size_t worst = 0;
  for (std::size_t i = 0; i < step.errors.size(); ++i)
    if (step.errors[i] > step.errors[worst]) worst = i;
  return fmt::format("h = {:.6g} s has errors up to {:.1e} ({}): below {:g}", *step.step, step.errors[worst],
                     found.asked[worst].name, step.tolerance);
}

// Values tell more digits than errors leave of them: those of the finest step, and what they tend to.
std::string study_text(const Convergence& found, const Study& study) {
  if (study.levels.empty()) return fmt::format("  {}: {}\n", title_of(study), study.why_failed);
  std::string text =
      fmt::format("  {}   h = {:.6g} s to {:.6g} s in {} runs of {:.6g} s\n", title_of(study),
                  study.levels.front().step, study.levels.back().step, study.levels.size(), study.duration);
  Table table({"quantity", "unit", "order", fmt::format("at {:.3g} s", study.levels.back().step), "tends to",
               fmt::format("error at {:.3g} s", study.levels.front().step),
               fmt::format("at {:.3g} s", study.levels.back().step), ""});
  for (std::size_t i = 0; i < found.asked.size(); ++i) {
    const QuantityStudy& quantity = study.quantities[i];
    table.add({found.asked[i].name, found.asked[i].units, order_text(quantity), value_text(quantity.values.back()),
               quantity.verdict == OrderVerdict::none || quantity.verdict == OrderVerdict::unknown
                   ? "–"
                   : value_text(quantity.extrapolated),
               error_text(quantity.errors.front()), error_text(quantity.errors.back()), word_of(quantity.verdict)});
  }
  text += table.text("    ");
  for (const std::string& remark : remarks(study)) text += "    " + remark + '\n';
  const std::string by_tolerance = tolerance_text(found, study);
  if (!by_tolerance.empty()) text += "    " + by_tolerance + '\n';
  return text;
}

std::string sensitivities_text(const Convergence& found) {
  std::string text =
      fmt::format("  derivatives of the end   {}, {}\n", found.sensitivity_scheme, found.sensitivity_law);
  Table table({"quantity", "by", "at", "derivative", "error"});
  std::string missing;
  for (const Sensitivity& sensitivity : found.sensitivities) {
    for (std::size_t i = 0; i < sensitivity.derivatives.size(); ++i)
      table.add({found.asked[i].name, sensitivity.key, fmt::format("{:.6g}", sensitivity.at),
                 fmt::format("{:.10g}", sensitivity.derivatives[i].value),
                 error_text(sensitivity.derivatives[i].error)});
    if (sensitivity.derivatives.empty())
      missing += fmt::format("    by {}: {}\n", sensitivity.key, sensitivity.why_not);
  }
  if (found.sensitivity_captures)
    missing +=
        "    impacts are captured: across them these are derivatives of the steps, not of the motion; --scheme "
        "located\n";
  return text + table.text("    ") + missing;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json quantity_json(const AskedQuantity& asked, const QuantityStudy& quantity) {
  const bool has_orders = quantity.order.has_value();
  return {{"name", asked.name},
          {"unit", asked.units},
          {"values", numbers(quantity.values)},
          {"verdict", word_of(quantity.verdict)},
          {"order", has_orders ? Json(*quantity.order) : Json()},
          {"orders", has_orders ? Json{number(quantity.lowest_order), number(quantity.highest_order)} : Json()},
          {"extrapolated", number(quantity.extrapolated)},
          {"errors", numbers(quantity.errors)}};
}

Json study_json(const Convergence& found, const Study& study) {
  Json steps = Json::array(), impacts = Json::array(), quantities = Json::array();
  for (const WatchedRun& level : study.levels) {
    steps.push_back(level.step);
    impacts.push_back(level.impacts.size());
  }
  for (std::size_t i = 0; i < study.quantities.size(); ++i)
    quantities.push_back(quantity_json(found.asked[i], study.quantities[i]));
  Json json = {{"scheme", study.scheme},
               {"law", study.law},
               {"duration", study.duration},
               {"steps", steps},
               {"impacts", impacts},
               {"same_impacts", study.same_impacts},
               {"impacts_differ_at", study.impacts_differ_at ? Json(*study.impacts_differ_at) : Json()},
               {"converges_until", study.converges_until ? Json(*study.converges_until) : Json()},
               {"quantities", quantities},
               {"failed", study.why_failed.empty() ? Json() : Json(study.why_failed)},
               {"interrupted", study.stopped}};
  if (study.for_tolerance) {
    const StepForTolerance& step = *study.for_tolerance;
    json["tolerance"] = {{"tolerance", step.tolerance},
                         {"step", step.step ? Json(*step.step) : Json()},
                         {"errors", numbers(step.errors)},
                         {"why_not", step.why_not.empty() ? Json() : Json(step.why_not)}};
  }
  return json;
}

}  // namespace

std::string convergence_text(const Convergence& found) {
  std::string text = found.scene + '\n';
  for (const Study& study : found.studies) text += '\n' + study_text(found, study);
  if (!found.sensitivities.empty()) text += '\n' + sensitivities_text(found);
  return text;
}

Json convergence_json(const Convergence& found) {
  Json studies = Json::array(), sensitivities = Json::array();
  for (const Study& study : found.studies) studies.push_back(study_json(found, study));
  for (const Sensitivity& sensitivity : found.sensitivities) {
    Json derivatives = Json::array();
    for (std::size_t i = 0; i < sensitivity.derivatives.size(); ++i)
      derivatives.push_back({{"of", found.asked[i].name},
                             {"value", number(sensitivity.derivatives[i].value)},
                             {"error", number(sensitivity.derivatives[i].error)}});
    sensitivities.push_back({{"by", sensitivity.key},
                             {"at", sensitivity.at},
                             {"delta", sensitivity.delta},
                             {"derivatives", derivatives},
                             {"why_not", sensitivity.why_not.empty() ? Json() : Json(sensitivity.why_not)}});
  }
  Json json = {{"file", found.file}, {"scene", found.scene}, {"studies", studies}};
  if (!found.sensitivities.empty()) {
    json["sensitivity"] = {{"scheme", found.sensitivity_scheme},
                           {"law", found.sensitivity_law},
                           {"captured_impacts", found.sensitivity_captures},
                           {"values", sensitivities}};
  }
  return json;
}

}  // namespace carom
