// Sine and cosine of an angle at once, to about one unit in the last place. From the nearest angle a of a table,
//
//   sin(a + δ) = sin a + (sin a (cos δ − 1) + cos a sin δ),   cos(a + δ) = cos a + (cos a (cos δ − 1) − sin a sin δ),
//
// with |δ| ≤ 1/128 and Taylor's series to δ⁵ and δ⁶, whose remainders are below 10⁻¹⁸. A step of a pendulum waits for
// little else: the C library takes twice as long. It also rounds otherwise on processors with fused multiplication;
// this, up to 8 rad, does not.

#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace carom {

struct SineCosine {
  double sine, cosine;
};

namespace sine_cosine_table {

inline constexpr int per_radian = 64;
inline constexpr int reach = 8;  // radians either way; beyond, the library is asked
inline constexpr int half = per_radian * reach;
// As large as a double is whose last bit is one step of the table: the sum with an angle is rounded to the nearest.
inline constexpr double rounder = 1.5 * 0x1p52 / per_radian;

inline const std::array<SineCosine, 2 * half + 1> entries = [] {
  std::array<SineCosine, 2 * half + 1> table;
  long double angle = -reach;  // exact; what is taken of it is rounded once
  for (SineCosine& entry : table) {
    entry = {static_cast<double>(std::sin(angle)), static_cast<double>(std::cos(angle))};
    angle += 1.0L / per_radian;
  }
  return table;
}();

}  // namespace sine_cosine_table

inline SineCosine sine_cosine(double angle) {
  namespace table = sine_cosine_table;
  if (!(std::abs(angle) <= table::reach)) return {std::sin(angle), std::cos(angle)};
  const double rounded = angle + table::rounder;
  const std::uint64_t k = std::bit_cast<std::uint64_t>(rounded) - std::bit_cast<std::uint64_t>(table::rounder);
  const double d = angle - (rounded - table::rounder), dd = d * d;  // d is exact
  const double sine = d + d * dd * (dd * (1.0 / 120) - 1.0 / 6);
  const double cosine_less_one = dd * (dd * (1.0 / 24 - dd * (1.0 / 720)) - 0.5);
  const SineCosine& at = table::entries[k + static_cast<std::uint64_t>(table::half)];  // k < 0: counts on past zero
  return {at.sine + (at.sine * cosine_less_one + at.cosine * sine),
          at.cosine + (at.cosine * cosine_less_one - at.sine * sine)};
}

}  // namespace carom
