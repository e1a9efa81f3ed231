#include "config/scene.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "config/file_kind.h"
#include "config/initial_limits.h"
#include "config/law_file.h"
#include "config/scene_assembly.h"
#include "config/scene_draft.h"
#include "config/scene_initial.h"
#include "config/scene_law.h"
#include "config/scene_model.h"
#include "config/scene_motion.h"
#include "config/scene_names.h"
#include "config/scene_resolution.h"
#include "config/scene_settings.h"
#include "config/synonyms.h"
#include "engine/length_scale.h"
#include "engine/scheme.h"

namespace carom {

namespace {

constexpr std::size_t most_moves = 20;       // of --fix, the largest ones
constexpr std::size_t most_violations = 50;  // of an initial state, told one by one
// Half a unit of the last of five digits, as lengths are typed, relative to the size of the system.
constexpr double rounding_of_digits = 1e-5;

const std::vector<std::string> keys_of_an_assembly = {"gravity",  "defaults", "materials", "bodies", "joints",
                                                      "clutches", "forces",   "contacts",  "collide"};

// A sentence about `body 'x'`, `joint 'x'`, ...: where that part stands in the file.
Origin origin_of(const std::string& sentence, const SceneDraft& draft, const Origin& otherwise) {
  const std::size_t open = sentence.find('\'');
  const std::size_t close = open == std::string::npos ? open : sentence.find('\'', open + 1);
  if (close == std::string::npos) return otherwise;
  const std::string name = sentence.substr(open + 1, close - open - 1);
  // Rows of a joint and points of a contact have a part behind the dot.
  const auto is_meant = [&](const std::string& part) {
    return name == part || (name.rfind(part, 0) == 0 && name[part.size()] == '.');
  };
  const auto find_in = [&](const auto& parts, const auto& name_of) {
    const auto found =
        std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return is_meant(name_of(part)); });
    return found == parts.end() ? otherwise : found->origin;
  };
  const auto says = [&](const char* kind) { return sentence.rfind(kind, 0) == 0; };
  if (says("contact")) return find_in(draft.contacts, [](const ContactDraft& made) { return made.contact.name; });
  if (says("joint")) return find_in(draft.joints, [](const JointDraft& made) { return made.joint.name; });
  if (says("clutch")) return find_in(draft.clutches, [](const ClutchDraft& made) { return made.clutch.name; });
  if (says("spring")) return find_in(draft.springs, [](const SpringDraft& made) { return made.spring.name; });
  if (says("load")) return find_in(draft.loads, [](const LoadDraft& made) { return made.load.name; });
  return find_in(draft.bodies, [](const BodyDraft& made) { return made.body.name; });
}

class SceneReader {
 public:
  // `has_fix`: the command that reads has the option --fix, so that messages may name it.
  SceneReader(const Document& document, const std::string& stem, bool has_fix)
      : diagnostics_(document.diagnostics()), root_(document.root(), map_spec("scene")), has_fix_(has_fix) {
    scene_.name = stem;
  }

  Scene read(bool& projected, bool fix, bool goes_on = false) {
    fix_ = fix;
    goes_on_ = goes_on;
    read_settings(root_, scene_);
    const bool model = root_.has("model");
    if (model) {
      check_model_alone();
      make_model();
    } else if (root_.has("bodies")) {
      read_draft();
    } else {
      read_defaults();
      root_.need({"bodies", "model"}, "a scene has 'bodies' or a 'model'");
    }
    root_.finish();
    if (!model) check_law_of_parts(given_law(), draft_, diagnostics_);
    if (!model) check_motions(draft_, scene_.integrator, diagnostics_);
    if (model) read_initial_of_model();
    if (model && scene_.system) check_law_of_model(given_law(), *scene_.system, scene_.q, root_, diagnostics_);
    if (!diagnostics_.ok() && scene_.system) check_names();
    if (!diagnostics_.ok() && !model) look_at_names(root_, draft_);
    diagnostics_.throw_if_bad();
    if (!model) build_assembly();
    if (!diagnostics_.ok()) look_at_names(root_, draft_);
    diagnostics_.throw_if_bad();
    check_names();
    settle_initial_state(projected);
    diagnostics_.throw_if_bad();
    if (!model) check_law_of_clutches(given_law(), scene_, draft_, diagnostics_);
    check_law_of_initial_impact(scene_, root_, diagnostics_);
    check_scheme();
    diagnostics_.throw_if_bad();
    check_resolution(scene_, place_of_step(), diagnostics_);
    if (!model) warn_of_unused_materials(root_, draft_);
    scene_.shared_restitution = shared_restitution(scene_, draft_);
    scene_.warnings = diagnostics_.warnings();
    scene_.notes = diagnostics_.notes();
    return std::move(scene_);
  }

