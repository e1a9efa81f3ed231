#include "tests/bench/growth.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

#include "engine/thread_team.h"
#include "tests/bench/contests.h"

namespace carom::bench {

namespace {

struct Point {
  double size = 0, seconds = 0;
};

struct Series {
  std::string name, colour;
  std::vector<Point> points;
};

// Slope of the least-squares line through the logarithms, for sizes from `from` on.
double exponent(const std::vector<Point>& points, double from) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& p : points) {
    if (p.size < from) continue;
    const double a = std::log(p.size), b = std::log(p.seconds);
    n += 1;
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

// Both axes logarithmic.
void plot(const std::vector<Series>& all, const std::string& path) {
  constexpr double width = 640, height = 400, left = 70, right = 20, top = 20, bottom = 50;
  double size_low = HUGE_VAL, size_high = 0, seconds_low = HUGE_VAL, seconds_high = 0;
  for (const Series& series : all)
    for (const Point& p : series.points) {
      size_low = std::min(size_low, p.size);
      size_high = std::max(size_high, p.size);
      seconds_low = std::min(seconds_low, p.seconds);
      seconds_high = std::max(seconds_high, p.seconds);
    }
  const double x0 = std::floor(std::log10(size_low)), x1 = std::ceil(std::log10(size_high));
  const double y0 = std::floor(std::log10(seconds_low)), y1 = std::ceil(std::log10(seconds_high));
  const auto x = [&](double size) { return left + (std::log10(size) - x0) / (x1 - x0) * (width - left - right); };
  const auto y = [&](double s) { return height - bottom - (std::log10(s) - y0) / (y1 - y0) * (height - top - bottom); };
  std::ofstream svg(path);
  svg << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  for (double k = x0; k <= x1; ++k)
    svg << fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">10<tspan dy=\"-5\" font-size=\"9\">{4:.0f}</tspan></text>\n",
        x(std::pow(10, k)), top, height - bottom, height - bottom + 18, k);
  for (double k = y0; k <= y1; ++k)
    svg << fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">{5:.0f}</tspan></text>\n",
        left, width - right, y(std::pow(10, k)), left - 8, y(std::pow(10, k)) + 4, k);
  svg << fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">number of balls or disks</text>\n",
                     0.5 * (left + width), height - 12);
  svg << fmt::format(
      "<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">seconds per step</text>\n",
      0.5 * height);
  double legend = top + 14;
  for (const Series& series : all) {
    std::string line;
    for (const Point& p : series.points) line += fmt::format("{:.1f},{:.1f} ", x(p.size), y(p.seconds));
    svg << fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", line,
                       series.colour);
    for (const Point& p : series.points)
      svg << fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(p.size), y(p.seconds),
                         series.colour);
    svg << fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", left + 12, legend, series.colour,
                       series.name);
    legend += 16;
  }
  svg << "</svg>\n";
}

// Short chains come first, and a processor that has just begun takes twice as long for them: the exponent would be too
// low.
void warm_up() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (std::chrono::steady_clock::now() < end) chain_seconds_a_step(1000);
}

Series chain_growth() {
  warm_up();
  Series chain{"chain at rest", "#1f77b4", {}};
  fmt::print("\nCost against size\n\n| chain, balls | a step | a ball | memory a ball |\n|---|---|---|---|\n");
  for (const int balls : {3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000}) {
    chain.points.push_back({static_cast<double>(balls), chain_seconds_a_step(balls)});
    fmt::print("| {} | {:.3g} µs | {:.3g} ns | {:.0f} bytes |\n", balls, chain.points.back().seconds * 1e6,
               chain.points.back().seconds / balls * 1e9, chain_bytes_a_ball(balls));
  }
  fmt::print("\nexponent from 1000 to 100 000 balls: {:.2f}\n", exponent(chain.points, 1000));
  return chain;
}

struct PileGrowth {
  Series steps{"pile with friction at 1e-8", "#d62728", {}};
  Series first_steps{"first step of the pile", "", {}};
  Series one_thread_steps{"pile on one thread", "", {}};
  Series one_thread_first_steps{"first step of the pile on one thread", "", {}};
  Series thrown{"pile with a disk in flight", "", {}};
  Series rolling{"pile with a disk that rolls", "", {}};
};

