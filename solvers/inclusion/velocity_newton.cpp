#include "solvers/inclusion/velocity_newton.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/inclusion/anderson.h"
#include "solvers/inclusion/central_path.h"
#include "solvers/inclusion/contact_directions.h"
#include "solvers/inclusion/force_cone.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/natural_newton.h"
#include "solvers/inclusion/normal_map.h"
#include "solvers/inclusion/velocity_matrix.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

constexpr int first_sweeps = 30;  // cost as much as one Newton step, and mostly settle what the start left open
constexpr int sweeps_at_a_time = 20;
constexpr int sweeps_a_round = 2000;
constexpr int steps_a_round = 30;
constexpr int most_rounds = 1;
constexpr int most_newton_steps = 40;      // within one proximal step
constexpr int steps_from_start = 10;       // of Newton's method on the natural map
constexpr int steps_between_cells = 4;     // of Newton's method on the normal map, before its path is followed
constexpr int most_cells = 60;             // of a path
constexpr int most_factorisations = 400;   // of proximal steps, from near a solution or the end of a path
constexpr int first_factorisations = 60;   // from the first point of a path; four times as many from each further one
constexpr int last_factorisations = 8000;  // from the best of two paths, before a step fails
constexpr double first_gap = 1e-7;         // of that point
constexpr double nearly_no_dilation = 1e-3;
constexpr double last_gap = 1e-13;
constexpr int most_path_steps = 200;
constexpr int most_polish_steps = 60;
constexpr double nearly_solved = 1e-4;
constexpr double longest_polish = 1e10;
constexpr Index most_rows_without_directions = 400;  // their factors are dense
constexpr std::size_t memory = 10;                   // of Anderson's acceleration
// ρG_NN: long proximal steps take redundant contacts along, short ones keep more of what is known.
constexpr double long_step = 1e3;
constexpr double short_step = 10;
// The same on the normal map: near a solution, from the end of the central path, and their bounds.
constexpr double step_near = 1e6;
constexpr double step_from_path = 1e3;
constexpr double longest_step = 1e8;
constexpr double shortest_step = 1;

// What is frozen within a proximal step; or sweeps instead.
enum class Method { frozen_shifts, frozen_radii, sweeps };

struct Course {
  Method method;
  double proximal_step;  // ρG_NN
  Attempt best;
};

class VelocityNewton {
 public:
  VelocityNewton(const Inclusion& inclusion, const Vec& start)
      : inclusion_(inclusion),
        contacts_(inclusion),
        z_(contacts_.stretched(start)),
        Lambda_(start),
        best_(Attempt::from(inclusion, start)) {
    for (std::size_t i = 0; i < contacts_.count(); ++i)
      speed_ = std::max(speed_, contacts_[i].c.cwiseAbs().maxCoeff() * std::sqrt(contacts_[i].rho_normal));
  }

  Attempt run() {
    sweep(first_sweeps);
    offer();
    if (solved() || contacts_.count() == 0) return best_;
    VelocityMatrix matrix(contacts_);
    approach(matrix);
    if (best_.residual <= inclusion_.tolerance || is_planar()) return best_;
    const Attempt cold = Attempt::from(inclusion_, Vec::Zero(inclusion_.c.size()));
    Course courses[] = {{Method::frozen_shifts, long_step, best_},
                        {Method::frozen_radii, long_step, best_},
                        {Method::sweeps, 0, best_},
                        {Method::frozen_shifts, long_step, cold},
                        {Method::frozen_radii, short_step, best_},
                        {Method::sweeps, 0, cold}};
    for (int round = 0; round < most_rounds && !solved(); ++round)
      for (Course& course : courses) {
        follow(course, matrix);
        if (best_.residual <= inclusion_.tolerance) return best_;
      }
    return best_;
  }

 private:
  // A little more than is asked for: a system at rest then finds its impulses still good in the next step.
  bool solved() const { return best_.residual <= 0.1 * inclusion_.tolerance; }

