#include "solvers/inclusion/path/velocity_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/thread_team.h"

namespace carom {

using Contact = ContactDirections::Contact;

namespace {

// Coordinates that the same contacts touch are one node: those of a body. What no contact touches stays as it is.
struct Nodes {
  std::vector<std::vector<Index>> coordinates;  // of each node
  std::vector<std::vector<int>> elements;       // nodes of each contact
};

Nodes nodes_of(const ContactDirections& contacts) {
  std::vector<std::vector<std::size_t>> touched_by(static_cast<std::size_t>(contacts.velocity_size()));
  for (std::size_t i = 0; i < contacts.count(); ++i)
    for (std::size_t k = 0; k < contacts[i].coordinates; ++k)
      touched_by[static_cast<std::size_t>(contacts.coordinate(contacts[i], k))].push_back(i);
  Nodes nodes;
  nodes.elements.resize(contacts.count());
  for (std::size_t c = 0; c < touched_by.size(); ++c) {
    if (touched_by[c].empty()) continue;
    if (c == 0 || touched_by[c] != touched_by[c - 1]) {
      for (std::size_t i : touched_by[c]) nodes.elements[i].push_back(static_cast<int>(nodes.coordinates.size()));
      nodes.coordinates.emplace_back();
    }
    nodes.coordinates.back().push_back(static_cast<Index>(c));
  }
  return nodes;
}

std::vector<Index> touched_by(const ContactDirections& contacts) {
  std::vector<Index> touched;
  for (std::size_t i = 0; i < contacts.count(); ++i) {
    touched.push_back(static_cast<Index>(contacts[i].coordinates));
    for (std::size_t k = 0; k < contacts[i].coordinates; ++k) touched.push_back(contacts.coordinate(contacts[i], k));
  }
  return touched;
}

// Fewer operations are not worth a thread; a branch takes at most this part of all of them, so that two or more threads
// end at about the same time.
constexpr double least_operations = 1e6;
constexpr double most_of_branch = 0.1;

// Multiplications of a front's elimination.
double operations(Index pivots, Index size) {
  const auto p = static_cast<double>(pivots), n = static_cast<double>(size);
  return p * n * n;
}

}  // namespace

VelocityMatrix::Tree& VelocityMatrix::last_tree() {
  thread_local Tree tree;
  return tree;
}

VelocityMatrix::VelocityMatrix(const ContactDirections& contacts)
    : contacts_(contacts), K_(contacts.count(), Eigen::Matrix3d::Zero()) {
  std::vector<Index> touched = touched_by(contacts);
  std::swap(tree_, last_tree());
  if (tree_.touched == touched) {
    for (DenseFront& dense : tree_.fronts) dense.is_factored = false;
  } else {
    tree_ = {};
    tree_.touched = std::move(touched);
    grow_tree();
  }
}

VelocityMatrix::~VelocityMatrix() { std::swap(tree_, last_tree()); }

void VelocityMatrix::grow_tree() {
  const Nodes nodes = nodes_of(contacts_);
  tree_.front_of.assign(nodes.elements.size(), -1);
  for (Front& front : front_tree(static_cast<int>(nodes.coordinates.size()), nodes.elements)) {
    DenseFront& dense = tree_.fronts.emplace_back();
    for (std::size_t k = 0; k < front.nodes.size(); ++k) {
      const std::vector<Index>& own = nodes.coordinates[static_cast<std::size_t>(front.nodes[k])];
      dense.coordinates.insert(dense.coordinates.end(), own.begin(), own.end());
      if (k + 1 == front.pivots) dense.pivots = static_cast<Index>(dense.coordinates.size());
    }
    for (int e : front.elements)
      tree_.front_of[static_cast<std::size_t>(e)] = static_cast<int>(tree_.fronts.size()) - 1;
    dense.front = std::move(front);
  }
  find_places();
  cut_branches();
}

void VelocityMatrix::find_places() {
  std::vector<Index> place(static_cast<std::size_t>(contacts_.velocity_size()));
  for (DenseFront& dense : tree_.fronts) {
    for (std::size_t k = 0; k < dense.coordinates.size(); ++k)
      place[static_cast<std::size_t>(dense.coordinates[k])] = static_cast<Index>(k);
    for (int e : dense.front.elements) {
      const Contact& contact = contacts_[static_cast<std::size_t>(e)];
      for (std::size_t k = 0; k < contact.coordinates; ++k)
        dense.element_places.push_back(place[static_cast<std::size_t>(contacts_.coordinate(contact, k))]);
    }
    for (int c : dense.front.children) {
      DenseFront& child = tree_.fronts[static_cast<std::size_t>(c)];
      for (auto k = static_cast<std::size_t>(child.pivots); k < child.coordinates.size(); ++k)
        child.places_in_parent.push_back(place[static_cast<std::size_t>(child.coordinates[k])]);
    }
  }
}

// Where the tree is small, all of it is top.
void VelocityMatrix::cut_branches() {
  std::vector<double> below(tree_.fronts.size(), 0);  // operations of a front and of all below it
  double all = 0;
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f) {
    const double own = operations(tree_.fronts[f].pivots, static_cast<Index>(tree_.fronts[f].coordinates.size()));
    below[f] += own;
    all += own;
    if (tree_.fronts[f].front.parent >= 0) below[static_cast<std::size_t>(tree_.fronts[f].front.parent)] += below[f];
  }
  const bool is_small = all < least_operations;
  std::vector<int> branch_of(tree_.fronts.size(), -1);
  for (std::size_t f = tree_.fronts.size(); f-- > 0;) {
    const int parent = tree_.fronts[f].front.parent;
    int& branch = branch_of[f];
    if (parent >= 0) branch = branch_of[static_cast<std::size_t>(parent)];
    if (branch >= 0 || is_small || below[f] > most_of_branch * all) continue;
    branch = static_cast<int>(tree_.branches.size());
    tree_.branches.emplace_back();
  }
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    (branch_of[f] < 0 ? tree_.top : tree_.branches[static_cast<std::size_t>(branch_of[f])]).push_back(f);
}

