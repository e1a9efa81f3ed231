// What a viewer draws of a system: shapes fixed to its bodies or to the world, and lines between points of them. The
// bodies are those of System::poses, in that order.

#pragma once

#include <string>
#include <vector>

#include "engine/system.h"
#include "models/shape.h"

namespace carom {

inline constexpr Index in_world = -1;  // in place of a body

struct DrawnShape {
  Index body = in_world;
  Shape shape;                                             // no compound
  Eigen::Vector3d at = Eigen::Vector3d::Zero();            // of the shape's centre, in the frame of the pose
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // of the shape in the frame of the pose
  std::string part = {};                                   // its name, of a body that has several
};

struct DrawnPoint {
  Index body = in_world;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
};

struct DrawnLine {
  enum class Kind { spring, bar };  // a bar keeps its length and weighs nothing

  Kind kind = Kind::spring;
  DrawnPoint a, b;
};

struct Drawing {
  std::vector<DrawnShape> shapes;
  std::vector<DrawnLine> lines;
  std::vector<DrawnPoint> joints;
};

// Implemented by a system that knows what it looks like.
class Drawn {
 public:
  virtual ~Drawn() = default;
  virtual Drawing drawing() const = 0;
};

// Of a system that does not know: a point a body.
Drawing drawing_of(const System& system);

// A half plane or half space of the world.
DrawnShape drawn_plane(const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

}  // namespace carom
