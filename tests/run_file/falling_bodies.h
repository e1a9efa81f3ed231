// A system and a run made up so that every number of a row follows from its step: what a reader finds can be checked
// against it, wherever the writer stopped.

#pragma once

#include <string>
#include <vector>

#include "engine/recorder.h"
#include "engine/system.h"
#include "tools/run_file/reader.h"
#include "tools/run_file/run_file.h"

namespace carom::testing {

class FallingBodies final : public System {
 public:
  explicit FallingBodies(std::size_t bodies, std::size_t contacts = 1) : bodies_(bodies), contacts_(contacts) {}

  std::vector<Coordinate> positions() const override;
  std::vector<Coordinate> velocities() const override;
  void mass(const Vec&, MassMatrix&) const override {}
  double potential(double, const Vec&) const override { return 0; }
  void forces(double, const Vec&, const Vec&, Vec&, Vec&) const override {}
  std::size_t named_contacts() const override { return contacts_; }
  std::string contact_name(std::uint64_t key) const override { return "floor" + std::to_string(key); }
  PoseLayout poses() const override;
  void pose(const Vec& q, Index body, double* out) const override;

 private:
  std::size_t bodies_, contacts_;
};

// Samples at steps first, first + every, ... below `end`, an impact of two elements in each step that 3 divides.
void record(Recorder& recorder, const FallingBodies& system, std::int64_t first, std::int64_t end,
            std::int64_t every = 1);

RunDescription description_of(std::int64_t expected_samples, std::int64_t every = 1);

// Every row there is equals the one that `record` made; returns the number of samples.
std::int64_t check_rows(const RunFileReader& run, const FallingBodies& system, std::int64_t every = 1);

std::string folder();                                 // temporary, removed at exit
std::string path_in_folder(const std::string& name);  // a new name each time

}  // namespace carom::testing
