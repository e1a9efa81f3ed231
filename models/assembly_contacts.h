// Contacts of an assembly: those the user named, always looked at, and those found between shapes near each other.
//
// Keys of named points come first. A named contact that can have several points (corners on a plane, the two ends of
// an edge on an edge) has one key for each vertex that may name one, "floor.1", "floor.2", …: those of A, then those of
// B. A key follows the corner that touches, so that what is known of it from the step before stays with it. Points that
// do not exist in a pose are not listed in it: of a planar block on a plane the two lowest corners do.
// What touches are pieces: the shape of a body, or each of those of one that has several. A found contact has the key
// named + (A·pieces + B)·features + feature, A and B the numbers of its pieces, which are in the order of their bodies.
// Pieces of one body do not touch each other.
//
// Between shapes only those pairs are looked at whose boxes, inflated by what their bodies can move in half a step,
// overlap. Where one of two bodies is fixed, it is B: normals point to the one that moves. What was found between two
// that have not moved since is found again, bit by bit, and is not looked for.

#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/bodies.h"
#include "models/broad_phase.h"
#include "models/material_table.h"
#include "models/vertex_names.h"

namespace carom {

class AssemblyContacts {
 public:
  // Keeps references into the description. std::invalid_argument with a sentence if a pair of shapes is not known.
  AssemblyContacts(const AssemblyDescription& description, const Bodies& bodies);

  void find(const Bodies& bodies, const Vec& q, const Vec& u, double h, Contacts& contacts) const;
  // Whether find() gives the same again: no coordinate has changed on which contacts depend, and no reach.
  bool finds_again(const Contacts& found, const Vec& q, const Vec& u, double h) const;
  std::size_t named_count() const { return names_.size(); }
  std::string name(std::uint64_t key) const;
  std::uint64_t pair(std::uint64_t key) const;  // the first key that a point of the same two shapes can have
  double width(std::uint64_t key) const;  // of the smaller of its two bodies that has an end; 0 if none has a width
  double half_thickness(std::uint64_t key) const;  // the least of the thinner of its two bodies; 0 if none has one
  std::vector<std::pair<int, int>> meeting_materials(const Bodies& bodies) const;

 private:
  struct Piece {
    int body = world;
    const Shape* shape = nullptr;
    const ShapePart* part = nullptr;               // of a compound
    Eigen::Vector3d at = Eigen::Vector3d::Zero();  // where the shape's origin is on the body
  };
  using Pieces = std::pair<const Piece&, const Piece&>;
  struct NamedPair {
    Piece a, b;
    const ContactDescription* description = nullptr;
    std::uint64_t first_key = 0;
    std::optional<VertexNames> names;  // of two shapes with vertices in space
  };
  // How far the surface of a collider moves in half a step, at most, in whole parts and a little more: bodies at rest,
  // whose velocities are rounding, then have the same one in every step.
  struct Reach {
    Index q = 0, placing = 0;               // its first position coordinate, and how many from there on place it
    Index u = 0;                            // its first velocity coordinate
    Index translations = 0, rotations = 0;  // how many follow
    double swing = 0;                       // how far from C its surface is moved by rotation
    double closeness = 0;                   // such a part: within it shapes are listed even at rest

    double of(double speed, double angular_speed, double h) const;
    bool is_same(const Vec& u_before, const Vec& u_now, double h) const;
    bool is_placed_alike(const Vec& q_before, const Vec& q_now) const;
  };
  struct Workspace;

  Pieces pieces_of(std::uint64_t key) const;
  const Shape& bulk_of(const Piece& piece) const;
  const NamedPair& named_pair(std::uint64_t key) const;
  void list_pieces();
  std::vector<Piece> pieces_of_body(int body) const;
  Piece plane_of_world(const ContactDescription& contact, const std::string& who);
  void add_named(const ContactDescription& contact, const std::string& who, const Bodies& bodies);
  void add_named_pair(const NamedPair& pair, const std::string& who);
  void set_up_collisions(const Bodies& bodies);
  void set_up_reaches(const Bodies& bodies);
  void list_placing(const Bodies& bodies);
  Index placing_count(int body, bool however_turned, const Bodies& bodies) const;
  void see_what_is_still(const Vec& q, const Vec& u, double h, Workspace& work) const;
  void check_colliding_shapes(const Bodies& bodies) const;
  void check_names(const Bodies& bodies) const;
  bool are_found_as(int i, int j, const Bodies& bodies) const;
  std::optional<std::pair<int, int>> first_meeting(const std::vector<int>& these, const std::vector<int>& those,
                                                   const Bodies& bodies) const;
  bool collides(int i, int j, const Bodies& bodies) const;
  bool can_collide(int i, int j) const;  // bodies, if one of them moves
  bool can_meet(const Piece& a, const Piece& b) const;
  void find_named(Workspace& work, Contacts& contacts) const;
  void inflate_boxes(const Vec& u, double h, Workspace& work) const;
  void find_between_shapes(Workspace& work, Contacts& contacts) const;
  const Shape& shape_of(int body) const { return *shapes_[static_cast<std::size_t>(body)]; }
  const Piece& piece(int number) const { return pieces_[static_cast<std::size_t>(number)]; }

  const AssemblyDescription& description_;
  const std::uint64_t number_;  // no other has it, nor will have
  bool planar_;
  std::vector<const Shape*> shapes_;  // of the bodies; of many alike, that of the first: it is at hand
  std::vector<Piece> pieces_;         // of all bodies
  std::vector<int> first_piece_;      // of each body, and one more
  std::vector<NamedPair> named_;
  std::deque<Shape> own_shapes_;  // planes of the world and single points of bodies
  std::vector<std::string> names_;
  MaterialTable materials_;
  std::vector<int> colliders_;                     // pieces, ascending
  std::vector<Reach> reaches_;                     // of the colliders
  std::vector<Index> placing_;                     // the coordinates in q that contacts depend on
  std::vector<std::pair<int, int>> no_collision_;  // sorted, lower number first
};

}  // namespace carom
