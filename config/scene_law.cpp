#include "config/scene_law.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "config/law_file.h"
#include "config/scene_impact.h"
#include "engine/disjoint_sets.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr Index most_coordinates = 300;     // in the impact problems that are looked at, which are dense
constexpr std::size_t most_contacts = 100;  // so many of them

// Elements as the law sees them, without directions, and where each is given.
struct LawData {
  std::vector<Element> elements;
  std::vector<Origin> origins;
  std::vector<CoefficientPlaces> places;

  void add_contact(const std::string& name, const ContactCoefficients& from, const Origin& origin,
                   const CoefficientPlaces& given) {
    Contact contact;
    contact.restitution = from.restitution;
    contact.tangential_restitution = from.tangential_restitution;
    contact.friction = from.friction;
    elements.push_back({name, contact});
    origins.push_back(origin);
    places.push_back(given);
  }
  void add_clutch(const std::string& name, double restitution, const Origin& origin, const Place& given) {
    elements.push_back({name, Clutch{Vec(), restitution}});
    origins.push_back(origin);
    places.emplace_back().restitution = given;
  }

  Place place_of(std::size_t element, const std::string& key) {
    const Place* given = places[element].find(key);
    return given && given->is_known() ? *given : origins[element].place;
  }
};

// A restitution that could not be read is that of the other contacts, and large enough for what else a law asks.
ContactCoefficients with_harmless_restitution(const ContactDraft& made, const SceneDraft& draft) {
  ContactCoefficients coefficients = made.contact.coefficients;
  if (made.restitution_is_read) return coefficients;
  const auto read = std::find_if(draft.contacts.begin(), draft.contacts.end(),
                                 [](const ContactDraft& other) { return other.restitution_is_read; });
  const double common = read == draft.contacts.end() ? 0 : read->contact.coefficients.restitution;
  coefficients.restitution = std::max(common, coefficients.tangential_restitution);
  return coefficients;
}

LawData parts_of(const SceneDraft& draft) {
  LawData data;
  for (const ContactDraft& contact : draft.contacts)
    data.add_contact(contact.contact.name, with_harmless_restitution(contact, draft), contact.origin, contact.places);
  for (const ClutchDraft& clutch : draft.clutches)
    data.add_clutch(clutch.clutch.name, clutch.clutch.restitution, clutch.origin, clutch.restitution);
  return data;
}

void add_found_contacts(const Assembly& assembly, const SceneDraft& draft, LawData& data) {
  for (const auto& [i, j] : assembly.meeting_materials()) {
    const BodyDescription &a = draft.body(i), &b = draft.body(j);
    const GivenCoefficients given = coefficients_between(draft, a.material, b.material);
    data.add_contact(a.name + "-" + b.name, given.values, {draft.collide_place, "collide"}, given.places);
  }
}

void add_contacts_of_model(const System& system, const Vec& q, const Origin& model, const CoefficientPlaces& places,
                           LawData& data) {
  Contacts contacts;
  system.contacts(q, Vec::Zero(static_cast<Index>(system.velocities().size())), 0, contacts);
  for (const ContactPoint& point : contacts.points)
    data.add_contact(system.contact_name(point.key), *point.coefficients, model, places);
}

// The file was good before an option gave it another law.
Place place_of_misfit(const GivenLaw& law, const Place& of_coefficient) {
  return law.place.option > 0 && of_coefficient.option == 0 ? law.place : of_coefficient;
}

// Elements from `first` on. What a law says of itself depends on which contacts meet, and is left to the impacts. A key
// that many contacts share is told once.
void tell(const GivenLaw& law, LawData data, std::size_t first, Diagnostics& diagnostics) {
  if (law.law.type.empty()) return;  // told where it is read
  std::set<std::pair<Place, std::string>> told;
  for (const LawComplaint& complaint : check_data(law.law, data.elements, nullptr)) {
    if (!complaint.element || *complaint.element < first) continue;
    const Place given = data.place_of(*complaint.element, complaint.key);
    if (!told.emplace(given, complaint.key).second) continue;
    const Place place = place_of_misfit(law, given);
    const std::string& path = data.origins[*complaint.element].path;
    if (complaint.warning) {
      diagnostics.warning(place, path, complaint.message);
    } else {
      diagnostics.error(place, path, complaint.message);
    }
  }
}

