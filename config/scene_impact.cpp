#include "config/scene_impact.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace carom {

namespace {

constexpr Index most_coordinates = 4000;  // the mass matrix of a raw problem is dense

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
  ImpactBuilder(const Scene& scene, const std::string& file) : scene_(scene), system_(*scene.system), file_(file) {}

  ImpactFile build() {
    impact_.scene = scene_.name;
    impact_.about = scene_.about;
    impact_.law = scene_.law;
    impact_.warnings = scene_.warnings;
    impact_.velocity = scene_.u;
    if (scene_.u.size() > most_coordinates)
      refuse(fmt::format("{} velocities are too many for one dense impact problem (at most {})", scene_.u.size(),
                         most_coordinates));
    MassMatrix M;
    system_.mass(scene_.q, M);
    impact_.mass = M.dense();
    add_contacts();
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

  void add_contacts() {
    Contacts contacts;
    system_.contacts(scene_.q, scene_.u, scene_.integrator.step, contacts);
    const double extent = std::max(1.0, scene_.q.cwiseAbs().maxCoeff());
    const ContactPoint* nearest = nullptr;
    for (const ContactPoint& point : contacts.points) {
      if (!nearest || point.gap < nearest->gap) nearest = &point;
      const double approach = contacts.W.dot(point.first_row, scene_.u);
      if (is_closed(point, approach, scene_.integrator.step, extent))
        add(system_.contact_name(point.key), contact_at(point, contacts.W, scene_.u.size()));
    }
    if (!impact_.elements.empty()) return;
    if (!nearest) refuse("no contact is near closing in the initial state, so there is no impact");
    refuse(
        fmt::format("no contact is closed in the initial state, so there is no impact; the nearest is '{}', open by "
                    "{:.4g} m",
                    system_.contact_name(nearest->key), nearest->gap));
  }

  void add_clutches() {
    Clutches clutches;
    system_.clutches(scene_.q, clutches);
    for (Index i = 0; i < clutches.W.count(); ++i)
      add(system_.clutch_name(i),
          Clutch{dense_row(clutches.W, i, scene_.u.size()), clutches.restitution[static_cast<std::size_t>(i)]});
  }

  void add_joints() {
    Rows B;
    Vec b = Vec::Zero(system_.joint_rows());
    system_.joint_directions(0, scene_.q, B, b);
    for (Index j = 0; j < B.count(); ++j) {
      if (b(j) != 0)
        refuse(fmt::format("joint '{}' prescribes a motion, which a single impact cannot hold; carom simulate can",
                           system_.joint_name(j)));
      add(system_.joint_name(j), Bilateral{dense_row(B, j, scene_.u.size())});
    }
  }

  const Scene& scene_;
  const System& system_;
  const std::string& file_;
  ImpactFile impact_;
  std::set<std::string> names_;
};

}  // namespace

ImpactFile initial_impact(const Scene& scene, const std::string& file) { return ImpactBuilder(scene, file).build(); }

}  // namespace carom
