// The `materials:`, `contacts:` and `collide:` parts of a scene.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>

#include "config/doubled_contacts.h"
#include "config/scene_draft.h"
#include "models/contact_geometry.h"

namespace carom {

namespace {

void read_friction(const Node& node, const ValueForm& form, bool planar, Eigen::Vector2d& friction) {
  if (!node.is_list()) {
    if (const auto mu = read_number(node, form)) friction.setConstant(*mu);
    return;
  }
  if (planar) return node.error("two coefficients of friction need two tangents: the scene is planar, and takes one");
  const auto mu = read_numbers(node, 2);
  if (!mu) return;
  if (mu->minCoeff() < 0) return node.error(fmt::format("must be at least 0, but is {:g}", mu->minCoeff()));
  friction = *mu;
}

int stars(const MaterialPair& pair) { return (pair.first == "*") + (pair.second == "*"); }

bool matches(const MaterialPair& pair, const std::string& a, const std::string& b) {
  const auto fits = [](const std::string& wanted, const std::string& material) {
    return wanted == "*" || wanted == material;
  };
  return (fits(pair.first, a) && fits(pair.second, b)) || (fits(pair.first, b) && fits(pair.second, a));
}

class ContactReader {
 public:
  ContactReader(SpecReader& map, const SceneDraft& draft, std::int64_t i) : map_(map), draft_(draft), i_(i) {}

  // What can be read of it; where bodies are misnamed, its coefficients.
  ContactDraft read() {
    const Diagnostics& diagnostics = map_.node().diagnostics();
    const std::size_t mistakes = diagnostics.error_count();
    const auto kind = kind_of(map_, {"between", "point", "body"});
    const bool names_bodies =
        kind && (*kind == "between" ? read_between() : static_cast<bool>(read_first(*kind) & read_second()));
    const bool good = names_bodies && check_bodies(*kind);
    const bool geometry_is_read = good && diagnostics.error_count() == mistakes;
    const GivenCoefficients otherwise =
        good ? coefficients_between(draft_, material(contact_.a.body), second_material()) : GivenCoefficients{};
    const GivenCoefficients given = read_coefficients(map_, otherwise, draft_.planar);
    contact_.coefficients = given.values;
    if (const auto axis = map_.get("friction_axis")) {
      if (draft_.planar) axis->error("is for orthotropic friction in space; the scene is planar, leave it out");
      contact_.friction_axis = read_direction(*axis, false).value_or(Vec3::Zero());
    }
    return {
        contact_, {map_.node().place(), map_.node().path()}, given.places, geometry_is_read, given.restitution_is_read};
  }

 private:
  std::string material(int body) const { return body == world ? "" : draft_.body(body).material; }
  std::string second_material() const { return contact_.b == world ? plane_material_ : material(contact_.b); }

  bool read_body(const Node& node, const std::string& text, int& body) {
    const auto found = find_body(node, numbered(text, i_), draft_);
    if (found && *found == world) {
      node.error("the world has no shape: give it a body that is fixed, or a 'plane'");
      return false;
    }
    if (found) body = *found;
    return found.has_value();
  }

  bool read_between() {
    for (const char* key : {"plane", "on"}) {
      if (map_.has(key)) map_.get(key)->error("'between' names both bodies already; leave this out");
    }
    bool good = map_.names("between").has_value();
    const Node node = *map_.get("between");
    const std::vector<Node> items = node.is_list() ? node.items() : std::vector<Node>();
    int* const bodies[] = {&contact_.a.body, &contact_.b};
    for (std::size_t k = 0; k < std::min<std::size_t>(2, items.size()); ++k)
      if (items[k].is_scalar() && !items[k].text().empty())
        good = read_body(items[k], items[k].text(), *bodies[k]) && good;
    return good;
  }

