#include "tools/figures/plot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

// Of a panel, in pixels: the frame that data are drawn in, and what stands around it.
constexpr double left_margin = 62, right_margin = 14, top_margin = 30, frame_height = 250, label_height = 44;
constexpr double frame_width = Panel::width - left_margin - right_margin;
constexpr double legend_line = 17, gap = 16;

const char* colour(Ink ink) {
  switch (ink) {
    case Ink::black:
      return "#222222";
    case Ink::blue:
      return "#1f6fb2";
    case Ink::orange:
      return "#d9730d";
    case Ink::green:
      return "#2f8f4e";
    case Ink::red:
      return "#c23b3b";
    case Ink::purple:
      return "#7b4fa3";
    case Ink::grey:
      return "#7a7a7a";
    case Ink::pale:
      return "#c9c9c9";
    case Ink::shade:
      return "#9fb9d3";
  }
  return "#000000";
}

std::string stroke(const Style& style) {
  return fmt::format(R"(stroke="{}" stroke-width="{:g}"{})", colour(style.ink), style.width,
                     style.dashed ? R"( stroke-dasharray="5 4")" : "");
}

// Steps of 1, 2 or 5 times a power of ten, some five of them.
double tick_step(double span) {
  const double rough = span / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

std::vector<double> ticks(const Range& range) {
  const double step = tick_step(range.span());
  std::vector<double> list;
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; ++k)
    list.push_back(k * step);
  return list;
}

std::string tick_label(double value, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  std::string text = fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, digits);
  if (text.front() == '-') text = "−" + text.substr(1);
  return text;
}

std::string label(double x, double y, const std::string& text, const char* anchor, double size,
                  const std::string& more = "") {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" font-size="{:g}"{}>{}</text>)", x, y, anchor, size,
                     more, escaped(text)) +
         "\n";
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::vector<double> spread(double a, double b, std::size_t n) {
  std::vector<double> list;
  for (std::size_t k = 0; k < n; ++k) list.push_back(a + (b - a) * static_cast<double>(k) / static_cast<double>(n - 1));
  return list;
}

Panel::Panel(std::string title, Range x, Range y, std::string x_label, std::string y_label)
    : title_(std::move(title)), x_(x), y_(y), x_label_(std::move(x_label)), y_label_(std::move(y_label)) {}

Panel::Panel(std::string title, Range x, Range y) : title_(std::move(title)), x_(x), y_(y), axes_(false) {
  same_scale();
}

// Widens the range that would be drawn larger.
Panel& Panel::same_scale() {
  const double unit = std::max(x_.span() / frame_width, y_.span() / frame_height);
  const auto widen = [&](Range& range, double pixels) {
    const double more = 0.5 * (unit * pixels - range.span());
    range = {range.low - more, range.high + more};
  };
  widen(x_, frame_width);
  widen(y_, frame_height);
  return *this;
}

Panel& Panel::axes_through_origin() {
  origin_ = true;
  return *this;
}

Point Panel::place(Point at) const {
  return {left_margin + frame_width * (at.x - x_.low) / x_.span(),
          top_margin + frame_height * (1 - (at.y - y_.low) / y_.span())};
}

void Panel::tell(const std::string& text, const std::string& swatch) {
  if (text.empty()) return;
  if (std::none_of(legends_.begin(), legends_.end(), [&](const Legend& known) { return known.text == text; }))
    legends_.push_back({text, swatch});
}

Panel& Panel::line(const std::vector<Point>& points, const Style& style) {
  std::string path;
  for (const Point& point : points) {
    const Point p = place(point);
    path += fmt::format("{:.2f},{:.2f} ", p.x, p.y);
  }
  body_ += fmt::format(R"(<polyline points="{}" fill="none" stroke-linejoin="round" {}/>)", path, stroke(style)) + "\n";
  tell(style.legend, fmt::format(R"(<line x1="0" y1="-4" x2="22" y2="-4" {}/>)", stroke(style)));
  return *this;
}

Panel& Panel::area(const std::vector<Point>& points, Ink ink, double opacity, const std::string& legend) {
  std::string path;
  for (const Point& point : points) {
    const Point p = place(point);
    path += fmt::format("{:.2f},{:.2f} ", p.x, p.y);
  }
  body_ +=
      fmt::format(R"(<polygon points="{}" fill="{}" fill-opacity="{:g}" stroke="none"/>)", path, colour(ink), opacity) +
      "\n";
  tell(legend, fmt::format(R"(<rect x="0" y="-10" width="22" height="10" fill="{}" fill-opacity="{:g}"/>)", colour(ink),
                           opacity));
  return *this;
}

Panel& Panel::arrow(Point from, Point to, const Style& style) {
  const Point a = place(from), b = place(to);
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (length < 1) return *this;
  const double ex = (b.x - a.x) / length, ey = (b.y - a.y) / length, head = std::min(9.0, 0.6 * length);
  body_ += fmt::format(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" {}/>)", a.x, a.y, b.x - 0.8 * head * ex,
                       b.y - 0.8 * head * ey, stroke(style)) +
           fmt::format(R"(<polygon points="{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}" fill="{}"/>)", b.x, b.y,
                       b.x - head * ex - 0.38 * head * ey, b.y - head * ey + 0.38 * head * ex,
                       b.x - head * ex + 0.38 * head * ey, b.y - head * ey - 0.38 * head * ex, colour(style.ink)) +
           "\n";
  tell(style.legend,
       fmt::format(R"(<line x1="0" y1="-4" x2="16" y2="-4" {}/><polygon points="22,-4 14,-8 14,0" fill="{}"/>)",
                   stroke(style), colour(style.ink)));
  return *this;
}