  // From where the sweeps led, if that is near a solution. Else planar problems are followed along the path that does
  // not guess who sticks; where one path ends short of a solution another may lead to it, or to another solution.
  void approach(VelocityMatrix& matrix) {
    if (!is_planar()) return polish(matrix, z_, steps_from_start);
    NormalMap map(contacts_, matrix);
    map.start(z_);
    map.centre(step_near);
    if (map.newton(steps_between_cells)) follow_proximal_points(map, step_near, most_factorisations);
    if (best_.residual <= inclusion_.tolerance) return;
    CentralPath path(contacts_, matrix);
    const std::vector<Vector3d> warm = contacts_.stretched(best_.Lambda), cold(contacts_.count(), Vector3d::Zero());
    path.start(cold, 1.0, CentralPath::associated);
    if (follow_to_rest(path, map)) return;
    for (const double margin : {1.0, 0.1}) {
      for (const std::vector<Vector3d>* from : {&cold, &warm}) {
        path.start(*from, margin, CentralPath::coulomb);
        follow(path, map);
        if (best_.residual <= inclusion_.tolerance) return;
      }
      map.start(contacts_.stretched(best_.Lambda));
      follow_proximal_points(map, step_from_path, last_factorisations);
      if (best_.residual <= inclusion_.tolerance) return;
    }
  }

  // Where hardly anything slides at the end of the associated path, as in a pile at rest, Coulomb's answer is beside
  // it.
  bool follow_to_rest(CentralPath& path, NormalMap& map) {
    for (int step = 0; step < most_path_steps && path.gap() > first_gap; ++step) {
      if (!path.advance()) return false;
      ++best_.iterations;
    }
    return path.largest_dilation() <= nearly_no_dilation && leave_path(path, map, first_factorisations);
  }

  // From points of the path, since its end is far where contacts hardly decide what they do, and from its end.
  void follow(CentralPath& path, NormalMap& map) {
    double next_gap = first_gap;
    int factorisations = first_factorisations;
    for (int step = 0; step < most_path_steps && path.gap() > last_gap && path.advance(); ++step) {
      ++best_.iterations;
      if (path.gap() > next_gap) continue;
      if (leave_path(path, map, factorisations)) return;
      next_gap = 1e-3 * path.gap();
      factorisations = std::min(4 * factorisations, most_factorisations);
    }
    leave_path(path, map, most_factorisations);
  }

  bool leave_path(const CentralPath& path, NormalMap& map, int factorisations) {
    map.start(path.impulses());
    follow_proximal_points(map, step_from_path, factorisations);
    return best_.residual <= inclusion_.tolerance;
  }

  // Steps as long as there is an answer near the point they start from: where a contact's hold gives way there is none
  // for a long one, and short ones lead on to where it has given way.
  void follow_proximal_points(NormalMap& map, double step, int most) {
    const int first = map.factorisations();
    while (!solved() && map.factorisations() - first < most) {
      before_ = map.place();
      map.centre(step);
      bool found = map.newton(steps_between_cells);
      if (!found) {
        map.go_to(before_);
        found = map.follow_path(most_cells);
      }
      if (found) {
        z_ = map.impulses();
        offer();
      } else {
        map.go_to(before_);
      }
      step = found ? std::min(4 * step, longest_step) : std::max(0.1 * step, shortest_step);
    }
    best_.iterations += map.factorisations() - first;
  }

  bool is_planar() const {
    for (std::size_t i = 0; i < contacts_.count(); ++i)
      if (contacts_[i].size == 3) return false;
    return true;
  }

  // Short proximal steps keep more digits, long ones take nearly redundant contacts along: where the residual creeps,
  // impulses have far to go in a direction that hardly moves anything, and steps grow.
  void polish(VelocityMatrix& matrix, const std::vector<Vector3d>& from, int most_steps) {
    NaturalNewton newton(contacts_, matrix);
    for (const double shortest : {1e6, 1e4}) {
      z_ = from;
      double length = shortest, last = HUGE_VAL;
      int left = most_steps;
      for (int step = 0; step < most_polish_steps && left > 0 && !solved(); ++step) {
        ++best_.iterations;
        if (!newton.advance(length, z_)) break;
        const double residual = offer();
        const bool creeps = residual > 0.5 * last && residual < 1.1 * last && residual < nearly_solved;
        if (!creeps && !(residual < last && residual < nearly_solved)) --left;
        length = creeps ? std::min(4 * length, longest_polish) : shortest;
        last = residual;
      }
      if (best_.residual > nearly_solved) return;
    }
  }