  // Of the positions of the scene that was read those that `initial` gives.
  Vec given_part(const Vec& q) const { return q.head(q.size() - following_); }

 private:
  Origin origin(const std::string& key) const { return {root_.place_of(key), key}; }

  GivenLaw given_law() {
    const auto law = root_.get("law");
    return {scene_.law, law && law->is_map() ? MapReader(*law).place_of("type") : root_.place_of("law")};
  }

  Place place_of_step() {
    const auto integrator = root_.get("integrator");
    return integrator ? MapReader(*integrator).place_of("step") : root_.place_of("integrator");
  }

  void check_scheme() {
    const SchemeEntry* const scheme = find_scheme(scene_.integrator.scheme);
    if (!scheme || !scheme->why_not) return;
    const std::string why = scheme->why_not(*scene_.system, scene_.q);
    if (why.empty()) return;
    const auto integrator = root_.get("integrator");
    diagnostics_.error(MapReader(*integrator).place_of("scheme"), "integrator.scheme", why);
  }

  void check_model_alone() {
    for (const std::string& key : keys_of_an_assembly) {
      if (!root_.has(key)) continue;
      root_.get(key);  // what it holds does not matter
      diagnostics_.error(root_.place_of(key), key, "does not go with a 'model', which brings its own (carom models)");
    }
  }

  void make_model() {
    const auto model = read_model(*root_.get("model"), scene_.common_restitution);
    if (!model) return;
    scene_.system = model->system;
    scene_.q = model->q;
    scene_.u = model->u;
  }

  void read_draft() {
    if (const auto gravity = root_.get("gravity")) read_gravity(*gravity);
    if (!root_.has("gravity")) draft_.planar = !is_spatial_by_misspelt_gravity();
    read_defaults();
    const auto part = [&](const char* key, void (*read_part)(const Node&, SceneDraft&)) {
      if (const auto node = root_.get(key)) read_part(*node, draft_);
    };
    part("materials", read_materials);
    part("bodies", read_bodies);
    part("initial", read_initial_poses);
    part("joints", read_joints);
    part("clutches", read_clutches);
    part("forces", read_forces);
    part("contacts", read_contacts);
    part("collide", read_collide);
    if (root_.has("bodies") && !root_.has("collide") && !root_.has("contacts") && diagnostics_.ok())
      tell_of_shapes_that_pass(*root_.get("bodies"), draft_);
    if (scene_.common_restitution) set_restitution(*scene_.common_restitution);
  }