void show_threads(const std::vector<std::pair<int, PileCost>>& costs) {
  fmt::print(
      "\n| pile, disks | a step, 1 thread | {0} threads | × faster | first step, 1 thread | {0} threads | × faster |\n"
      "|---|---|---|---|---|---|---|\n",
      step_threads());
  for (const auto& [disks, cost] : costs)
    fmt::print("| {} | {:.3g} ms | {:.3g} ms | {:.2f} | {:.3g} s | {:.3g} s | {:.2f} |\n", disks,
               cost.of_one_thread.a_step * 1e3, cost.seconds.a_step * 1e3, cost.gained.a_step,
               cost.of_one_thread.first_step, cost.seconds.first_step, cost.gained.first_step);
}

void show_moving(const std::vector<std::pair<int, PileCost>>& costs, PileGrowth& pile) {
  fmt::print(
      "\n| pile, disks | contacts | a step while one disk is in flight | a contact | while one rolls | a contact |\n"
      "|---|---|---|---|---|---|\n");
  std::vector<Point> thrown, rolling;
  for (const auto& [disks, cost] : costs) {
    const auto contacts = static_cast<double>(cost.contacts), size = static_cast<double>(disks);
    thrown.push_back({contacts, cost.moving.thrown});
    rolling.push_back({contacts, cost.moving.rolling});
    pile.thrown.points.push_back({size, cost.moving.thrown});
    pile.rolling.points.push_back({size, cost.moving.rolling});
    fmt::print("| {} | {} | {:.3g} ms | {:.3g} µs | {:.3g} ms | {:.3g} µs |\n", disks, cost.contacts,
               cost.moving.thrown * 1e3, cost.moving.thrown / contacts * 1e6, cost.moving.rolling * 1e3,
               cost.moving.rolling / contacts * 1e6);
  }
  fmt::print("\nexponent in the number of contacts: {:.2f} while one disk is in flight, {:.2f} while one rolls\n",
             exponent(thrown, 0), exponent(rolling, 0));
}

PileGrowth pile_growth() {
  PileGrowth pile;
  fmt::print(
      "\n| pile, disks | contacts | a step | a contact | first step, from nothing | failed steps |\n"
      "|---|---|---|---|---|---|\n");
  std::vector<Point> by_contacts, first_by_contacts;
  std::vector<std::pair<int, PileCost>> costs;
  for (const int disks : {100, 300, 1000, 3000, 10000}) {
    const PileCost& cost = costs.emplace_back(disks, pile_cost(disks, 1e-8)).second;
    const auto contacts = static_cast<double>(cost.contacts), size = static_cast<double>(disks);
    pile.steps.points.push_back({size, cost.seconds.a_step});
    pile.first_steps.points.push_back({size, cost.seconds.first_step});
    pile.one_thread_steps.points.push_back({size, cost.of_one_thread.a_step});
    pile.one_thread_first_steps.points.push_back({size, cost.of_one_thread.first_step});
    by_contacts.push_back({contacts, cost.seconds.a_step});
    first_by_contacts.push_back({contacts, cost.seconds.first_step});
    fmt::print("| {} | {} | {:.3g} ms | {:.3g} µs | {:.3g} s | {} |\n", disks, cost.contacts, cost.seconds.a_step * 1e3,
               cost.seconds.a_step / contacts * 1e6, cost.seconds.first_step, cost.failed);
    std::fflush(stdout);
  }
  fmt::print("\nexponent in the number of contacts: {:.2f}; of the first step {:.2f}\n", exponent(by_contacts, 0),
             exponent(first_by_contacts, 0));
  show_moving(costs, pile);
  show_threads(costs);
  return pile;
}

}  // namespace

void show_growth(bool chains, bool piles, const std::string& csv_path, const std::string& svg_path) {
  std::vector<Series> plotted, others;
  if (chains) plotted.push_back(chain_growth());
  if (piles) {
    const PileGrowth pile = pile_growth();
    plotted.push_back(pile.steps);
    others = {pile.first_steps, pile.one_thread_steps, pile.one_thread_first_steps, pile.thrown, pile.rolling};
  }
  if (plotted.empty()) return;
  if (!csv_path.empty()) {
    std::ofstream csv(csv_path);
    csv << "series,size,seconds_a_step\n";
    for (const std::vector<Series>* all : {&plotted, &others})
      for (const Series& series : *all)
        for (const Point& p : series.points) csv << fmt::format("{},{:g},{:.6g}\n", series.name, p.size, p.seconds);
  }
  if (!svg_path.empty()) plot(plotted, svg_path);
}

}  // namespace carom::bench
