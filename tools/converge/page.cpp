#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tools/converge/told.h"
#include "tools/figures/plot.h"

namespace carom {

namespace {

constexpr const char* style =
    "body{font:15px/1.5 'DejaVu Sans',Arial,sans-serif;color:#222;max-width:1180px;margin:2em auto;padding:0 1em}"
    "figure{margin:1em 0}svg{max-width:100%;height:auto}pre{background:#f6f6f6;padding:1em;overflow-x:auto;"
    "font:13px/1.45 'DejaVu Sans Mono',monospace}code{background:#f2f2f2;padding:.1em .3em}";

constexpr Ink inks[] = {Ink::blue, Ink::orange, Ink::green, Ink::red, Ink::purple, Ink::black, Ink::grey};
constexpr std::size_t most_lines = std::size(inks);  // of a plot; the table has all

struct Line {
  std::string name;
  std::vector<Point> points;  // log₁₀ h, log₁₀ of the error
};

// Of the finest step the error is an extrapolation alone.
std::vector<Line> lines_of(const Convergence& found, const Study& study) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < study.quantities.size(); ++i) {
    const QuantityStudy& quantity = study.quantities[i];
    if (quantity.verdict == OrderVerdict::exact) continue;  // no line has a slope there
    Line line{found.asked[i].name, {}};
    if (quantity.order) line.name += fmt::format(", order {:.2f}", *quantity.order);
    for (std::size_t k = 0; k < quantity.errors.size(); ++k)
      if (quantity.errors[k] > 0 && std::isfinite(quantity.errors[k]))
        line.points.push_back({std::log10(study.levels[k].step), std::log10(quantity.errors[k])});
    if (line.points.size() >= 2) lines.push_back(std::move(line));
  }
  return lines;
}

Range range_of(const std::vector<Line>& lines, double Point::*along) {
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const Line& line : lines)
    for (const Point& point : line.points)
      range = {std::min(range.low, point.*along), std::max(range.high, point.*along)};
  const double margin = std::max(0.06 * range.span(), 0.1);
  return {range.low - margin, range.high + margin};
}

// h and h² through the top right corner of what is drawn.
void draw_slopes(Panel& panel, const std::vector<Line>& lines, const Range& x) {
  Point top = lines.front().points.front();
  for (const Line& line : lines)
    for (const Point& point : line.points)
      if (point.y > top.y) top = point;
  for (const double slope : {1.0, 2.0})
    panel.line({{x.low, top.y + slope * (x.low - top.x)}, {top.x, top.y}},
               {Ink::pale, 1.2, true, slope == 1 ? "dashed: h and h²" : ""});
}

std::optional<Panel> panel_of(const Convergence& found, const Study& study) {
  std::vector<Line> lines = lines_of(found, study);
  if (lines.empty()) return std::nullopt;
  const Range x = range_of(lines, &Point::x), y = range_of(lines, &Point::y);
  if (lines.size() > most_lines) lines.resize(most_lines);
  Panel panel(fmt::format("{}, {}", study.scheme, study.law), x, y, "log₁₀ h / s", "log₁₀ of the estimated error");
  draw_slopes(panel, lines, x);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    panel.line(lines[i].points, {inks[i], 1.8, false, lines[i].name});
    for (const Point& point : lines[i].points) panel.dot(point, {inks[i], 1.8, false, ""});
  }
  return panel;
}

}  // namespace

std::string convergence_page(const Convergence& found) {
  std::vector<Panel> panels;
  for (const Study& study : found.studies)
    if (const auto panel = panel_of(found, study)) panels.push_back(*panel);
  const std::string figures = panels.empty() ? "<p>Nothing depends on the step beyond rounding.</p>\n"
                                             : "<figure>\n" + svg_of(panels) + "</figure>\n";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Convergence of {0}</title>"
      "<style>{1}</style></head><body>\n<h1>Convergence of {0}</h1>\n"
      "<p>The same run with the step h, h/2, h/4, ...; errors are estimated from the differences between them. "
      "<code>carom converge {2}</code></p>\n{3}<pre>{4}</pre>\n</body></html>\n",
      escaped(found.scene), style, escaped(found.file), figures, escaped(convergence_text(found)));
}

}  // namespace carom
