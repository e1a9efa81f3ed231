#include "tools/run_file/dimensions.h"

#include <algorithm>

namespace carom::hdf5 {

namespace {

constexpr const char* scales_of = "DIMENSION_LIST";  // of a dataset: a list of scales for each extent

hobj_ref_t reference_to(hid_t group, const std::string& path) {
  hobj_ref_t reference{};
  check(H5Rcreate(&reference, group, path.c_str(), H5R_OBJECT, -1), path);
  return reference;
}

void write_attribute(hid_t object, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                     const void* values) {
  if (has_attribute(object, name)) check(H5Adelete(object, name), name);
  const Handle space = dataspace(shape);
  const Handle attribute(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  check(H5Awrite(attribute.id(), type, values), name);
}

// The words that make a scale are texts of one width, with a zero behind them.
void set_word(hid_t object, const char* name, const std::string& word) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
  check(H5Tset_size(type.id(), word.size() + 1), name);
  write_attribute(object, name, type.id(), {}, word.c_str());
}

void make_scale(hid_t dataset, const std::string& path) {
  set_word(dataset, "CLASS", "DIMENSION_SCALE");
  set_word(dataset, "NAME", path.substr(path.rfind('/') + 1));
}

// All extents of a dataset or none: readers take a mixture for a mistake.
void tie(hid_t run, const std::string& path, const Extents& extents) {
  const auto is_told = [&](const std::string& scale) { return !scale.empty() && exists(run, scale); };
  if (extents.empty() || !std::all_of(extents.begin(), extents.end(), is_told)) return;
  const Handle dataset(H5Dopen2(run, path.c_str(), H5P_DEFAULT), H5Dclose, path);
  if (extents.front() == path) return make_scale(dataset.id(), path);
  std::vector<hobj_ref_t> scales;
  for (const std::string& scale : extents) scales.push_back(reference_to(run, scale));
  std::vector<hvl_t> lists;
  for (hobj_ref_t& scale : scales) lists.push_back({1, &scale});
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, scales_of);
  write_attribute(dataset.id(), scales_of, type.id(), {lists.size()}, lists.data());
}

}  // namespace

void tie_extents(hid_t run, const Forms& forms, const std::string& below) {
  const Handle group = open_group(run, below.empty() ? "." : below);
  for (const std::string& name : children(group.id())) {
    const std::string path = below + name;
    if (!is_group(group.id(), name)) {
      if (const Form* form = form_at(path, forms)) tie(run, path, form->extents);
    } else if (!has_attribute(open_group(group.id(), name).id(), "format")) {  // else another run
      tie_extents(run, forms, path + "/");
    }
  }
}

bool is_reference(const std::string& attribute) { return attribute == scales_of; }

std::vector<std::string> attributes_without_references(hid_t object) {
  std::vector<std::string> names = attributes(object);
  std::erase_if(names, is_reference);
  return names;
}

}  // namespace carom::hdf5
