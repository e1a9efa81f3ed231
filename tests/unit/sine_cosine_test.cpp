#include "models/sine_cosine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_problem.h"

using namespace carom;

TEST_CASE("sine and cosine are those of the library in higher precision, to a unit in the last place") {
  testing::Random random(1);
  double largest_error = 0, largest_relative_error = 0;
  const auto compare = [&](double angle) {
    const auto [sine, cosine] = sine_cosine(angle);
    const long double exact_sine = std::sin(static_cast<long double>(angle));
    const long double exact_cosine = std::cos(static_cast<long double>(angle));
    largest_error = std::max({largest_error, static_cast<double>(std::abs(sine - exact_sine)),
                              static_cast<double>(std::abs(cosine - exact_cosine))});
    if (std::abs(angle) < 1 && angle != 0)
      largest_relative_error = std::max(largest_relative_error, static_cast<double>(std::abs(sine / exact_sine - 1)));
  };
  for (int k = 0; k < 200000; ++k) compare(random.uniform(-8.1, 8.1));
  for (double small = 1; small > 1e-300; small *= 0.7) compare(small), compare(-small);
  for (int k = -512; k <= 512; ++k)  // where the nearest entry of the table changes
    for (const double near : {-1e-16, 0.0, 1e-16}) compare((k + 0.5) / 64 * (1 + near));
  for (const double angle : {0.0, 8.0, -8.0, std::nextafter(8.0, 9.0), 1e3, -1e5}) compare(angle);
  CHECK(largest_error < 1.3e-16);
  CHECK(largest_relative_error < 2.3e-16);
  CHECK(std::isnan(sine_cosine(std::nan("")).sine));
  CHECK(std::isnan(sine_cosine(HUGE_VAL).cosine));
}
