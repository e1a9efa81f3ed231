#include "config/schema.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "config/schema_forms.h"
#include "engine/scheme.h"
#include "solvers/inclusion/list.h"

namespace carom {

using namespace forms;

namespace {

using Kind = ValueForm::Kind;

std::vector<std::string> solver_names() {
  std::vector<std::string> list;
  for (const SolverEntry& entry : inclusion_solvers()) list.push_back(entry.name);
  return list;
}

const char* const repeat_meaning = "as many of them, with {i}, {i+1}, ... in names counted from 1";

MapSpec scene_map() {
  return {"scene",
          "A system with its law, integrator and output. SI units; two numbers of gravity make a planar scene, three a "
          "spatial one.",
          {
              {"scene", text(), "the file's name", "what the scene is called"},
              {"about", text(), "", "a sentence for headings"},
              {"gravity", point(), "[0, 0]", "acceleration of free fall; its size makes the scene planar or spatial"},
              {"defaults", map_of("defaults"), "", "keys that bodies and contacts have unless they give their own"},
              {"materials", list_of(map_of("material")), "", "contact coefficients by pairs of materials"},
              {"bodies", named(map_of("body")), "", "what moves, and what is fixed to the world"},
              {"joints", list_of(map_of("joint")), "", "bilateral constraints; closed loops and redundancy are legal"},
              {"clutches", list_of(map_of("clutch")), "", "sprag clutches: motion in one sense only"},
              {"forces", list_of(map_of("force")), "", "springs with dampers, and loads"},
              {"contacts", named(map_of("contact")), "", "named contacts"},
              {"collide", either({one_of({"all", "none"}), names(1, 1000000), map_of("collide")}), "none",
               "bodies between whose shapes contacts are found"},
              {"model", {.kind = Kind::model}, "", "a closed-form model in place of bodies, joints and contacts"},
              {"initial", map_of("initial"), "", "initial state: by body, by coordinate name, or as q and u"},
              {"law", {.kind = Kind::law}, "newton", "the impact law"},
              {"solver", one_of(solver_names()), "auto", "the inclusion solver"},
              {"integrator", map_of("integrator"), "", "how time is stepped"},
              {"output", map_of("output"), "", "what is recorded"},
          }};
}

MapSpec defaults_map() {
  return {"defaults",
          "Keys that bodies and contacts have unless they give their own. Keys that do not fit a body are left out.",
          {
              {"body", map_of("body"), "", "of every body"},
              {"contact", map_of("coefficients"), "", "of every contact, also of those found by collide"},
          }};
}

MapSpec joint_map() {
  return {"joint",
          "A joint; its kind is the key that names its bodies (`world` is one). Anchors are points of the bodies "
          "(`at`), or "
          "one point in the world as the bodies stand initially (`point`).",
          {
              {"name", text(), "BODY-BODY",
               "for messages, results and --set, which also takes its place in the list, from 0"},
              {"revolute", pair(), "", "[a, b] turn about a common point (spatial: about `axis`)"},
              {"ball", pair(), "", "[a, b] share a point"},
              {"prismatic", pair(), "", "[a, b] slide along `axis` without turning"},
              {"weld", pair(), "", "[a, b] move as one"},
              {"distance", pair(), "", "two points keep their distance"},
              {"knife-edge", text(), "", "a body whose point cannot move sideways (nonholonomic)"},
              {"motion", text(), "", "BODY.x, .y, .z or, in the plane, .angle follows `as`"},
              {"at",
               places_on_bodies(),
               "",
               "anchors: {BODY: point, ...}, or one point where there is one body",
               false,
               {"revolute", "ball", "prismatic", "weld", "distance", "knife-edge"}},
              {"point",
               point(),
               "",
               "the anchor in the world",
               false,
               {"revolute", "ball", "prismatic", "weld", "distance"}},
              {"axis",
               point(),
               "[1, 0] (prismatic), z (spatial)",
               "in the world, as the bodies stand initially",
               false,
               {"revolute", "prismatic"}},
              {"direction", point(), "[0, 1]", "the blocked direction, in the body's frame", false, {"knife-edge"}},
              {"length", positive(), "as in the initial pose", "the distance kept", false, {"distance"}},
              {"as", expression(), "", "the coordinate as a function of time", false, {"motion"}},
              {"repeat", repeated(), "1", repeat_meaning},
          }};
}

MapSpec clutch_map() {
  return {"clutch",
          "A sprag clutch: w·u ≥ 0.",
          {
              {"name", text(), "BODY-BODY",
               "for messages, results and --set, which also takes its place in the list, from 0"},
              {"rotation", pair(), "", "[a, b]: b turns relative to a in the positive sense only"},
              {"translation", pair(), "", "[a, b]: the point of b moves relative to a along `direction` only"},
              {"axis", numbers(3, 3), "[0, 0, 1]", "spatial: of rotation, in the world", false, {"rotation"}},
              {"direction", point(), "", "in the world", false, {"translation"}},
              {"at", places_on_bodies(), "centre", "points of the bodies", false, {"translation"}},
              {"reverse", flag(), "false", "blocks the other sense"},
              {"restitution", any_number(), "0", "ε"},
              {"repeat", repeated(), "1", repeat_meaning},
          }};
}

MapSpec force_map() {
  return {"force",
          "A spring with damper between two points, two coordinates or two angles; or a load.",
          {
              {"name", text(), "BODY-BODY", "for messages and --set, which also takes its place in the list, from 0"},
              {"spring", pair(), "", "[a, b] between points; [a.x, b.x] between coordinates"},
              {"torsion", pair(), "",
               "[a, b]: on the angle of b relative to a; in space about the axis of their revolute joint, from the "
               "initial pose on"},
              {"load", text(), "", "a body that a force or torque acts on"},
              {"at", places_on_bodies(), "centre", "points of the bodies", false, {"spring", "load"}},
              {"point", point(), "", "the anchor in the world", false, {"spring"}},
              {"stiffness", not_negative(), "0", "N/m or N m/rad", false, {"spring", "torsion"}},
              {"damping", not_negative(), "0", "N s/m or N m s/rad", false, {"spring", "torsion"}},
              {"rest",
               angle(),
               "as in the initial pose",
               "length, difference b − a, or angle without force",
               false,
               {"spring", "torsion"}},
              {"force", list_of(expression(), 2, 3), "", "components as functions of time", false, {"load"}},
              {"torque",
               either({expression(), list_of(expression(), 3, 3)}),
               "",
               "planar one function of time, spatial three",
               false,
               {"load"}},
              {"follows", flag(), "false", "the force turns with the body", false, {"load"}},
              {"repeat", repeated(), "1", repeat_meaning},
          }};
}

void add_coefficients(std::vector<KeySpec>& keys) {
  keys.insert(keys.end(),
              {
                  {"restitution", any_number(), "0", "ε; the law sets its range"},
                  {"friction", either({not_negative(), numbers(2, 2)}), "0", "μ; spatial also [μ1, μ2], orthotropic"},
                  {"tangential_restitution", any_number(), "0", "ε_T; the law sets its range"},
                  {"stiffness", positive(), "1", "for the compliant law; only ratios matter"},
              });
}

MapSpec contact_map() {
  MapSpec map = {"contact",
                 "A named contact: of a point or a shape with a plane or a shape.",
                 {
                     {"between", pair(), "", "two bodies' shapes"},
                     {"point", either({text(), map_of("body point")}), "", "a point of a body: BODY.POINT"},
                     {"body", text(), "", "a body's whole shape"},
                     {"plane", map_of("contact plane"), "", "what it meets: a plane in the world"},
                     {"on", text(), "", "what it meets: another body's shape"},
                     {"friction_axis", numbers(3, 3), "",
                      "orthotropic friction: the direction of μ1, in the frame of the second body"},
                 }};
  add_coefficients(map.keys);
  map.keys.push_back({"repeat", repeated(), "1", repeat_meaning});
  return map;
}

MapSpec coefficients_map() {
  MapSpec map = {"coefficients", "What impact laws ask of a contact.", {}};
  add_coefficients(map.keys);
  return map;
}

MapSpec body_point_map() {
  return {"body point",
          "A point of a body.",
          {
              {"body", text(), "", "which", true},
              {"at", place_on_body(), "centre", "a point of the shape, or coordinates in its frame"},
          }};
}

MapSpec contact_plane_map() {
  return {"contact plane",
          "A plane in the world.",
          {
              {"point", point(), "the origin", "a point of it"},
              {"normal", point(), "up", "outward"},
              {"material", text(), "", "chooses coefficients from materials"},
          }};
}

MapSpec material_map() {
  MapSpec map = {"material",
                 "Coefficients of contacts between two materials; the most specific pair counts.",
                 {{"between", pair(), "", "two materials; \"*\" stands for any", true}}};
  add_coefficients(map.keys);
  return map;
}

MapSpec collide_map() {
  return {"collide",
          "Bodies between whose shapes contacts are found.",
          {
              {"bodies", either({one_of({"all"}), names(1, 1000000)}), "all", "bodies, or names of repeated ones"},
              {"except", list_of(pair()), "", "pairs that pass through each other"},
              {"joined", flag(), "false", "also bodies that a joint connects"},
          }};
}

MapSpec initial_map() {
  return {"initial",
          "Initial state: BODY: {position, angle, velocity, ...}; or coordinates by name, as `carom models` and run "
          "files spell them; or all at once.",
          {
              {"q", either({numbers(1, 1000000), named(any_number())}), "", "positions: all, or some by name"},
              {"u", either({numbers(1, 1000000), named(any_number())}), "", "velocities: all, or some by name"},
          },
          true};
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const SchemeEntry& entry : schemes()) names.emplace_back(entry.name);
  return names;
}

std::string told_schemes() {
  std::string told;
  for (const SchemeEntry& entry : schemes())
    told += fmt::format("{}{}: {}", told.empty() ? "" : "; ", entry.name, entry.about);
  return told;
}

MapSpec integrator_map() {
  return {
      "integrator",
      "How time is stepped.",
      {
          {"scheme", one_of(scheme_names()), "moreau-jean", told_schemes()},
          {"theta", within(0, 1), "0.5", "implicitness; ½ is second order without contact"},
          {"step", positive(), "1e-3", "h, by which time advances"},
          {"duration", positive(), "1", "of the run"},
          {"capture_speed", not_negative(), "0", "slower approach counts as sustained contact (split laws)"},
          {"accuracy",
           {.kind = Kind::number, .lowest = 0, .highest = 1e-2, .lowest_open = true},
           "1e-8",
           "residual that the inclusions of steps are solved to, relative; larger: piles are faster"},
          {"tolerance",
           {.kind = Kind::number, .lowest = 0, .highest = 1e-2, .lowest_open = true},
           "1e-6",
           "residual that passes where accuracy (in impacts 1e-12) is out of reach, relative; larger: hard piles pass"},
          {"directions", one_of({"middle", "classical"}), "middle",
           "of impacts by newton and moreau: those in the middle of the step, which elastic impacts do no work along; "
           "or "
           "of points, balls and disks at its beginning for γ⁻ and at its end for γ⁺, as in Siconos"},
          {"on_failure", one_of({"stop", "warn"}), "stop", "a step without a solution, or near one"},
          {"on_inconsistent", one_of({"continue", "stop"}), "continue", "an impact that gains energy"},
      }};
}

MapSpec output_map() {
  const ValueForm record = {.kind = Kind::names, .words = {"state", "poses", "energy", "contacts", "impacts"}};
  return {"output",
          "What is recorded.",
          {
              {"every", whole(1, 1e9), "1", "steps between samples"},
              {"record", record, "all of it", "what to record"},
              {"contacts", names(1, 1000000), "all named ones", "only these contacts"},
              {"compression", whole(0, 9), "0", "gzip level"},
          }};
}

// Of keys whose numbers mean the same wherever they stand.
std::string unit_of_key(const std::string& key) {
  struct Row {
    const char* unit;
    std::vector<std::string> keys;
  };
  static const std::vector<Row> rows = {
      {"m", {"position", "point", "radius", "length", "thickness", "size", "vertices", "points", "offset", "spacing"}},
      {"m/s", {"velocity", "capture_speed"}},
      {"m/s²", {"gravity"}},
      {"rad", {"angle"}},
      {"rad/s", {"angular_velocity"}},
      {"kg", {"mass"}},
      {"kg m²", {"inertia"}},
      {"N", {"force"}},
      {"N m", {"torque"}},
      {"s", {"step", "duration"}},
  };
  for (const Row& row : rows) {
    if (std::find(row.keys.begin(), row.keys.end(), key) != row.keys.end()) return row.unit;
  }
  return "";
}

std::string example_of(const std::string& map) {
  static const std::map<std::string, std::string> examples = {
      {"defaults", "{body: {shape: rod, mass: 3}, contact: {friction: 0.5}}"},
      {"body", "{shape: disk, radius: 0.1, density: 7800, position: [0, 1], velocity: [2, 0]}"},
      {"shape of several", "{name: lid, shape: block, size: [0.4, 0.02], position: [0, 0.1], density: 700}"},
      {"pose", "{position: [0, 1], angle: 30 deg, angular_velocity: -0.2}"},
      {"turn", "{axis: [1, 0, 0], angle: 30 deg}"},
      {"point mass", "{at: end, mass: 0.5}"},
      {"repeat", "{count: 5, offset: [0.3, 0]}"},
      {"joint", "{name: hinge, revolute: [upper, lower], at: {upper: end, lower: start}}"},
      {"clutch", "{rotation: [world, wheel]}"},
      {"force", "{spring: [upper, lower], at: {upper: end, lower: centre}, stiffness: 100, damping: 2}"},
      {"contact", "{point: lower.end, plane: {point: [0, -3.7]}, restitution: 0.5, friction: 0.5}"},
      {"coefficients", "{restitution: 0.5, friction: 0.3}"},
      {"body point", "{body: rod, at: [0.5, 0]}"},
      {"contact plane", "{point: [0, -1], normal: [0, 1]}"},
      {"material", "{between: [steel, wood], restitution: 0.4, friction: 0.3}"},
      {"collide", "{bodies: [ball, floor], except: [[ball1, ball2]]}"},
      {"initial", "{ball: {position: [0, 2]}, u: {rod.omega: -1}}"},
      {"integrator", "{step: 1e-4, duration: 2}"},
      {"output", "{every: 10, record: [state, energy, impacts]}"},
  };
  const auto found = examples.find(map);
  return found == examples.end() ? "" : found->second;
}

std::vector<MapSpec> with_units_and_examples(std::vector<MapSpec> maps) {
  for (MapSpec& map : maps) {
    map.example = example_of(map.name);
    for (KeySpec& key : map.keys) key.unit = unit_of_key(key.name);
  }
  return maps;
}

}  // namespace

