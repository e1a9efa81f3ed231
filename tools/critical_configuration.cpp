#include "tools/critical_configuration.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "config/scene_impact.h"
#include "solvers/certificates/contact_coupling.h"
#include "solvers/certificates/matrix_figures.h"
#include "tools/table.h"

namespace carom {

namespace {

constexpr Index most_velocities_searched = 60;
constexpr std::size_t most_contacts_searched = 8;
constexpr int starts = 4, steps = 150;
constexpr double first_step = 0.3, last_step = 1e-8;  // in the units of the velocity coordinates, times a second
constexpr double penetration = 1e-9;  // of other contacts, beyond what there is at the beginning; a part of the size
constexpr double closed = 1e-12;      // gaps of the contact and the joints; a part of the size
constexpr int most_corrections = 12;

// Configurations in which one contact is closed.
class ClosedConfigurations {
 public:
  ClosedConfigurations(const Scene& scene, double time, const Vec& q, std::string contact)
      : scene_(scene),
        size_(scene.integrator.size),
        time_(time),
        rest_(Vec::Zero(scene.u.size())),
        contact_(std::move(contact)) {
    if (const auto closure = closure_at(q)) deepest_ = std::min(0.0, closure->nearest_other);
  }

  // μ_c/μ; none where the contact is not there. Infinite where friction does not push it.
  std::optional<double> ratio(const Vec& q) const {
    try {
      const ImpactFile impact = impact_at(scene_, time_, q, rest_, {contact_}, contact_);
      const ImpactProblem problem = impact_problem(impact);
      const auto element = std::find_if(impact.elements.begin(), impact.elements.end(),
                                        [](const Element& candidate) { return candidate.contact(); });
      const double coupling = friction_coupling(problem, static_cast<std::size_t>(element - impact.elements.begin()));
      return coupling > 0 ? 1 / coupling : HUGE_VAL;
    } catch (const BadInput&) {
      return std::nullopt;
    }
  }

  double friction(const Vec& q) const {
    const ImpactFile impact = impact_at(scene_, time_, q, rest_, {contact_}, contact_);
    for (const Element& element : impact.elements)
      if (element.contact() && element.contact()->has_friction()) return element.contact()->friction.maxCoeff();
    return 0;
  }

  Index velocities() const { return rest_.size(); }

  // By a displacement, as far as it keeps the contact and the joints closed; none if something penetrates then.
  std::optional<Vec> moved(const Vec& q, const Vec& displacement) const {
    std::optional<Closure> closure = closure_at(q);
    if (!closure) return std::nullopt;
    Vec next = q;
    const Vec along = displacement - closure->back(closure->A * displacement);
    scene_.system->move(q, along, next);
    for (int k = 0; k < most_corrections; ++k) {
      closure = closure_at(next);
      if (!closure) return std::nullopt;
      if (largest(closure->g) <= closed * size_) break;
      scene_.system->move(next, -closure->back(closure->g), next);
    }
    if (largest(closure->g) > 1e3 * closed * size_ || closure->nearest_other < deepest_ - penetration * size_)
      return std::nullopt;
    return next;
  }

 private:
  struct Closure {
    Mat A;  // the contact's normal and the geometric joints, one row each
    Vec g;  // their gaps
    double nearest_other = HUGE_VAL;

    Vec back(const Vec& gap) const { return A.transpose() * (pseudo_inverse(A * A.transpose()) * gap); }
  };

  std::optional<Closure> closure_at(const Vec& q) const {
    const System& system = *scene_.system;
    Contacts contacts;
    system.contacts(q, rest_, scene_.integrator.step, contacts);
    const Index joints = system.geometric_joint_rows();
    Closure closure{Mat::Zero(1 + joints, rest_.size()), Vec::Zero(1 + joints)};
    bool found = false;
    for (const ContactPoint& point : contacts.points) {
      if (system.contact_name(point.key) != contact_) {
        closure.nearest_other = std::min(closure.nearest_other, point.gap);
        continue;
      }
      found = true;
      closure.g(0) = point.gap;
      fill(contacts.W, point.first_row, 0, closure.A);
    }
    if (!found) return std::nullopt;
    Rows B;
    Vec b = Vec::Zero(system.joint_rows()), gaps = Vec::Zero(joints);
    system.joint_directions(time_, q, B, b);
    system.joint_gaps(time_, q, gaps);
    closure.g.tail(joints) = gaps;
    for (Index j = 0; j < joints; ++j) fill(B, j, 1 + j, closure.A);
    return closure.A.allFinite() && closure.g.allFinite() ? std::optional<Closure>(closure) : std::nullopt;
  }

