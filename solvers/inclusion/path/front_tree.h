// In which order the unknowns of a sparse matrix are eliminated, and which of them together: the tree of fronts of a
// multifrontal factorisation (Duff & Reid 1983; Liu 1992). Unknowns come in nodes (a body's coordinates), and the
// matrix is a sum of elements (contacts), each of which couples all nodes that it touches.

#pragma once

#include <vector>

namespace carom {

// A dense matrix over its nodes, the pivots first. Eliminating them leaves the rest to the parent, whose nodes are
// among it.
struct Front {
  std::vector<int> nodes;
  std::size_t pivots = 0;
  int parent = -1;            // −1: a root
  std::vector<int> children;  // ascending
  std::vector<int> elements;  // those whose first node is a pivot here
};

// Children before their parents. `elements` lists the nodes of each; an element without nodes is in no front.
std::vector<Front> front_tree(int nodes, const std::vector<std::vector<int>>& elements);

}  // namespace carom
