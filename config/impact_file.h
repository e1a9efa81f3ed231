// A raw impact problem: the matrices themselves.
//
//   impact:
//     mass: [[16, 5.9], [5.9, 4]]
//     velocity: [-0.1, -0.2]
//     elements:
//       - {name: tip, kind: contact, normal: [...], tangent: [...], restitution: 0.5, friction: 0.5}
//       - {name: ratchet, kind: clutch, direction: [...]}
//       - {name: hinge, kind: bilateral, direction: [...]}
//   law: poisson

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/document.h"
#include "engine/element.h"
#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// The parts of a problem, checked as far as a file can be: ImpactProblem takes them without complaint.
struct ImpactFile {
  std::string scene;
  std::string about;
  Mat mass;
  Vec velocity;
  std::vector<Element> elements;
  std::vector<std::string> element_places;  // file:line:column of each, or the option; none of a scene
  std::optional<LawChoice> law;
  std::string law_place;  // file:line:column, or the option that gives it
  std::vector<std::string> warnings;
  std::vector<std::string> notes = {};   // what was changed because it was asked for (scenes only)
  std::vector<std::string> drives = {};  // bilateral elements that move by prescription (scenes only)
};

// The problem itself; where motions are prescribed, on the manifold that moves with them.
ImpactProblem impact_problem(const ImpactFile& file);

// Reads a file and checks it for the laws it is meant for: those named, or the file's own, which a path must then lead
// to. BadInput with every mistake. "all" stands for every law and skips the check of coefficients (each law then
// answers for itself).
ImpactFile read_impact_file(const std::string& path, const std::vector<Setting>& overrides,
                            const std::vector<std::string>& laws);
ImpactFile read_impact_file(const Document& document, const std::vector<std::string>& laws);

// Only the problem: a node with mass, velocity and elements. Mistakes are recorded, not thrown.
ImpactFile read_impact_problem(const Node& node);

}  // namespace carom
