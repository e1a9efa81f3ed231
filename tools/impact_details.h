// What an impact consists of beyond its outcome, by the letters of the papers: M, W, G and G⁻¹, the end of compression
// u° with T°, the work of each phase, kinetic quasi-velocities, and Djerassi's quantities of one planar contact.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/impact_result.h"
#include "tools/json.h"

namespace carom {

// The end of compression, of a law that has phases (Glocker 2014 (40), (99)).
struct PhaseFigures {
  Vec u_mid;                             // u°
  double T_mid = 0;                      // T°
  double work_minus = 0, work_plus = 0;  // W⁽⁻⁾ = T° − T⁻, W⁽⁺⁾ = T⁺ − T°
  std::vector<double> minus, plus;  // the same by elements: ½Λ⁽⁻⁾·(γ⁻ + γ°), ½Λ⁽⁺⁾·(γ° + γ⁺)
};
std::optional<PhaseFigures> phase_figures(const ImpactProblem& problem, const ImpactResult& result);

// Of one planar contact with friction (Djerassi 2010 (23)–(25), Table 1). The tangent points along the slip.
struct SlipFigures {
  double m_nn = 0, m_nt = 0, m_tt = 0, delta = 0;
  double g = 0, h = 0, p = 0, q = 0;
  double alpha = 0, r_m = 0, limit = 0;  // limit = (1 + e) r_m
  int table_case = 0;                    // 1 to 5: the signs of g, h, p, q
};
std::optional<SlipFigures> slip_figures(const ImpactProblem& problem);

// The coefficients with which each hypothesis ends where this impact has ended (Djerassi 2010, sect. 7).
struct Equivalents {
  std::optional<double> stronge, poisson, newton;  // e_e, e_i, e_v
};
Equivalents equivalents(const ImpactResult& result);

// Kinetic quasi-velocities (Brogliato 2012 (6)) and what couples them (24): none without contacts.
struct QuasiVelocities {
  Vec norm_before, norm_after, tan_before, tan_after;
  Mat G;                     // n_qᵀMn_q, unit diagonal
  Mat normal_by_tangential;  // n_qᵀH_T
  Mat tangential;            // t_qᵀH_T
};
std::optional<QuasiVelocities> quasi_velocities(const ImpactProblem& problem, const Vec& u_plus);

// M, W, G, G⁻¹ and the elements; nothing of problems too large to read.
Json problem_json(const ImpactProblem& problem);
Json details_json(const ImpactProblem& problem, const ImpactResult& result);

std::string problem_text(const ImpactProblem& problem);
std::string details_text(const ImpactProblem& problem, const std::string& law, const ImpactResult& result);

}  // namespace carom