  // Told as a misspelt key, it makes the scene what it is all the same.
  bool is_spatial_by_misspelt_gravity() const {
    const auto entries = root_.node().entries();
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return !root_.knows(entry.first) && meant_key(entry.first, {"gravity"}) == "gravity" && entry.second.is_list() &&
             entry.second.items().size() == 3;
    });
  }

  // Its size counts also if one of the numbers is a mistake.
  void read_gravity(const Node& gravity) {
    const auto g = read_quantities(gravity);
    const std::size_t size = gravity.is_list() ? gravity.items().size() : 2;
    const std::string comma = size == 3 ? hint_at_comma(gravity) : "";
    draft_.planar = size != 3 || !comma.empty();
    if (!comma.empty()) {
      gravity.error("has three numbers, as a spatial scene" + comma +
                    " (a blank behind the comma, if three are meant)");
    } else if (size != 2 && size != 3) {
      gravity.error(fmt::format("must have two numbers (a planar scene) or three (a spatial one), but has {}", size));
    } else if (g) {
      draft_.gravity.head(g->size()) = *g;
    }
  }

  void set_restitution(double epsilon) {
    const Place place = place_in_law(root_.get("law"), "restitution");
    draft_.default_coefficients.restitution = epsilon;
    draft_.default_places.restitution = place;
    for (ContactDraft& contact : draft_.contacts) {
      contact.contact.coefficients.restitution = epsilon;
      contact.places.restitution = place;
    }
    for (auto& material : draft_.materials) material.coefficients.restitution = epsilon;
    for (CoefficientPlaces& places : draft_.material_places) places.restitution = place;
  }

  void read_defaults() {
    const auto node = root_.get("defaults");
    if (!node) return;
    SpecReader map(*node, map_spec("defaults"));
    if (const auto body = map.get("body")) {
      SpecReader keys(*body, map_spec("body"));
      // Only unknown keys are mistakes here; which are needed is for each body to say.
      for (const auto& [key, value] : body->is_map() ? body->entries() : std::vector<std::pair<std::string, Node>>())
        if (!keys.knows(key) || key == "repeat")
          diagnostics_.error(MapReader(*body).place_of(key), body->path(),
                             fmt::format("no key '{}' that bodies can share{}", key, suggestion(key, body_keys())));
      draft_.body_defaults = *body;
    }
    if (const auto contact = map.get("contact")) {
      SpecReader keys(*contact, map_spec("coefficients"));
      const GivenCoefficients given = read_coefficients(keys, {}, draft_.planar);
      draft_.default_coefficients = given.values;
      draft_.default_places = given.places;
      keys.finish();
    }
    map.finish();
  }

  static std::vector<std::string> body_keys() {
    std::vector<std::string> names;
    for (const KeySpec& key : map_spec("body").keys) names.push_back(key.name);
    return names;
  }

  std::shared_ptr<const Assembly> assembly_of(const AssemblyDescription& description) {
    return make_assembly(description, [&](const std::string& sentence) {
      const Origin at = origin_of(sentence, draft_, origin("bodies"));
      diagnostics_.error(at.place, at.path, sentence);
    });
  }

  // Coordinates are those of the bodies alone. Lengths, anchors and velocities that follow from the initial pose follow
  // from the coordinates given, so bodies stand there before anything is put between them.
  void build_assembly() {
    const auto initial = root_.get("initial");
    const std::shared_ptr<const Assembly> bodies = initial ? bodies_alone() : nullptr;
    const bool moved = !initial || (bodies && move_to_coordinates(*initial, *bodies));
    const Vec given = scene_.q;
    const AssemblyDescription description = placed(draft_);
    const std::shared_ptr<const Assembly> assembly = assembly_of(description);
    if (!assembly || !moved) return;
    refuse_undirected_springs(*assembly, description.springs, draft_, diagnostics_);
    scene_.q = assembly->initial_positions();
    scene_.u = assembly->initial_velocities();
    if (initial) {
      Vec q = given;
      coordinates_ = read_initial_coordinates(*initial, draft_, *bodies, q, scene_.u);
      if (coordinates_.any_position()) scene_.q.head(given.size()) = given;
    }
    scene_.system = assembly;
    following_ = scene_.q.size() - assembly->positions_of_bodies();
    if (draft_.collide) check_law_of_found_contacts(given_law(), *assembly, draft_, diagnostics_);
  }

  std::shared_ptr<const Assembly> bodies_alone() {
    AssemblyDescription bodies = placed(draft_);
    bodies.joints.clear();
    bodies.clutches.clear();
    bodies.springs.clear();
    bodies.loads.clear();
    bodies.contacts.clear();
    bodies.collide.reset();
    return assembly_of(bodies);
  }

  // False if there are mistakes.
  bool move_to_coordinates(const Node& initial, const Assembly& bodies) {
    scene_.q = bodies.initial_positions();
    scene_.u = bodies.initial_velocities();
    const GivenCoordinates given = read_initial_coordinates(initial, draft_, bodies, scene_.q, scene_.u);
    if (!fix_) warn_of_contradictions(initial, draft_, bodies, given, scene_.q, scene_.u);
    if (given.any_position()) {
      check_quaternions(bodies, initial);
      if (diagnostics_.ok()) move_bodies(bodies);
    }
    return diagnostics_.ok();
  }

  void check_quaternions(const Assembly& assembly, const Node& initial) {
    const std::vector<Coordinate> names = assembly.positions();
    for (const Index first : quaternions_in(names)) {
      const auto i = static_cast<std::size_t>(first);
      auto quaternion = scene_.q.segment(first, 4);
      const double length = quaternion.norm();
      if (!(std::abs(length - 1) <= 1e-6)) {
        initial.error(fmt::format("{} … {} is no unit quaternion: its length is {:g}; divide them by it", names[i].name,
                                  names[i + 3].name, length));
        return;
      }
      if (std::abs(length - 1) > 1e-14) quaternion /= length;
    }
  }

  void move_bodies(const Assembly& assembly) {
    std::vector<double> pose(7);
    for (std::size_t i = 0; i < draft_.bodies.size(); ++i) {
      BodyDraft& body = draft_.bodies[i];
      if (body.body.fixed) continue;
      assembly.pose(scene_.q, static_cast<Index>(i), pose.data());
      body.body.position = draft_.planar ? Vec3(pose[0], pose[1], 0) : Vec3(pose[0], pose[1], pose[2]);
      body.body.angle = draft_.planar ? pose[2] : 0;
      if (!draft_.planar) body.body.orientation = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]);
      body.stands = true;
    }
  }

  void read_initial_of_model() {
    const auto initial = root_.get("initial");
    if (initial && scene_.system)
      coordinates_ = read_initial_coordinates(*initial, draft_, *scene_.system, scene_.q, scene_.u);
  }

  void check_names() {
    const std::vector<std::string> points = points_of_contacts(*scene_.system);
    const auto is_point = [&](const std::string& name) {
      return std::find(points.begin(), points.end(), name) != points.end();
    };
    const auto chooses = [&](const std::string& name) {
      return std::any_of(points.begin(), points.end(), [&](const auto& point) { return is_part_of(point, name); });
    };
    check_contact_names(root_, {points, chooses, is_point, draft_.collide.has_value()});
    // A contact of several points is chosen by its name, or point by point.
    std::vector<std::string> selected;
    for (const std::string& name : scene_.output.contact_names)
      std::copy_if(points.begin(), points.end(), std::back_inserter(selected),
                   [&](const std::string& point) { return is_part_of(point, name); });
    scene_.output.contact_names = selected;
  }

  bool has_finite_energy() const {
    MassMatrix M;
    scene_.system->mass(scene_.q, M);
    return std::isfinite(M.kinetic_energy(scene_.u)) && std::isfinite(scene_.system->potential(0, scene_.q));
  }

  void settle_initial_state(bool& projected) {
    const System& system = *scene_.system;
    const Origin parts = origin(root_.has("model") ? "model" : "bodies");
    const Origin otherwise = root_.has("initial") ? origin("initial") : parts;
    refuse_masses_out_of_range(scene_, draft_, parts, diagnostics_);
    refuse_coordinates_without_digits(scene_, draft_, coordinates_, origin("initial"), otherwise, diagnostics_);
    if (!diagnostics_.ok()) return;
    if (!has_finite_energy()) {
      diagnostics_.error(otherwise.place, otherwise.path,
                         "the initial state has no finite energy: a position or velocity is too large");
      return;
    }
    scene_.integrator.size = size_of(system, scene_.q);
    std::vector<std::string> violations = initial_violations(system, scene_.q, scene_.u);
    const std::vector<std::string> slight =
        violations.empty() && !goes_on_ ? slight_penetrations() : std::vector<std::string>();
    if (fix_ && !(violations.empty() && slight.empty())) {
      projected = project(otherwise);
      if (projected) return;
      violations.insert(violations.begin(), "--fix found no state near this one that meets joints and contacts");
    }
    if (violations.empty() || !slight.empty()) return take_as_given(slight, otherwise);
    if (!fix_)
      for (std::string& violation : violations) violation += fmt::format(" initially ({})", way_out());
    tell(violations, otherwise);
  }

  bool project(const Origin& otherwise) {
    const Vec q = scene_.q, u = scene_.u;
    const System& system = *scene_.system;
    const Projection projection =
        project_initial_state(system, scene_.q, scene_.u, given_state(draft_, coordinates_, system));
    if (projection == Projection::impossible) return false;
    const char* unmoved = projection == Projection::of_the_rest ? "; what the scene gives stays as it is" : "";
    diagnostics_.note(otherwise.place, otherwise.path, "--fix moved " + largest_moves(q, u) + unmoved);
    return true;
  }

  void take_as_given(const std::vector<std::string>& slight_penetrations, const Origin& otherwise) {
    for (const std::string& sentence : slight_penetrations) {
      const Origin at = origin_of(sentence, draft_, otherwise);
      diagnostics_.warning(at.place, at.path, sentence);
    }
    if (!close_joints(*scene_.system, scene_.q, scene_.u))
      diagnostics_.error(
          otherwise.place, otherwise.path,
          "the joints cannot be closed from this initial state; give positions and angles that are nearer to them");
  }

  const char* way_out() const {
    return has_fix_ ? "--fix projects the state onto joints and contacts"
                    : "'carom simulate SCENE --fix' finds a state that meets joints and contacts; put the 'initial' "
                      "that 'carom inspect RUN.h5 --scene' shows into the scene";
  }

  // Less than what is refused, but more than what rounding of typed digits explains.
  std::vector<std::string> slight_penetrations() const {
    Contacts contacts;
    scene_.system->contacts(scene_.q, scene_.u, 0, contacts);
    std::vector<std::string> sentences;
    for (const ContactPoint& point : contacts.points) {
      if (point.gap < -rounding_of_digits * scene_.integrator.size && sentences.size() < most_violations)
        sentences.push_back(fmt::format("contact '{}' penetrates by {:.4g} m initially, and counts as closed ({})",
                                        scene_.system->contact_name(point.key), -point.gap, way_out()));
    }
    return sentences;
  }

  // Sentences about an initial state, each where the part stands that it names.
  void tell(const std::vector<std::string>& sentences, const Origin& otherwise) {
    const std::size_t told = std::min(sentences.size(), most_violations);
    for (std::size_t i = 0; i < told; ++i) {
      const Origin at = origin_of(sentences[i], draft_, otherwise);
      diagnostics_.error(at.place, at.path, sentences[i]);
    }
    if (sentences.size() > told)
      diagnostics_.error(otherwise.place, otherwise.path,
                         fmt::format("and {} more like these", sentences.size() - told));
  }

  // What a user should look at after --fix, e.g. "crank.angle from 1.047 to 0.303 rad".
  std::string largest_moves(const Vec& q, const Vec& u) const {
    std::vector<std::pair<double, std::string>> moves;
    const auto compare = [&](const std::vector<Coordinate>& names, const Vec& before, const Vec& after) {
      for (Index i = 0; i < before.size(); ++i) {
        const Coordinate& coordinate = names[static_cast<std::size_t>(i)];
        const double change = std::abs(after(i) - before(i));
        if (change > rounding * (1 + std::abs(before(i))))
          moves.emplace_back(change, fmt::format("{} from {:.4g} to {:.4g} {}", coordinate.name, before(i), after(i),
                                                 coordinate.unit()));
      }
    };
    compare(scene_.system->positions(), given_part(q), given_part(scene_.q));
    compare(scene_.system->velocities(), u, scene_.u);
    std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> told;
    for (std::size_t i = 0; i < std::min(moves.size(), most_moves); ++i) told.push_back(moves[i].second);
    return fmt::format("{}{}", fmt::join(told, ", "),
                       moves.size() > told.size() ? fmt::format(" and {} more", moves.size() - told.size()) : "");
  }

  Diagnostics& diagnostics_;
  SpecReader root_;
  bool has_fix_;
  bool fix_ = false;      // the state may be another than the scene says
  bool goes_on_ = false;  // the state is another
  SceneDraft draft_;
  Scene scene_;
  GivenCoordinates coordinates_;  // of `initial`
  Index following_ = 0;           // positions that follow from how those of the bodies have changed
};