  // As long as it gets on, always from the best it has found itself.
  void follow(Course& course, VelocityMatrix& matrix) {
    method_ = course.method;
    proximal_step_ = course.proximal_step;
    best_of_course_ = &course.best;
    double before = HUGE_VAL;
    while (!solved() && course.best.residual < 0.1 * before) {
      before = course.best.residual;
      z_ = contacts_.stretched(course.best.Lambda);
      if (method_ == Method::sweeps) {
        sweep_accelerated();
      } else {
        iterate(matrix);
      }
    }
    best_of_course_ = nullptr;
  }

  double offer() {
    contacts_.unstretch(z_, Lambda_);
    const double residual = best_.offer(inclusion_, Lambda_);
    if (best_of_course_ && residual < best_of_course_->residual) {
      best_of_course_->Lambda = Lambda_;
      best_of_course_->residual = residual;
    }
    return residual;
  }

  // Tangential coordinates with the friction coefficient m in them: z_T = m x_T, so that |x_T| ≤ x_N + o.
  static Vector3d scale(const Contact& contact) { return {1, contact.m, contact.m}; }
  double rho(const Contact& contact) const { return proximal_step_ * contact.rho_normal; }
  static Vector3d unscaled(const Contact& contact, const Vector3d& z) {
    return contact.m > 0 ? Vector3d(z.cwiseQuotient(scale(contact))) : Vector3d(z(0), 0, 0);
  }

  Vector3d relative_velocity(std::size_t i, const Vec& v) const {  // ξ, scaled
    return scale(contacts_[i]).cwiseProduct(contacts_.along(contacts_[i], v) + contacts_[i].c);
  }
  // Λ − ρξ̃(v), and its projection.
  Vector3d argument(std::size_t i, const Vec& v) const {
    Vector3d xi = relative_velocity(i, v);
    if (method_ == Method::frozen_shifts) xi(0) += frozen_at_[i];
    return x_[i] - rho(contacts_[i]) * xi;
  }
  ConeProjection projection(std::size_t i, const Vector3d& x) const {
    return method_ == Method::frozen_shifts ? cone_projection(x, contacts_[i].offset)
                                            : cylinder_projection(x, frozen_at_[i]);
  }
  double value_to_freeze(std::size_t i) const {
    return method_ == Method::frozen_shifts ? relative_velocity(i, v_).tail<2>().norm()
                                            : std::max(0.0, x_[i](0) + contacts_[i].offset);
  }

  // Proximal steps and renewed shifts, accelerated, until they solve the problem or no longer lead on.
  void iterate(VelocityMatrix& matrix) {
    start_iteration();
    Anderson acceleration(memory);
    double last = HUGE_VAL;
    for (int step = 0; step < steps_a_round; ++step) {
      pack(point_);
      if (!minimise(matrix)) return;
      for (std::size_t i = 0; i < contacts_.count(); ++i) {
        x_[i] = projection(i, argument(i, v_)).point;
        z_[i] = scale(contacts_[i]).cwiseProduct(x_[i]);
        frozen_at_[i] = value_to_freeze(i);
      }
      ++best_.iterations;
      const double residual = offer();
      if (solved()) return;
      if (!(residual < 10 * last)) acceleration.forget();
      last = residual;
      pack(image_);
      acceleration.advance(point_, image_);
      unpack(point_);
    }
  }

