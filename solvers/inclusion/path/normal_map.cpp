#include "solvers/inclusion/path/normal_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Contact = ContactDirections::Contact;

namespace {

constexpr double farthest_back = 3;     // t of a path that is given up
constexpr double rounded_miss = 1e-13;  // relative to what drives the problem
constexpr double unevenness = 1e-8;     // of a path's start, as above

}  // namespace

NormalMap::NormalMap(const ContactDirections& contacts, VelocityMatrix& matrix)
    : contacts_(contacts), matrix_(matrix), K_(contacts.count()) {
  at_.a.resize(contacts.count());
  at_.cells.resize(contacts.count());
  for (auto* part : {&centre_, &first_miss_, &change_, &direction_}) part->assign(contacts.count(), Vector2d::Zero());
  for (std::size_t i = 0; i < contacts.count(); ++i)
    drive_ = std::max(drive_, contacts[i].c.cwiseAbs().maxCoeff() * std::sqrt(contacts[i].rho_normal));
}

double NormalMap::radius(std::size_t i) const {
  const Cell& cell = at_.cells[i];
  return cell.holds ? contacts_[i].m * ((cell.closed ? at_.a[i](0) : 0.0) + contacts_[i].offset) : 0.0;
}

NormalMap::Cell NormalMap::cell_of(std::size_t i) const {
  const Vector2d& a = at_.a[i];
  Cell cell;
  cell.closed = moves(i) && (contacts_[i].bilateral || a(0) > 0);
  if (!has_friction(i) || !moves(i)) return cell;
  const double R = contacts_[i].m * ((cell.closed ? a(0) : 0.0) + contacts_[i].offset);
  cell.holds = R > 0;
  if (cell.holds) cell.side = a(1) > R ? 1 : a(1) < -R ? -1 : 0;
  return cell;
}

Vector2d NormalMap::impulse(std::size_t i) const {
  const Cell& cell = at_.cells[i];
  const Vector2d& a = at_.a[i];
  return {cell.closed ? a(0) : 0.0, cell.holds && cell.side == 0 ? a(1) : cell.side * radius(i)};
}

std::vector<Vector3d> NormalMap::impulses() const {
  std::vector<Vector3d> z(contacts_.count());
  for (std::size_t i = 0; i < contacts_.count(); ++i) z[i] << impulse(i), 0;
  return z;
}

void NormalMap::update_velocity() {
  v_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Vector2d Lambda = impulse(i);
    contacts_.add(contacts_[i], {Lambda(0), Lambda(1), 0}, v_);
  }
}

Vector2d NormalMap::miss(std::size_t i) const {
  if (!moves(i)) return Vector2d::Zero();
  const Vector2d Lambda = impulse(i);
  const Vector2d xi = (Lambda - at_.a[i]).cwiseQuotient(step(i));
  Vector2d N = xi - (contacts_.along(contacts_[i], v_) + contacts_[i].c).head<2>() - give(i) * (Lambda - centre_[i]);
  if (!has_friction(i)) N(1) = 0;
  return N;
}

void NormalMap::start(const std::vector<Vector3d>& z) {
  contacts_.velocity(z, v_);
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const Vector2d xi = (contacts_.along(contacts_[i], v_) + contacts_[i].c).head<2>();
    at_.a[i] = z[i].head<2>() - step(i).cwiseProduct(xi);
    if (!has_friction(i)) at_.a[i](1) = 0;
    at_.cells[i] = cell_of(i);
  }
}

void NormalMap::centre(double proximal_step) {
  proximal_step_ = proximal_step;
  for (std::size_t i = 0; i < contacts_.count(); ++i) centre_[i] = impulse(i);
}

// ΔΛ = −K(ΔN + W̃ᵀΔv) within the cells.
void NormalMap::linearise(std::size_t i) {
  const Cell& cell = at_.cells[i];
  const double k = moves(i) ? 1 / give(i) : 0;
  K_[i].setZero();
  if (cell.closed) K_[i](0, 0) = k;
  if (!cell.holds) return;
  if (cell.side == 0) K_[i](1, 1) = k;
  if (cell.side != 0 && cell.closed) K_[i](1, 0) = cell.side * contacts_[i].m * k;
}

bool NormalMap::factor() {
  ++factorisations_;
  for (std::size_t i = 0; i < contacts_.count(); ++i) linearise(i);
  return matrix_.factor(K_);
}

void NormalMap::find_direction(const std::vector<Vector2d>& change_of_miss) {
  const auto change = [&](std::size_t i) { return Vector3d(change_of_miss[i](0), change_of_miss[i](1), 0); };
  dv_.setZero(contacts_.velocity_size());
  for (std::size_t i = 0; i < contacts_.count(); ++i) contacts_.add(contacts_[i], -K_[i] * change(i), dv_);
  matrix_.solve(dv_);
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    const Vector3d pushed = change(i) + contacts_.along(contacts_[i], dv_);
    const Vector2d dLambda = -(K_[i] * pushed).head<2>();
    Vector2d dxi = pushed.head<2>() + give(i) * dLambda;
    const Cell& cell = at_.cells[i];
    if (cell.closed) dxi(0) = 0;
    if (!has_friction(i) || (cell.holds && cell.side == 0)) dxi(1) = 0;
    direction_[i] = dLambda - step(i).cwiseProduct(dxi);
  }
}

