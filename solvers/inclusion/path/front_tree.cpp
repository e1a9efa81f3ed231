#include "solvers/inclusion/path/front_tree.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace carom {

namespace {

// Zeros stored for fewer, larger fronts: dense arithmetic on them costs less than the bookkeeping of small fronts.
constexpr double most_zeros = 0.3;       // as a share of a front
constexpr std::size_t small_front = 12;  // nodes; up to here zeros are not counted

using Graph = std::vector<std::vector<int>>;

Graph couplings(int nodes, const std::vector<std::vector<int>>& elements) {
  Graph graph(static_cast<std::size_t>(nodes));
  for (const std::vector<int>& element : elements)
    for (int a : element)
      for (int b : element)
        if (a != b) graph[static_cast<std::size_t>(a)].push_back(b);
  for (std::vector<int>& neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

// place[node] in the order of least fill (approximate minimum degree).
std::vector<int> elimination_places(const Graph& graph) {
  const auto n = static_cast<int>(graph.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int a = 0; a < n; ++a) {
    entries.emplace_back(a, a, 1.0);
    for (int b : graph[static_cast<std::size_t>(a)]) entries.emplace_back(a, b, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  std::vector<int> place(graph.size());
  for (int k = 0; k < n; ++k) place[static_cast<std::size_t>(order.indices()(k))] = k;
  return place;
}

// Fronts grow at the places of the order: `tail` are the later places that elimination couples with the pivots.
struct Growing {
  std::vector<int> pivots, tail, children;
  double entries = 0;  // that are not zero, counted over the pivots merged so far
};

double size_of(std::size_t pivots, std::size_t tail) {
  const auto p = static_cast<double>(pivots), t = static_cast<double>(tail);
  return p * (p + 2 * t);  // of the factors
}

class Tree {
 public:
  explicit Tree(const Graph& graph) : place_(elimination_places(graph)), at_(graph.size()) {
    for (std::size_t node = 0; node < graph.size(); ++node) {
      Growing& front = at_[static_cast<std::size_t>(place_[node])];
      front.pivots = {place_[node]};
      for (int other : graph[node])
        if (place_[static_cast<std::size_t>(other)] > place_[node])
          front.tail.push_back(place_[static_cast<std::size_t>(other)]);
    }
    for (std::size_t p = 0; p < at_.size(); ++p) eliminate(p);
  }

  int place(int node) const { return place_[static_cast<std::size_t>(node)]; }

  std::vector<Front> fronts() const {
    std::vector<Front> result;
    std::vector<int> node_at(place_.size());
    for (std::size_t node = 0; node < place_.size(); ++node)
      node_at[static_cast<std::size_t>(place_[node])] = static_cast<int>(node);
    std::vector<int> front_at(at_.size(), -1);
    for (std::size_t p = 0; p < at_.size(); ++p) {  // a front stands where its last pivot is, after its children
      const Growing& growing = at_[p];
      if (growing.pivots.empty()) continue;
      const auto own = static_cast<int>(result.size());
      Front front;
      front.pivots = growing.pivots.size();
      for (int q : growing.pivots) front.nodes.push_back(node_at[static_cast<std::size_t>(q)]);
      for (int q : growing.tail) front.nodes.push_back(node_at[static_cast<std::size_t>(q)]);
      for (int child : growing.children) {
        const int c = front_at[static_cast<std::size_t>(child)];
        front.children.push_back(c);
        result[static_cast<std::size_t>(c)].parent = own;
      }
      std::sort(front.children.begin(), front.children.end());
      front_at[p] = own;
      result.push_back(std::move(front));
    }
    return result;
  }

 private:
  // What the children leave comes on top; those that fit well enough are taken into the front.
  void eliminate(std::size_t p) {
    Growing& front = at_[p];
    for (int child : front.children) {
      const std::vector<int>& tail = at_[static_cast<std::size_t>(child)].tail;
      front.tail.insert(front.tail.end(), tail.begin() + 1, tail.end());  // its first is p
    }
    std::sort(front.tail.begin(), front.tail.end());
    front.tail.erase(std::unique(front.tail.begin(), front.tail.end()), front.tail.end());
    front.entries = size_of(1, front.tail.size());
    merge_children(front);
    if (!front.tail.empty()) at_[static_cast<std::size_t>(front.tail.front())].children.push_back(static_cast<int>(p));
  }

  void merge_children(Growing& front) {
    std::vector<int> children;
    std::swap(children, front.children);
    for (int c : children) {
      Growing& child = at_[static_cast<std::size_t>(c)];
      const std::size_t pivots = front.pivots.size() + child.pivots.size();
      const double entries = front.entries + child.entries;
      const double stored = size_of(pivots, front.tail.size());
      if (pivots + front.tail.size() > small_front && stored - entries > most_zeros * stored) {
        front.children.push_back(c);
        continue;
      }
      front.entries = entries;
      front.pivots.insert(front.pivots.begin(), child.pivots.begin(), child.pivots.end());
      front.children.insert(front.children.end(), child.children.begin(), child.children.end());
      child = {};
    }
  }

  std::vector<int> place_;
  std::vector<Growing> at_;
};

}  // namespace

std::vector<Front> front_tree(int nodes, const std::vector<std::vector<int>>& elements) {
  const Tree tree(couplings(nodes, elements));
  std::vector<Front> fronts = tree.fronts();
  std::vector<int> front_of(static_cast<std::size_t>(nodes));
  for (std::size_t f = 0; f < fronts.size(); ++f)
    for (std::size_t k = 0; k < fronts[f].pivots; ++k)
      front_of[static_cast<std::size_t>(fronts[f].nodes[k])] = static_cast<int>(f);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (elements[e].empty()) continue;
    const int first = *std::min_element(elements[e].begin(), elements[e].end(),
                                        [&](int a, int b) { return tree.place(a) < tree.place(b); });
    fronts[static_cast<std::size_t>(front_of[static_cast<std::size_t>(first)])].elements.push_back(static_cast<int>(e));
  }
  return fronts;
}

}  // namespace carom
