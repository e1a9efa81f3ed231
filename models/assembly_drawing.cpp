// What an assembly looks like: the shapes of its bodies, the planes of the world that contacts name, springs and
// distance joints as lines, the anchors of hinges and slides as points.

#include "models/assembly.h"

namespace carom {

namespace {

DrawnPoint drawn_point(const Anchor& anchor) { return {anchor.body, anchor.at}; }

// A weld is seen by the bodies that it holds together, and a prescribed motion or a knife edge by what they do.
bool is_hinge(Joint::Kind kind) {
  return kind == Joint::Kind::revolute || kind == Joint::Kind::ball || kind == Joint::Kind::prismatic;
}

// The anchor on the body that a joint hangs on; both are at the same place.
DrawnPoint drawn_joint(const Joint& joint) { return drawn_point(joint.b.body == world ? joint.a : joint.b); }

void add_shapes(Index body, const Shape& shape, Drawing& drawing) {
  if (shape.kind != Shape::Kind::compound) return drawing.shapes.push_back({body, shape});
  for (const ShapePart& part : *shape.parts)
    drawing.shapes.push_back({body, part.shape, part.at, part.rotation, part.name});
}

}  // namespace

Drawing Assembly::drawing() const {
  const AssemblyDescription& assembly = description();
  Drawing drawing;
  for (std::size_t i = 0; i < assembly.bodies.size(); ++i)
    add_shapes(static_cast<Index>(i), assembly.bodies[i].shape, drawing);
  for (const ContactDescription& contact : assembly.contacts) {
    if (contact.b == world) drawing.shapes.push_back(drawn_plane(contact.plane_point, contact.plane_normal));
  }
  for (const Spring& spring : assembly.springs) {
    if (spring.kind == Spring::Kind::points)
      drawing.lines.push_back({DrawnLine::Kind::spring, drawn_point(spring.a), drawn_point(spring.b)});
  }
  for (const Joint& joint : assembly.joints) {
    if (joint.kind == Joint::Kind::distance) {
      drawing.lines.push_back({DrawnLine::Kind::bar, drawn_point(joint.a), drawn_point(joint.b)});
    } else if (is_hinge(joint.kind)) {
      drawing.joints.push_back(drawn_joint(joint));
    }
  }
  return drawing;
}

}  // namespace carom
