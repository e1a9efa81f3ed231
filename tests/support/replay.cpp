#include "tests/support/replay.h"

#include <spdlog/fmt/fmt.h>

#include <fstream>

namespace carom::testing {

namespace {

std::string list(const Vec& v) {
  std::string text;
  for (double x : v) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", x);
  return "[" + text + "]";
}

std::string rows(const Mat& m) {
  std::string text;
  for (Index i = 0; i < m.rows(); ++i) text += (i ? ", " : "") + list(m.row(i).transpose());
  return "[" + text + "]";
}

std::string element_yaml(const Element& element) {
  std::string text = fmt::format("    - {{name: {}, kind: {}", element.name, element.kind_name());
  if (const Contact* contact = element.contact()) {
    text += ", normal: " + list(contact->normal);
    if (contact->tangent.rows() > 0) text += ", tangent: " + rows(contact->tangent);
    if (contact->friction.size() == 2) text += ", friction: " + list(contact->friction);
    if (contact->friction.size() == 1) text += fmt::format(", friction: {:.17g}", contact->friction(0));
    text += fmt::format(", restitution: {:.17g}, tangential_restitution: {:.17g}, stiffness: {:.17g}",
                        contact->restitution, contact->tangential_restitution, contact->stiffness);
  } else if (const Clutch* clutch = element.clutch()) {
    text += ", direction: " + list(clutch->direction) + fmt::format(", restitution: {:.17g}", clutch->restitution);
  } else {
    text += ", direction: " + list(element.bilateral()->direction);
  }
  return text + "}\n";
}

}  // namespace

std::string problem_yaml(const ProblemParts& parts, const std::string& law) {
  std::string text = "impact:\n  mass: " + rows(parts.M) + "\n  velocity: " + list(parts.u_minus) + "\n  elements:\n";
  for (const Element& element : parts.elements) text += element_yaml(element);
  return text + "law: " + law + "\n";
}

std::string replay(const ProblemParts& parts, const std::string& law, std::uint64_t seed) {
  const std::string path = fmt::format("replay-{}-{}.yaml", law, seed);
  std::ofstream(path) << problem_yaml(parts, law);
  return fmt::format("seed {}, law {}: replay with 'carom impact {}'", seed, law, path);
}

}  // namespace carom::testing
