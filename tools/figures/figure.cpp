#include "tools/figures/figure.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solvers/inclusion/list.h"
#include "solvers/laws/resolve.h"

namespace carom {

#define CAROM_PAPER(name) std::vector<PaperFigure> name##_figures();
#include "tools/figures/papers.def"
#undef CAROM_PAPER

const std::vector<PaperFigure>& paper_figures() {
  static const std::vector<PaperFigure> list = [] {
    std::vector<PaperFigure> all;
    const auto add = [&](std::vector<PaperFigure> of_paper) {
      all.insert(all.end(), of_paper.begin(), of_paper.end());
    };
#define CAROM_PAPER(name) add(name##_figures());
#include "tools/figures/papers.def"
#undef CAROM_PAPER
    return all;
  }();
  return list;
}

std::string source_of_paper(const std::string& paper) {
  // winandy-leine-2016 → Winandy & Leine 2016
  std::string source;
  std::size_t begin = 0;
  while (begin < paper.size()) {
    const std::size_t end = std::min(paper.find('-', begin), paper.size());
    std::string word = paper.substr(begin, end - begin);
    const bool is_year = std::isdigit(static_cast<unsigned char>(word.front()));
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    source += (source.empty() ? "" : is_year ? " " : " & ") + word;
    begin = end + 1;
  }
  return source;
}

ImpactResult answer(const LawChoice& law, const ImpactProblem& problem) {
  const auto solver = find_solver("auto")->make();
  LawOutcome outcome = resolve(law, problem, *solver);
  if (outcome.results.empty()) throw std::runtime_error("a figure asks " + law.type + ": " + outcome.reason);
  return outcome.results.front();
}

ImpactResult answer(const std::string& law, const ImpactProblem& problem) {
  return answer(LawChoice{law, {}}, problem);
}

Element contact(const std::string& name, const Vec& normal, double restitution) {
  Contact contact;
  contact.normal = normal;
  contact.tangent.resize(0, normal.size());
  contact.restitution = restitution;
  return {name, contact};
}

Element rough_contact(const std::string& name, const Vec& normal, const Mat& tangent, const Vec& friction,
                      double restitution, double tangential_restitution) {
  Contact contact;
  contact.normal = normal;
  contact.tangent = tangent;
  contact.friction = friction;
  contact.restitution = restitution;
  contact.tangential_restitution = tangential_restitution;
  return {name, contact};
}

ImpactProblem balls(const Vec& masses, const Vec& velocities, const Vec& restitution) {
  std::vector<Element> elements;
  for (Index k = 0; k + 1 < masses.size(); ++k) {
    Vec normal = Vec::Zero(masses.size());
    normal(k) = -1;
    normal(k + 1) = 1;
    elements.push_back(contact(std::string(1, static_cast<char>('A' + k)), normal, restitution(k)));
  }
  return ImpactProblem(Mat(masses.asDiagonal()), velocities, elements);
}

ImpactProblem kane(double restitution, double friction, double tangential_restitution) {
  constexpr double m = 3, l = 2, degree = std::numbers::pi / 180;
  const double a = 20 * degree, b = 30 * degree, coupling = 0.5 * m * l * l * std::cos(a - b);
  const Mat M{{4.0 / 3 * m * l * l, coupling}, {coupling, m * l * l / 3}};
  const Vec normal{{l * std::sin(a), l * std::sin(b)}};
  const Mat tangent{{-l * std::cos(a), -l * std::cos(b)}};
  return ImpactProblem(
      M, Vec{{-0.1, -0.2}},
      {rough_contact("tip", normal, tangent, Vec::Constant(1, friction), restitution, tangential_restitution)});
}

}  // namespace carom