  bool read_first(const std::string& kind) {
    const Node node = *map_.get(kind);
    if (kind == "body") {
      const auto name = node.word();
      return name && read_body(node, *name, contact_.a.body);
    }
    contact_.point_of_a = true;
    if (node.is_map()) return read_point_map(node);
    const auto text = node.word();
    if (!text) return false;
    const std::size_t dot = text->find('.');
    if (!read_body(node, text->substr(0, dot), contact_.a.body)) return false;
    return dot == std::string::npos || read_named_point(node, text->substr(dot + 1));
  }

  // BODY.POINT, the point by name.
  bool read_named_point(const Node& node, const std::string& name) {
    const auto at = find_place_on_body(node, name, contact_.a.body, draft_);
    if (at) contact_.a.at = *at;
    return at.has_value();
  }

  bool read_point_map(const Node& node) {
    SpecReader point(node, map_spec("body point"));
    const auto name = point.word("body");
    const bool good = name && read_body(*point.get("body"), *name, contact_.a.body);
    if (const auto at = point.get("at")) {
      if (good) contact_.a.at = read_place_on_body(*at, contact_.a.body, draft_).value_or(contact_.a.at);
      if (!good && at->is_list()) read_point(*at, draft_.planar);
    }
    point.finish();
    return good;
  }

  bool read_second() {
    if (map_.has("plane") && map_.has("on")) map_.get("on")->error("it meets a 'plane' already; leave one of them out");
    if (!map_.has("plane") && !map_.has("on")) {
      map_.need({"plane", "on"}, "needs what it meets: 'plane' in the world, or 'on' with a body");
      return false;
    }
    if (!map_.has("plane")) {
      const Node node = *map_.get("on");
      const auto name = node.word();
      return name && read_body(node, *name, contact_.b);
    }
    SpecReader plane(*map_.get("plane"), map_spec("contact plane"));
    contact_.plane_normal = draft_.planar ? Vec3::UnitY() : Vec3::UnitZ();
    if (const auto point = plane.get("point"))
      contact_.plane_point = read_point(*point, draft_.planar).value_or(contact_.plane_point);
    if (const auto normal = plane.get("normal"))
      contact_.plane_normal = read_direction(*normal, draft_.planar).value_or(contact_.plane_normal);
    plane_material_ = read_material(plane, draft_);
    plane.finish();
    return true;
  }

  bool check_bodies(const std::string& kind) {
    const int a = contact_.a.body, b = contact_.b;
    if (a == b) {
      map_.get(kind)->error(fmt::format("'{}' cannot touch itself; name another body", draft_.body(a).name));
      return false;
    }
    if (!draft_.moves(a) && !draft_.moves(b)) {
      map_.get(kind)->error("is between two bodies that cannot move; leave it out, or let one of them move");
      return false;
    }
    const auto is_known = [&](int body) {
      return body == world || draft_.bodies[static_cast<std::size_t>(body)].shape_is_known;
    };
    if (!is_known(a) || !is_known(b)) return true;  // told at the body
    Shape first = draft_.body(a).shape, second;
    if (contact_.point_of_a) first = Shape{};
    second.kind = Shape::Kind::plane;
    if (b != world) second = draft_.body(b).shape;
    std::string why_not;
    if (can_touch(first, second, draft_.planar, why_not)) return true;
    map_.get(kind)->error(why_not);
    return false;
  }

