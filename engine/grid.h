// Points of a grid numbered so that the last extent runs fastest.

#pragma once

#include <cstddef>
#include <vector>

namespace carom {

// Where a point is along one of the extents.
inline std::size_t grid_position(const std::vector<std::size_t>& extents, std::size_t extent, std::size_t point) {
  for (std::size_t k = extents.size(); --k > extent;) point /= extents[k];
  return point % extents[extent];
}

}  // namespace carom
