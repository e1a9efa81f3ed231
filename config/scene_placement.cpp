// Where bodies stand initially. A body that says so stands there; any other hangs on its joints, walked from the world
// and from the bodies that stand: with the shared point P, the body's rotation R and its anchor a (in its frame),
//
//   origin = P − Ra,    velocity of the origin = v_P − ω × Ra.
//
// So a mechanism needs angles and angular velocities only. Closed loops are not solved here: what does not meet is
// found when the initial state is checked.

#include <queue>

#include "config/scene_draft.h"

namespace carom {

namespace {

using Mat3 = Eigen::Matrix3d;

Mat3 rotation_of(const BodyDescription& body, bool planar) {
  return planar ? Eigen::AngleAxisd(body.angle, Vec3::UnitZ()).toRotationMatrix() : body.orientation.toRotationMatrix();
}

// Joints that hold a point of both bodies together.
bool shares_point(const Joint& joint) {
  return joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::ball || joint.kind == Joint::Kind::weld;
}

class PlacementWalk {
 public:
  explicit PlacementWalk(SceneDraft& draft) : draft_(draft), joints_of_(draft.bodies.size() + 1) {
    for (std::size_t j = 0; j < draft.joints.size(); ++j) {
      if (!shares_point(draft.joints[j].joint)) continue;
      joints_at(draft.joints[j].link.a).push_back(j);
      joints_at(draft.joints[j].link.b).push_back(j);
    }
  }

  void place() {
    start_motions();
    for (BodyDraft& body : draft_.bodies) {
      if (body.rate_in_world)
        body.body.angular_velocity = rotation_of(body.body, draft_.planar).transpose() * body.body.angular_velocity;
    }
    walk([](const BodyDraft& body) { return body.has_position || body.stands; },
         [this](const JointDraft& joint, int from, int to) { return hang(joint, from, to); });
    for (JointDraft& joint : draft_.joints) resolve_joint(joint);
    for (ClutchDraft& clutch : draft_.clutches) resolve(clutch.link, clutch.clutch.a, clutch.clutch.b);
    for (SpringDraft& spring : draft_.springs) resolve_spring(spring);
    walk([](const BodyDraft& body) { return body.has_velocity; },
         [this](const JointDraft& joint, int from, int to) { return follow(joint, from, to); });
  }

 private:
  BodyDraft& at(int body) { return draft_.bodies[static_cast<std::size_t>(body)]; }
  std::vector<std::size_t>& joints_at(int body) { return joints_of_[static_cast<std::size_t>(body + 1)]; }

  // Breadth first from the world and from every body for which `stands`; a body that no joint reaches stands as it is.
  template <class Stands, class Derive>
  void walk(Stands stands, Derive derive) {
    std::vector<bool> known(draft_.bodies.size() + 1, false);
    std::queue<int> open;
    const auto settle = [&](int body) {
      known[static_cast<std::size_t>(body + 1)] = true;
      open.push(body);
    };
    const auto spread = [&] {
      for (; !open.empty(); open.pop()) {
        const int from = open.front();
        for (std::size_t j : joints_at(from)) {
          const JointDraft& joint = draft_.joints[j];
          const int to = joint.link.a == from ? joint.link.b : joint.link.a;
          if (!known[static_cast<std::size_t>(to + 1)] && derive(joint, from, to)) settle(to);
        }
      }
    };
    const int count = static_cast<int>(draft_.bodies.size());
    settle(world);
    for (int i = 0; i < count; ++i) {
      if (at(i).body.fixed || stands(at(i))) settle(i);
    }
    spread();
    for (int i = 0; i < count; ++i) {
      if (known[static_cast<std::size_t>(i + 1)]) continue;
      settle(i);
      spread();
    }
  }

  // Prescribed motions say where their coordinate starts and how fast, unless the file does.
  void start_motions() {
    for (const JointDraft& joint : draft_.joints) {
      if (joint.joint.kind != Joint::Kind::motion) continue;
      BodyDraft& body = at(joint.link.b);
      const Expression::Value start = joint.joint.motion(0);
      const int k = joint.joint.coordinate;
      if (k == 3) {
        if (!body.has_attitude && !body.stands) body.body.angle = start.value;
        if (!body.has_rate) body.body.angular_velocity.z() = start.derivative;
      } else {
        if (!body.has_position && !body.stands) body.body.position(k) = start.value;
        if (!body.has_velocity) body.body.velocity(k) = start.derivative;
        driven_.push_back(joint.link.b);
      }
    }
    for (int body : driven_) at(body).has_position = at(body).has_velocity = true;
  }

  const std::optional<Vec3>& anchor(const JointDraft& joint, int body) const {
    return joint.link.a == body ? joint.link.at_a : joint.link.at_b;
  }

