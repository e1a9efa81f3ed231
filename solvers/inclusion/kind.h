// What kind of problem an inclusion is, by what methods ask of it.

#pragma once

#include "engine/inclusion.h"

namespace carom {

struct Kind {
  Index rows = 0;
  bool planar = true;        // no contact has two tangents with friction
  bool frictionless = true;  // then all solutions have the same velocities
  bool joints = false;       // rows of bilateral sets
  bool directions = false;   // G was built from the directions of its rows
};

Kind kind_of(const Inclusion& inclusion);
bool is_frictionless(const Inclusion& inclusion);

}  // namespace carom
