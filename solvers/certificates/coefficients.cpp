#include <spdlog/fmt/fmt.h>

#include "solvers/certificates/system.h"

namespace carom {

namespace {

struct Table {
  LawForm law;
  const char* source;
  const char* statement;
  bool (*contact)(const Contact&);
  bool (*clutch)(const Clutch&);
};

Certificate against(const Table& table, const ImpactProblem& problem) {
  Certificate certificate{
      .name = "coefficients", .source = table.source, .statement = table.statement, .forms = {table.law}};
  std::string outside;
  for (const Element& element : problem.elements()) {
    if (const Contact* contact = element.contact()) {
      certificate.with(plain("ε of " + element.name, contact->restitution));
      if (contact->has_friction()) certificate.with(plain("ε_T of " + element.name, contact->tangential_restitution));
      if (!table.contact(*contact)) outside += (outside.empty() ? "'" : ", '") + element.name + "'";
    } else if (const Clutch* clutch = element.clutch()) {
      certificate.with(plain("ε of " + element.name, clutch->restitution));
      if (!table.clutch(*clutch)) outside += (outside.empty() ? "'" : ", '") + element.name + "'";
    }
  }
  return certificate.judged(
      outside.empty(), outside.empty() ? "all coefficients are in their ranges" : "outside the ranges: " + outside);
}

}  // namespace

std::vector<Certificate> coefficient_certificates(const ImpactProblem& problem) {
  const Table poisson = {
      LawForm::poisson, "Glocker 2014, Table 1",
      "each element alone loses: contacts and clutches 0 ≤ ε ≤ 1, friction 0 ≤ ε_T ≤ ε_N",
      [](const Contact& c) {
        return c.restitution >= 0 && c.restitution <= 1 &&
               (!c.has_friction() || (c.tangential_restitution >= 0 && c.tangential_restitution <= c.restitution));
      },
      [](const Clutch& c) { return c.restitution >= 0 && c.restitution <= 1; }};
  const Table newton = {
      LawForm::newton, "Glocker 2013, Table 1 (quoted in Glocker 2014, sect. 8.3)",
      "each element alone loses and stays admissible: contacts 0 ≤ ε ≤ 1, clutches −1 < ε ≤ 0, friction −1 < ε_T ≤ 1",
      [](const Contact& c) {
        return c.restitution >= 0 && c.restitution <= 1 &&
               (!c.has_friction() || (c.tangential_restitution > -1 && c.tangential_restitution <= 1));
      },
      [](const Clutch& c) { return c.restitution > -1 && c.restitution <= 0; }};
  return {against(poisson, problem), against(newton, problem)};
}

}  // namespace carom
