#include "config/impact_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <variant>

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
  bool may_be_contact() {
    const auto kind = map_.get("kind");
    return !kind || !kind->is_scalar() || (kind->text() != "clutch" && kind->text() != "bilateral");
  }
  bool good() const { return unread_.empty(); }
  bool has_stand_in(const std::string& key) const { return unread_.count(key) > 0 || map_.is_misspelt(key); }

 private:
  // Without its kind an element cannot be read, but what is wrong with its keys and values can still be named.
  std::optional<Element> unknown_kind() {
    for (const char* key : {"normal", "direction"})
      if (const auto node = map_.get(key)) read_quantities(*node);
    for (const char* key : {"restitution", "tangential_restitution", "stiffness"}) number(key, 0);
    if (const auto tangent = map_.get("tangent")) read_tangents(*tangent);
    if (const auto friction = map_.get("friction")) read_friction(*friction);
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
    if (const auto friction = map_.get("friction")) put_friction(*friction, contact);
    return contact;
  }

  // μ, or [μ1, μ2]. Where it cannot be read it is some all the same: what a law asks of the contact beside it is looked
  // at.
  Vec read_friction(const Node& node) {
    const Vec some = Vec::Ones(1);
    const Vec mu = node.is_list() ? keep("friction", read_quantities(node), some)
                                  : Vec(Vec::Constant(1, keep("friction", read_quantity(node, Unit::plain), 1.0)));
    if (node.is_list() && node.items().size() != 2) {
      refuse_friction(
          node, fmt::format("must be a number, or two for orthotropic friction, but has {}", node.items().size()));
    } else if ((mu.array() < 0).any()) {
      refuse_friction(node, fmt::format("friction {:g} is negative; a coefficient is at least 0", mu.minCoeff()));
    }
    return has_stand_in("friction") ? some : mu;
  }

  void refuse_friction(const Node& node, const std::string& message) {
    node.error(message);
    unread_.insert("friction");
  }

  void put_friction(const Node& node, Contact& contact) {
    const Vec mu = read_friction(node);
    const bool has_tangent = map_.has("tangent");
    if (!has_tangent && mu.isZero(0)) return;
    if (!has_tangent) {
      map_.need({"tangent"}, "a contact with friction needs a tangent", node);
      unread_.insert("tangent");
    }
    if (has_stand_in("tangent")) {
      contact.tangent = Mat::Zero(mu.size(), contact.normal.size());
    } else if (mu.size() == 2 && contact.tangent.rows() != 2) {
      refuse_friction(node, "two friction coefficients need two tangents, which are a list of two rows");
    }
    contact.friction = mu.size() == contact.tangent.rows() ? mu : Vec(Vec::Constant(contact.tangent.rows(), mu(0)));
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
      node.diagnostics().error(reader.map().place_of("name"), items[i].path(),
                               fmt::format("the name '{}' is taken by an element above; give this one another", name));
      good = false;
    }
    if (!element) continue;
    elements.push_back(*element);
    places.push_back(reader);
  }
  return good;
}

// Of elements whose directions are wrong the others are told apart: whether the velocity fits them is another question.
std::vector<Defect> defects_of(const ImpactFile& file) {
  std::vector<Defect> defects = ImpactProblem::defects(file.mass, file.velocity, file.elements);
  std::set<std::size_t> bad;
  for (const Defect& defect : defects) {
    if (!defect.element) return defects;
    bad.insert(*defect.element);
  }
  if (bad.empty()) return defects;
  std::vector<Element> good;
  for (std::size_t i = 0; i < file.elements.size(); ++i)
    if (bad.count(i) == 0) good.push_back(file.elements[i]);
  for (const Defect& defect : ImpactProblem::defects(file.mass, file.velocity, good))
    if (!defect.element) defects.push_back(defect);
  return defects;
}