  void start_iteration() {
    contacts_.velocity(z_, v_);
    x_.resize(contacts_.count());
    frozen_at_.resize(contacts_.count());
    K_.resize(contacts_.count());
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      x_[i] = unscaled(contacts_[i], z_[i]);
      frozen_at_[i] = value_to_freeze(i);
    }
  }

  double unit_of_frozen(double unit) const { return method_ == Method::frozen_shifts ? unit : 1 / unit; }

  // Impulses and what is frozen in common units, √(impulse·velocity).
  void pack(Vec& all) const {
    all.resize(4 * static_cast<Index>(contacts_.count()));
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const double unit = std::sqrt(contacts_[i].rho_normal);
      const auto row = 4 * static_cast<Index>(i);
      all.segment<3>(row) = unit > 0 ? Vector3d(x_[i] / unit) : Vector3d::Zero();
      all(row + 3) = unit > 0 ? frozen_at_[i] * unit_of_frozen(unit) : 0;
    }
  }
  void unpack(const Vec& all) {
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const double unit = std::sqrt(contacts_[i].rho_normal);
      const auto row = 4 * static_cast<Index>(i);
      frozen_at_[i] = unit > 0 ? std::max(0.0, all(row + 3) / unit_of_frozen(unit)) : 0;
      x_[i] = projection(i, all.segment<3>(row) * unit).point;
    }
  }

  // φ(v), and descent ← −φ′(v).
  double potential(const Vec& v, Vec& descent) const {
    double phi = 0.5 * v.squaredNorm();
    descent = -v;
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const Contact& contact = contacts_[i];
      if (contact.rho_normal == 0) continue;
      const Vector3d argument_i = argument(i, v);
      const Vector3d point = projection(i, argument_i).point;
      // ½(|a|² − |a − P(a)|²), whose derivative is P(a) also where C is no cone
      phi += (argument_i.dot(point) - 0.5 * point.squaredNorm()) / rho(contact);
      contacts_.add(contact, scale(contact).cwiseProduct(point), descent);
    }
    return phi;
  }

  // v_ ← argmin φ.
  bool minimise(VelocityMatrix& matrix) {
    double phi = potential(v_, descent_);
    const double first = descent_.norm();
    for (int step = 0; step < most_newton_steps; ++step) {
      const double slope = descent_.norm();
      if (slope <= 1e-14 * speed_ || (step > 0 && slope <= 1e-6 * first)) return true;
      for (std::size_t i = 0; i < contacts_.count(); ++i) {
        const Contact& contact = contacts_[i];
        const Matrix3d derivative = projection(i, argument(i, v_)).derivative;
        K_[i] = rho(contact) * (scale(contact).asDiagonal() * derivative * scale(contact).asDiagonal());
      }
      if (!matrix.factor(K_)) return false;
      direction_ = descent_;
      matrix.solve(direction_);
      if (!direction_.allFinite()) return false;
      if (!search_line(phi)) return true;
    }
    return true;
  }

  // As far along the direction as φ falls by enough; false if it is at rounding level.
  bool search_line(double& phi) {
    const double slope = descent_.dot(direction_);
    for (double length = 1; length > 1e-9; length *= 0.5) {
      trial_ = v_ + length * direction_;
      const double reached = potential(trial_, trial_descent_);
      const bool flat = std::abs(trial_descent_.dot(direction_)) <= 0.5 * slope;
      if (!(reached <= phi - 1e-4 * length * slope) && !flat) continue;
      v_.swap(trial_);
      descent_.swap(trial_descent_);
      phi = reached;
      return true;
    }
    return false;
  }

  void sweep(int count) {
    contacts_.velocity(z_, v_);
    for (int k = 0; k < count; ++k)
      for (std::size_t i = 0; i < contacts_.count(); ++i) relax(contacts_[i], z_[i]);
  }

  // Some sweeps at a time as one map that is accelerated; from where it led away it goes on without.
  void sweep_accelerated() {
    Anderson acceleration(2 * memory);
    double last = HUGE_VAL;
    for (int done = 0; done < sweeps_a_round && !solved(); done += sweeps_at_a_time) {
      pack_impulses(point_);
      sweep(sweeps_at_a_time);
      pack_impulses(image_);
      const double residual = offer();
      if (!(residual < 2 * last)) acceleration.forget();
      last = residual;
      acceleration.advance(point_, image_);
      unpack_impulses(point_);
    }
  }

  void pack_impulses(Vec& all) const {
    all.resize(3 * static_cast<Index>(contacts_.count()));
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const double unit = std::sqrt(contacts_[i].rho_normal);
      all.segment<3>(3 * static_cast<Index>(i)) = unit > 0 ? Vector3d(z_[i] / unit) : Vector3d::Zero();
    }
  }
  void unpack_impulses(const Vec& all) {
    for (std::size_t i = 0; i < contacts_.count(); ++i)
      z_[i] = all.segment<3>(3 * static_cast<Index>(i)) * std::sqrt(contacts_[i].rho_normal);
  }

  // z ← proj(z − ρξ), first the normal impulse, then the tangential one with the radius it leaves.
  void relax(const Contact& contact, Vector3d& z) {
    const Vector3d xi = contacts_.along(contact, v_) + contact.c;
    Vector3d change = Vector3d::Zero();
    change(0) = std::max(0.0, z(0) - contact.rho_normal * xi(0)) - z(0);
    if (contact.size == 1) {
      if (change(0) != 0) contacts_.add(contact, change, v_);
      z += change;
      return;
    }
    contacts_.add(contact, change, v_);
    z += change;
    const Vector2d xi_T = (contacts_.along(contact, v_) + contact.c).tail<2>();
    Vector2d target = z.tail<2>() - contact.rho_tangential * xi_T;
    const double radius = contact.radius(z);
    const double length = target.norm();
    if (length > radius) target *= radius / length;
    change << 0, target - z.tail<2>();
    contacts_.add(contact, change, v_);
    z.tail<2>() = target;
  }

  const Inclusion& inclusion_;
  ContactDirections contacts_;
  double speed_ = 0;             // the largest drive
  std::vector<Vector3d> z_, x_;  // Λ, stretched; and scaled
  Method method_ = Method::frozen_shifts;
  double proximal_step_ = long_step;
  std::vector<double> frozen_at_;  // one a contact
  NormalMap::Place before_;
  std::vector<Matrix3d> K_;
  Vec Lambda_, v_, descent_, direction_, trial_, trial_descent_, point_, image_;
  Attempt best_;
  Attempt* best_of_course_ = nullptr;
};

