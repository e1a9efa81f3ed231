#include "engine/island_impact.h"

#include <string>
#include <utility>
#include <variant>

namespace carom {

namespace {

// An element's kind with the storage it has, if it is of this kind already.
template <class Kind>
Kind& kind_of(Element& element) {
  if (Kind* kind = std::get_if<Kind>(&element.kind)) return *kind;
  return element.kind.emplace<Kind>();
}

}  // namespace

// Mass and velocity of the island's bodies, and where their coordinates are in it.
void IslandImpact::pose_mass(const StepIsland& island, const MassMatrix& M, const Vec& u) {
  place_.resize(static_cast<std::size_t>(M.size()));
  blocks_.clear();
  const auto n = static_cast<Index>(island.coordinates.size());
  velocity_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const Index whole = island.coordinates[static_cast<std::size_t>(i)];
    const Index block = M.block_of(whole);
    place_[static_cast<std::size_t>(whole)] = i;
    velocity_(i) = u(whole);
    if (whole == M.offset(block)) blocks_.push_back(M.block_size(block));
  }
  mass_.resize(blocks_);
  for (Index b = 0; b < mass_.block_count(); ++b) {
    const Index whole = island.coordinates[static_cast<std::size_t>(mass_.offset(b))];
    mass_.block(b) = M.block(M.block_of(whole));
  }
}

void IslandImpact::add_row(const Rows& rows, Index row, Rows& to) const {
  to.open_row();
  for (const Rows::Entry& entry : rows[row]) to.add(place_[static_cast<std::size_t>(entry.column)], entry.value);
}

// Over all contacts and clutches of the island, with the storage of the impact before. Elements that are the same ones
// again keep their names.
void IslandImpact::pose(const StepIsland& island, const StepElements& step, const Vec& u) {
  pose_mass(island, step.M, u);
  std::vector<Element> elements = problem_.take_elements();
  elements.resize(island.contacts.size() + island.clutches.size() + island.joints.size());
  named_.resize(elements.size());
  W_.clear();
  B_.clear();
  std::size_t posed = 0;
  const auto next = [&](std::uint64_t of, bool same_kind, const auto& name) -> Element& {
    Element& element = elements[posed];
    if (!same_kind || element.name.empty() || named_[posed] != of) element.name = name();
    named_[posed++] = of;
    return element;
  };
  for (std::size_t i : island.contacts) {
    const ActiveContact& active = step.active[i];
    const ContactPoint& point = step.points[active.point];
    Contact& contact =
        kind_of<Contact>(next(point.key, elements[posed].contact(), [&] { return system_.contact_name(point.key); }));
    for (Index k = 0; k < active.rows(); ++k) add_row(step.W, active.row + k, W_);
    contact.friction = point.coefficients->friction.head(point.tangents);
    contact.restitution = point.coefficients->restitution;
    contact.tangential_restitution = point.coefficients->tangential_restitution;
    contact.stiffness = point.coefficients->stiffness;
  }
  for (Index i : island.clutches) {
    Clutch& clutch = kind_of<Clutch>(
        next(static_cast<std::uint64_t>(i), elements[posed].clutch(), [&] { return system_.clutch_name(i); }));
    add_row(step.clutches.W, i, W_);
    clutch.restitution = step.clutches.restitution[static_cast<std::size_t>(i)];
  }
  for (Index j : island.joints) {
    kind_of<Bilateral>(
        next(static_cast<std::uint64_t>(j), elements[posed].bilateral(), [&] { return system_.joint_name(j); }));
    add_row(step.B, j, B_);
  }
  problem_.rebuild_on_manifold(mass_, W_, B_, velocity_, std::move(elements));
}

const LawOutcome& IslandImpact::resolve() {
  law_.resolve_into(problem_, solver_, answer_);
  is_by_several_ = false;
  if (answer_.status != LawOutcome::Status::refused || !several_) return answer_;
  several_->resolve_into(problem_, solver_, answer_of_several_);
  is_by_several_ = answer_of_several_.status != LawOutcome::Status::refused;
  return is_by_several_ ? answer_of_several_ : answer_;
}

// Bodies that approach at the beginning of the step may pass each other in its middle: where nothing approaches, and
// nothing is transmitted, there is no impact.
bool IslandImpact::happens(const ImpactResult& result) const {
  for (std::size_t i = 0; i < problem_.elements().size(); ++i) {
    const ElementResult& element = result.elements[i];
    if (problem_.elements()[i].bilateral()) continue;
    if (!element.Lambda.isZero(0) || element.gamma_minus(0) < 0) return true;
  }
  return false;
}

}  // namespace carom
