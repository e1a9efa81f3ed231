#include "tools/impact_details.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "solvers/laws/restitution_matrix.h"
#include "tools/table.h"

namespace carom {

namespace {

constexpr Index most_rows = 12, most_coordinates = 12;  // that are written out

bool is_readable(const ImpactProblem& problem) {
  return problem.rows() <= most_rows && problem.u_minus().size() <= most_coordinates;
}

// Columns of W in the order of the rows of γ.
Mat directions(const ImpactProblem& problem) {
  Mat W(problem.u_minus().size(), problem.rows());
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Element& element = problem.elements()[i];
    const Index row = problem.first_row(i);
    if (const Contact* contact = element.contact()) {
      W.col(row) = contact->normal;
      for (Index k = 0; k < contact->tangent.rows(); ++k) W.col(row + 1 + k) = contact->tangent.row(k).transpose();
    } else if (const Clutch* clutch = element.clutch()) {
      W.col(row) = clutch->direction;
    }
  }
  return W;
}

std::optional<Mat> inverse_of(const Mat& G) {
  const Eigen::FullPivLU<Mat> lu(G);
  return lu.isInvertible() ? std::optional<Mat>(lu.inverse()) : std::nullopt;
}

Json matrix_json(const Mat& A) {
  Json json = Json::array();
  for (Index i = 0; i < A.rows(); ++i) json.push_back(to_json(Vec(A.row(i).transpose())));
  return json;
}

std::string matrix_text(const std::string& name, const Mat& A) {
  std::string text;
  for (Index i = 0; i < A.rows(); ++i) {
    std::vector<double> row(static_cast<std::size_t>(A.cols()));
    for (Index j = 0; j < A.cols(); ++j) row[static_cast<std::size_t>(j)] = A(i, j);
    text += fmt::format("  {:>8} {}\n", i == 0 ? name + " =" : "", figures(row, A.cwiseAbs().maxCoeff()));
  }
  return text;
}

std::string vector_text(const Vec& v) { return figures({v.begin(), v.end()}, largest(v)); }

// The element that is one planar contact with friction, if it alone collides.
std::optional<std::size_t> planar_contact(const ImpactProblem& problem) {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.elements()[i].bilateral()) continue;
    const Contact* contact = problem.elements()[i].contact();
    if (only || !contact || contact->tangent.rows() != 1) return std::nullopt;
    only = i;
  }
  return only;
}

std::string figure_or_dash(const std::optional<double>& value) { return value ? figure(*value) : "—"; }

}  // namespace

std::optional<PhaseFigures> phase_figures(const ImpactProblem& problem, const ImpactResult& result) {
  Vec minus = Vec::Zero(problem.rows()), plus = minus;
  bool has_phases = false;
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    const ElementResult& element = result.elements[i];
    if (!element.compression || problem.row_count(i) == 0) continue;
    has_phases = true;
    minus.segment(problem.first_row(i), problem.row_count(i)) = *element.compression;
    plus.segment(problem.first_row(i), problem.row_count(i)) = *element.decompression;
  }
  if (!has_phases) return std::nullopt;
  PhaseFigures figures;
  figures.u_mid = problem.velocity_after(minus);
  figures.T_mid = problem.kinetic_energy(figures.u_mid);
  const Vec begin = problem.gamma_minus(), middle = begin + problem.G() * minus, end = middle + problem.G() * plus;
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    const Index row = problem.first_row(i), count = problem.row_count(i);
    const auto work = [&](const Vec& Lambda, const Vec& from, const Vec& to) {
      return 0.5 * Lambda.segment(row, count).dot(from.segment(row, count) + to.segment(row, count));
    };
    figures.minus.push_back(work(minus, begin, middle));
    figures.plus.push_back(work(plus, middle, end));
    figures.work_minus += figures.minus.back();
    figures.work_plus += figures.plus.back();
  }
  return figures;
}

