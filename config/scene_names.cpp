#include "config/scene_names.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <stdexcept>

#include "config/law_file.h"
#include "config/scene_initial.h"

namespace carom {

namespace {

// Bodies of their kinds, wherever they are; null if there are mistakes in what they are.
std::shared_ptr<const Assembly> bodies_of_their_kinds(const SceneDraft& draft) {
  if (!draft.uncounted.empty()) return nullptr;
  AssemblyDescription description;
  description.planar = draft.planar;
  for (const BodyDraft& made : draft.bodies) {
    if (!made.shape_is_known) return nullptr;
    const bool turns =
        made.body.shape.kind != Shape::Kind::point || made.body.inertia || !made.body.point_masses.empty();
    BodyDescription body;
    body.name = made.body.name;
    body.fixed = made.body.fixed;
    body.mass = 1;
    if (turns) body.shape = {.kind = Shape::Kind::disk, .radius = 1};
    description.bodies.push_back(std::move(body));
  }
  try {
    return std::make_shared<const Assembly>(std::move(description));
  } catch (const std::invalid_argument&) {
    return nullptr;  // told when the system is built
  }
}

}  // namespace

std::vector<std::string> points_of_contacts(const System& system) {
  std::vector<std::string> names;
  for (std::size_t key = 0; key < system.named_contacts(); ++key) names.push_back(system.contact_name(key));
  return names;
}

bool is_part_of(const std::string& point, const std::string& contact) {
  return point == contact || point.rfind(contact + ".", 0) == 0;
}

void check_contact_names(SpecReader& root, const NamesOfContacts& names) {
  const auto output = root.get("output");
  const auto chosen = output && output->is_map() ? MapReader(*output).get("contacts") : std::nullopt;
  for (const Node& item : chosen && chosen->is_list() ? chosen->items() : std::vector<Node>()) {
    if (item.is_scalar() && !item.text().empty() && !names.chooses(item.text()))
      item.error(fmt::format("there is no named contact '{}'{}", item.text(), suggestion(item.text(), names.all)));
  }
  const auto law = root.get("law");
  if (law && !names.others_are_found) check_order(*law, names.all, names.is_point);
}

void warn_of_unused_materials(SpecReader& root, const SceneDraft& draft) {
  const auto materials = root.get("materials"), contacts = root.get("contacts");
  if (!materials) return;
  std::vector<std::string> used;
  for (const BodyDraft& body : draft.bodies)
    if (!body.body.material.empty()) used.push_back(body.body.material);
  for (const auto& [name, contact] : contacts ? contacts->entries() : std::vector<std::pair<std::string, Node>>()) {
    const auto plane = MapReader(contact).get("plane");
    const auto material = plane ? MapReader(*plane).get("material") : std::nullopt;
    if (material) used.push_back(material->text());
  }
  for (const Node& pair : materials->items()) {
    for (const Node& name : MapReader(pair).get("between")->items()) {
      if (name.text() == "*" || std::find(used.begin(), used.end(), name.text()) != used.end()) continue;
      name.warning(fmt::format("nothing is of the material '{}'{}, so that the pair counts nowhere", name.text(),
                               suggestion(name.text(), used)));
    }
  }
}

void look_at_names(SpecReader& root, const SceneDraft& draft) {
  const auto initial = root.get("initial");
  const auto bodies = initial && initial->is_map() ? bodies_of_their_kinds(draft) : nullptr;
  if (bodies) {
    Vec q = bodies->initial_positions(), u = bodies->initial_velocities();
    read_initial_coordinates(*initial, draft, *bodies, q, u);
  }
  const auto is_contact = [&](const std::string& name) {
    return !draft.contacts_are_counted || draft.contact_names.count(name.substr(0, name.find('.'))) > 0;
  };
  check_contact_names(root, {.all = {draft.contact_names.begin(), draft.contact_names.end()},
                             .chooses = is_contact,
                             .is_point = is_contact,
                             .others_are_found = draft.collide.has_value()});
}

}  // namespace carom
