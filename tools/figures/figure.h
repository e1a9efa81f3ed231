// The figures of the papers that have data in them, each made from the program's own results.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/impact_law.h"
#include "engine/parameters.h"

namespace carom {

struct PaperFigure {
  std::string paper;   // as its file under config/published is named
  std::string number;  // as the paper numbers it, or the equation that it draws
  std::string title;
  std::string caption;  // what is to be seen
  std::string command;  // to go on from there
  std::function<std::string()> svg;

  std::string name() const { return paper + "-" + number; }
};

// One line a paper: CAROM_PAPER(f) says that a file in this folder defines std::vector<PaperFigure> f_figures().
const std::vector<PaperFigure>& paper_figures();

std::string source_of_paper(const std::string& paper);  // as `verify` cites it

// What figures compute with. The law answers; a refusal is an error of the figure.
ImpactResult answer(const LawChoice& law, const ImpactProblem& problem);
ImpactResult answer(const std::string& law, const ImpactProblem& problem);

Element contact(const std::string& name, const Vec& normal, double restitution = 0);
Element rough_contact(const std::string& name, const Vec& normal, const Mat& tangent, const Vec& friction,
                      double restitution, double tangential_restitution = 0);

// Balls in a row, each touching the next; contact k between k and k+1.
ImpactProblem balls(const Vec& masses, const Vec& velocities, const Vec& restitution);

// Kane's double pendulum at its published impact.
ImpactProblem kane(double restitution, double friction, double tangential_restitution = 0);

}  // namespace carom
