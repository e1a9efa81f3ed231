#include "tools/verdict_before_run.h"

#include <spdlog/fmt/fmt.h>

#include "config/diagnostics.h"
#include "config/scene_impact.h"
#include "models/assembly.h"
#include "solvers/certificates/assessment.h"
#include "solvers/certificates/guarantee.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr Index most_velocities = 40;
constexpr std::size_t most_contacts = 12;

// Every contact that the scene knows, as if all acted at once.
ImpactFile every_contact(const Scene& scene, const Contacts& contacts) {
  std::vector<std::string> names;
  for (const ContactPoint& point : contacts.points) names.push_back(scene.system->contact_name(point.key));
  return impact_at(scene, 0, scene.q, scene.u, names, scene.name);
}

// Contacts that are found between bodies, or further points of named ones, may act later beside those near now.
bool others_may_come(const Scene& scene, std::size_t near) {
  const auto* assembly = dynamic_cast<const Assembly*>(scene.system.get());
  return near < scene.system->named_contacts() || (assembly && !assembly->meeting_materials().empty());
}

}  // namespace

std::string verdict_before_run(const Scene& scene) {
  if (!find_law(scene.law.type)) return "";
  const auto not_judged = [&](const std::string& why) {
    return fmt::format("law {}: not checked before the run, {}", scene.law.type, why);
  };
  Contacts contacts;
  scene.system->contacts(scene.q, scene.u, scene.integrator.step, contacts);
  if (scene.u.size() > most_velocities || contacts.points.size() > most_contacts)
    return not_judged("the scene is large; 'carom check' checks its first impact");
  if (contacts.points.empty()) return not_judged("no contact is near; 'carom check' checks the first impact");
  ImpactFile file = every_contact(scene, contacts);
  file.velocity
      .setZero();  // what is judged beforehand holds for all velocities, prescribed ones too (resting_joints.h)
  if (!ImpactProblem::defects(file.mass, file.velocity, file.elements).empty())
    return not_judged("the contacts that are near cannot act in one impact");
  const ImpactProblem problem = impact_problem(file);
  for (const LawComplaint& complaint : check_data(scene.law, problem.elements(), &problem))
    if (!complaint.warning) return not_judged("it does not take all contacts that are near at once");
  const Proof proof = prove_everywhere(scene.law, problem);
  if (proof.proven) {
    return fmt::format("law {}: guaranteed {}, {}", scene.law.type,
                       others_may_come(scene, contacts.points.size())
                           ? "as long as no other contacts act than those near at the start"
                           : "in every configuration",
                       proof.theorem);
  }
  return fmt::format(
      "law {}: not guaranteed, it may create energy in some configurations ({}); 'carom check' checks the "
      "first impact",
      scene.law.type, proof.obstacle);
}

}  // namespace carom
