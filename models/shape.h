// Shapes of bodies, centred where their mass is (but compounds), in the body's own frame. Planar shapes lie in the x-y
// plane.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/linear_algebra.h"
#include "models/polytope.h"

namespace carom {

struct ShapePart;

struct Shape {
  // A disk is a sphere in space; polygons are planar, cylinders and polyhedra spatial. A compound is several others.
  enum class Kind { point, disk, rod, block, polygon, plane, cylinder, polyhedron, compound };

  Kind kind = Kind::point;
  double radius = 0;  // disk, cylinder; rod: its half thickness (0: a line)
  double length = 0;  // rod, cylinder: along the body's x axis from −length/2 (start) to +length/2 (end)
  Eigen::Vector3d size = Eigen::Vector3d::Zero();     // block: edge lengths
  std::vector<Eigen::Vector2d> vertices = {};         // polygon: strictly convex, counter-clockwise, about its centroid
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  // plane through the body's origin: the outward unit normal
  std::shared_ptr<const Polytope> polytope = {};      // polyhedron: about its centroid; one for all that are alike
  std::shared_ptr<const std::vector<ShapePart>> parts = {};  // compound: none of them is one itself

  bool operator==(const Shape&) const = default;
};

// A shape fixed in the frame of a compound. Slots, drums and hooks are made of them.
struct ShapePart {
  std::string name;  // of a compound each its own
  Shape shape;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  double share = 0;  // of the compound's mass
};

// The common ones.
Shape disk_shape(double radius);
Shape rod_shape(double length);
Shape block_shape(double width, double height);  // planar
Shape compound_shape(std::vector<ShapePart> parts);

// The centre of mass in the shape's frame: its origin, but of a compound.
Eigen::Vector3d centroid_of(const Shape& shape);

// Mass moment of inertia about the centre of mass, per unit of mass: planar (about z), or the spatial tensor along the
// shape's axes. A rod counts as the straight strip or cylinder of its thickness. A point and a plane have none.
// std::invalid_argument for a polygon in space.
double planar_gyration(const Shape& shape);
Eigen::Matrix3d spatial_gyration(const Shape& shape);

// Area in the plane, volume in space: mass over density. A rod counts as the straight strip or cylinder of its
// thickness; a point, a plane and a line have none. What several parts of a compound cover counts several times.
double content_of(const Shape& shape, bool planar);

// Corners of a block by number. In the plane 0 … 3, counter-clockwise from the bottom left; in space 0 … 7, with bit
// 0, 1, 2 of the number set where x, y, z is positive.
int block_corners(bool planar);
Eigen::Vector3d block_corner(const Shape& block, bool planar, int number);

// The faces of a block, a cylinder (a prism in it) or a polyhedron in space, in the shape's frame; none of others.
Polytope faces_of(const Shape& shape);

// Named points: centre; start, end (rod, cylinder); corners of a block (planar: bottom-left, bottom-right, top-right,
// top-left; in space by the signs of x, y, z: corner---, corner+--, … corner+++); top, bottom, left, right (disk and
// block; in space top is +z, and there are front at −y and back); vertex-1 … (polygon, polyhedron). Of a compound
// centre is the centre of mass, and its parts have PART.centre, … find_point is false if the shape has no such point.
std::vector<std::string> named_points(const Shape& shape, bool planar);
bool find_point(const Shape& shape, bool planar, const std::string& name, Eigen::Vector3d& at);

}  // namespace carom