  static void fill(const Rows& rows, Index row, Index place, Mat& A) {
    A.row(place).setZero();
    for (const Rows::Entry& entry : rows[row]) A(place, entry.column) += entry.value;
  }

  const Scene& scene_;
  double size_, time_;
  Vec rest_;
  std::string contact_;
  double deepest_ = 0;
};

// From the beginning and from the best so far by turns; first away from it by long steps.
void search(const ClosedConfigurations& configurations, CriticalConfiguration& found) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const Vec begin = found.q;
  const double ratio_here = found.least;
  for (int start = 0; start < starts; ++start) {
    Vec from = start % 2 == 0 ? found.q : begin;
    double ratio = start % 2 == 0 ? found.least : ratio_here;
    double step = first_step;
    for (int k = 0; k < steps && step > last_step; ++k) {
      Vec displacement(configurations.velocities());
      for (double& x : displacement) x = step * normal(engine);
      const std::optional<Vec> next = configurations.moved(from, displacement);
      const std::optional<double> there = next ? configurations.ratio(*next) : std::nullopt;
      found.configurations += there.has_value();
      const bool better = there && *there < ratio;
      step = better ? std::min(1.5 * step, first_step) : 0.85 * step;
      if (!better) continue;
      from = *next;
      ratio = *there;
      if (ratio < found.least) found.q = from;
      found.least = std::min(found.least, ratio);
    }
  }
}

}  // namespace

std::vector<CriticalConfiguration> critical_configurations(const Scene& scene, double time, const Vec& q,
                                                           const std::vector<std::string>& contacts) {
  std::vector<CriticalConfiguration> list;
  if (scene.u.size() > most_velocities_searched) return list;
  for (std::size_t k = 0; k < std::min(contacts.size(), most_contacts_searched); ++k) {
    const ClosedConfigurations configurations(scene, time, q, contacts[k]);
    const std::optional<Vec> begin = configurations.moved(q, Vec::Zero(scene.u.size()));
    const std::optional<double> first = begin ? configurations.ratio(*begin) : std::nullopt;
    const std::optional<double> here = configurations.ratio(q);  // where the gap need not be zero
    if (!first || !here) continue;
    CriticalConfiguration found{contacts[k], configurations.friction(*begin), *here, *first, *begin, 1};
    search(configurations, found);
    if (found.least == HUGE_VAL) continue;
    found.here *= found.friction;
    found.least *= found.friction;
    list.push_back(std::move(found));
  }
  return list;
}

std::string text_of(const std::vector<CriticalConfiguration>& contacts) {
  std::string text;
  for (const CriticalConfiguration& contact : contacts) {
    text += wrapped(
        fmt::format("lowest critical friction over all configurations with '{}' closed: μ_c = {} at q = {} (searched, "
                    "{} configurations); in the configuration of this impact {}; the contact has μ = {}",
                    contact.contact, figure(contact.least),
                    figures(std::vector<double>(contact.q.begin(), contact.q.end()), 1), contact.configurations,
                    std::isfinite(contact.here) ? "μ_c = " + figure(contact.here) : "none",
                    coefficient(contact.friction)),
        page_width(), "  ", "    ");
  }
  return text;
}

Json json_of(const std::vector<CriticalConfiguration>& contacts) {
  Json json = Json::array();
  for (const CriticalConfiguration& contact : contacts) {
    json.push_back({{"contact", contact.contact},
                    {"friction", contact.friction},
                    {"here", std::isfinite(contact.here) ? Json(contact.here) : Json(nullptr)},
                    {"least", contact.least},
                    {"distance", contact.least - contact.friction},
                    {"q", to_json(contact.q)},
                    {"configurations", contact.configurations}});
  }
  return json;
}

}  // namespace carom
