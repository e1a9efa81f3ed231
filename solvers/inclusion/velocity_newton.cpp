#include "solvers/inclusion/velocity_newton.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <vector>

#include "solvers/inclusion/contact_directions.h"

namespace carom {

namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

constexpr int sweeps_between = 100;  // cost about as much as one Newton step
constexpr int most_sweeps_between = 2000;
constexpr int most_rounds = 200;
constexpr int patience = 60;  // rounds without halving the residual

// The proximal term shrinks while the residual falls and grows where it does not: a step that changes the impulses
// less keeps more of what the sweeps found out.
constexpr double first_proximal = 1e-3;
constexpr double least_proximal = 1e-6;
constexpr double largest_proximal = 1e-1;

// I + W̃KW̃ᵀ with one 3 × 3 block of K a contact; pattern and orderings are found once.
class VelocityMatrix {
 public:
  explicit VelocityMatrix(const ContactDirections& contacts)
      : contacts_(contacts), matrix_(contacts.velocity_size(), contacts.velocity_size()) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index k = 0; k < matrix_.rows(); ++k) entries.emplace_back(k, k, 0.0);
    visit_pairs([&](Index row, Index column) { entries.emplace_back(row, column, 0.0); });
    matrix_.setFromTriplets(entries.begin(), entries.end());
    for (Index k = 0; k < matrix_.rows(); ++k) diagonal_.push_back(&matrix_.coeffRef(k, k));
    visit_pairs([&](Index row, Index column) { slots_.push_back(&matrix_.coeffRef(row, column)); });
    ldlt_.analyzePattern(matrix_);
  }

  bool factor(const std::vector<Matrix3d>& K, bool symmetric) {
    assemble(K);
    symmetric_ = symmetric;
    if (symmetric) {
      ldlt_.factorize(matrix_);
      return ldlt_.info() == Eigen::Success;
    }
    if (!ordered_) lu_.analyzePattern(matrix_);
    ordered_ = true;
    lu_.factorize(matrix_);
    return lu_.info() == Eigen::Success;
  }

  Vec solve(const Vec& b) { return symmetric_ ? Vec(ldlt_.solve(b)) : Vec(lu_.solve(b)); }

 private:
  template <class Visit>
  void visit_pairs(Visit visit) const {
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const Contact& contact = contacts_[i];
      for (std::size_t b = 0; b < contact.coordinates; ++b)
        for (std::size_t a = 0; a < contact.coordinates; ++a)
          visit(contacts_.coordinate(contact, a), contacts_.coordinate(contact, b));
    }
  }

  void assemble(const std::vector<Matrix3d>& K) {
    std::fill(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(), 0.0);
    for (double* entry : diagonal_) *entry = 1;
    auto slot = slots_.begin();
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const Contact& contact = contacts_[i];
      for (std::size_t b = 0; b < contact.coordinates; ++b) {
        const Vector3d Kw = K[i] * contacts_.direction(contact, b);
        for (std::size_t a = 0; a < contact.coordinates; ++a) **slot++ += contacts_.direction(contact, a).dot(Kw);
      }
    }
  }

  const ContactDirections& contacts_;
  Eigen::SparseMatrix<double> matrix_;
  std::vector<double*> diagonal_, slots_;  // slots: where the pairs of coordinates of each contact go
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu_;
  bool symmetric_ = true;
  bool ordered_ = false;
};

// ΔΛ = −k − KΔξ of one contact.
struct Response {
  Vector3d k = Vector3d::Zero();
  Matrix3d K = Matrix3d::Zero();
};

enum class Radii { frozen, coupled };

// The impulse on the boundary of the friction set: it may turn where there are two tangents, and, unless the radius
// is frozen, grows with the normal impulse.
void slide(const Contact& contact, const Vector2d& z_T, const Vector2d& x, double radius, double delta, Radii radii,
           Response& response) {
  const double length = x.norm();
  const Vector2d e = x / length;
  Matrix2d A = Matrix2d::Identity();
  if (contact.size == 3) {
    const Matrix2d D = radius / length * (Matrix2d::Identity() - e * e.transpose());
    A = (Matrix2d::Identity() - (1 - delta) * D).inverse();
    response.K.bottomRightCorner<2, 2>() = contact.rho_tangential * A * D;
  }
  response.k.tail<2>() = A * (z_T - radius * e);
  if (radii == Radii::frozen || radius == 0) return;
  response.K.bottomLeftCorner<2, 1>() = contact.m * response.K(0, 0) * A * e;
  response.k.tail<2>() += contact.m * response.k(0) * A * e;
}