  bool hang(const JointDraft& joint, int from, int to) {
    const std::optional<Vec3>& own = anchor(joint, to);
    const std::optional<Vec3>& other = anchor(joint, from);
    if (!own || (!joint.link.point && (from == world || !other))) return false;
    BodyDraft& body = at(to);
    if (joint.joint.kind == Joint::Kind::weld && !body.has_attitude && from != world) {
      body.body.angle = at(from).body.angle;
      body.body.orientation = at(from).body.orientation;
    }
    const Vec3 shared = joint.link.point ? *joint.link.point : world_point(from, *other);
    body.body.position = shared - rotation_of(body.body, draft_.planar) * *own;
    return true;
  }

  // Anchors are resolved by now.
  bool follow(const JointDraft& joint, int from, int to) {
    BodyDraft& body = at(to);
    const Mat3 R = rotation_of(body.body, draft_.planar);
    if (joint.joint.kind == Joint::Kind::weld && !body.has_rate && from != world)
      body.body.angular_velocity =
          R.transpose() * rotation_of(at(from).body, draft_.planar) * at(from).body.angular_velocity;
    const Vec3 arm = R * *anchor(joint, to);
    body.body.velocity = velocity_of(joint, from) - (R * body.body.angular_velocity).cross(arm);
    return true;
  }

  Vec3 velocity_of(const JointDraft& joint, int body) {
    if (body == world) return Vec3::Zero();
    const Mat3 R = rotation_of(at(body).body, draft_.planar);
    return at(body).body.velocity + (R * at(body).body.angular_velocity).cross(R * *anchor(joint, body));
  }

  Vec3 world_point(int body, const Vec3& local) {
    return at(body).body.position + rotation_of(at(body).body, draft_.planar) * local;
  }
  Vec3 local_point(int body, const Vec3& point) {
    return rotation_of(at(body).body, draft_.planar).transpose() * (point - at(body).body.position);
  }

  // Anchors that the file leaves out lie where the other one is, or at the point given, or in the centre of b.
  void resolve(AnchorPair& link, Anchor& a, Anchor& b) {
    if (link.b != world && !link.at_b && !link.point && !link.at_a) link.at_b = Vec3::Zero();
    if (link.a != world && link.b == world && !link.at_a && !link.point) link.at_a = Vec3::Zero();
    Vec3 shared = Vec3::Zero();
    if (link.point) {
      shared = *link.point;
    } else if (link.a != world && link.at_a) {
      shared = world_point(link.a, *link.at_a);
    } else if (link.b != world && link.at_b) {
      shared = world_point(link.b, *link.at_b);
    }
    if (!link.at_a) link.at_a = link.a == world ? shared : local_point(link.a, shared);
    if (!link.at_b) link.at_b = link.b == world ? shared : local_point(link.b, shared);
    a = {link.a, *link.at_a};
    b = {link.b, *link.at_b};
  }

  void resolve_joint(JointDraft& draft) {
    Joint& joint = draft.joint;
    if (joint.kind == Joint::Kind::motion || joint.kind == Joint::Kind::knife_edge) {
      joint.b = {draft.link.b, draft.link.at_b.value_or(Vec3::Zero())};
      return;
    }
    resolve(draft.link, joint.a, joint.b);
    if (!draft.world_axis) return;
    joint.axis = *draft.world_axis;
    if (draft.link.b != world) joint.axis = rotation_of(at(draft.link.b).body, draft_.planar).transpose() * joint.axis;
  }

  void resolve_spring(SpringDraft& draft) {
    resolve(draft.link, draft.spring.a, draft.spring.b);
    if (!draft.world_axis) return;
    draft.spring.axis = *draft.world_axis;
    if (draft.link.a != world)
      draft.spring.axis = rotation_of(at(draft.link.a).body, draft_.planar).transpose() * draft.spring.axis;
  }

  SceneDraft& draft_;
  std::vector<std::vector<std::size_t>> joints_of_;  // by body + 1; the world is 0
  std::vector<int> driven_;
};

}  // namespace

AssemblyDescription placed(SceneDraft draft) {
  PlacementWalk(draft).place();
  AssemblyDescription description;
  description.planar = draft.planar;
  description.gravity = draft.gravity;
  for (BodyDraft& body : draft.bodies) description.bodies.push_back(std::move(body.body));
  for (JointDraft& joint : draft.joints) description.joints.push_back(std::move(joint.joint));
  for (ClutchDraft& clutch : draft.clutches) description.clutches.push_back(std::move(clutch.clutch));
  for (SpringDraft& spring : draft.springs) description.springs.push_back(std::move(spring.spring));
  for (LoadDraft& load : draft.loads) description.loads.push_back(std::move(load.load));
  for (ContactDraft& contact : draft.contacts) description.contacts.push_back(std::move(contact.contact));
  description.collide = std::move(draft.collide);
  // Given last, the scene's defaults would win over "*", "*" of the file.
  description.materials.push_back({"*", "*", draft.default_coefficients});
  description.materials.insert(description.materials.end(), draft.materials.begin(), draft.materials.end());
  return description;
}

}  // namespace carom
