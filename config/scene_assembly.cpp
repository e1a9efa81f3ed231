#include "config/scene_assembly.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

namespace carom {

namespace {

// The part that a sentence begins with, as in `joint 'x': ...`.
struct NamedPart {
  std::string kind, name;

  explicit NamedPart(const std::string& sentence) {
    const std::size_t open = sentence.find(" '"), close = sentence.find('\'', open + 2);
    if (open == std::string::npos || close == std::string::npos) return;
    kind = sentence.substr(0, open);
    name = sentence.substr(open + 2, close - open - 2);
  }

  template <class Part>
  bool leave_out(const char* of, std::vector<Part>& parts) const {
    return kind == of && std::erase_if(parts, [&](const Part& part) { return part.name == name; }) > 0;
  }
};

// A body in the same place that nothing is wrong with; false if it is one already.
bool replace_body(const std::string& name, AssemblyDescription& description) {
  const auto body = std::find_if(description.bodies.begin(), description.bodies.end(),
                                 [&](const BodyDescription& made) { return made.name == name; });
  if (body == description.bodies.end()) return false;
  BodyDescription harmless;
  harmless.name = body->name;
  harmless.fixed = body->fixed;
  harmless.position = body->position;
  harmless.shape = {.kind = Shape::Kind::disk, .radius = 1};
  harmless.mass = 1;
  const bool is_harmless = body->shape.kind == Shape::Kind::disk && body->shape.radius == 1 && body->mass == 1 &&
                           !body->inertia && body->point_masses.empty();
  *body = harmless;
  return !is_harmless;
}

// Without the part that is wrong, or with another body in its place: so that others are looked at.
bool go_on_without(const std::string& sentence, AssemblyDescription& description) {
  const NamedPart part(sentence);
  return (part.kind == "body" && replace_body(part.name, description)) || part.leave_out("joint", description.joints) ||
         part.leave_out("clutch", description.clutches) || part.leave_out("spring", description.springs) ||
         part.leave_out("load", description.loads) || part.leave_out("contact", description.contacts);
}

}  // namespace

std::shared_ptr<const Assembly> make_assembly(const AssemblyDescription& description,
                                              const std::function<void(const std::string&)>& tell) {
  constexpr int most_told = 50;
  std::optional<AssemblyDescription> rest;  // once there are mistakes
  for (int told = 0; told < most_told; ++told) {
    try {
      auto assembly = std::make_shared<const Assembly>(rest ? *rest : description);
      return told == 0 ? assembly : nullptr;
    } catch (const std::invalid_argument& e) {
      tell(e.what());
      if (!rest) rest = description;
      if (!go_on_without(e.what(), *rest)) return nullptr;
    }
  }
  return nullptr;
}

}  // namespace carom
