// A figure as SVG: panels side by side, each with its axes or, for drawings, without.

#pragma once

#include <string>
#include <vector>

namespace carom {

struct Point {
  double x = 0, y = 0;
};

struct Range {
  double low = 0, high = 1;
  double span() const { return high - low; }
};

// Colours that are told apart in print and by most eyes.
enum class Ink { black, blue, orange, green, red, purple, grey, pale, shade };

struct Style {
  Ink ink = Ink::blue;
  double width = 1.8;
  bool dashed = false;
  std::string legend = {};  // told below the panel; equal ones once
};

enum class Anchor { left, middle, right };

class Panel {
 public:
  // With axes that have ticks and labels, units included.
  Panel(std::string title, Range x, Range y, std::string x_label, std::string y_label);
  // A drawing: no axes, one scale for both directions.
  Panel(std::string title, Range x, Range y);

  Panel& same_scale();           // of both axes: what is round looks round
  Panel& axes_through_origin();  // lines at x = 0 and y = 0 besides

  Panel& line(const std::vector<Point>& points, const Style& style = {});
  Panel& area(const std::vector<Point>& points, Ink ink, double opacity = 0.25, const std::string& legend = {});
  Panel& arrow(Point from, Point to, const Style& style = {});
  Panel& dot(Point at, const Style& style = {}, double radius = 3.2);
  Panel& ring(Point at, const Style& style = {}, double radius = 4.2);
  Panel& text(Point at, const std::string& words, Anchor anchor = Anchor::middle, double dy = 0);
  Panel& circle(Point centre, double radius, const Style& style = {});
  Panel& ellipse(Point centre, double a, double b, const Style& style = {});

  static constexpr double width = 360;
  double height() const;
  std::string svg(double left, double top) const;

 private:
  struct Legend {
    std::string text, swatch;
  };

  Point place(Point at) const;
  void tell(const std::string& text, const std::string& swatch);
  std::string frame() const;
  std::string legends() const;

  std::string title_;
  Range x_, y_;
  std::string x_label_, y_label_;
  bool axes_ = true, origin_ = false;
  std::string body_;
  std::vector<Legend> legends_;
};

// The panels in a row, or in rows of so many.
std::string svg_of(const std::vector<Panel>& panels, std::size_t in_a_row = 3);

// Text between tags.
std::string escaped(const std::string& text);

// n points from a to b.
std::vector<double> spread(double a, double b, std::size_t n);

}  // namespace carom
