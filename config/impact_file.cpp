#include "config/impact_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "config/file_kind.h"
#include "config/law_file.h"
#include "config/quantity.h"
#include "engine/impact_problem.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr std::size_t most_elements = 4000;  // G is dense here

// A tangent is one row, or a list of one or two rows.
std::optional<Mat> read_tangents(const Node& node) {
  const bool rows = node.is_list() && !node.items().empty() && node.items().front().is_list();
  if (rows) {
    if (node.items().size() > 2) {
      node.error("a contact has at most two tangents");
      return std::nullopt;
    }
    return read_quantity_rows(node);
  }
  const auto row = read_quantities(node);
  return row ? std::optional<Mat>(row->transpose()) : std::nullopt;
}

class ElementReader {
 public:
  explicit ElementReader(const Node& node) : map_(node) {}

  // The element, with stand-ins for the keys that cannot be understood; nothing if its kind is not one of them.
  std::optional<Element> read(std::size_t position) {
    if (!map_.node().is_map()) return std::nullopt;
    Element element;
    const auto name = map_.get("name");
    element.name = name ? name->name().value_or("") : fmt::format("element{}", position + 1);
    if (!element.name.empty()) map_.describe_as("impact.elements." + element.name);
    const auto kind = map_.require("kind", "contact, clutch or bilateral");
    const auto word = kind ? kind->word() : std::nullopt;
    if (!word) return unknown_kind();
    if (*word == "contact") {
      element.kind = read_contact();
    } else if (*word == "clutch") {
      element.kind = read_clutch();
    } else if (*word == "bilateral") {
      element.kind = read_bilateral();
    } else {
      kind->error(fmt::format("unknown kind '{}'{}; choose from contact, clutch, bilateral", *word,
                              suggestion(*word, {"contact", "clutch", "bilateral"})));
      return unknown_kind();
    }
    map_.finish();
    return element;
  }

  const MapReader& map() const { return map_; }
  std::string name(std::size_t position) {
    const auto name = map_.node().is_map() ? map_.get("name") : std::nullopt;
    return name && name->is_scalar() ? name->text() : fmt::format("element{}", position + 1);
  }
  bool good() const { return unread_.empty(); }
  bool has_stand_in(const std::string& key) const { return unread_.count(key) > 0; }

 private:
  // Without its kind an element cannot be read, but its misspelt keys can still be named.
  std::optional<Element> unknown_kind() {
    for (const char* key :
         {"normal", "tangent", "direction", "restitution", "friction", "tangential_restitution", "stiffness"})
      map_.allow(key);
    map_.finish();
    return std::nullopt;
  }

  template <class T>
  T keep(const char* key, std::optional<T> value, T otherwise) {
    if (!value) unread_.insert(key);
    return value.value_or(otherwise);
  }

  double number(const char* key, double otherwise) {
    const auto node = map_.get(key);
    return node ? keep(key, read_quantity(*node, Unit::plain), otherwise) : otherwise;
  }

  Vec direction(const char* key) {
    const auto node = map_.require(key, "the row w of γ = w·u");
    return keep(key, node ? read_quantities(*node) : std::nullopt, Vec());
  }

  Contact read_contact() {
    Contact contact;
    contact.normal = direction("normal");
    contact.tangent.resize(0, contact.normal.size());
    const auto tangent = map_.get("tangent");
    if (tangent) contact.tangent = keep("tangent", read_tangents(*tangent), Mat());
    contact.restitution = number("restitution", 0);
    contact.tangential_restitution = number("tangential_restitution", 0);
    contact.stiffness = number("stiffness", 1);
    contact.friction = Vec::Zero(contact.tangent.rows());
    if (const auto friction = map_.get("friction")) read_friction(*friction, contact, tangent.has_value());
    return contact;
  }

  void read_friction(const Node& node, Contact& contact, bool has_tangent) {
    const Vec mu = node.is_list() ? keep("friction", read_quantities(node), Vec())
                                  : Vec(Vec::Constant(1, keep("friction", read_quantity(node, Unit::plain), 0.0)));
    if (mu.size() == 0) return;
    const auto refuse = [&](const std::string& message) {
      node.error(message);
      unread_.insert("friction");
    };
    if (node.is_list() && mu.size() != 2) {
      refuse(fmt::format("must be a number, or two for orthotropic friction, but has {}", mu.size()));
    } else if ((mu.array() < 0).any()) {
      refuse(fmt::format("friction {:g} is negative", mu.minCoeff()));
    } else if (!has_tangent) {
      if (mu.maxCoeff() > 0) refuse("a contact with friction needs a tangent");
    } else if (has_stand_in("tangent")) {
      return;
    } else if (mu.size() == 2 && contact.tangent.rows() != 2) {
      refuse("two friction coefficients need two tangents");
    } else {
      contact.friction = mu.size() == 2 ? mu : Vec(Vec::Constant(contact.tangent.rows(), mu(0)));
    }
  }

