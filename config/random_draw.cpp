#include "config/random_draw.h"

#include <cmath>
#include <numbers>

namespace carom {

std::uint64_t mixed_bits(std::uint64_t counter) {
  std::uint64_t z = counter + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

RandomStream::RandomStream(std::uint64_t seed, const std::string& name) : key_(mixed_bits(seed)) {
  for (const char c : name) key_ = mixed_bits(key_ ^ static_cast<unsigned char>(c));
}

double RandomStream::uniform(std::uint64_t i) const {
  // The middles of 2⁵² equal cells: neither end is ever drawn.
  return (static_cast<double>(mixed_bits(key_ ^ mixed_bits(i)) >> 12) + 0.5) * 0x1p-52;
}

double RandomStream::normal(std::uint64_t i) const {
  // Box & Muller 1958, from two uniform draws of its own.
  const double radius = std::sqrt(-2 * std::log(uniform(2 * i)));
  return radius * std::cos(2 * std::numbers::pi * uniform(2 * i + 1));
}

}  // namespace carom