void NormalMap::correct(double t) {
  update_velocity();
  for (std::size_t i = 0; i < contacts_.count(); ++i) change_[i] = t * first_miss_[i] - miss(i);
  find_direction(change_);
  for (std::size_t i = 0; i < contacts_.count(); ++i) at_.a[i] += direction_[i];
}

bool NormalMap::newton(int most_steps) {
  for (int step = 0; step < most_steps; ++step) {
    if (!factor()) return false;
    correct(0);
    bool holds = true;
    for (std::size_t i = 0; i < contacts_.count(); ++i) {
      if (!at_.a[i].allFinite()) return false;
      const Cell cell = cell_of(i);
      holds = holds && cell == at_.cells[i];
      at_.cells[i] = cell;
    }
    if (holds || is_rounded()) return true;
  }
  return false;
}

// Nothing but rounding is missed: contacts on the boundary of two cells may be in either.
bool NormalMap::is_rounded() {
  update_velocity();
  for (std::size_t i = 0; i < contacts_.count(); ++i)
    if (!(miss(i).cwiseAbs().maxCoeff() * std::sqrt(contacts_[i].rho_normal) <= rounded_miss * drive_)) return false;
  return true;
}

// Contacts that are alike, as in a lattice, would come to their boundaries all at once; a path goes over one after the
// other. A start that is a little uneven leads to the same end.
void NormalMap::make_uneven() {
  double share = 0;
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    const double unit = unevenness * drive_ * std::sqrt(contacts_[i].rho_normal);
    for (Index k = 0; k < (has_friction(i) ? 2 : 1); ++k) {
      share = std::fmod(share + std::numbers::phi, 1.0);
      at_.a[i](k) += unit * (share - 0.5);
    }
    at_.cells[i] = cell_of(i);
  }
}

// consider(f, df, cell): the contact changes to the cell where f, positive within its own and changing by df along the
// direction, vanishes.
template <class Consider>
void NormalMap::visit_exits(std::size_t i, Consider consider) const {
  if (contacts_[i].bilateral) return;
  const Cell& cell = at_.cells[i];
  const Vector2d &a = at_.a[i], &da = direction_[i];
  const double o = contacts_[i].offset, m = contacts_[i].m;
  const int side = a(1) > 0 ? 1 : -1;  // where sliding begins
  if (cell.closed) {
    consider(a(0), da(0), o > 0 ? Cell{false, cell.holds, cell.side} : Cell{});
  } else {
    const bool both = has_friction(i) && o == 0;
    consider(-a(0), -da(0), both ? Cell{true, true, side} : Cell{true, cell.holds, cell.side});
  }
  if (!has_friction(i)) return;
  if (cell.closed && o < 0)
    cell.holds ? consider(a(0) + o, da(0), Cell{true, false, 0}) : consider(-a(0) - o, -da(0), Cell{true, true, side});
  if (!cell.holds) return;
  const double R = radius(i), dR = cell.closed ? m * da(0) : 0;
  if (cell.side != 0) {
    consider(cell.side * a(1) - R, cell.side * da(1) - dR, Cell{cell.closed, true, 0});
  } else {
    for (const int beyond : {1, -1}) consider(R - beyond * a(1), dR - beyond * da(1), Cell{cell.closed, true, beyond});
  }
}

NormalMap::Exit NormalMap::first_exit(double farthest, std::size_t entered, const Cell& left) const {
  Exit first{farthest, contacts_.count(), {}};
  for (std::size_t i = 0; i < contacts_.count(); ++i) {
    if (!moves(i)) continue;
    visit_exits(i, [&](double f, double df, const Cell& cell) {
      // A contact that has just come over its boundary leaves it behind, whatever rounding says.
      if (!(df < 0) || (i == entered && cell == left)) return;
      const double after = std::max(0.0, -f / df);
      if (after < first.after) first = {after, i, cell};
    });
  }
  return first;
}

bool NormalMap::follow_path(int most_cells) {
  make_uneven();
  update_velocity();
  for (std::size_t i = 0; i < contacts_.count(); ++i) first_miss_[i] = miss(i);
  double t = 1;
  int falling_sign = 0;  // of the determinant where t falls
  std::size_t entered = contacts_.count();
  Cell left;
  bool ended = false;
  for (int count = 0; count < most_cells && !ended && t <= farthest_back; ++count) {
    if (!factor()) break;
    correct(t);
    if (falling_sign == 0) falling_sign = matrix_.determinant_sign();
    const bool falls = matrix_.determinant_sign() == falling_sign;
    for (std::size_t i = 0; i < contacts_.count(); ++i) change_[i] = falls ? Vector2d(-first_miss_[i]) : first_miss_[i];
    find_direction(change_);
    const Exit exit = first_exit(falls ? t : HUGE_VAL, entered, left);
    if (!std::isfinite(exit.after)) break;
    for (std::size_t i = 0; i < contacts_.count(); ++i) at_.a[i] += exit.after * direction_[i];
    t += falls ? -exit.after : exit.after;
    ended = exit.contact == contacts_.count();
    if (ended) break;
    entered = exit.contact;
    left = at_.cells[entered];
    at_.cells[entered] = exit.cell;
  }
  return ended;
}

}  // namespace carom
