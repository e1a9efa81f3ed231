#include "engine/impact_problem.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engine/free_motions.h"
#include "engine/mass_range.h"

namespace carom {

namespace {

// A mass matrix may be typed with rounded digits; a bilateral constraint is met by u⁻ up to this, relative.
constexpr double symmetry_tolerance = 1e-9;
constexpr double manifold_tolerance = 1e-8;

Index row_count_of(const Element& element) {
  if (const Contact* contact = element.contact()) return 1 + contact->friction.size();
  return element.clutch() ? 1 : 0;
}

// The force directions of an element as columns, from the first of W on.
void put_directions(const Element& element, Eigen::Ref<Mat> W) {
  if (const Contact* contact = element.contact()) {
    W.col(0) = contact->normal;
    for (Index k = 0; k < contact->tangent.rows(); ++k) W.col(1 + k) = contact->tangent.row(k).transpose();
  } else {
    W.col(0) = element.clutch() ? element.clutch()->direction : element.bilateral()->direction;
  }
}

// L⁻¹ of the rows, one column each.
Mat white_columns(const MassMatrix& M, const Rows& rows) {
  Mat columns = rows.dense(M.size()).transpose();
  for (Index k = 0; k < columns.cols(); ++k) M.whiten(columns.col(k));
  return columns;
}

class DefectList {
 public:
  void add(std::string key, std::string message) {
    list_.push_back({std::nullopt, std::move(key), std::move(message)});
  }
  void add(std::size_t element, std::string key, std::string message) {
    list_.push_back({element, std::move(key), std::move(message)});
  }
  bool empty() const { return list_.empty(); }
  std::vector<Defect> take() { return std::move(list_); }

