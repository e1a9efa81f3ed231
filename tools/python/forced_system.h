// A system with a force on top that its caller sets between steps; the ledger counts its work as applied.

#pragma once

#include <memory>

#include "engine/system.h"

namespace carom {

class ForcedSystem final : public System {
 public:
  explicit ForcedSystem(std::shared_ptr<const System> system);

  // In velocity coordinates; stays until it is changed. Not while a step is under way.
  Vec& force() { return force_; }

  std::vector<Coordinate> positions() const override { return system_->positions(); }
  std::vector<Coordinate> velocities() const override { return system_->velocities(); }
  void move(const Vec& q, const Vec& displacement, Vec& result) const override {
    system_->move(q, displacement, result);
  }
  void mass(const Vec& q, MassMatrix& M) const override { system_->mass(q, M); }
  bool mass_is_constant() const override { return system_->mass_is_constant(); }
  double potential(double t, const Vec& q) const override { return system_->potential(t, q); }
  void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const override {
    system_->forces(t, q, u, inner, applied);
    applied += force_;
  }
  bool forces_are_constant() const override { return false; }
  void force_gradient(double t, const Vec& q, const Vec& u, ForceGradient& gradient) const override {
    system_->force_gradient(t, q, u, gradient);
  }
  Index geometric_joint_rows() const override { return system_->geometric_joint_rows(); }
  Index joint_rows() const override { return system_->joint_rows(); }
  void joint_gaps(double t, const Vec& q, Vec& g) const override { system_->joint_gaps(t, q, g); }
  void joint_directions(double t, const Vec& q, Rows& B, Vec& b) const override {
    system_->joint_directions(t, q, B, b);
  }
  std::string joint_name(Index row) const override { return system_->joint_name(row); }
  void contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const override {
    system_->contacts(q, u, h, contacts);
  }
  bool finds_again(const Contacts& contacts, const Vec& q, const Vec& u, double h) const override {
    return system_->finds_again(contacts, q, u, h);
  }
  std::size_t named_contacts() const override { return system_->named_contacts(); }
  std::string contact_name(std::uint64_t key) const override { return system_->contact_name(key); }
  std::uint64_t contact_pair(std::uint64_t key) const override { return system_->contact_pair(key); }
  double contact_width(std::uint64_t key) const override { return system_->contact_width(key); }
  double contact_half_thickness(std::uint64_t key) const override { return system_->contact_half_thickness(key); }
  void clutches(const Vec& q, Clutches& clutches) const override { system_->clutches(q, clutches); }
  std::string clutch_name(Index clutch) const override { return system_->clutch_name(clutch); }
  double largest_body() const override { return system_->largest_body(); }
  PoseLayout poses() const override { return system_->poses(); }
  void pose(const Vec& q, Index body, double* out) const override { system_->pose(q, body, out); }
  std::string body_of(Index velocity_coordinate) const override { return system_->body_of(velocity_coordinate); }
  bool directions_are_constant() const override { return system_->directions_are_constant(); }
  void contact_gaps(const Vec& q, Contacts& contacts) const override { system_->contact_gaps(q, contacts); }

 private:
  std::shared_ptr<const System> system_;
  Vec force_;
};

inline ForcedSystem::ForcedSystem(std::shared_ptr<const System> system)
    : system_(std::move(system)), force_(Vec::Zero(static_cast<Index>(system_->velocities().size()))) {}

}  // namespace carom