// The defects of the data. Keys in `stand_ins` could not be read: nothing is said of the values in their place.
void check_problem(const ImpactFile& file, const std::set<std::string>& stand_ins, MapReader& impact,
                   const std::vector<ElementReader>& places, Diagnostics& diagnostics) {
  for (const Defect& defect : defects_of(file)) {
    if (defect.element ? places[*defect.element].has_stand_in(defect.key) : stand_ins.count(defect.key) > 0) continue;
    if (defect.element) {
      const MapReader& map = places[*defect.element].map();
      diagnostics.error(map.place_of(defect.key), "impact.elements." + file.elements[*defect.element].name,
                        defect.message);
    } else {
      diagnostics.error(impact.place_of(defect.key), "impact." + defect.key, defect.message);
    }
  }
}

// What a law asks of coefficients depends on others: one that could not be read is what a readable one beside it is, or
// the same of another contact.
std::vector<Element> with_harmless_stand_ins(std::vector<Element> elements, const std::vector<ElementReader>& places) {
  double common = 0;
  for (std::size_t i = elements.size(); i-- > 0;)
    if (elements[i].contact() && !places[i].has_stand_in("restitution")) common = elements[i].contact()->restitution;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Contact* const contact = std::get_if<Contact>(&elements[i].kind);
    if (contact && places[i].has_stand_in("restitution"))
      contact->restitution = std::max(common, contact->tangential_restitution);
    if (contact && places[i].has_stand_in("friction") && contact->friction.isZero(0)) contact->friction = Vec::Ones(1);
  }
  return elements;
}

// What acts on what is told by the normals: friction along directions that could not be read is left out.
std::vector<Element> without_unread_tangents(std::vector<Element> elements, const std::vector<ElementReader>& places) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Contact* const contact = std::get_if<Contact>(&elements[i].kind);
    if (!contact || !places[i].has_stand_in("tangent")) continue;
    contact->tangent.resize(0, contact->normal.size());
    contact->friction.resize(0);
  }
  return elements;
}

// Of data with stand-ins the problem is asked about by itself: it may have less friction.
std::vector<LawComplaint> complaints_of(const LawChoice& choice, const std::vector<Element>& elements, bool all_read,
                                        const ImpactProblem* problem) {
  std::vector<LawComplaint> complaints = check_data(choice, elements, all_read ? problem : nullptr);
  if (all_read || !problem) return complaints;
  for (LawComplaint& complaint : check_data(choice, problem->elements(), problem))
    complaints.push_back(std::move(complaint));
  return complaints;
}

std::vector<LawChoice> laws_to_check(const ImpactFile& file, const std::vector<std::string>& named) {
  std::vector<LawChoice> choices;
  for (const std::string& name : named) {
    if (find_law(name)) choices.push_back(file.law && file.law->type == name ? *file.law : LawChoice{name, {}});
  }
  if (named.empty() && file.law) choices.push_back(*file.law);
  return choices;
}

// The law of the file, if it has one, and whether that could be read without mistakes.
struct LawOfFile {
  std::optional<Node> node;
  bool is_read = true;
};