 private:
  std::vector<Defect> list_;
};

void check_mass(const Mat& M, DefectList& list) {
  if (M.rows() != M.cols()) {
    list.add("mass", fmt::format("the mass matrix has {} rows and {} columns; it must be square", M.rows(), M.cols()));
    return;
  }
  if (M.rows() == 0) return list.add("mass", "the mass matrix is empty");
  if (!M.allFinite()) return list.add("mass", "the mass matrix has an entry that is not finite");
  const std::string out_of_range = fmt::format(
      "the mass matrix has an entry out of the range of numbers that have squares ({:g} .. {:g}): choose "
      "other units",
      least_mass, most_mass);
  if (!(M.cwiseAbs().maxCoeff() <= most_mass)) return list.add("mass", out_of_range);
  const double asymmetry = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > symmetry_tolerance * M.cwiseAbs().maxCoeff()) {
    Index i = 0;
    Index j = 0;
    (M - M.transpose()).cwiseAbs().maxCoeff(&i, &j);
    return list.add(
        "mass",
        fmt::format("the mass matrix is not symmetric: entries ({0}, {1}) and ({1}, {0}) are {2:.6g} and {3:.6g}",
                    std::min(i, j) + 1, std::max(i, j) + 1, M(std::min(i, j), std::max(i, j)),
                    M(std::max(i, j), std::min(i, j))));
  }
  // Scaled to a unit diagonal, so that kilograms beside kilogram square metres do not look singular.
  if ((M.diagonal().array() <= 0).any()) {
    Index i = 0;
    M.diagonal().minCoeff(&i);
    return list.add(
        "mass", fmt::format("the mass matrix is not positive definite: diagonal entry {} is {:.6g}", i + 1, M(i, i)));
  }
  if (!(M.diagonal().minCoeff() >= least_mass)) return list.add("mass", out_of_range);
  const Vec scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const Mat scaled = scale.asDiagonal() * Mat(0.5 * (M + M.transpose())) * scale.asDiagonal();
  const double smallest = Eigen::SelfAdjointEigenSolver<Mat>(scaled, Eigen::EigenvaluesOnly).eigenvalues()(0);
  if (!(smallest > 1e-14)) {
    list.add(
        "mass",
        fmt::format(
            "the mass matrix is not positive definite: its smallest eigenvalue, scaled to a unit diagonal, is {:.3g}",
            smallest));
  }
}

void check_direction(std::size_t i, const char* key, const Vec& w, Index n, DefectList& list) {
  if (w.size() != n)
    return list.add(i, key, fmt::format("'{}' has {} numbers, the mass matrix {} rows", key, w.size(), n));
  if (!w.allFinite()) return list.add(i, key, fmt::format("'{}' has an entry that is not finite", key));
  if (w.squaredNorm() == 0) list.add(i, key, fmt::format("'{}' is zero: a direction must have a length", key));
}

void check_tangents(std::size_t i, const Contact& contact, Index n, DefectList& list) {
  for (Index k = 0; k < contact.tangent.rows(); ++k) check_direction(i, "tangent", contact.tangent.row(k), n, list);
  if (contact.tangent.rows() == 2 && contact.tangent.cols() == n) {
    const Vec a = contact.tangent.row(0).normalized();
    const Vec b = contact.tangent.row(1).normalized();
    if ((a - b * a.dot(b)).norm() < 1e-10)
      list.add(i, "tangent", "the two tangents are dependent (one is a multiple of the other)");
  }
  if (contact.friction.size() != contact.tangent.rows()) {
    list.add(i, "friction",
             fmt::format("{} friction coefficients for {} tangents", contact.friction.size(), contact.tangent.rows()));
  }
  if (!(contact.friction.array() >= 0).all() || !contact.friction.allFinite()) {
    list.add(i, "friction", "a friction coefficient must be a finite number, at least 0");
  }
}

void check_element(std::size_t i, const Element& element, Index n, DefectList& list) {
  if (const Contact* contact = element.contact()) {
    check_direction(i, "normal", contact->normal, n, list);
    if (contact->tangent.rows() > 2) list.add(i, "tangent", "a contact has at most two tangents");
    check_tangents(i, *contact, n, list);
    if (!std::isfinite(contact->restitution)) list.add(i, "restitution", "restitution is not finite");
    if (!std::isfinite(contact->tangential_restitution))
      list.add(i, "tangential_restitution", "tangential_restitution is not finite");
    if (!(contact->stiffness > 0) || !std::isfinite(contact->stiffness))
      list.add(i, "stiffness", "stiffness must be a finite number above 0");
  } else if (const Clutch* clutch = element.clutch()) {
    check_direction(i, "direction", clutch->direction, n, list);
    if (!std::isfinite(clutch->restitution)) list.add(i, "restitution", "restitution is not finite");
  } else {
    check_direction(i, "direction", element.bilateral()->direction, n, list);
  }
}

Mat bilateral_directions(const std::vector<Element>& elements, Index n) {
  Mat B(n, 0);
  for (const Element& element : elements) {
    if (!element.bilateral()) continue;
    B.conservativeResize(n, B.cols() + 1);
    B.rightCols(1) = element.bilateral()->direction;
  }
  return B;
}

// What is left of a direction at rounding level, beside its own size, is no freedom.
bool is_blocked(const Vec& free_part, double size) { return free_part.squaredNorm() < rounding * rounding * size; }

// Directions that are independent as they are given, but not in the kinetic metric, up to rounding: masses differ too
// much for what is left of them to be computed.
void check_hidden(const Mat& M, const std::vector<Element>& elements, DefectList& list) {
  const Mat B = bilateral_directions(elements, M.rows());
  if (B.cols() == 0) return;
  const Eigen::LLT<Mat> factor(0.5 * (M + M.transpose()));
  const FreeMotions as_given(B), in_kinetic_metric(factor.matrixL().solve(B));
  if (as_given.blocked() > in_kinetic_metric.blocked()) {
    return list.add("mass", "the masses differ so much that independent bilateral constraints are one, up to rounding");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Mat W(M.rows(), row_count_of(elements[i]));
    if (W.cols() == 0) continue;
    put_directions(elements[i], W);
    Mat white = factor.matrixL().solve(W), left = white;
    in_kinetic_metric.project(left);
    W.colwise().normalize();
    as_given.project(W);
    for (Index k = 0; k < W.cols(); ++k) {
      if (W.col(k).norm() <= rank_tolerance || !is_blocked(left.col(k), white.col(k).squaredNorm())) continue;
      const char* key = !elements[i].contact() ? "direction" : k == 0 ? "normal" : "tangent";
      list.add(i, key,
               fmt::format("the masses differ so much that '{}' cannot be told from the bilateral constraints, up to "
                           "rounding",
                           key));
      break;
    }
  }
}

// A bilateral constraint cannot impact by itself: u⁻ has to lie on the manifold already.
void check_manifold(const Mat& M, const Vec& u_minus, const std::vector<Element>& elements, DefectList& list) {
  const Mat B = bilateral_directions(elements, M.rows());
  if (B.cols() == 0) return;
  const Eigen::LLT<Mat> factor(0.5 * (M + M.transpose()));
  const FreeMotions free(factor.matrixL().solve(B));
  const Vec v = factor.matrixU() * u_minus;
  Vec nearest = v;
  free.project(nearest);
  if ((v - nearest).norm() <= manifold_tolerance * v.norm()) return;
  for (Index k = 0; k < nearest.size(); ++k)
    if (std::abs(nearest(k)) < std::numeric_limits<double>::epsilon() * v.norm()) nearest(k) = 0;
  factor.matrixU().solveInPlace(nearest);
  std::vector<std::string> violated;
  for (const Element& element : elements) {
    const Bilateral* bilateral = element.bilateral();
    if (!bilateral) continue;
    const double gamma = bilateral->direction.dot(u_minus);
    if (std::abs(gamma) > manifold_tolerance * bilateral->direction.norm() * u_minus.norm()) {
      violated.push_back(fmt::format("'{}' (w·u = {:.6g})", element.name, gamma));
    }
  }
  std::string digits;
  for (Index k = 0; k < nearest.size(); ++k) digits += fmt::format("{}{:.17g}", k ? ", " : "", nearest(k));
  list.add("velocity",
           fmt::format("the velocity before the impact breaks the bilateral constraint{} {}; the nearest velocity that "
                       "keeps {} is [{}]",
                       violated.size() > 1 ? "s" : "", fmt::join(violated, ", "), violated.size() > 1 ? "them" : "it",
                       digits));
}

void check_magnitudes(const Mat& M, const Vec& u_minus, const std::vector<Element>& elements, DefectList& list) {
  constexpr double least_energy = 1e-240;  // far above the smallest number: what is small beside it is told, too
  const double twice_T = u_minus.dot(M * u_minus);
  if (!std::isfinite(twice_T)) list.add("velocity", "the kinetic energy overflows: choose other units");
  if (std::abs(twice_T) < least_energy && !u_minus.isZero(0))
    list.add("velocity", "the kinetic energy is too small to be computed with: choose other units");
  const Eigen::LLT<Mat> factor(0.5 * (M + M.transpose()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Mat W(M.rows(), std::max(Index{1}, row_count_of(elements[i])));
    put_directions(elements[i], W);
    const Mat whitened = factor.matrixL().solve(W);
    const Vec size = whitened.colwise().squaredNorm().transpose();
    if (!size.allFinite() || !(size.array() > 0).all() || !(W.transpose() * u_minus).allFinite()) {
      list.add(i, elements[i].contact() ? "normal" : "direction",
               "wᵀM⁻¹w or w·u is out of the range of numbers: choose other units");
    }
  }
}

}  // namespace

struct ImpactProblem::Space {
  MassMatrix M;
  FreeMotions free;                               // what the constraints leave
  Eigen::CompleteOrthogonalDecomposition<Mat> B;  // of L⁻¹B, for the constraints' own impulses