std::vector<std::string> named_contacts_at(const System& system, const Vec& q) {
  Contacts contacts;
  system.contacts(q, Vec::Zero(static_cast<Index>(system.velocities().size())), 0, contacts);
  std::vector<std::string> names;
  for (const ContactPoint& point : contacts.points) {
    if (point.key < system.named_contacts() && names.size() < most_contacts)
      names.push_back(system.contact_name(point.key));
  }
  return names;
}

}  // namespace

void check_law_of_parts(const GivenLaw& law, const SceneDraft& draft, Diagnostics& diagnostics) {
  tell(law, parts_of(draft), 0, diagnostics);
}

void check_law_of_found_contacts(const GivenLaw& law, const Assembly& assembly, const SceneDraft& draft,
                                 Diagnostics& diagnostics) {
  LawData data = parts_of(draft);
  const std::size_t named = data.elements.size();
  add_found_contacts(assembly, draft, data);
  tell(law, std::move(data), named, diagnostics);
}

void check_law_of_model(const GivenLaw& law, const System& system, const Vec& q, SpecReader& root,
                        Diagnostics& diagnostics) {
  const Node node = *root.get("model");
  const Origin model = {root.place_of("model"), "model"};
  CoefficientPlaces places;
  for (const KeySpec& key : map_spec("coefficients").keys) {
    if (node.is_map() && MapReader(node).has(key.name)) *places.find(key.name) = MapReader(node).place_of(key.name);
  }
  LawData data;
  add_contacts_of_model(system, q, model, places, data);
  Clutches clutches;
  system.clutches(q, clutches);
  for (Index i = 0; i < clutches.W.count(); ++i)
    data.add_clutch(system.clutch_name(i), clutches.restitution[static_cast<std::size_t>(i)], model, {});
  tell(law, std::move(data), 0, diagnostics);
}

void check_law_of_clutches(const GivenLaw& law, const Scene& scene, const SceneDraft& draft, Diagnostics& diagnostics) {
  const bool driven = std::any_of(draft.joints.begin(), draft.joints.end(),
                                  [](const JointDraft& joint) { return joint.joint.kind == Joint::Kind::motion; });
  if (draft.clutches.empty() || driven || scene.u.size() > most_coordinates) return;
  const Vec at_rest = Vec::Zero(scene.u.size());
  std::set<std::string> told;
  for (const std::string& contact : named_contacts_at(*scene.system, scene.q)) {
    const ImpactFile impact = impact_at(scene, 0, scene.q, at_rest, {contact}, diagnostics.file());
    const ImpactProblem problem = impact_problem(impact);
    for (const LawComplaint& complaint : check_data(law.law, impact.elements, &problem)) {
      if (!complaint.element || complaint.warning || !impact.elements[*complaint.element].clutch()) continue;
      const std::string& name = impact.elements[*complaint.element].name;
      const auto clutch = std::find_if(draft.clutches.begin(), draft.clutches.end(),
                                       [&](const ClutchDraft& given) { return given.clutch.name == name; });
      if (clutch == draft.clutches.end() || !told.insert(name).second) continue;
      diagnostics.error(place_of_misfit(law, clutch->origin.place), clutch->origin.path, complaint.message);
    }
  }
}

LawChoice law_of_run(const Scene& scene) {
  LawChoice law = scene.law;
  if (scene.shared_restitution) law.parameters.set("restitution", *scene.shared_restitution);
  return law;
}

std::optional<double> shared_restitution(const Scene& scene, const SceneDraft& draft) {
  const std::vector<ParameterSpec>& own = find_law(scene.law.type)->parameters;
  const bool has_one =
      std::any_of(own.begin(), own.end(), [](const ParameterSpec& spec) { return spec.name == "restitution"; });
  if (!has_one || scene.law.parameters.has("restitution")) return std::nullopt;
  LawData data = parts_of(draft);
  if (const auto* assembly = dynamic_cast<const Assembly*>(scene.system.get())) {
    if (draft.collide) add_found_contacts(*assembly, draft, data);
  } else {
    add_contacts_of_model(*scene.system, scene.q, {}, {}, data);
  }
  std::optional<double> shared;
  for (const Element& element : data.elements) {
    const Contact* contact = element.contact();
    if (!contact) continue;
    if (shared && *shared != contact->restitution) return std::nullopt;
    shared = contact->restitution;
  }
  return shared;
}