void VelocityMatrix::mark_changes(const std::vector<Eigen::Matrix3d>& K) {
  for (std::size_t i = 0; i < K.size(); ++i)
    if (tree_.front_of[i] >= 0 && K[i] != K_[i])
      tree_.fronts[static_cast<std::size_t>(tree_.front_of[i])].is_factored = false;
  for (const DenseFront& dense : tree_.fronts)  // children first
    if (!dense.is_factored && dense.front.parent >= 0)
      tree_.fronts[static_cast<std::size_t>(dense.front.parent)].is_factored = false;
  K_ = K;
}

bool VelocityMatrix::factor(const std::vector<Eigen::Matrix3d>& K) {
  mark_changes(K);
  const auto eliminate_all = [&](const std::vector<std::size_t>& fronts) {
    return std::all_of(fronts.begin(), fronts.end(),
                       [&](std::size_t f) { return tree_.fronts[f].is_factored || eliminate(tree_.fronts[f]); });
  };
  std::vector<char> is_regular(tree_.branches.size(), 1);
  share_work(tree_.branches.size(), [&](std::size_t b) { is_regular[b] = eliminate_all(tree_.branches[b]) ? 1 : 0; });
  return std::all_of(is_regular.begin(), is_regular.end(), [](char regular) { return regular != 0; }) &&
         eliminate_all(tree_.top);
}

int VelocityMatrix::determinant_sign() const {
  int sign = 1;
  for (const DenseFront& dense : tree_.fronts) sign *= dense.determinant_sign;
  return sign;
}