  Clutch read_clutch() {
    Clutch clutch;
    clutch.direction = direction("direction");
    clutch.restitution = number("restitution", 0);
    return clutch;
  }

  Bilateral read_bilateral() { return {direction("direction")}; }

  MapReader map_;
  std::set<std::string> unread_;  // keys whose values are stand-ins
};

// Reads the elements; `places` gets one reader an element, for messages about them later.
bool read_elements(const Node& node, std::vector<Element>& elements, std::vector<ElementReader>& places) {
  bool good = node.is_list();
  std::set<std::string> names;
  const std::vector<Node> items = node.items();
  if (items.size() > most_elements) {
    node.error(
        fmt::format("{} elements are too many for a raw impact problem (at most {})", items.size(), most_elements));
    return false;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    ElementReader reader(items[i]);
    const auto element = reader.read(i);
    good = good && element && reader.good();
    if (const std::string name = reader.name(i); !name.empty() && !names.insert(name).second) {
      items[i].error(fmt::format("the name '{}' is taken by an element above", name));
      good = false;
    }
    if (!element) continue;
    elements.push_back(*element);
    places.push_back(reader);
  }
  return good;
}

// The defects of the data. Keys in `stand_ins` could not be read: nothing is said of the values in their place.
std::vector<Defect> check_problem(const ImpactFile& file, const std::set<std::string>& stand_ins, MapReader& impact,
                                  const std::vector<ElementReader>& places, Diagnostics& diagnostics) {
  std::vector<Defect> defects = ImpactProblem::defects(file.mass, file.velocity, file.elements);
  for (const Defect& defect : defects) {
    if (defect.element ? places[*defect.element].has_stand_in(defect.key) : stand_ins.count(defect.key) > 0) continue;
    if (defect.element) {
      const MapReader& map = places[*defect.element].map();
      diagnostics.error(map.place_of(defect.key), "impact.elements." + file.elements[*defect.element].name,
                        defect.message);
    } else {
      diagnostics.error(impact.place_of(defect.key), "impact." + defect.key, defect.message);
    }
  }
  return defects;
}

void check_laws(const ImpactFile& file, const std::vector<std::string>& laws, const std::vector<ElementReader>& places,
                const std::optional<Node>& law, const ImpactProblem* problem, Diagnostics& diagnostics) {
  std::vector<LawChoice> choices;
  for (const std::string& name : laws) {
    if (find_law(name)) choices.push_back(file.law && file.law->type == name ? *file.law : LawChoice{name, {}});
  }
  if (laws.empty() && file.law) choices.push_back(*file.law);
  std::vector<Element> elements;  // those whose coefficients could be read, and their places
  std::vector<const ElementReader*> readers;
  for (std::size_t i = 0; i < file.elements.size(); ++i) {
    if (places[i].has_stand_in("restitution") || places[i].has_stand_in("tangential_restitution")) continue;
    elements.push_back(file.elements[i]);
    readers.push_back(&places[i]);
  }
  if (elements.size() < file.elements.size()) problem = nullptr;  // it has them all
  for (const LawChoice& choice : choices) {
    for (const LawComplaint& complaint : check_data(choice, elements, problem)) {
      if (complaint.element && readers[*complaint.element]->has_stand_in(complaint.key)) continue;
      const Place place = complaint.element ? readers[*complaint.element]->map().place_of(complaint.key)
                                            : place_in_law(law, complaint.key);
      const std::string path =
          complaint.element ? "impact.elements." + elements[*complaint.element].name : "law." + complaint.key;
      if (complaint.warning) {
        diagnostics.warning(place, path, complaint.message);
      } else {
        diagnostics.error(place, path, complaint.message);
      }
    }
  }
}

// What laws can be asked about: what acts on what can be told without a velocity.
std::optional<ImpactProblem> problem_for_laws(const ImpactFile& file, bool has_velocity,
                                              const std::vector<Defect>& defects) {
  const bool only_velocity = std::all_of(
      defects.begin(), defects.end(), [](const Defect& defect) { return !defect.element && defect.key == "velocity"; });
  if (!only_velocity || file.elements.empty()) return std::nullopt;
  if (has_velocity && defects.empty()) return ImpactProblem(file.mass, file.velocity, file.elements);
  return ImpactProblem(file.mass, Vec::Zero(file.mass.rows()), file.elements);
}

