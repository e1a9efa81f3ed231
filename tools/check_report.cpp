#include "tools/check_report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tools/table.h"

namespace carom {

namespace {

std::string percent(double share) {
  if (std::abs(share) < 1e-3) return fmt::format("{:+.2g} %", 100 * share);
  return fmt::format("{:+.{}f} %", 100 * share, std::abs(share) < 0.095 ? 1 : 0);
}

// What the law does from the impact's own velocity.
std::string here_text(const LawAssessment& law) {
  if (!law.here) return fmt::format("no solution here ({})", law.unsolved);
  const ImpactResult& here = *law.here;
  if (!here.energetic.holds)
    return fmt::format("creates {} J here ({})", figure(here.work), percent(here.work / here.T_minus));
  return fmt::format("loses {} J here", figure(std::max(0.0, -here.work), here.T_minus));
}

// The coefficients of the worst case, where they were varied.
std::string coefficients_text(const WorstCase& worst) {
  if (!worst.coefficients_varied) return "";
  constexpr std::size_t most = 3;
  std::vector<std::string> contacts;
  for (const Element& element : worst.elements) {
    const Contact* contact = element.contact();
    if (!contact) continue;
    std::string text = fmt::format("ε {}", coefficient(contact->restitution));
    if (contact->has_friction()) text += fmt::format(", μ {}", coefficient(contact->friction.maxCoeff()));
    if (contact->has_friction() && contact->tangential_restitution != 0)
      text += fmt::format(", ε_T {}", coefficient(contact->tangential_restitution));
    contacts.push_back(fmt::format("{} at '{}'", text, element.name));
  }
  const std::size_t more = contacts.size() > most ? contacts.size() - most : 0;
  contacts.resize(contacts.size() - more);
  return fmt::format(", with {}{}", fmt::join(contacts, "; "), more > 0 ? fmt::format("; and {} more", more) : "");
}

// What it does from the worst velocity of the same energy.
std::string worst_text(const LawAssessment& law, double T_minus) {
  if (!law.worst) return "";
  const WorstCase& worst = *law.worst;
  const std::string varied = worst.coefficients_varied ? " and coefficients in the ranges" : "";
  if (!worst.gains() && worst.exact) return fmt::format("no velocity{} gains (exact)", varied);
  // How sure it is, and a bound that says more than what was found.
  std::string kind = worst.exact ? "exact" : "searched";
  if (worst.cut_short) kind += ", cut short";
  if (!worst.exact && worst.bound) kind += fmt::format(", no more than {}", percent(*worst.bound));
  if (!worst.gains())
    return fmt::format("no gain found in {} impacts from other velocities{} ({})", worst.tried, varied, kind);
  const double energy = T_minus > 0 ? T_minus : 1;
  return fmt::format("{} {} J ({}, {}) from {} velocity {}{}{}", worst.exact ? "at most" : "up to",
                     figure(worst.gain * energy), percent(worst.gain), kind, worst.exact ? "any" : "another",
                     T_minus > 0 ? "of the same energy" : "of 1 J", varied, coefficients_text(worst));
}

// What of the ranges the law takes, where that is less.
std::string taken_text(const LawAssessment& law) {
  std::string text = law.tangential_below_normal ? " (where ε_T ≤ ε_N, the law takes no other)" : "";
  const auto add = [&](const char* name, const auto& asked, const auto& taken) {
    if (taken && taken != asked)
      text += fmt::format(" ({} {:g}..{:g}, the law takes no other)", name, taken->first, taken->second);
  };
  add("restitution", law.ranges.restitution, law.taken.restitution);
  add("tangential_restitution", law.ranges.tangential_restitution, law.taken.tangential_restitution);
  return text;
}

// What holds within the ranges that were given; empty if none were.
std::string within_text(const LawAssessment& law, double T_minus) {
  if (!law.within) return "";
  const std::string ranges = "within the ranges" + taken_text(law);
  if (law.within->proven) return fmt::format("; {} {}, {}", good("guaranteed"), ranges, law.within->theorem);
  const std::string worst = worst_text(law, T_minus);
  return fmt::format("; {} {} ({}){}{}", bad("not guaranteed"), ranges, law.within->obstacle, worst.empty() ? "" : ": ",
                     worst);
}

// Counts without decimals.
std::string count_or_figure(double value) {
  return value == std::round(value) && std::abs(value) < 1e5 ? fmt::format("{:.0f}", value) : figure(value);
}

std::string bound_text(const Figure& entry) {
  if (!entry.value) return entry.name + " ∞";
  std::string text = fmt::format("{} {}", entry.name, count_or_figure(*entry.value));
  if (!entry.relation.empty() && entry.bound)
    text += fmt::format(" {} {}", entry.relation, count_or_figure(*entry.bound));
  if (!entry.relation.empty() && entry.bound && !holds(entry)) text += " ✗";
  return text;
}

std::string mark(Verdict verdict) {
  return verdict == Verdict::holds   ? good("holds")
         : verdict == Verdict::fails ? bad("does not hold")
                                     : faint(name_of(verdict));
}

std::string velocity_text(const Vec& u) { return figures({u.begin(), u.end()}, largest(u)); }

std::string subscript(std::size_t number) {
  std::string text;
  for (const char digit : std::to_string(number))
    text += fmt::format("\xE2\x82{}", static_cast<char>(0x80 + digit - '0'));
  return text;
}

std::string certificate_text(const Certificate& certificate) {
  std::string text =
      fmt::format("    {}: {}   {}\n", certificate.name, mark(certificate.verdict), faint(certificate.source));
  text += wrapped(certificate.statement, page_width(), "      ");
  std::string figures_text;
  for (const Figure& entry : certificate.figures)
    figures_text += (figures_text.empty() ? "" : ";  ") + bound_text(entry);
  if (!figures_text.empty()) text += wrapped(figures_text, page_width(), "      ");
  text += wrapped("→ " + certificate.why, page_width(), "      ");
  if (certificate.friction_in_octagons)
    text += wrapped("friction in space was replaced by octagons around its discs", page_width(), "      ");
  if (!certificate.velocities.empty()) {
    std::vector<std::string> list;
    for (const Vec& u : certificate.velocities)
      list.push_back(fmt::format("u{} = {}", subscript(list.size() + 1), velocity_text(u)));
    text += wrapped(fmt::format("{}", fmt::join(list, ", ")), page_width(), "      ");
  } else if (certificate.velocity) {
    text += fmt::format("      u⁻ = {}\n", velocity_text(*certificate.velocity));
  }
  return text;
}

std::string worst_velocity_text(const LawAssessment& law) {
  if (!law.worst || !law.worst->gains()) return "";
  return fmt::format("    worst case ({}): u⁻ = {}{}\n", law.worst->exact ? "exact" : "searched",
                     velocity_text(law.worst->u_minus), coefficients_text(*law.worst));
}

Json certificate_json(const Certificate& certificate) {
  Json json;
  json["name"] = certificate.name;
  json["source"] = certificate.source;
  json["statement"] = certificate.statement;
  json["verdict"] = name_of(certificate.verdict);
  json["why"] = certificate.why;
  json["margin"] = number_or_null(certificate.margin);
  json["figures"] = Json::array();
  for (const Figure& entry : certificate.figures) {
    Json item;
    item["name"] = entry.name;
    item["value"] = number_or_null(entry.value);
    item["relation"] = entry.relation.empty() ? Json(nullptr) : Json(entry.relation);
    item["bound"] = number_or_null(entry.bound);
    json["figures"].push_back(item);
  }
  json["velocity"] = certificate.velocity ? to_json(*certificate.velocity) : Json(nullptr);
  json["velocities"] = Json::array();
  for (const Vec& u : certificate.velocities) json["velocities"].push_back(to_json(u));
  json["friction_in_octagons"] = certificate.friction_in_octagons;
  return json;
}

Json certificates_json(const std::vector<Certificate>& certificates) {
  Json json = Json::array();
  for (const Certificate& certificate : certificates) json.push_back(certificate_json(certificate));
  return json;
}

const char* standing_name(LawAssessment::Standing standing) {
  switch (standing) {
    case LawAssessment::Standing::guaranteed:
      return "guaranteed";
    case LawAssessment::Standing::not_guaranteed:
      return "not guaranteed";
    case LawAssessment::Standing::refused:
      break;
  }
  return "refused";
}

Json coefficients_json(const std::vector<Element>& elements) {
  Json json = Json::array();
  for (const Element& element : elements) {
    const Contact* contact = element.contact();
    if (!contact) continue;
    json.push_back({{"name", element.name},
                    {"restitution", contact->restitution},
                    {"tangential_restitution", contact->tangential_restitution},
                    {"friction", to_json(contact->friction)}});
  }
  return json;
}

Json worst_json(const WorstCase& worst, double T_minus) {
  Json json;
  json["gain"] = number_or_null(worst.gain);
  json["created"] = number_or_null(worst.gain * (T_minus > 0 ? T_minus : 1));
  json["velocity"] = to_json(worst.u_minus);
  json["contacts"] = coefficients_json(worst.elements);
  json["exact"] = worst.exact;
  json["bound"] = number_or_null(worst.exact ? worst.gain : worst.bound);
  json["tried"] = worst.tried;
  json["cut_short"] = worst.cut_short;
  return json;
}

Json assessment_json(const LawAssessment& law, double T_minus) {
  Json json;
  json["law"] = law.law;
  json["verdict"] = standing_name(law.standing);
  json["one_contact_at_a_time"] = law.in_turn;
  json["theorem"] = law.proof.theorem.empty() ? Json(nullptr) : Json(law.proof.theorem);
  const std::string& reason = law.refusal.empty() ? law.proof.obstacle : law.refusal;
  json["reason"] = reason.empty() ? Json(nullptr) : Json(reason);
  json["within_ranges"] = nullptr;
  if (law.within) {
    json["within_ranges"] = {{"verdict", law.within->proven ? "guaranteed" : "not guaranteed"},
                             {"theorem", law.within->proven ? Json(law.within->theorem) : Json(nullptr)},
                             {"reason", law.within->proven ? Json(nullptr) : Json(law.within->obstacle)}};
  }
  json["unsolved"] = law.unsolved.empty() ? Json(nullptr) : Json(law.unsolved);
  json["here"] = nullptr;
  if (law.here) {
    json["here"] = {{"work", number_or_null(law.here->work)},
                    {"gain", number_or_null(law.here->T_minus > 0 ? law.here->work / law.here->T_minus : 0)},
                    {"energetic", law.here->energetic.holds},
                    {"kinematic", law.here->kinematic.holds},
                    {"kinetic", law.here->kinetic.holds}};
  }
  json["worst"] = law.worst ? worst_json(*law.worst, T_minus) : Json(nullptr);
  json["kinematic"] = law.kinematic ? certificate_json(*law.kinematic) : Json(nullptr);
  json["certificates"] = certificates_json(law.certificates);
  return json;
}

// Guaranteed speaks of energy: what a law leaves approaching has a line of its own.
std::string kinematic_line(const LawAssessment& law) {
  if (!law.kinematic || law.kinematic->verdict != Verdict::fails) return "";
  return fmt::format("{}: {}", bad("kinematics not guaranteed"), law.kinematic->why);
}

}  // namespace

std::string verdict_line(const LawAssessment& law, double T_minus) {
  const std::string name = law.in_turn ? law.law + " (one contact at a time)" : law.law;
  switch (law.standing) {
    case LawAssessment::Standing::refused:
      return fmt::format("{}: {}", name, faint("not applicable: " + law.refusal));
    case LawAssessment::Standing::guaranteed: {
      const std::string given = law.within ? " with the given coefficients" : "";
      if (!law.here)
        return fmt::format("{}: {}; {} where it has one{}, {}{}", name, bad(here_text(law)), good("guaranteed"), given,
                           law.proof.theorem, within_text(law, T_minus));
      return fmt::format("{}: {}{}, {}{}", name, good("guaranteed"), given, law.proof.theorem,
                         within_text(law, T_minus));
    }
    case LawAssessment::Standing::not_guaranteed:
      break;
  }
  const std::string worst = law.within ? "" : worst_text(law, T_minus);
  return fmt::format("{}: {}{}; {}{}{} ({}){}", name, bad("not guaranteed"),
                     law.within ? " with the given coefficients" : "", here_text(law), worst.empty() ? "" : ", ", worst,
                     law.proof.obstacle, within_text(law, T_minus));
}

bool goes_wrong(const CheckedImpact& impact) {
  return std::any_of(impact.laws.begin(), impact.laws.end(), [](const LawAssessment& law) {
    return law.standing != LawAssessment::Standing::refused && (!law.here || !law.here->energetic.holds);
  });
}

std::string check_text(const CheckedImpact& impact, bool verbose) {
  std::string text = impact.file.about.empty() ? impact.file.scene : impact.file.about;
  if (!impact.where.empty()) text += "   " + impact.where;
  const std::string all = figure(impact.T_minus),
                    taking_part = figure(impact.T_minus_taking_part.value_or(impact.T_minus));
  text +=
      fmt::format("   T⁻ = {} J{}{}{}\n", all, impact.seen_from_drives ? " as seen from the drives" : "",
                  taking_part != all ? fmt::format(" of all bodies, {} J of those that take part", taking_part) : "",
                  impact.moment.empty() ? "" : (taking_part != all ? ", " : " ") + impact.moment);
  if (const auto& drives = impact.file.drives; !drives.empty())
    text +=
        wrapped(fmt::format("'{}' {} by prescription: what is judged is the contacts' work. The work that keeps the "
                            "motion up is applied work, and of any sign",
                            fmt::join(drives, "', '"), drives.size() > 1 ? "move" : "moves"),
                page_width(), "  ");
  for (const LawAssessment& law : impact.laws) {
    text += wrapped(verdict_line(law, impact.T_minus), page_width(), "  ", "    ");
    text += wrapped(kinematic_line(law), page_width(), "    ", "      ");
  }
  if (!verbose) return text;
  text += "\n  the system\n";
  for (const Certificate& certificate : impact.system) text += certificate_text(certificate);
  for (const LawAssessment& law : impact.laws) {
    if (law.certificates.empty()) continue;
    text += "\n  " + law.law + "\n" + worst_velocity_text(law);
    if (law.kinematic) text += certificate_text(*law.kinematic);
    for (const Certificate& certificate : law.certificates) text += certificate_text(certificate);
  }
  return text;
}

Json check_json(const CheckedImpact& impact) {
  Json json;
  json["where"] = impact.where.empty() ? Json(nullptr) : Json(impact.where);
  json["time"] = number_or_null(impact.time);
  json["kinetic_energy_before"] = impact.T_minus;
  json["kinetic_energy_taking_part"] = number_or_null(impact.T_minus_taking_part);
  json["velocity_before"] = to_json(impact.file.velocity);
  json["prescribed_motions"] = impact.file.drives;
  json["relative_to_prescribed_motions"] = impact.seen_from_drives;
  json["system"] = certificates_json(impact.system);
  json["laws"] = Json::array();
  for (const LawAssessment& law : impact.laws) json["laws"].push_back(assessment_json(law, impact.T_minus));
  return json;
}

}  // namespace carom
