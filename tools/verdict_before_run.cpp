#include "tools/verdict_before_run.h"

#include <spdlog/fmt/fmt.h>

#include "config/diagnostics.h"
#include "config/scene_impact.h"
#include "solvers/certificates/assessment.h"
#include "solvers/certificates/guarantee.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr Index most_velocities = 40;
constexpr std::size_t most_contacts = 12;

// Every contact that the scene knows, as if all acted at once; none if it cannot be posed.
std::optional<ImpactFile> every_contact(const Scene& scene, const Contacts& contacts) {
  if (contacts.points.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const ContactPoint& point : contacts.points) names.push_back(scene.system->contact_name(point.key));
  try {
    return impact_at(scene, 0, scene.q, scene.u, names, scene.name);
  } catch (const BadInput&) {  // e.g. a prescribed motion, which a single impact cannot hold
    return std::nullopt;
  }
}

}  // namespace

std::string verdict_before_run(const Scene& scene) {
  if (!find_law(scene.law.type)) return "";
  Contacts contacts;
  scene.system->contacts(scene.q, scene.u, scene.integrator.step, contacts);
  if (scene.u.size() > most_velocities || contacts.points.size() > most_contacts)
    return fmt::format("law {}: not judged beforehand in so large a scene; 'carom check' judges its first impact",
                       scene.law.type);
  const std::optional<ImpactFile> file = every_contact(scene, contacts);
  if (!file || !ImpactProblem::defects(file->mass, file->velocity, file->elements).empty()) return "";
  const ImpactProblem problem(file->mass, file->velocity, file->elements);
  for (const LawComplaint& complaint : check_data(scene.law, problem.elements(), &problem))
    if (!complaint.warning) return "";
  const Proof proof = prove_everywhere(scene.law, problem);
  if (proof.proven) return fmt::format("law {}: guaranteed to create no energy, {}", scene.law.type, proof.theorem);
  return fmt::format("law {}: not guaranteed to create no energy ({}); 'carom check' tells more", scene.law.type,
                     proof.obstacle);
}

}  // namespace carom
