#include <doctest/doctest.h>

#include <cmath>

#include "solvers/extrapolation.h"

using namespace carom;

TEST_CASE("an event within a step is located to rounding in a few trials of the step") {
  int trials = 0;
  class Counted final : public Extrapolation::Rule {
   public:
    explicit Counted(int& begun) : begun_(begun) {}
    void begin(const Vec& y) override {
      ++begun_;
      rule_.begin(y);
    }
    void step(const Vec& y, double h, int parts, Vec& y_end) override { rule_.step(y, h, parts, y_end); }

   private:
    int& begun_;
    MidpointRule rule_{[](const Vec& y, Vec& dy) { dy = Eigen::Vector2d(y(1), -y(0)); }};
  } oscillation(trials);
  Extrapolation ode(oscillation, 2e-14, Vec::Ones(2));
  const Vec begin = Eigen::Vector2d(1, 0);
  const double h = 0.4;
  for (const double level : {0.97, 0.93}) {  // cos t = level, from above
    CAPTURE(level);
    Vec y_end;
    CHECK(ode.trial(begin, h, y_end) <= 1);
    trials = 0;
    const double part = locate(ode, begin, h, y_end, [&](const Vec& y) { return level - y(0); });
    CHECK(part * h == doctest::Approx(std::acos(level)).epsilon(1e-11));
    CHECK(std::abs(y_end(0) - level) < 5e-15);
    CHECK(trials <= 16);
  }
}
