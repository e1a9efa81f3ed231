// The lengths that gaps, joints and displacements are measured by: those of the system itself. Tolerances are parts of
// them, so that bodies of a micrometre and of a kilometre move alike. An angle turns what is as long as the system.

#pragma once

#include <vector>

#include "engine/rows.h"
#include "engine/system.h"

namespace carom {

// The largest of bodies, positions, gaps and lever arms at a state; 1 m if all are zero.
double size_of(const System& system, const Vec& q);

class LengthScale {
 public:
  LengthScale(const System& system, double size);

  double size() const { return size_; }
  double per_size() const { return per_size_; }

  // Of the terms of a gap at q, whose rounding it has.
  double of_gaps(const Vec& q) const;

  bool is_length(Index velocity) const {
    return velocity_is_length_.empty() || velocity_is_length_[static_cast<std::size_t>(velocity)];
  }
  bool is_length(Rows::Row row) const;  // what it measures; an angle, if only angles change it
  bool turns(Rows::Row row) const;      // bodies, beyond what rounding makes of a force through their centres

  // The largest gap of joints at q, as a part of its terms, or in radians. Not a number if one is none.
  double largest_part(const Vec& gaps, const Rows& B, const Vec& q) const;

  // The largest displacement (or speed), in velocity coordinates: as a part of the size or in radians; in metres. Not a
  // number if one is none.
  double largest_part(const Vec& displacement) const;
  double largest_length(const Vec& displacement) const { return size_ * largest_part(displacement); }

 private:
  double size_, per_size_;
  // Empty where all coordinates are lengths: long chains keep little. Read for every entry of a direction: not packed.
  std::vector<char> velocity_is_length_;
  // 1 for a length, the size for an angle; nothing for the twist of a spring beside attitudes, which moves no gap.
  Vec length_of_position_;
  Vec part_of_velocity_;  // one over the size, 1
};

}  // namespace carom