namespace {

// What one step would ask a law about: bodies that act on each other, and nothing else.
struct PartOfImpact {
  Mat mass;
  Vec velocity;
  std::vector<Element> elements;
  bool approaches = false;
};

// Rows of an element, one below the other.
Mat directions_of(const Element& element) {
  if (const Contact* contact = element.contact()) {
    Mat rows(1 + contact->tangent.rows(), contact->normal.size());
    rows << contact->normal.transpose(), contact->tangent;
    return rows;
  }
  return element.clutch() ? element.clutch()->direction.transpose() : element.bilateral()->direction.transpose();
}

Element along(const Element& element, const std::vector<Index>& coordinates) {
  Element part = element;
  if (Contact* contact = std::get_if<Contact>(&part.kind)) {
    contact->normal = Vec(contact->normal(coordinates));
    contact->tangent = Mat(contact->tangent(Eigen::all, coordinates));
  } else if (Clutch* clutch = std::get_if<Clutch>(&part.kind)) {
    clutch->direction = Vec(clutch->direction(coordinates));
  } else if (Bilateral* bilateral = std::get_if<Bilateral>(&part.kind)) {
    bilateral->direction = Vec(bilateral->direction(coordinates));
  }
  return part;
}

std::vector<PartOfImpact> parts_of_impact(const ImpactFile& impact) {
  const Index n = impact.velocity.size();
  DisjointSets sets(n);
  const auto join_touched = [&](const Mat& rows) {
    Index first = -1;
    for (Index i = 0; i < n; ++i) {
      if (rows.col(i).isZero(0)) continue;
      if (first < 0) first = i;
      sets.join(first, i);
    }
    return first;
  };
  for (Index i = 0; i < n; ++i) join_touched(impact.mass.row(i));
  std::vector<Index> touched;  // one coordinate of each element
  for (const Element& element : impact.elements) touched.push_back(join_touched(directions_of(element)));
  std::map<Index, std::vector<Index>> coordinates;
  for (Index i = 0; i < n; ++i) coordinates[sets.root(i)].push_back(i);
  std::vector<PartOfImpact> parts;
  for (const auto& [root, own] : coordinates) {
    PartOfImpact part{impact.mass(own, own), impact.velocity(own), {}};
    for (std::size_t e = 0; e < impact.elements.size(); ++e) {
      if (touched[e] < 0 || sets.root(touched[e]) != root) continue;
      part.elements.push_back(along(impact.elements[e], own));
      const bool is_unilateral = !impact.elements[e].bilateral();
      part.approaches =
          part.approaches || (is_unilateral && directions_of(part.elements.back()).row(0).dot(part.velocity) < 0);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

void check_law_of_initial_impact(const Scene& scene, SpecReader& root, Diagnostics& diagnostics) {
  const auto law = root.get("law");
  if (!law || scene.u.size() > most_coordinates) return;
  if (!find_law(law_of_each(scene.law).type)->check) return;  // it has nothing to say
  const auto impact = closed_contacts_at(scene, 0, scene.q, scene.u, diagnostics.file());
  if (!impact) return;
  std::set<std::string> told;
  for (const PartOfImpact& part : parts_of_impact(*impact)) {
    if (!part.approaches) continue;
    const ImpactProblem problem = ImpactProblem::on_manifold(part.mass, part.velocity, part.elements);
    for (const LawComplaint& complaint : check_data(scene.law, part.elements, &problem)) {
      if (complaint.element || complaint.warning || !told.insert(complaint.message).second) continue;
      diagnostics.error(place_in_law(law, complaint.key), "law." + complaint.key, complaint.message);
    }
  }
}

}  // namespace carom