// A given order of collisions names contacts, also in a law with other mistakes.
void check_order(const ImpactFile& file, const Node& law) {
  if (!law.is_map()) return;
  MapReader map(law);
  const auto type = map.get("type"), order = map.get("order");
  const LawEntry* entry = type && type->is_scalar() ? find_law(type->text()) : nullptr;
  if (!entry || entry->default_each.empty() || !order || !order->is_list()) return;
  std::vector<std::string> contacts;
  for (const Element& element : file.elements) {
    if (element.contact()) contacts.push_back(element.name);
  }
  for (const Node& item : order->items()) {
    if (!item.is_scalar()) continue;
    const std::string& name = item.text();
    if (std::find(contacts.begin(), contacts.end(), name) == contacts.end())
      item.error(fmt::format("order names '{}', which is not a contact{}", name, suggestion(name, contacts)));
  }
}

// Mass, velocity and elements; the parts that could be read are checked even if others could not.
void read_problem(const Node& node, ImpactFile& file, const std::vector<std::string>& laws,
                  const std::optional<Node>& law, Diagnostics& diagnostics) {
  MapReader impact(node);
  if (!node.is_map()) return;
  const auto mass_node = impact.require("mass");
  const auto velocity_node = impact.require("velocity");
  const auto elements_node = impact.require("elements");
  const auto mass = mass_node ? read_quantity_rows(*mass_node) : std::nullopt;
  const auto velocity = velocity_node ? read_quantities(*velocity_node) : std::nullopt;
  std::vector<ElementReader> places;
  const bool elements_good = elements_node && read_elements(*elements_node, file.elements, places);
  impact.finish();
  if (elements_good && file.elements.empty()) elements_node->error("there are no elements: nothing can collide");
  if (!mass && !velocity) return;
  // If one of the two could not be read, a stand-in of its size lets the elements be checked all the same.
  file.mass = mass ? *mass : Mat(Mat::Identity(velocity->size(), velocity->size()));
  file.velocity = velocity ? *velocity : Vec(Vec::Zero(mass->rows()));
  std::set<std::string> stand_ins;
  if (!mass) stand_ins = {"mass", "velocity"};  // whether a velocity is admissible depends on the mass
  if (!velocity) stand_ins.insert("velocity");
  // One that could not be read has a length all the same.
  if (!velocity && velocity_node && velocity_node->is_list() && std::ssize(velocity_node->items()) != mass->rows())
    velocity_node->error(fmt::format("the velocity has {} numbers, the mass matrix {} rows",
                                     velocity_node->items().size(), mass->rows()));
  const std::vector<Defect> defects = check_problem(file, stand_ins, impact, places, diagnostics);
  const bool all_elements = elements_node && elements_node->is_list() && places.size() == elements_node->items().size();
  const auto problem = mass && all_elements ? problem_for_laws(file, velocity.has_value(), defects) : std::nullopt;
  check_laws(file, laws, places, law, problem ? &*problem : nullptr, diagnostics);
}

}  // namespace

ImpactFile read_impact_problem(const Node& node) {
  ImpactFile file;
  read_problem(node, file, {}, std::nullopt, node.diagnostics());
  return file;
}

ImpactFile read_impact_file(const std::string& path, const std::vector<Setting>& overrides,
                            const std::vector<std::string>& laws) {
  const Document document = Document::from_file(path, overrides);
  if (laws.empty() && document.root().is_map() && !MapReader(document.root()).has("law"))
    document.diagnostics().error({}, "",
                                 "no law: add 'law: NAME' to the file, or --law NAME (--law all for every law)");
  return read_impact_file(document, laws);
}

ImpactFile read_impact_file(const Document& document, const std::vector<std::string>& laws) {
  require_kind(document, FileKind::impact);
  Diagnostics& diagnostics = document.diagnostics();
  MapReader root(document.root());
  ImpactFile file;
  file.scene = std::filesystem::path(diagnostics.file()).stem().string();
  if (const auto scene = root.get("scene")) file.scene = scene->name().value_or(file.scene);
  if (const auto about = root.get("about")) file.about = about->word().value_or("");
  if (const auto law = root.get("law")) {
    file.law = read_law(*law);
    file.law_place = diagnostics.text_of(place_in_law(law, "type"));
  }
  if (const auto node = root.require("impact", "a raw impact problem has mass, velocity and elements under it")) {
    read_problem(*node, file, laws, root.get("law"), diagnostics);
  }
  if (const auto law = root.get("law")) check_order(file, *law);
  root.finish();
  diagnostics.throw_if_bad();
  file.warnings = diagnostics.warnings();
  return file;
}

ImpactProblem impact_problem(const ImpactFile& file) {
  return file.drives.empty() ? ImpactProblem(file.mass, file.velocity, file.elements)
                             : ImpactProblem::on_manifold(file.mass, file.velocity, file.elements);
}

}  // namespace carom