  void eliminate(const Rows& bilateral) {
    if (bilateral.count() == 0) {
      free = FreeMotions(M.size());
      if (B.cols() > 0) B = {};
      return;
    }
    const Mat directions = white_columns(M, bilateral);
    free = FreeMotions(directions);
    B.setThreshold(rank_tolerance);
    B.compute(directions);
  }
};

std::vector<Defect> ImpactProblem::defects(const Mat& M, const Vec& u_minus, const std::vector<Element>& elements) {
  DefectList list;
  check_mass(M, list);
  if (M.rows() == M.cols() && u_minus.size() != M.rows()) {
    list.add("velocity", fmt::format("the velocity has {} numbers, the mass matrix {} rows", u_minus.size(), M.rows()));
  } else if (!u_minus.allFinite()) {
    list.add("velocity", "the velocity has an entry that is not finite");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) check_element(i, elements[i], M.rows(), list);
  if (list.empty()) check_magnitudes(M, u_minus, elements, list);
  if (list.empty()) check_hidden(M, elements, list);
  if (list.empty()) check_manifold(M, u_minus, elements, list);
  return list.take();
}

ImpactProblem::ImpactProblem(const Mat& M, const Vec& u_minus, std::vector<Element> elements)
    : elements_(std::move(elements)) {
  std::string complaint;
  for (const Defect& defect : defects(M, u_minus, elements_)) {
    complaint += (complaint.empty() ? "" : "; ") +
                 (defect.element ? "element '" + elements_[*defect.element].name + "': " : "") + defect.message;
  }
  if (!complaint.empty()) throw std::invalid_argument(complaint);
  own_space().M.set_dense(0.5 * (M + M.transpose()));
  collect_directions();
  build(u_minus);
  if (space_->free.blocked() > 0) {
    Vec v = to_white(u_minus);
    space_->free.project(v);
    u_minus_ = from_white(v);
    update_gamma();
  }
}

ImpactProblem ImpactProblem::on_manifold(const Mat& M, const Vec& u_minus, std::vector<Element> elements) {
  ImpactProblem problem;
  problem.rebuild_on_manifold(M, u_minus, std::move(elements));
  return problem;
}

void ImpactProblem::rebuild_on_manifold(const Mat& M, const Vec& u_minus, std::vector<Element> elements) {
  elements_ = std::move(elements);
  own_space().M.set_dense(M);
  collect_directions();
  build(u_minus);
}

void ImpactProblem::rebuild_on_manifold(const MassMatrix& M, const Rows& W, const Rows& B, const Vec& u_minus,
                                        std::vector<Element> elements) {
  elements_ = std::move(elements);
  own_space().M = M;
  W_ = W;
  B_ = B;
  build(u_minus);
}

void ImpactProblem::collect_directions() {
  W_.clear();
  B_.clear();
  for (const Element& element : elements_) {
    if (const Contact* contact = element.contact()) {
      W_.add_row(contact->normal);
      for (Index k = 0; k < contact->tangent.rows(); ++k) W_.add_row(contact->tangent.row(k));
    } else if (const Clutch* clutch = element.clutch()) {
      W_.add_row(clutch->direction);
    } else {
      B_.add_row(element.bilateral()->direction);
    }
  }
}

void ImpactProblem::set_velocity(const Vec& u_minus) {
  u_minus_ = u_minus;
  update_gamma();
}

ImpactProblem::Space& ImpactProblem::own_space() {
  if (!space_ || space_.use_count() > 1) space_ = std::make_shared<Space>();
  return *space_;
}

void ImpactProblem::build(const Vec& u_minus) {
  Space& space = *space_;
  space.M.factor();
  space.eliminate(B_);
  u_minus_ = u_minus;
  index_rows();
  if (B_.count() > 0) {
    build_on_constraints(space);
  } else {
    G_.rebuild(W_, space.M);
    compliance_.resize(rows());
    for (Index k = 0; k < rows(); ++k) compliance_(k) = G_(k, k);
  }
  update_gamma();
}

void ImpactProblem::build_on_constraints(const Space& space) {
  W_white_ = white_columns(space.M, W_);
  compliance_ = W_white_.colwise().squaredNorm().transpose();
  space.free.project(W_white_);
  // An exact zero keeps a direction without freedom from being divided by.
  for (Index k = 0; k < W_white_.cols(); ++k)
    if (is_blocked(W_white_.col(k), compliance_(k))) W_white_.col(k).setZero();
  G_.rebuild(W_white_);
}

void ImpactProblem::update_gamma() {
  gamma_minus_.resize(rows());
  for (Index k = 0; k < rows(); ++k) gamma_minus_(k) = G_(k, k) == 0 ? 0 : W_.dot(k, u_minus_);
}

void ImpactProblem::index_rows() {
  first_row_.assign(1, 0);
  for (const Element& element : elements_) first_row_.push_back(first_row_.back() + row_count_of(element));
}

Mat ImpactProblem::M() const { return space_->M.dense(); }

Vec ImpactProblem::velocity_after(const Vec& Lambda) const {
  Vec u_plus;
  velocity_after(Lambda, u_plus);
  return u_plus;
}

void ImpactProblem::velocity_after(const Vec& Lambda, Vec& u_plus) const {
  if (has_bilaterals()) {
    u_plus.noalias() = W_white_ * Lambda;
    space_->M.unwhiten(u_plus);
  } else {
    u_plus.setZero(u_minus_.size());
    for (Index k = 0; k < rows(); ++k) W_.add_to(u_plus, k, Lambda(k));
    space_->M.solve_in_place(u_plus);
  }
  u_plus += u_minus_;
}

Vec ImpactProblem::bilateral_impulses(const Vec& Lambda) const {
  if (!has_bilaterals()) return Vec(0);
  Vec impulse = Vec::Zero(u_minus_.size());
  for (Index k = 0; k < rows(); ++k) W_.add_to(impulse, k, Lambda(k));
  space_->M.whiten(impulse);
  return -space_->B.solve(impulse);
}

double ImpactProblem::kinetic_energy(const Vec& u) const { return space_->M.kinetic_energy(u); }

ImpactProblem ImpactProblem::subproblem(const std::vector<std::size_t>& elements, const Vec& u_minus) const {
  ImpactProblem sub;
  sub.space_ = space_;
  sub.B_ = B_;
  sub.u_minus_ = u_minus;
  // Where most of the velocity is lost, what rounding has moved it off the constraints would count; driven ones keep
  // their rates.
  if (has_bilaterals()) {
    const Vec v = to_white(u_minus);
    Vec free = v;
    space_->free.project(free);
    if ((v - free).norm() <= manifold_tolerance * to_white(u_minus_).norm()) sub.u_minus_ = from_white(free);
  }
  std::vector<Index> taken;
  for (std::size_t i : elements) {
    sub.elements_.push_back(elements_[i]);
    for (Index k = first_row_[i]; k < first_row_[i + 1]; ++k) {
      sub.W_.append(W_[k]);
      taken.push_back(k);
    }
  }
  sub.index_rows();
  sub.compliance_ = compliance_(taken);
  if (has_bilaterals()) {
    sub.W_white_ = W_white_(Eigen::all, taken);
    sub.G_ = Delassus(sub.W_white_);
  } else {
    sub.G_ = G_.restricted(taken);
  }
  sub.update_gamma();
  return sub;
}

ImpactProblem ImpactProblem::with_restitution(double epsilon) const {
  ImpactProblem problem = *this;
  for (Element& element : problem.elements_) {
    if (Contact* contact = std::get_if<Contact>(&element.kind)) contact->restitution = epsilon;
  }
  return problem;
}

Mat ImpactProblem::white_directions() const { return has_bilaterals() ? W_white_ : white_columns(space_->M, W_); }

Mat ImpactProblem::free_motions() const { return space_->free.basis(); }

Vec ImpactProblem::to_white(const Vec& u) const {
  Vec v = u;
  space_->M.to_white(v);
  return v;
}

Vec ImpactProblem::from_white(const Vec& v) const {
  Vec u = v;
  space_->M.unwhiten(u);
  return u;
}

}  // namespace carom
