// What all closed-form systems have in common: q̇ = u, one name a coordinate, named contacts in a fixed order, planar
// poses. A system adds its mass, forces, gaps and rows.

#pragma once

#include <string>
#include <vector>

#include "engine/system.h"

namespace carom {

inline Eigen::Vector2d quarter_turn(const Eigen::Vector2d& a) { return {-a.y(), a.x()}; }  // ẑ × a

class ClosedForm : public System {
 public:
  std::vector<Coordinate> positions() const override { return coordinates_; }
  std::vector<Coordinate> velocities() const override;
  std::size_t named_contacts() const override { return contact_names_.size(); }
  std::string contact_name(std::uint64_t key) const override { return contact_names_[static_cast<std::size_t>(key)]; }
  PoseLayout poses() const override { return {body_names_, 3}; }
  std::string body_of(Index coordinate) const override;  // "upper" of "upper.angle"

 protected:
  // One set of coefficients for all contacts, or one a contact.
  ClosedForm(std::vector<Coordinate> coordinates, std::vector<std::string> bodies, std::vector<std::string> contacts,
             std::vector<ContactCoefficients> coefficients);

  Index size() const { return static_cast<Index>(coordinates_.size()); }

  // Appends a contact, whose normal row is to follow; true if it has friction and a tangent row is to follow that.
  bool open_contact(Contacts& contacts, std::size_t key, double gap) const;

  // One dense block, or blocks of size one, without touching a matrix that has this form already.
  static Eigen::Map<Mat> dense_mass(MassMatrix& M, Index size) {
    if (M.size() != size || M.block_count() != 1) M.resize({size});
    return M.block(0);
  }
  static void make_diagonal(MassMatrix& M, Index size);

 private:
  std::vector<Coordinate> coordinates_;
  std::vector<std::string> body_names_;
  std::vector<std::string> contact_names_;
  std::vector<ContactCoefficients> coefficients_;
};

}  // namespace carom
