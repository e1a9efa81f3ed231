// Bodies as lines that move: the outlines of their shapes, cut into segments, and vectors of their motion, frame by
// frame, as little-endian bytes that other programs can read.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/system.h"

namespace carom {

struct MovingState {
  Vec q, u;
};

// The bytes: for every segment its body (int32; −1: fixed to the world, or between two bodies), those that move before
// those that stay; two points of each that stays; then a frame after the other: two points of each that moves, then of
// every body its velocity, the direction of its own x axis and its angular velocity, all in the world (three floats
// each).
struct MovingOutlines {
  std::string bytes;
  std::int64_t moving = 0, staying = 0;  // segments
  std::int64_t bodies = 0;

  std::int64_t frame_bytes() const { return 12 * (2 * moving + 3 * bodies); }
  std::int64_t bodies_of_staying_at() const { return 4 * moving; }
  std::int64_t staying_points_at() const { return 4 * (moving + staying); }
  std::int64_t points_at(std::int64_t frame) const {
    return staying_points_at() + 24 * staying + frame * frame_bytes();
  }
  std::int64_t velocities_at(std::int64_t frame) const { return points_at(frame) + 24 * moving; }
  std::int64_t axes_at(std::int64_t frame) const { return velocities_at(frame) + 12 * bodies; }
  std::int64_t angular_velocities_at(std::int64_t frame) const { return axes_at(frame) + 12 * bodies; }
};

// What one frame takes at most, so that a caller can choose how many there shall be.
std::int64_t outline_bytes_a_frame(const System& system);

// Planes are as long as the motion is wide.
MovingOutlines outlines_of(const System& system, const std::vector<MovingState>& frames);

}  // namespace carom
