// I + W̃KW̃ᵀ with one 3 × 3 block of K a contact, symmetric or not: of the size of the velocities however many contacts
// there are. Factored front by front, with pivots sought within each; the tree of fronts is found once. Branches of the
// tree do not meet below its top, and are factored by several threads. Contacts between the same bodies as those of the
// last matrix, as steps pose them again and again, take over its tree and its storage.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/front_tree.h"

namespace carom {

class VelocityMatrix {
 public:
  explicit VelocityMatrix(const ContactDirections& contacts);
  ~VelocityMatrix();
  VelocityMatrix(const VelocityMatrix&) = delete;
  VelocityMatrix& operator=(const VelocityMatrix&) = delete;

  // False: singular. Only what is above a contact in the tree whose block has changed is factored again, to the same
  // bits as if all were.
  bool factor(const std::vector<Eigen::Matrix3d>& K);
  int determinant_sign() const;
  void solve(Vec& x) const;  // x ← (I + W̃KW̃ᵀ)⁻¹x

 private:
  struct DenseFront {
    Front front;
    std::vector<Index> coordinates;       // of its nodes
    Index pivots = 0;                     // coordinates
    std::vector<Index> element_places;    // of the coordinates of its elements, in their order
    std::vector<Index> places_in_parent;  // of what the pivots leave
    Mat F;
    Eigen::Matrix<int, Eigen::Dynamic, 1> interchanges;
    int determinant_sign = 1;  // of its pivots
    bool is_factored = false;  // of the blocks in K_
  };
  struct Tree {
    std::vector<Index> touched;  // by each contact: how many coordinates, and which
    std::vector<DenseFront> fronts;
    std::vector<int> front_of;                       // a contact; −1 if it touches nothing
    std::vector<std::vector<std::size_t>> branches;  // whole subtrees, as fronts, children first
    std::vector<std::size_t> top;                    // what is above them
  };

  static Tree& last_tree();
  void grow_tree();
  void find_places();
  void cut_branches();
  void mark_changes(const std::vector<Eigen::Matrix3d>& K);
  bool eliminate(DenseFront& front);
  void assemble(DenseFront& front) const;

  const ContactDirections& contacts_;
  std::vector<Eigen::Matrix3d> K_;  // that was factored last
  Tree tree_;
};

}  // namespace carom