std::string ValueForm::range_text() const {
  const bool low = lowest > -HUGE_VAL, high = highest < HUGE_VAL;
  if (low && high) return fmt::format("{}{:g} .. {:g}", lowest_open ? "above " : "", lowest, highest);
  if (low) return fmt::format("{} {:g}", lowest_open ? "above" : "at least", lowest);
  return high ? fmt::format("at most {:g}", highest) : "";
}

bool ValueForm::contains(double value) const {
  return (lowest_open ? value > lowest : value >= lowest) && value <= highest;
}

const KeySpec* MapSpec::find(const std::string& key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeySpec& spec) { return spec.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<MapSpec>& scene_schema() {
  static const std::vector<MapSpec> maps = [] {
    std::vector<MapSpec> all = {scene_map(), defaults_map()};
    for (MapSpec& map : body_maps()) all.push_back(std::move(map));
    for (MapSpec& map :
         std::vector{joint_map(), clutch_map(), force_map(), contact_map(), body_point_map(), contact_plane_map(),
                     coefficients_map(), material_map(), collide_map(), initial_map(), integrator_map(), output_map()})
      all.push_back(std::move(map));
    return with_units_and_examples(std::move(all));
  }();
  return maps;
}

const MapSpec& map_spec(const std::string& name) {
  for (const MapSpec& map : scene_schema()) {
    if (map.name == name) return map;
  }
  throw std::logic_error("no map '" + name + "' in the schema of a scene");
}

}  // namespace carom