std::optional<SlipFigures> slip_figures(const ImpactProblem& problem) {
  const std::optional<std::size_t> only = planar_contact(problem);
  if (!only || problem.gamma_minus()(problem.first_row(*only)) >= 0) return std::nullopt;
  const Index n = problem.first_row(*only), t = n + 1;
  const Contact& contact = *problem.elements()[*only].contact();
  const double mu = contact.friction.size() > 0 ? contact.friction(0) : 0;
  const double along = problem.gamma_minus()(t) < 0 ? -1 : 1;
  SlipFigures f;
  f.m_nn = problem.G()(n, n);
  f.m_nt = along * problem.G()(n, t);
  f.m_tt = problem.G()(t, t);
  f.delta = f.m_nn * f.m_tt - f.m_nt * f.m_nt;
  f.g = mu * f.m_tt - f.m_nt;
  f.h = f.m_nn - mu * f.m_nt;
  f.p = mu * f.m_tt + f.m_nt;
  f.q = f.m_nn + mu * f.m_nt;
  f.alpha = std::abs(problem.gamma_minus()(t) / problem.gamma_minus()(n));
  f.r_m = f.g / f.h;
  f.limit = (1 + contact.restitution) * f.r_m;
  f.table_case = f.g <= 0 ? 5 : f.h <= 0 ? 4 : f.p <= 0 ? 3 : f.q <= 0 ? 2 : 1;
  return f;
}

Equivalents equivalents(const ImpactResult& result) {
  Equivalents found;
  const ElementResult* only = nullptr;
  for (const ElementResult& element : result.elements)
    if (element.Lambda.size() == 2) only = only ? nullptr : &element;
  if (!only || !(only->gamma_minus(0) < 0)) return found;
  found.newton = -only->gamma_plus(0) / only->gamma_minus(0);
  if (only->compression && (*only->compression)(0) > 0)
    found.poisson = (*only->decompression)(0) / (*only->compression)(0);
  if (result.routh) found.stronge = result.routh->equivalent_stronge();
  return found;
}

std::optional<QuasiVelocities> quasi_velocities(const ImpactProblem& problem, const Vec& u_plus) {
  const std::optional<KineticRestitution> basis = kinetic_restitution({}, problem);
  if (!basis) return std::nullopt;
  std::vector<Index> tangents;
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    for (Index k = 1; problem.elements()[i].contact() && k < problem.row_count(i); ++k)
      tangents.push_back(problem.first_row(i) + k);
  const Mat H = problem.white_directions()(Eigen::all, tangents);
  const Vec before = problem.to_white(problem.u_minus()), after = problem.to_white(u_plus);
  return QuasiVelocities{basis->N.transpose() * before, basis->N.transpose() * after,    basis->T.transpose() * before,
                         basis->T.transpose() * after,  basis->N.transpose() * basis->N, basis->N.transpose() * H,
                         basis->T.transpose() * H};
}

Json problem_json(const ImpactProblem& problem) {
  if (!is_readable(problem)) return nullptr;
  const Mat G = problem.G().dense();
  const std::optional<Mat> inverse = inverse_of(G);
  Json json = {{"M", matrix_json(problem.M())},
               {"W", matrix_json(directions(problem))},
               {"G", matrix_json(G)},
               {"G_inverse", inverse ? matrix_json(*inverse) : Json(nullptr)},
               {"elements", Json::array()}};
  for (const Element& element : problem.elements()) {
    if (element.bilateral()) continue;
    Json item = {{"name", element.name}, {"kind", element.kind_name()}};
    if (const Contact* contact = element.contact())
      item.update({{"restitution", contact->restitution},
                   {"tangential_restitution", contact->tangential_restitution},
                   {"friction", to_json(contact->friction)}});
    if (const Clutch* clutch = element.clutch()) item["restitution"] = clutch->restitution;
    json["elements"].push_back(item);
  }
  return json;
}

