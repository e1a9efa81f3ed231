#include "solvers/certificates/certificate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

namespace {

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "does not hold";
    case Verdict::not_contradicted:
      return "no counterexample";
    case Verdict::not_applicable:
      break;
  }
  return "not applicable";
}

Figure at_most(std::string name, double value, double bound) {
  return {std::move(name), finite(value), "≤", finite(bound)};
}
Figure below(std::string name, double value, double bound) {
  return {std::move(name), finite(value), "<", finite(bound)};
}
Figure at_least(std::string name, double value, double bound) {
  return {std::move(name), finite(value), "≥", finite(bound)};
}
Figure above(std::string name, double value, double bound) {
  return {std::move(name), finite(value), ">", finite(bound)};
}
Figure plain(std::string name, double value) { return {std::move(name), finite(value), "", std::nullopt}; }

bool holds(const Figure& figure) {
  if (figure.relation.empty()) return true;
  if (!figure.value || !figure.bound) return false;
  if (figure.relation == "≤") return *figure.value <= *figure.bound;
  if (figure.relation == "<") return *figure.value < *figure.bound;
  if (figure.relation == "≥") return *figure.value >= *figure.bound;
  if (figure.relation == ">") return *figure.value > *figure.bound;
  return *figure.value == *figure.bound;
}

std::optional<double> margin_of(const Figure& figure) {
  if (figure.relation.empty() || !figure.value || !figure.bound) return std::nullopt;
  const double size = std::max({std::abs(*figure.bound), std::abs(*figure.value), 1e-300});
  if (figure.relation == "=") return -std::abs(*figure.value - *figure.bound) / size;
  const bool upper = figure.relation == "≤" || figure.relation == "<";
  return (upper ? *figure.bound - *figure.value : *figure.value - *figure.bound) / size;
}

bool Certificate::speaks_of(LawForm form) const { return std::find(forms.begin(), forms.end(), form) != forms.end(); }

Certificate& Certificate::with(Figure figure) {
  if (const std::optional<double> room = margin_of(figure)) margin = margin ? std::min(*margin, *room) : *room;
  figures.push_back(std::move(figure));
  return *this;
}

Certificate& Certificate::judged(bool ok, std::string reason) {
  verdict = ok ? Verdict::holds : Verdict::fails;
  why = std::move(reason);
  return *this;
}

Certificate& Certificate::tried(bool contradicted, std::string reason) {
  judged(!contradicted, std::move(reason));
  if (!contradicted) verdict = Verdict::not_contradicted;
  return *this;
}

Certificate& Certificate::not_applicable(std::string reason) {
  verdict = Verdict::not_applicable;
  margin.reset();
  why = std::move(reason);
  return *this;
}

}  // namespace carom
