// A certificate: one published (or derived) condition, evaluated on the impact at hand.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/linear_algebra.h"
#include "solvers/laws/list.h"

namespace carom {

enum class Verdict {
  holds,
  fails,
  not_contradicted,  // nothing that was tried violates it, which is no proof
  not_applicable
};

const char* name_of(Verdict verdict);  // "holds", "does not hold", "no counterexample", …

// A number that a condition compares, with the bound it has to respect. Some only inform and have no bound.
struct Figure {
  std::string name;
  std::optional<double> value;
  std::string relation = {};  // "≤", "<", "≥", ">" or "=": value relation bound
  std::optional<double> bound = {};
};

struct Certificate {
  std::string name;
  std::string source;
  std::string statement;             // what follows if it holds, and from what
  std::vector<Figure> figures = {};  // of the condition
  Verdict verdict = Verdict::not_applicable;
  std::optional<double> margin = {};  // of the tightest figure, positive where it holds, relative to its size
  std::string why = {};               // in plain words, for this impact
  std::optional<Vec> velocity = {};   // a u⁻ that violates it, where one is known
  std::vector<Vec> velocities = {};   // several of them that violate it together, in their order
  bool friction_in_octagons = false;  // discs and ellipses of friction were replaced by octagons around them
  std::vector<LawForm> forms = {};    // of the laws it speaks about; empty: the system, whatever the law

  bool speaks_of(LawForm form) const;
  Certificate& with(Figure figure);
  Certificate& judged(bool holds, std::string reason);
  Certificate& tried(bool contradicted, std::string reason);  // by samples, or a search that did not end
  Certificate& not_applicable(std::string reason);
};

// value ≤ bound and the like, with a margin that is positive where the relation holds.
Figure at_most(std::string name, double value, double bound);
Figure below(std::string name, double value, double bound);
Figure at_least(std::string name, double value, double bound);
Figure above(std::string name, double value, double bound);
Figure plain(std::string name, double value);

bool holds(const Figure& figure);  // true where there is nothing to compare
std::optional<double> margin_of(const Figure& figure);

}  // namespace carom