// W̃ᵀW̃ = G by its eigenvectors, W̃ᵀ = V√λ. Redundant rows leave eigenvalues that are zero but for rounding.
Delassus with_directions(const Delassus& G) {
  const Eigen::SelfAdjointEigenSolver<Mat> spectrum(G.dense());
  const Vec& lambda = spectrum.eigenvalues();
  const double rounded = 1e-15 * static_cast<double>(G.size()) * lambda.cwiseAbs().maxCoeff();
  const Vec root = (lambda.array() > rounded).select(lambda.cwiseAbs().cwiseSqrt(), 0.0);
  const Mat W_white = spectrum.eigenvectors() * root.asDiagonal();
  Rows W;
  for (Index i = 0; i < G.size(); ++i) W.add_row(W_white.row(i));
  MassMatrix identity = MassMatrix::diagonal(Vec::Ones(G.size()));
  identity.factor();
  Delassus directed;
  directed.rebuild(W, identity);
  return directed;
}

}  // namespace

bool suits_velocity_newton(const Delassus& G) { return G.has_white_rows() || G.size() <= most_rows_without_directions; }

Attempt solve_by_velocity_newton(const Inclusion& inclusion, const Vec& start) {
  if (inclusion.G->has_white_rows()) return VelocityNewton(inclusion, start).run();
  const Delassus G = with_directions(*inclusion.G);
  Inclusion directed = inclusion;
  directed.G = &G;
  const Attempt near = VelocityNewton(directed, start).run();
  Attempt attempt = Attempt::from(inclusion, near.Lambda);
  attempt.iterations = near.iterations;
  if (attempt.residual > inclusion.tolerance) attempt.offer(inclusion, polish(inclusion, near.Lambda));
  return attempt;
}

}  // namespace carom