std::string list_text(const Vec& values) {
  return fmt::format("[{}]", fmt::join(values.data(), values.data() + values.size(), ", "));
}

Scene read_text_or_file(const std::function<Document(const std::vector<Setting>&)>& load, const std::string& stem,
                        const SceneOptions& options) {
  const Document document = load(options.overrides);
  require_kind(document, FileKind::scene);
  bool projected = false;
  SceneReader reader(document, stem, true);
  Scene scene = reader.read(projected, options.fix, options.goes_on);
  scene.effective_yaml = document.yaml(scene.name);
  if (!projected) return scene;
  // The state found becomes part of the scene, so that reading it again gives the same bits.
  std::vector<Setting> overrides = options.overrides;
  overrides.emplace_back(
      fmt::format("initial={{q: {}, u: {}}}", list_text(reader.given_part(scene.q)), list_text(scene.u)), "--fix");
  const Document fixed = load(overrides);
  std::vector<std::string> warnings = std::move(scene.warnings), notes = std::move(scene.notes);
  scene = SceneReader(fixed, stem, true).read(projected, false);
  scene.warnings = std::move(warnings);
  scene.notes = std::move(notes);
  scene.effective_yaml = fixed.yaml(scene.name);
  return scene;
}

}  // namespace

Scene read_scene(const std::string& path, const SceneOptions& options) {
  return read_text_or_file([&](const std::vector<Setting>& overrides) { return Document::from_file(path, overrides); },
                           std::filesystem::path(path).stem().string(), options);
}

Scene read_scene_text(const std::string& text, const std::string& name, const SceneOptions& options) {
  return read_text_or_file(
      [&](const std::vector<Setting>& overrides) { return Document::from_text(text, name, overrides); },
      std::filesystem::path(name).stem().string(), options);
}

Scene read_scene(const Document& document) {
  bool projected = false;
  return SceneReader(document, std::filesystem::path(document.diagnostics().file()).stem().string(), false)
      .read(projected, false);
}

}  // namespace carom