  SpecReader& map_;
  const SceneDraft& draft_;
  std::int64_t i_;
  ContactDescription contact_;
  std::string plane_material_;
};

}  // namespace

Place* CoefficientPlaces::find(const std::string& key) {
  if (key == "restitution") return &restitution;
  if (key == "friction") return &friction;
  if (key == "tangential_restitution") return &tangential_restitution;
  return key == "stiffness" ? &stiffness : nullptr;
}

bool CoefficientPlaces::any() const {
  return restitution.is_known() || friction.is_known() || tangential_restitution.is_known() || stiffness.is_known();
}

GivenCoefficients read_coefficients(SpecReader& map, const GivenCoefficients& otherwise, bool planar) {
  GivenCoefficients given = otherwise;
  const auto restitution = map.number("restitution");
  given.values.restitution = restitution.value_or(otherwise.values.restitution);
  given.values.tangential_restitution =
      map.number("tangential_restitution").value_or(otherwise.values.tangential_restitution);
  given.restitution_is_read = restitution || !map.has("restitution");
  given.values.stiffness = map.number("stiffness").value_or(otherwise.values.stiffness);
  if (const auto friction = map.get("friction"))
    read_friction(*friction, map_spec("coefficients").find("friction")->form.forms.front(), planar,
                  given.values.friction);
  for (const KeySpec& key : map_spec("coefficients").keys) {
    if (map.has_itself(key.name)) *given.places.find(key.name) = map.place_of(key.name);
  }
  return given;
}

GivenCoefficients coefficients_between(const SceneDraft& draft, const std::string& a, const std::string& b) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < draft.materials.size(); ++i) {
    const MaterialPair& pair = draft.materials[i];
    if (matches(pair, a, b) && (!best || stars(pair) <= stars(draft.materials[*best]))) best = i;
  }
  if (!best) return {draft.default_coefficients, draft.default_places};
  return {draft.materials[*best].coefficients, draft.material_places[*best]};
}

void read_materials(const Node& node, SceneDraft& draft) {
  for (const Node& item : node.items()) {
    SpecReader map(item, map_spec("material"));
    const auto names = map.names("between");
    const GivenCoefficients given =
        read_coefficients(map, {draft.default_coefficients, draft.default_places}, draft.planar);
    map.finish();
    if (!names) continue;
    const auto same = [&](const MaterialPair& pair) {
      return (pair.first == (*names)[0] && pair.second == (*names)[1]) ||
             (pair.first == (*names)[1] && pair.second == (*names)[0]);
    };
    if (std::any_of(draft.materials.begin(), draft.materials.end(), same))
      item.error(fmt::format("the pair {}, {} is given above; put its coefficients there", (*names)[0], (*names)[1]));
    draft.materials.push_back({(*names)[0], (*names)[1], given.values});
    draft.material_places.push_back(given.places);
  }
}

// A material that no pair names takes those of "*", or the defaults, where the file gives them; but a name that is near
// to one of a pair is misspelt.
std::string read_material(SpecReader& map, const SceneDraft& draft) {
  const auto material = map.has("material") ? map.word("material") : std::nullopt;
  if (!material) return "";
  std::vector<std::string> named;
  bool any = draft.materials.empty() || draft.default_places.any();
  for (const MaterialPair& pair : draft.materials) {
    for (const std::string& name : {pair.first, pair.second}) {
      if (name == *material) return name;
      if (name == "*") any = true;
      if (name != "*") named.push_back(name);
    }
  }
  if (!any || !nearest_word(*material, named).empty())
    map.get("material")
        ->error(fmt::format("no pair of 'materials' names '{}'{}", *material, suggestion(*material, named)));
  return *material;
}

void read_contacts(const Node& node, SceneDraft& draft) {
  for (const auto& [name, value] : node.entries()) {
    SpecReader map(value, map_spec("contact"));
    const std::size_t mistakes = node.diagnostics().error_count(), first = draft.contacts.size();
    if (value.is_map()) {
      for_each_repetition(map, draft.contacts.size(), [&, &base = name, &item = value](std::int64_t i) {
        ContactDraft contact = ContactReader(map, draft, i).read();
        std::string& own = contact.contact.name;
        own = i > 0 ? numbered_name(base, i) : base;
        if (is_good_name(item, own) && !draft.contact_names.insert(own).second)
          item.error(fmt::format("the name '{}' is taken by a contact above; give this one another", own));
        draft.contacts.push_back(std::move(contact));
      });
    }
    map.finish();
    if (map.is_misspelt("restitution"))
      for (std::size_t i = first; i < draft.contacts.size(); ++i) draft.contacts[i].restitution_is_read = false;
    if (map.has_itself("repeat") && node.diagnostics().error_count() > mistakes) draft.contacts_are_counted = false;
  }
  refuse_doubled_contacts(draft, node.diagnostics());
}

