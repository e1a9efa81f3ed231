#include "config/scene_impact.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace carom {

namespace {

constexpr Index most_dense_coordinates = 4000;  // the mass matrix of a raw problem is dense

// A contact this near, relative to the size of the system, is closed but for rounded digits.
constexpr double closed = 1e-6;

Vec dense_row(const Rows& rows, Index row, Index size) {
  Vec w = Vec::Zero(size);
  for (const Rows::Entry& entry : rows[row]) w(entry.column) += entry.value;
  return w;
}

// Closed, or closing within the first half step: what the integrator's first step would find active.
bool is_closed(const ContactPoint& point, double approach, double step, double extent) {
  return point.gap <= closed * extent || point.gap + 0.5 * step * approach <= 0;
}

Contact contact_at(const ContactPoint& point, const Rows& W, Index size) {
  Contact contact;
  contact.normal = dense_row(W, point.first_row, size);
  contact.tangent.resize(point.tangents, size);
  for (Index k = 0; k < point.tangents; ++k)
    contact.tangent.row(k) = dense_row(W, point.first_row + 1 + k, size).transpose();
  contact.friction = point.coefficients->friction.head(point.tangents);
  contact.restitution = point.coefficients->restitution;
  contact.tangential_restitution = point.coefficients->tangential_restitution;
  contact.stiffness = point.coefficients->stiffness;
  return contact;
}

class ImpactBuilder {
 public:
  ImpactBuilder(const Scene& scene, double time, const Vec& q, const Vec& u, const std::string& file)
      : system_(*scene.system), step_(scene.integrator.step), time_(time), q_(q), u_(u), file_(file) {
    impact_.scene = scene.name;
    impact_.about = scene.about;
    impact_.law = scene.law;
    impact_.law_place = scene.law_place;
    impact_.warnings = scene.warnings;
    impact_.notes = scene.notes;
    impact_.velocity = u;
    if (u.size() > most_dense_coordinates)
      refuse(fmt::format("{} velocities are too many for one dense impact problem (at most {})", u.size(),
                         most_dense_coordinates));
    MassMatrix M;
    system_.mass(q, M);
    impact_.mass = M.dense();
    system_.contacts(q, u, step_, contacts_);
  }

  bool add_closed() {
    const double extent = std::max(1.0, largest(q_));
    for (const ContactPoint& point : contacts_.points)
      if (is_closed(point, contacts_.W.dot(point.first_row, u_), step_, extent)) add_contact(point);
    return !impact_.elements.empty();
  }

  void add_closed_contacts() {
    if (add_closed() || overruns_clutch()) return;
    const auto nearest = std::min_element(contacts_.points.begin(), contacts_.points.end(),
                                          [](const auto& a, const auto& b) { return a.gap < b.gap; });
    if (nearest == contacts_.points.end())
      refuse(
          "no contact is near closing in the initial state, so there is no impact; use carom compare or check for the "
          "first impact reached");
    refuse(
        fmt::format("no contact is closed in the initial state, so there is no impact; the nearest is '{}', open by "
                    "{:.4g} m; use carom compare or check for the first impact reached",
                    system_.contact_name(nearest->key), nearest->gap));
  }

  void add_named_contacts(const std::vector<std::string>& names) {
    for (const ContactPoint& point : contacts_.points) {
      const std::string name = system_.contact_name(point.key);
      if (std::find(names.begin(), names.end(), name) != names.end()) add_contact(point);
    }
    if (impact_.elements.empty())
      refuse(fmt::format("none of the contacts {} is near at t = {:.6g} s", fmt::join(names, ", "), time_));
  }

  ImpactFile with_clutches_and_joints() {
    add_clutches();
    add_joints();
    return impact_;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw BadInput(file_ + ": " + why); }

  void add(const std::string& name, std::variant<Contact, Clutch, Bilateral> kind) {
    std::string unique = name;
    for (int k = 2; !names_.insert(unique).second; ++k) unique = fmt::format("{}-{}", name, k);
    impact_.elements.push_back({unique, std::move(kind)});
  }

  void add_contact(const ContactPoint& point) {
    add(system_.contact_name(point.key), contact_at(point, contacts_.W, u_.size()));
  }

  // Driven backwards: an impact of its own.
  bool overruns_clutch() const {
    Clutches clutches;
    system_.clutches(q_, clutches);
    for (Index i = 0; i < clutches.W.count(); ++i)
      if (clutches.W.dot(i, u_) < 0) return true;
    return false;
  }

  void add_clutches() {
    Clutches clutches;
    system_.clutches(q_, clutches);
    for (Index i = 0; i < clutches.W.count(); ++i)
      add(system_.clutch_name(i),
          Clutch{dense_row(clutches.W, i, u_.size()), clutches.restitution[static_cast<std::size_t>(i)]});
  }

  void add_joints() {
    Rows B;
    Vec b = Vec::Zero(system_.joint_rows());
    system_.joint_directions(time_, q_, B, b);
    for (Index j = 0; j < B.count(); ++j) {
      add(system_.joint_name(j), Bilateral{dense_row(B, j, u_.size())});
      if (b(j) != 0) impact_.drives.push_back(impact_.elements.back().name);
    }
  }

  const System& system_;
  double step_, time_;
  const Vec &q_, &u_;
  const std::string& file_;
  Contacts contacts_;
  ImpactFile impact_;
  std::set<std::string> names_;
};

}  // namespace

ImpactFile initial_impact(const Scene& scene, const std::string& file) {
  ImpactBuilder builder(scene, 0, scene.q, scene.u, file);
  builder.add_closed_contacts();
  return builder.with_clutches_and_joints();
}

std::optional<ImpactFile> closed_contacts_at(const Scene& scene, double time, const Vec& q, const Vec& u,
                                             const std::string& file) {
  ImpactBuilder builder(scene, time, q, u, file);
  if (!builder.add_closed()) return std::nullopt;
  return builder.with_clutches_and_joints();
}

ImpactFile impact_at(const Scene& scene, double time, const Vec& q, const Vec& u,
                     const std::vector<std::string>& contacts, const std::string& file) {
  ImpactBuilder builder(scene, time, q, u, file);
  builder.add_named_contacts(contacts);
  return builder.with_clutches_and_joints();
}

}  // namespace carom
