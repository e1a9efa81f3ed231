#include "models/drawing.h"

namespace carom {

Drawing drawing_of(const System& system) {
  if (const auto* drawn = dynamic_cast<const Drawn*>(&system)) return drawn->drawing();
  Drawing drawing;
  for (Index body = 0; body < static_cast<Index>(system.poses().bodies.size()); ++body)
    drawing.shapes.push_back({body, Shape{}});
  return drawing;
}

DrawnShape drawn_plane(const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  Shape plane;
  plane.kind = Shape::Kind::plane;
  plane.normal = normal;
  return {.shape = plane, .at = point};
}

}  // namespace carom
