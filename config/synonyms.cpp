#include "config/synonyms.h"

#include <algorithm>
#include <cctype>

#include "engine/suggestion.h"

namespace carom {

namespace {

// In small letters. A word may stand for several keys: the first of them that a map takes is meant.
struct Synonyms {
  const char* key;
  std::vector<std::string> words;
};

const std::vector<Synonyms>& table() {
  static const std::vector<Synonyms> rows = {
      {"friction", {"mu", "μ", "coulomb", "friction_coefficient", "coefficient_of_friction"}},
      {"restitution",
       {"e", "ε", "eps", "epsilon", "cor", "en", "e_n", "eps_n", "epsilon_n", "bounce", "coefficient_of_restitution"}},
      {"tangential_restitution", {"et", "e_t", "eps_t", "epsilon_t", "ε_t"}},
      {"count", {"n", "num", "number", "steps", "points"}},
      {"normal", {"n", "direction", "w", "wn", "w_n"}},
      {"plane", {"normal", "direction", "ground", "wall"}},  // which has a normal
      {"tangent", {"t", "wt", "w_t", "tangential"}},
      {"direction", {"normal", "w", "axis"}},
      {"axis", {"direction", "normal"}},
      {"kind", {"type", "element"}},
      {"type", {"kind", "name", "model", "law"}},
      {"name", {"id", "label"}},
      {"mass", {"m"}},
      {"inertia",
       {"i", "j", "izz", "jzz", "moi", "moment", "moment_of_inertia", "inertia_tensor", "rotational_inertia"}},
      {"density", {"rho", "ρ"}},
      {"angle", {"theta", "θ", "theta0", "phi", "φ", "phi0", "alpha", "rotation", "rot", "orientation"}},
      {"orientation", {"quat", "quaternion", "rotation", "rot", "attitude", "angle"}},
      {"position", {"pos",    "x",   "x0",    "xy", "xyz",    "q",   "q0", "r0",   "location", "origin", "centre",
                    "center", "com", "theta", "θ",  "theta0", "phi", "φ",  "phi0", "angle",    "angles"}},
      {"angular_velocity", {"omega", "ω", "omega0", "w", "w0", "angvel", "spin", "rate", "angular_rate"}},
      {"velocity", {"vel", "v", "v0", "u", "u0", "u_minus", "speed", "omega", "ω", "omega0", "angular_velocity"}},
      {"radius", {"r", "diameter"}},
      {"length", {"l", "len"}},
      {"thickness", {"width", "diameter", "radius"}},
      {"size", {"dimensions", "extents", "half_extents", "width", "height", "length"}},
      {"vertices", {"points", "corners", "polygon"}},
      {"points", {"vertices", "corners", "hull", "polyhedron"}},
      {"block", {"box", "cuboid", "cube", "brick", "rectangle", "square"}},
      {"disk", {"circle", "disc", "wheel"}},
      {"sphere", {"ball", "spheroid"}},
      {"rod", {"capsule", "bar", "beam", "stick", "link", "segment"}},
      {"cylinder", {"disc", "tube", "coin"}},
      {"plane", {"ground", "floor", "wall", "halfspace", "half-space"}},
      {"polyhedron", {"convex", "hull", "mesh", "tetrahedron"}},
      {"polygon", {"triangle", "quad"}},
      {"shape", {"type", "kind", "geometry", "form"}},
      {"fixed", {"static", "anchored", "immovable", "ground"}},
      {"repeat", {"n", "copies"}},
      {"offset", {"spacing", "step", "shift"}},
      {"revolute", {"hinge", "pin", "rotational", "pivot"}},
      {"ball", {"spherical", "socket"}},
      {"prismatic", {"slider", "slide", "translational", "linear"}},
      {"weld", {"rigid", "fixed", "lock"}},
      {"distance", {"link", "rod", "tie"}},
      {"motion", {"drive", "actuator", "prescribed"}},
      {"as", {"function", "expression", "value", "of_time"}},
      {"at", {"anchor", "anchors", "attach"}},
      {"point", {"anchor", "origin", "position", "location"}},
      {"translation", {"linear", "sliding"}},
      {"rotation", {"angular", "turning"}},
      {"stiffness", {"k", "spring_constant", "rate"}},
      {"damping", {"c", "d", "damper", "dashpot"}},
      {"rest", {"l0", "rest_length", "free_length", "natural_length", "length"}},
      {"between", {"bodies", "pair", "materials"}},
      {"on", {"with", "against"}},
      {"gravity", {"g"}},
      {"bodies", {"body", "objects", "links"}},
      {"joints", {"joint", "constraints"}},
      {"forces", {"force", "springs", "loads"}},
      {"contacts", {"contact", "collisions"}},
      {"initial", {"init", "ic", "initial_state", "initial_conditions", "state"}},
      {"law", {"impact_law", "restitution_law"}},
      {"integrator", {"time", "stepper", "simulation", "time_stepping"}},
      {"step", {"dt", "h", "δt", "timestep", "time_step", "step_size", "stepsize", "delta_t"}},
      {"duration", {"t", "tf", "t_end", "tend", "t_max", "tmax", "t_final", "time", "end_time", "end"}},
      {"every", {"interval", "stride", "sample_every"}},
      {"elements", {"contacts", "constraints"}},
      {"vary", {"axes", "parameters", "params", "variables"}},
      {"measures", {"outputs", "observables", "results"}},
      {"samples", {"n", "draws", "points"}},
      {"from", {"start", "min", "begin", "lower"}},
      {"to", {"stop", "max", "end", "upper"}},
      {"values", {"list", "choices"}},
  };
  return rows;
}

std::string in_small_letters(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

}  // namespace

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string synonym_among(const std::string& word, const std::vector<std::string>& keys) {
  const std::string small = in_small_letters(word);
  for (const Synonyms& row : table()) {
    if (holds(row.words, small) && holds(keys, row.key)) return row.key;
  }
  return "";
}

std::string meant_key(const std::string& word, const std::vector<std::string>& keys) {
  const std::string synonym = synonym_among(word, keys);
  return synonym.empty() ? nearest_word(word, keys) : synonym;
}

}  // namespace carom