void check_laws(const ImpactFile& file, const std::vector<std::string>& laws, const std::vector<ElementReader>& places,
                const LawOfFile& law, const ImpactProblem* problem, Diagnostics& diagnostics) {
  const std::vector<Element> elements = with_harmless_stand_ins(file.elements, places);
  const bool all_read = std::all_of(places.begin(), places.end(), [](const auto& reader) { return reader.good(); });
  for (const LawChoice& choice : laws_to_check(file, laws)) {
    for (const LawComplaint& complaint : complaints_of(choice, elements, all_read, problem)) {
      if (complaint.element ? places[*complaint.element].has_stand_in(complaint.key) : !law.is_read) continue;
      const Place place = complaint.element ? places[*complaint.element].map().place_of(complaint.key)
                                            : place_in_law(law.node, complaint.key);
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
std::optional<ImpactProblem> problem_for_laws(const ImpactFile& file, const std::vector<ElementReader>& places,
                                              bool has_velocity) {
  const std::vector<Element> elements = without_unread_tangents(with_harmless_stand_ins(file.elements, places), places);
  const std::vector<Defect> defects = ImpactProblem::defects(file.mass, file.velocity, elements);
  const bool only_velocity = std::all_of(
      defects.begin(), defects.end(), [](const Defect& defect) { return !defect.element && defect.key == "velocity"; });
  if (!only_velocity || elements.empty()) return std::nullopt;
  if (has_velocity && defects.empty()) return ImpactProblem(file.mass, file.velocity, elements);
  return ImpactProblem(file.mass, Vec::Zero(file.mass.rows()), elements);
}

// Also elements with mistakes are contacts, if they may be.
void check_order_of(const Node& elements, const Node& law) {
  std::vector<std::string> contacts;
  const std::vector<Node> items = elements.is_list() ? elements.items() : std::vector<Node>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    ElementReader reader(items[i]);
    if (items[i].is_map() && reader.may_be_contact()) contacts.push_back(reader.name(i));
  }
  check_order(law, contacts, [&](const std::string& name) {
    return std::find(contacts.begin(), contacts.end(), name) != contacts.end();
  });
}

// Mass, velocity and elements; the parts that could be read are checked even if others could not.
void read_problem(const Node& node, ImpactFile& file, const std::vector<std::string>& laws, const LawOfFile& law,
                  Diagnostics& diagnostics) {
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
  if (elements_node && law.node) check_order_of(*elements_node, *law.node);
  if (elements_good && file.elements.empty()) elements_node->error("there are no elements: nothing can collide");
  for (const ElementReader& reader : places)
    file.element_places.push_back(diagnostics.text_of(reader.map().place_of("name")));
  if (!mass && !velocity) return check_laws(file, laws, places, law, nullptr, diagnostics);
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
  check_problem(file, stand_ins, impact, places, diagnostics);
  const bool all_elements = elements_node && elements_node->is_list() && places.size() == elements_node->items().size();
  const auto problem = mass && all_elements ? problem_for_laws(file, places, velocity.has_value()) : std::nullopt;
  check_laws(file, laws, places, law, problem ? &*problem : nullptr, diagnostics);
}

}  // namespace

ImpactFile read_impact_problem(const Node& node) {
  ImpactFile file;
  read_problem(node, file, {}, {}, node.diagnostics());
  return file;
}

namespace {

ImpactFile read_document(const Document& document, const std::vector<std::string>& laws, bool needs_law) {
  require_kind(document, FileKind::impact);
  Diagnostics& diagnostics = document.diagnostics();
  MapReader root(document.root());
  ImpactFile file;
  file.scene = std::filesystem::path(diagnostics.file()).stem().string();
  if (const auto scene = root.get("scene")) file.scene = scene->name().value_or(file.scene);
  if (const auto about = root.get("about")) file.about = about->word().value_or("");
  LawOfFile given{root.get("law")};
  if (needs_law && !given.node)
    root.need({"law"}, "no law: add 'law: NAME' to the file, or --law NAME (--law all for every law)");
  if (const auto& law = given.node) {
    const std::size_t mistakes = diagnostics.error_count();
    file.law = read_law(*law);
    given.is_read = diagnostics.error_count() == mistakes;
    file.law_place = diagnostics.text_of(place_in_law(law, "type"));
  }
  if (const auto node = root.require("impact", "a raw impact problem has mass, velocity and elements under it")) {
    read_problem(*node, file, laws, given, diagnostics);
  }
  root.finish();
  diagnostics.throw_if_bad();
  file.warnings = diagnostics.warnings();
  return file;
}

}  // namespace

ImpactFile read_impact_file(const std::string& path, const std::vector<Setting>& overrides,
                            const std::vector<std::string>& laws) {
  return read_document(Document::from_file(path, overrides), laws, laws.empty());
}

ImpactFile read_impact_file(const Document& document, const std::vector<std::string>& laws) {
  return read_document(document, laws, false);
}

ImpactProblem impact_problem(const ImpactFile& file) {
  return file.drives.empty() ? ImpactProblem(file.mass, file.velocity, file.elements)
                             : ImpactProblem::on_manifold(file.mass, file.velocity, file.elements);
}

}  // namespace carom
