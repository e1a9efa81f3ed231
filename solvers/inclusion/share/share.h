// The door of this room: how redundant contacts share an impulse.

#pragma once

#include "solvers/inclusion/share/least_impulses.h"
#include "solvers/inclusion/share/nearest_in_cones.h"
#include "solvers/inclusion/share/nonnegative_least_squares.h"