Response respond(const Contact& contact, const Vector3d& z, const Vector3d& xi, double delta, Radii radii) {
  Response response;
  const double r_N = contact.rho_normal;
  if (z(0) - r_N * xi(0) > 0) {  // held
    response.K(0, 0) = r_N / delta;
    response.k(0) = r_N / delta * xi(0);
  } else {
    response.k(0) = z(0);
  }
  if (contact.size == 1) return response;
  const double r_T = contact.rho_tangential;
  const Vector2d x = z.tail<2>() - r_T * xi.tail<2>();
  const double radius = contact.radius(z);
  if (x.norm() <= radius) {  // stick
    response.K(1, 1) = response.K(2, 2) = r_T / delta;
    response.k.tail<2>() = r_T / delta * xi.tail<2>();
  } else {
    slide(contact, z.tail<2>(), x, radius, delta, radii, response);
  }
  return response;
}

class VelocityNewton {
 public:
  VelocityNewton(const Inclusion& inclusion, const Vec& start)
      : inclusion_(inclusion),
        contacts_(inclusion),
        z_(contacts_.stretched(start)),
        k_(contacts_.count()),
        K_(contacts_.count()),
        Lambda_(start),
        best_(Attempt::from(inclusion, start)) {}

  Attempt run() {
    sweep(sweeps_between);
    residual_ = offer();
    if (solved()) return best_;
    VelocityMatrix matrix(contacts_);
    double halved = best_.residual;
    int since_halved = 0;
    while (!solved() && best_.iterations < most_rounds && since_halved < patience) {
      ++best_.iterations;
      if (!round(matrix)) break;
      ++since_halved;
      if (best_.residual < 0.5 * halved) {
        halved = best_.residual;
        since_halved = 0;
      }
    }
    return best_;
  }

 private:
  bool solved() const { return best_.residual <= inclusion_.tolerance; }

  double offer() {
    contacts_.unstretch(z_, Lambda_);
    return best_.offer(inclusion_, Lambda_);
  }

  // A Newton step and sweeps; where that leads away, more sweeps instead. Coupled radii cost more and pay where much
  // slips: they take over when frozen ones do not get on, until they lead away themselves.
  bool round(VelocityMatrix& matrix) {
    before_ = z_;
    if (!step(matrix)) return false;
    offer();
    if (solved()) return true;
    sweep(sweeps_between);
    const double after = offer();
    const bool better = after < residual_;
    const bool fast = after < 0.5 * residual_;
    if (better) {
      residual_ = after;
      delta_ = std::max(least_proximal, 0.3 * delta_);
      sweeps_ = sweeps_between;
    } else {
      z_ = before_;
      sweep(sweeps_);
      residual_ = offer();
      if (radii_ == Radii::coupled) delta_ = std::min(largest_proximal, 3 * delta_);
      sweeps_ = std::min(2 * sweeps_, most_sweeps_between);
    }
    const bool goes_on = radii_ == Radii::frozen ? fast : better;
    if (!goes_on) radii_ = radii_ == Radii::frozen ? Radii::coupled : Radii::frozen;
    return true;
  }

  void sweep(int count) {
    contacts_.velocity(z_, v_);
    for (int k = 0; k < count; ++k)
      for (std::size_t i = 0; i < contacts_.count(); ++i) relax(contacts_[i], z_[i]);
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

  bool step(VelocityMatrix& matrix) {
    contacts_.velocity(z_, v_);
    b_.setZero(v_.size());
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      const Contact& contact = contacts_[i];
      const Response response = respond(contact, z_[i], contacts_.along(contact, v_) + contact.c, delta_, radii_);
      k_[i] = response.k;
      K_[i] = response.K;
      contacts_.add(contact, -k_[i], b_);
    }
    if (!matrix.factor(K_, radii_ == Radii::frozen)) return false;
    const Vec dv = matrix.solve(b_);
    if (!dv.allFinite()) return false;
    for (std::size_t i = 0; i < contacts_.count(); ++i) z_[i] -= k_[i] + K_[i] * contacts_.along(contacts_[i], dv);
    return true;
  }

  const Inclusion& inclusion_;
  ContactDirections contacts_;
  std::vector<Vector3d> z_, k_, before_;
  std::vector<Matrix3d> K_;
  Vec Lambda_, v_, b_;
  double delta_ = first_proximal;
  Radii radii_ = Radii::frozen;
  int sweeps_ = sweeps_between;  // instead of a step that led away
  double residual_ = 0;
  Attempt best_;
};

}  // namespace

Attempt solve_by_velocity_newton(const Inclusion& inclusion, const Vec& start) {
  return VelocityNewton(inclusion, start).run();
}

}  // namespace carom