void VelocityMatrix::assemble(DenseFront& dense) const {
  const auto size = static_cast<Index>(dense.coordinates.size());
  dense.F.setZero(size, size);
  dense.F.diagonal().head(dense.pivots).setOnes();
  const Index* place = dense.element_places.data();
  for (int e : dense.front.elements) {
    const Contact& contact = contacts_[static_cast<std::size_t>(e)];
    for (std::size_t b = 0; b < contact.coordinates; ++b) {
      const Eigen::Vector3d pushed = K_[static_cast<std::size_t>(e)] * contacts_.direction(contact, b);
      for (std::size_t a = 0; a < contact.coordinates; ++a)
        dense.F(place[a], place[b]) += contacts_.direction(contact, a).dot(pushed);
    }
    place += contact.coordinates;
  }
  for (int c : dense.front.children) {
    const DenseFront& child = tree_.fronts[static_cast<std::size_t>(c)];
    const std::vector<Index>& there = child.places_in_parent;
    for (std::size_t b = 0; b < there.size(); ++b) {
      const double* from = &child.F(child.pivots, child.pivots + static_cast<Index>(b));
      double* to = &dense.F(0, there[b]);
      for (std::size_t a = 0; a < there.size(); ++a) to[there[a]] += from[a];
    }
  }
}

bool VelocityMatrix::eliminate(DenseFront& dense) {
  assemble(dense);
  const Index p = dense.pivots;
  const Index rest = dense.F.rows() - p;
  Eigen::Ref<Mat> F11 = dense.F.topLeftCorner(p, p);
  const Eigen::PartialPivLU<Eigen::Ref<Mat>> lu(F11);
  dense.interchanges = lu.permutationP().indices();
  const double least = F11.diagonal().cwiseAbs().minCoeff();
  if (!(least > 0) || !std::isfinite(least)) return false;
  dense.determinant_sign = static_cast<int>(lu.permutationP().determinant());
  for (Index k = 0; k < p; ++k)
    if (F11(k, k) < 0) dense.determinant_sign *= -1;
  dense.is_factored = true;
  if (rest == 0) return true;
  auto F12 = dense.F.topRightCorner(p, rest);
  auto F21 = dense.F.bottomLeftCorner(rest, p);
  F12 = lu.permutationP() * F12;
  F11.triangularView<Eigen::UnitLower>().solveInPlace(F12);
  F11.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(F21);
  dense.F.bottomRightCorner(rest, rest).noalias() -= F21 * F12;
  return true;
}

void VelocityMatrix::solve(Vec& x) const {
  Vec own, others;
  for (const DenseFront& dense : tree_.fronts) {
    const Index p = dense.pivots;
    const Index rest = dense.F.rows() - p;
    own.resize(p);
    for (Index k = 0; k < p; ++k) own(dense.interchanges(k)) = x(dense.coordinates[static_cast<std::size_t>(k)]);
    dense.F.topLeftCorner(p, p).triangularView<Eigen::UnitLower>().solveInPlace(own);
    others.noalias() = dense.F.bottomLeftCorner(rest, p) * own;
    for (Index k = 0; k < p; ++k) x(dense.coordinates[static_cast<std::size_t>(k)]) = own(k);
    for (Index k = 0; k < rest; ++k) x(dense.coordinates[static_cast<std::size_t>(p + k)]) -= others(k);
  }
  for (auto dense = tree_.fronts.rbegin(); dense != tree_.fronts.rend(); ++dense) {
    const Index p = dense->pivots;
    const Index rest = dense->F.rows() - p;
    own.resize(p);
    others.resize(rest);
    for (Index k = 0; k < p; ++k) own(k) = x(dense->coordinates[static_cast<std::size_t>(k)]);
    for (Index k = 0; k < rest; ++k) others(k) = x(dense->coordinates[static_cast<std::size_t>(p + k)]);
    own.noalias() -= dense->F.topRightCorner(p, rest) * others;
    dense->F.topLeftCorner(p, p).triangularView<Eigen::Upper>().solveInPlace(own);
    for (Index k = 0; k < p; ++k) x(dense->coordinates[static_cast<std::size_t>(k)]) = own(k);
  }
}

}  // namespace carom