Panel& Panel::dot(Point at, const Style& style, double radius) {
  const Point p = place(at);
  const auto mark = [&](double x, double y, double r) {
    return fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:g}" fill="{}"/>)", x, y, r, colour(style.ink));
  };
  body_ += mark(p.x, p.y, radius) + "\n";
  tell(style.legend, mark(11, -4, std::min(radius, 3.5)));
  return *this;
}

Panel& Panel::ring(Point at, const Style& style, double radius) {
  const Point p = place(at);
  const auto mark = [&](double x, double y) {
    return fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:g}" fill="none" {}/>)", x, y, radius, stroke(style));
  };
  body_ += mark(p.x, p.y) + "\n";
  tell(style.legend, mark(11, -4));
  return *this;
}

Panel& Panel::text(Point at, const std::string& words, Anchor anchor, double dy) {
  const Point p = place(at);
  const char* name = anchor == Anchor::left ? "start" : anchor == Anchor::right ? "end" : "middle";
  body_ += label(p.x, p.y + 4 - dy, words, name, 12,
                 R"( paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round")");
  return *this;
}

Panel& Panel::ellipse(Point centre, double a, double b, const Style& style) {
  std::vector<Point> points;
  for (double phi : spread(0, 2 * std::numbers::pi, 121))
    points.push_back({centre.x + a * std::cos(phi), centre.y + b * std::sin(phi)});
  return line(points, style);
}

Panel& Panel::circle(Point centre, double radius, const Style& style) { return ellipse(centre, radius, radius, style); }

std::string Panel::frame() const {
  const double bottom = top_margin + frame_height, right = left_margin + frame_width;
  std::string text;
  for (double x : ticks(x_)) {
    const double at = place({x, 0}).x;
    text += fmt::format(R"(<line x1="{0:.1f}" y1="{1:g}" x2="{0:.1f}" y2="{2:g}" stroke="#ececec"/>)", at, top_margin,
                        bottom) +
            label(at, bottom + 15, tick_label(x, tick_step(x_.span())), "middle", 11);
  }
  for (double y : ticks(y_)) {
    const double at = place({0, y}).y;
    text += fmt::format(R"(<line x1="{1:g}" y1="{0:.1f}" x2="{2:g}" y2="{0:.1f}" stroke="#ececec"/>)", at, left_margin,
                        right) +
            label(left_margin - 6, at + 4, tick_label(y, tick_step(y_.span())), "end", 11);
  }
  text += label(left_margin + 0.5 * frame_width, bottom + 34, x_label_, "middle", 12);
  text +=
      fmt::format(R"x(<text transform="translate(14,{:g}) rotate(-90)" text-anchor="middle" font-size="12">{}</text>)x",
                  top_margin + 0.5 * frame_height, escaped(y_label_)) +
      "\n";
  return text;
}

std::string Panel::legends() const {
  std::string text;
  double y = top_margin + frame_height + (axes_ ? label_height : 6) + legend_line - 4;
  for (const Legend& legend : legends_) {
    text += fmt::format(R"x(<g transform="translate({:g},{:g})">{}</g>)x", left_margin, y, legend.swatch) +
            label(left_margin + 30, y, legend.text, "start", 11.5);
    y += legend_line;
  }
  return text;
}

double Panel::height() const {
  return top_margin + frame_height + (axes_ ? label_height : 6) + legend_line * static_cast<double>(legends_.size()) +
         6;
}

std::string Panel::svg(double left, double top) const {
  const std::string clip = fmt::format("c{:g}-{:g}", left, top);
  std::string text = fmt::format(R"x(<g transform="translate({:g},{:g})">)x", left, top) + "\n";
  text += label(left_margin + 0.5 * frame_width, 18, title_, "middle", 13, R"( font-weight="600")");
  if (axes_) text += frame();
  if (axes_ && origin_) {
    const Point o = place({std::clamp(0.0, x_.low, x_.high), std::clamp(0.0, y_.low, y_.high)});
    text += fmt::format(R"(<path d="M{:g} {:.1f}H{:g}M{:.1f} {:g}V{:g}" stroke="#9a9a9a" fill="none"/>)", left_margin,
                        o.y, left_margin + frame_width, o.x, top_margin, top_margin + frame_height) +
            "\n";
  }
  text += fmt::format(R"(<clipPath id="{}"><rect x="{:g}" y="{:g}" width="{:g}" height="{:g}"/></clipPath>)", clip,
                      left_margin - 6, top_margin - 6, frame_width + 12, frame_height + 12);
  text += fmt::format(R"x(<g clip-path="url(#{})">)x", clip) + "\n" + body_ + "</g>\n";
  if (axes_)
    text += fmt::format(R"(<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="none" stroke="#555555"/>)",
                        left_margin, top_margin, frame_width, frame_height) +
            "\n";
  return text + legends() + "</g>\n";
}

std::string svg_of(const std::vector<Panel>& panels, std::size_t in_a_row) {
  std::string body;
  double y = 0, width = 0;
  for (std::size_t first = 0; first < panels.size(); first += in_a_row) {
    const std::size_t last = std::min(panels.size(), first + in_a_row);
    double height = 0;
    for (std::size_t k = first; k < last; ++k) {
      const double x = static_cast<double>(k - first) * (Panel::width + gap);
      body += panels[k].svg(x, y);
      height = std::max(height, panels[k].height());
      width = std::max(width, x + Panel::width);
    }
    y += height + gap;
  }
  return fmt::format(
             R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}" font-family="DejaVu Sans, Arial, sans-serif" fill="#222222">)",
             width, y - gap) +
         "\n" + fmt::format(R"(<rect width="{:g}" height="{:g}" fill="#ffffff"/>)", width, y - gap) + "\n" + body +
         "</svg>\n";
}

}  // namespace carom
