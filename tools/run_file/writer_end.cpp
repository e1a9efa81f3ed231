// What is written once a run has ended.

#include <algorithm>

#include "tools/run_file/checkpoint.h"
#include "tools/run_file/dimensions.h"
#include "tools/run_file/writer_parts.h"

namespace carom {

using hdf5::Handle;

void RunFileWriter::finish(RunEnd end) {
  parts_->write_out();
  std::vector<Penetration>& deepest_first = end.penetrations;
  std::stable_sort(deepest_first.begin(), deepest_first.end(),
                   [](const auto& a, const auto& b) { return a.depth > b.depth; });
  for (const Penetration& one : deepest_first) parts_->penetrated.push_back(parts_->system.contact_name(one.key));
  parts_->end = std::move(end);
}

void RunFileWriter::Parts::write_end(hid_t run) const {
  hdf5::set_text(run, "status", end->status);
  hdf5::set_number(run, "wall_seconds", end->wall_seconds);
  hdf5::set_integer(run, "steps", end->steps);
  hdf5::set_integer(run, "samples", static_cast<std::int64_t>(samples.row_count()));
  hdf5::set_integer(run, "impact_count", end->counts.impacts);
  hdf5::set_integer(run, "inconsistent_count", end->counts.inconsistent);
  hdf5::set_number(run, "energy_created", end->counts.energy_created);
  hdf5::set_integer(run, "unsolved_count", end->counts.unsolved);
  hdf5::set_integer(run, "approaching_count", end->counts.still_approaching);
  hdf5::set_integer(run, "outside_set_count", end->counts.outside_set);
  if (longest_name > name_width) write_long_names(run);
  write_long_messages(run);
  write_penetrations(run);
  if (end->state) write_checkpoint(run, *end->state, end->counts);
}

void RunFileWriter::Parts::write_penetrations(hid_t run) const {
  const std::vector<Penetration>& all = end->penetrations;
  const Handle table = hdf5::create_group(run, "penetration");
  hdf5::write_texts(table.id(), "contact", penetrated);
  const auto write = [&](const char* name, const char* units, double Penetration::*figure) {
    std::vector<double> values;
    for (const Penetration& one : all) values.push_back(one.*figure);
    hdf5::write_values(table.id(), name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
    const Handle dataset(H5Dopen2(table.id(), name, H5P_DEFAULT), H5Dclose, name);
    hdf5::set_text(dataset.id(), "units", units);
  };
  write("depth", "m", &Penetration::depth);
  write("time", "s", &Penetration::time);
  write("size", "m", &Penetration::size);
  write("lasted", "s", &Penetration::lasted);
  hdf5::tie_extents(run, hdf5::forms_of_run(), "penetration/");
}

void RunFileWriter::Parts::write_long_names(hid_t run) const {
  std::vector<std::string> texts(element_indices.size());
  for (const auto& [name, index] : element_indices) texts[static_cast<std::size_t>(index)] = name;
  replace_texts(run, "impacts/", "element_names", texts);
}

void RunFileWriter::Parts::replace_texts(hid_t run, const std::string& group, const std::string& name,
                                         const std::vector<std::string>& texts) {
  hdf5::check(H5Ldelete(run, (group + name).c_str(), H5P_DEFAULT), group + name);
  hdf5::write_texts(run, group + name, texts);
  hdf5::tie_extents(run, hdf5::forms_of_run(), group);
}

}  // namespace carom