namespace {

// What is allowed, as in a scene that is built up step by step, but hardly meant.
void warn_if_nothing_meets(const Node& node, const Collide& collide, const SceneDraft& draft) {
  std::set<int> bodies(collide.bodies.begin(), collide.bodies.end());
  if (collide.bodies.empty())
    for (int i = 0; i < static_cast<int>(draft.bodies.size()); ++i) bodies.insert(i);
  if (bodies.size() < 2) return node.warning("finds no contact: it takes two bodies to meet");
  if (std::none_of(bodies.begin(), bodies.end(), [&](int i) { return draft.moves(i); }))
    node.warning("finds no contact: none of its bodies moves");
}

std::vector<int> read_colliding(const Node& list, const SceneDraft& draft) {
  std::vector<int> bodies;
  if (list.is_list() && list.items().empty()) list.error("names no body; list some, write all, or leave collide out");
  for (const Node& item : list.items()) {
    const auto name = item.word();
    if (!name) continue;
    for (int body : find_bodies(item, *name, draft)) bodies.push_back(body);
  }
  return bodies;
}

void read_excepted(const Node& pair, const SceneDraft& draft, Collide& collide) {
  const std::vector<Node> items = pair.items();
  if (items.size() != 2) return pair.error("must be two bodies: [A, B]");
  const auto first = items[0].word(), second = items[1].word();
  if (!first || !second) return;
  const std::vector<int> as = find_bodies(items[0], *first, draft), bs = find_bodies(items[1], *second, draft);
  if (as.size() == 1 && as == bs)
    return pair.error(fmt::format("'{}' does not meet itself; name another body", *first));
  for (int a : as)
    for (int b : bs) collide.except.emplace_back(a, b);
}

void check_word(const Node& node, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), node.text()) == words.end())
    node.error(fmt::format("must be {}, or a list of bodies, but is '{}'", fmt::join(words, " or "), node.text()));
}

}  // namespace

void read_collide(const Node& node, SceneDraft& draft) {
  Collide collide;
  draft.collide_place = node.place();
  if (node.is_scalar()) {
    check_word(node, {"all", "none"});
    if (node.text() != "all") return;
  } else if (node.is_list()) {
    collide.bodies = read_colliding(node, draft);
  } else {
    SpecReader map(node, map_spec("collide"));
    const auto bodies = map.get("bodies");
    if (bodies && bodies->is_scalar()) check_word(*bodies, {"all"});
    if (bodies && !bodies->is_scalar()) collide.bodies = read_colliding(*bodies, draft);
    const auto except = map.get("except");
    for (const Node& pair : except ? except->items() : std::vector<Node>()) read_excepted(pair, draft, collide);
    collide.joined_too = map.flag("joined").value_or(false);
    map.finish();
  }
  draft.collide = collide;
  if (node.diagnostics().ok()) warn_if_nothing_meets(node, collide, draft);
  refuse_doubled_planes(draft, node.diagnostics());
}

void tell_of_shapes_that_pass(const Node& bodies, const SceneDraft& draft) {
  std::set<int> joined;
  for (const JointDraft& joint : draft.joints) joined.insert({joint.link.a, joint.link.b});
  const auto is_alone = [&](int i) { return draft.body(i).shape.kind != Shape::Kind::point && !joined.contains(i); };
  const int count = static_cast<int>(draft.bodies.size());
  for (int moving = 0; moving < count; ++moving) {
    for (int other = 0; other < count; ++other) {
      const bool could_meet =
          other != moving && draft.moves(moving) && is_alone(other) && (is_alone(moving) || draft.body(other).fixed);
      if (!could_meet) continue;
      return bodies.warning(
          fmt::format("no contact is named or found, so that '{}' and '{}' pass through each other; "
                      "'collide: all' finds contacts, 'collide: none' says that none is meant",
                      draft.body(moving).name, draft.body(other).name));
    }
  }
}

}  // namespace carom
