// What a RunFileWriter is made of: its tables and their columns.

#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/run_file/checkpoint.h"
#include "tools/run_file/growing_table.h"
#include "tools/run_file/run_file.h"

namespace carom {

// What the runs of a file share.
struct WrittenFile {
  std::string path;
  hdf5::Handle handle;
  bool readable = false;     // while it is written, and after a kill (SWMR); nothing is created after that
  bool has_samples = false;  // that readers are told of
  std::string why_broken;    // the write that failed: none is tried after it

  bool is_broken() const { return !why_broken.empty(); }
  void make_readable();
};

struct RunFileWriter::Parts {
  Parts(WrittenFile& file, const std::string& group_name, const RunDescription& description, const System& run_system,
        int contact_columns, const RunSelection& selection);

  void create_samples(const RunSelection& selection);
  void create_poses();
  void create_contacts();
  void create_impacts();
  void create_log();
  std::size_t row_bytes(const RunSelection& selection) const;
  std::vector<std::string> directions() const;  // of a contact's vectors
  std::vector<std::size_t> logged_contacts(const RunSelection& selection) const;
  std::vector<std::string> logged_contact_names() const;
  void write_names(const RunSelection& selection) const;

  void write_contacts(const Sample& sample);
  std::int32_t element_index(const std::string& name);
  void guarded(const std::function<void()>& write);  // what cannot be written breaks the file
  void write_if_full(GrowingTable& table);
  void write_rows();  // all that are in memory
  void flush_impacts();
  void flush();      // for readers: from the first on there are some
  void write_out();  // the same, unless nobody can read yet
  void write_out_impacts();
  void flush_if_due();

  void write_end(hid_t run) const;  // once the file is open for plain writing
  void write_penetrations(hid_t run) const;
  void write_long_names(hid_t run) const;
  void write_long_messages(hid_t run) const;
  // Those that were cut as rows, whole.
  static void replace_texts(hid_t run, const std::string& group, const std::string& name,
                            const std::vector<std::string>& texts);

  WrittenFile& file;
  std::string group_name;
  hdf5::Handle group;
  const System& system;
  RunDescription about;
  int contact_columns;

  hsize_t affordable = 0;  // rows of a chunk
  GrowingTable samples, impacts, elements, names, log;
  std::array<GrowingTable*, 5> tables() { return {&samples, &impacts, &elements, &names, &log}; }
  std::size_t time = 0, step = 0;
  std::optional<std::size_t> q, u;
  std::vector<std::size_t> energy;  // in the order of ledger_columns()
  PoseLayout pose_layout;
  std::vector<std::size_t> poses;  // one a body, or one for all
  struct ContactColumns {
    std::size_t gap, velocity, impulse, state;
  };
  std::vector<std::size_t> contact_numbers;  // of the contacts that are logged
  std::vector<ContactColumns> contacts;      // one a logged contact, or one for all

  bool logs_impacts = false;
  bool logs_impact_states = false;
  std::size_t name_width = 64;
  std::size_t longest_name = 0;
  std::unordered_map<std::string, std::int32_t> element_indices;

  std::vector<std::string> messages;  // that were logged

  std::chrono::steady_clock::time_point last_flush = std::chrono::steady_clock::now(), last_kept = last_flush;
  const std::int64_t run_mark = new_run_mark();
  std::chrono::steady_clock::duration next_flush_after = std::chrono::seconds(1);
  std::optional<RunEnd> end;
  std::vector<std::string> penetrated;  // contacts of its penetrations: the file is closed after the system is gone
};

}  // namespace carom
