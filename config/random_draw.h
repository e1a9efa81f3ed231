// Random numbers by their place, not by their order: draw i of a stream is the same whoever asks for it, and when.
// A counter is mixed into 64 random bits (Steele, Lea & Flood 2014: SplitMix64).

#pragma once

#include <cstdint>
#include <string>

namespace carom {

class RandomStream {
 public:
  // Streams of different names are independent.
  RandomStream(std::uint64_t seed, const std::string& name);

  double uniform(std::uint64_t i) const;  // in (0, 1)
  double normal(std::uint64_t i) const;   // mean 0, deviation 1

 private:
  std::uint64_t key_;
};

std::uint64_t mixed_bits(std::uint64_t counter);

}  // namespace carom
