// A run kept in memory: a column for every dataset that its run file would have, with the same names and values.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/recorder.h"
#include "engine/system.h"
#include "tools/run_file/run_file.h"

namespace carom {

enum class ColumnType { number, integer, verdict, state };

ColumnType type_of_column(const std::string& path);  // of a run file

struct Column {
  std::string path;                 // energy/total, as in a run file
  std::vector<std::int64_t> shape;  // of a row; empty: one number
  std::vector<std::string> units;   // one, or one a name
  std::vector<std::string> names;   // of what its first extent runs over
  std::vector<std::string> directions = {};
  // Verdicts and states are bytes.
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint8_t>> values = {};

  std::vector<double>& numbers() { return std::get<0>(values); }
  const std::vector<double>& numbers() const { return std::get<0>(values); }
  std::vector<std::int64_t>& integers() { return std::get<1>(values); }
  const std::vector<std::int64_t>& integers() const { return std::get<1>(values); }
  std::vector<std::uint8_t>& codes() { return std::get<2>(values); }
  const std::vector<std::uint8_t>& codes() const { return std::get<2>(values); }

  std::size_t width() const;  // numbers a row
  std::size_t rows() const;
};

class Recording final : public Recorder {
 public:
  Recording(std::shared_ptr<const System> system, int contact_size, const RunSelection& selection);

  void sample(const Sample& sample) override;
  void impact(const ImpactRecord& impact) override;
  void replay(Recorder& recorder) const;  // everything again

  std::int64_t last_step() const;  // of the last sample; −1 before the first
  const std::vector<const Column*>& columns() const { return listed_; }
  const Column* find(const std::string& path) const;
  const std::vector<std::string>& element_names() const { return element_names_; }
  const System& system() const { return *system_; }

 private:
  using Shape = std::vector<std::int64_t>;
  struct ContactColumns {
    Column *gap, *velocity, *impulse, *state;
  };
  struct ImpactColumns {
    Column *time, *step, *kinetic_before, *kinetic_after, *work, *kinematic, *kinetic, *energetic, *solutions,
        *iterations, *residual, *q, *u;
  };
  struct ElementColumns {
    Column *impact, *element, *velocity_before, *velocity_after, *impulse, *compression, *decompression, *state;
  };

  Column* add(const std::string& path, const Shape& shape, const std::string& units, bool listed = true);
  Column* add_coordinates(const std::string& path, const std::vector<Coordinate>& coordinates, bool listed);
  void add_poses();
  void add_contacts();
  void add_impacts();
  std::vector<std::string> directions() const;
  void keep_contacts(const Sample& sample);
  void keep_element(const ImpactElementRecord& element, std::int64_t impact);
  std::int64_t element_number(const std::string& name);
  std::vector<std::size_t> logged_contacts() const;
  void contacts_at(std::size_t row, std::vector<ContactSample>& contacts) const;
  void replay_impact(std::size_t row, std::size_t& element, Recorder& recorder) const;

  std::shared_ptr<const System> system_;
  std::size_t contact_size_;
  RunSelection selection_;
  PoseLayout pose_layout_;
  std::vector<std::unique_ptr<Column>> columns_;
  std::vector<const Column*> listed_;  // those that the run file has

  // What follows from the state and the ledger is kept with them, so these are there whatever is selected.
  Column *time_, *step_, *q_, *u_;
  std::vector<Column*> energy_;  // in the order of ledger_columns()
  std::vector<Column*> poses_;   // one a body, or one for all
  std::vector<std::size_t> contact_numbers_;
  std::vector<ContactColumns> contacts_;  // one a logged contact, or one for all
  ImpactColumns impacts_ = {};
  ElementColumns elements_ = {};
  double initial_energy_ = 0;
  std::vector<std::string> element_names_;
  std::unordered_map<std::string, std::int64_t> element_numbers_;
};

}  // namespace carom
