// The keys of a body: its shape or shapes, mass, pose and repetition.

#include "config/schema_forms.h"

namespace carom {

using namespace forms;

namespace {

// What makes a shape.
std::vector<KeySpec> shape_keys(bool is_required) {
  return {
      {"shape", one_of({"point", "disk", "sphere", "rod", "block", "polygon", "plane", "cylinder", "polyhedron"}), "",
       "disk and polygon are planar, sphere, cylinder and polyhedron spatial; rods and cylinders lie along x",
       is_required},
      {"radius", positive(), "", "of a disk, sphere or cylinder", false, {"disk", "sphere", "cylinder"}},
      {"length", positive(), "", "of a rod or cylinder, from start (−x) to end (+x)", false, {"rod", "cylinder"}},
      {"thickness", not_negative(), "0", "of a rod: its ends are round", false, {"rod"}},
      {"size", point(), "", "edge lengths of a block", false, {"block"}},
      {"vertices",
       list_of(numbers(2, 2), 3),
       "",
       "corners of a convex polygon; their centroid is the centre of the shape",
       false,
       {"polygon"}},
      {"points",
       list_of(numbers(3, 3), 4),
       "",
       "of a polyhedron: it is their convex hull; its centroid is the centre of the shape",
       false,
       {"polyhedron"}},
      {"normal", point(), "up", "outward normal of a plane", false, {"plane"}},
  };
}

void add_pose(std::vector<KeySpec>& keys) {
  keys.insert(keys.end(),
              {
                  {"position", point(), "from the joints, or the origin", "of the shape's centre"},
                  {"angle", angle(), "0", "planar: of the body's x axis, rad or \"30 deg\""},
                  {"orientation", either({numbers(4, 4), map_of("turn")}), "[1, 0, 0, 0]",
                   "spatial: unit quaternion [w, x, y, z], or an axis and an angle"},
                  {"velocity", point(), "from the joints, or 0", "of the shape's centre"},
                  {"angular_velocity", either({angle(), rates()}), "0", "planar: a number; spatial: three, in `frame`"},
                  {"frame", one_of({"body", "world"}), "body", "spatial: the axes of angular_velocity"},
              });
}

const std::vector<std::string> with_content = {"disk",    "sphere",   "rod",        "block",
                                               "polygon", "cylinder", "polyhedron", "body of several shapes"};

MapSpec body_map() {
  MapSpec map = {
      "body",
      "A rigid body. Its frame sits in the centre of its shape; `at` of joints and contacts is given there. A body of "
      "several shapes has the frame in which these are given.",
      shape_keys(false)};
  map.keys.push_back({"shapes", list_of(map_of("shape of several")), "",
                      "in place of `shape`: what the body is made of, such as the walls of a drum"});
  const std::vector<KeySpec> others = {
      {"mass", not_negative(), "", "a body that moves has this or a density"},
      {"density", positive(), "",
       "in place of mass: planar kg/m², spatial kg/m³; a rod with a thickness counts as a strip or cylinder", false,
       with_content},
      {"inertia", either({positive(), numbers(3, 3), list_of(numbers(3, 3), 3, 3)}), "from the shape",
       "about the centre of mass of its shape: planar a number, spatial the principal moments or the whole tensor"},
      {"masses", list_of(map_of("point mass")), "", "point masses attached to the body"},
      {"fixed", flag(), "false; true for a plane", "part of the world"},
      {"material", text(), "", "chooses coefficients from materials"},
  };
  map.keys.insert(map.keys.end(), others.begin(), others.end());
  map.takes_defaults = true;
  add_pose(map.keys);
  map.keys.push_back({"repeat", either({map_of("repeat"), list_of(map_of("repeat"), 1, 6)}), "",
                      "many alike: NAME1, NAME2, ..., or {i} in the name"});
  return map;
}

MapSpec shape_of_several_map() {
  MapSpec map = {"shape of several", "One of the shapes of a body, in the frame of the body.", shape_keys(true)};
  const std::vector<KeySpec> others = {
      {"name", text(), "its number", "for its points, NAME.top-left, and the contacts found with it"},
      {"position", point(), "[0, 0], or where its corners are", "of the shape's centre"},
      {"angle", angle(), "0", "planar: of the shape's x axis"},
      {"orientation", either({numbers(4, 4), map_of("turn")}), "[1, 0, 0, 0]",
       "spatial: unit quaternion [w, x, y, z], or an axis and an angle"},
      {"mass", not_negative(), "its part by area or volume", "of this shape; then all of them have one, or a density"},
      {"density", positive(), "the body's", "in place of mass"},
  };
  map.keys.insert(map.keys.end(), others.begin(), others.end());
  return map;
}

MapSpec pose_map() {
  MapSpec map = {"pose", "The initial state of one body, in place of what the body itself says.", {}};
  add_pose(map.keys);
  return map;
}

MapSpec turn_map() {
  return {"turn",
          "An orientation as one turn.",
          {
              {"axis", numbers(3, 3), "", "of the turn", true},
              {"angle", angle(), "", "rad, or \"30 deg\"", true},
          }};
}

MapSpec point_mass_map() {
  return {"point mass",
          "A mass fixed to a point of a body.",
          {
              {"at", place_on_body(), "", "a point of the shape, or coordinates in its frame", true},
              {"mass", positive(), "", "kg", true},
          }};
}

MapSpec repeat_map() {
  return {"repeat",
          "A row or a grid of alike bodies; a list of them makes rows of rows, the first innermost.",
          {
              {"count", either({whole(1, 1000000), numbers(2, 3)}), "", "how many; [nx, ny] makes a grid", true},
              {"offset", point(), "", "a row: from each body to the next"},
              {"spacing", point(), "", "a grid: between neighbours along x, y (and z)"},
              {"velocity", point(), "", "a row: how much more each has than the one before"},
              {"angle", angle(), "", "a row, planar: likewise"},
              {"turn", map_of("turn"), "", "a row, spatial: each is turned further, about an axis in the world"},
              {"angular_velocity", either({angle(), rates()}), "", "a row: likewise"},
          }};
}

}  // namespace

std::vector<MapSpec> body_maps() {
  return {body_map(), shape_of_several_map(), pose_map(), turn_map(), point_mass_map(), repeat_map()};
}

}  // namespace carom