Json details_json(const ImpactProblem& problem, const ImpactResult& result) {
  Json json;
  json["phases"] = nullptr;
  if (const auto phases = phase_figures(problem, result)) {
    json["phases"] = {{"velocity", to_json(phases->u_mid)},
                      {"kinetic_energy", phases->T_mid},
                      {"work_compression", phases->work_minus},
                      {"work_decompression", phases->work_plus},
                      {"by_element", {{"compression", phases->minus}, {"decompression", phases->plus}}}};
  }
  json["quasi_velocities"] = nullptr;
  const auto quasi = is_readable(problem) ? quasi_velocities(problem, result.u_plus) : std::nullopt;
  if (quasi) {
    json["quasi_velocities"] = {{"norm_before", to_json(quasi->norm_before)},
                                {"norm_after", to_json(quasi->norm_after)},
                                {"tan_before", to_json(quasi->tan_before)},
                                {"tan_after", to_json(quasi->tan_after)},
                                {"G", matrix_json(quasi->G)},
                                {"normal_by_tangential", matrix_json(quasi->normal_by_tangential)},
                                {"tangential", matrix_json(quasi->tangential)}};
  }
  json["slip"] = nullptr;
  if (const auto slip = slip_figures(problem)) {
    const Equivalents same = equivalents(result);
    json["slip"] = {{"alpha", slip->alpha},
                    {"r_m", number_or_null(slip->r_m)},
                    {"limit", number_or_null(slip->limit)},
                    {"g", slip->g},
                    {"h", slip->h},
                    {"p", slip->p},
                    {"q", slip->q},
                    {"delta", slip->delta},
                    {"case", slip->table_case}};
    json["slip"]["equivalent"] = {
        {"stronge", number_or_null(same.stronge)}, {"poisson", number_or_null(same.poisson)}, {"newton", number_or_null(same.newton)}};
    if (result.routh) {
      json["slip"]["normal_work_compression"] = result.routh->compression_work;
      json["slip"]["normal_work_restitution"] = result.routh->restitution_work;
    }
  }
  return json;
}

std::string problem_text(const ImpactProblem& problem) {
  if (!is_readable(problem)) return "  (too large to be written out)\n";
  const Mat G = problem.G().dense();
  const std::optional<Mat> inverse = inverse_of(G);
  std::string text = matrix_text("M", problem.M()) + matrix_text("W", directions(problem)) + matrix_text("G", G);
  text += inverse ? matrix_text("G⁻¹", *inverse) : "     G⁻¹ = none: G is singular\n";
  if (const auto slip = slip_figures(problem))
    text += fmt::format(
        "  Djerassi 2010 (23)–(25): α {}   r_m {}   (1+e)r_m {}   g {}   h {}   p {}   q {}   Δ {}   case {} of Table "
        "1\n",
        figure(slip->alpha), figure(slip->r_m), figure(slip->limit), figure(slip->g), figure(slip->h), figure(slip->p),
        figure(slip->q), figure(slip->delta), slip->table_case);
  return text + "\n";
}

std::string details_text(const ImpactProblem& problem, const std::string& law, const ImpactResult& result) {
  std::string text = "  " + law + "\n";
  if (const auto phases = phase_figures(problem, result)) {
    text += fmt::format("    u° = {}   T° = {} J   W⁽⁻⁾ = {} J   W⁽⁺⁾ = {} J\n", vector_text(phases->u_mid),
                        figure(phases->T_mid), signed_figure(phases->work_minus, 10 * result.T_minus),
                        signed_figure(phases->work_plus, 10 * result.T_minus));
  }
  if (!is_readable(problem)) return text;
  if (const auto quasi = quasi_velocities(problem, result.u_plus)) {
    text += fmt::format("    q̇_norm {} → {}   q̇_tan {} → {}\n", vector_text(quasi->norm_before),
                        vector_text(quasi->norm_after), vector_text(quasi->tan_before), vector_text(quasi->tan_after));
  }
  const Equivalents same = equivalents(result);
  if (same.newton && slip_figures(problem)) {
    text += fmt::format("    equivalents: Stronge's e_e {}   Poisson's e_i {}   Newton's e_v {}",
                        figure_or_dash(same.stronge), figure_or_dash(same.poisson), figure_or_dash(same.newton));
    if (result.routh)
      text += fmt::format("   normal work {} J, then {} J", signed_figure(result.routh->compression_work, 0),
                          signed_figure(result.routh->restitution_work, 0));
    text += "\n";
  }
  return text;
}

}  // namespace carom
