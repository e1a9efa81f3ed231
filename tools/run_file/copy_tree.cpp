#include "tools/run_file/copy_tree.h"

#include <algorithm>

namespace carom {

using hdf5::Handle;

namespace {

constexpr hsize_t block_bytes = 1 << 20;  // a chunk, and what is held in memory

Handle create_copy(hid_t group, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                   hsize_t block_rows, int compression) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  // Compressed text of any length would only have its pointers compressed.
  if (compression > 0 && !shape.empty() && shape[0] > 0 && H5Tis_variable_str(type) <= 0) {
    std::vector<hsize_t> chunk = shape;
    chunk[0] = std::min(block_rows, shape[0]);
    hdf5::check(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()), name);
    hdf5::check(H5Pset_shuffle(creation.id()), name);
    hdf5::check(H5Pset_deflate(creation.id(), static_cast<unsigned>(compression)), name);
  }
  const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name);
  hdf5::check(H5Pset_char_encoding(link.id(), H5T_CSET_UTF8), name);
  const Handle space = hdf5::dataspace(shape);
  return Handle(H5Dcreate2(group, name.c_str(), type, space.id(), link.id(), creation.id(), H5P_DEFAULT), H5Dclose,
                name + ": cannot be created");
}

// One value, perhaps text of any length.
void copy_scalar(hid_t from, hid_t to, hid_t type, const std::string& name) {
  std::vector<char> bytes(H5Tget_size(type));
  hdf5::check(H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name);
  hdf5::check(H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name);
  const Handle space(H5Dget_space(from), H5Sclose, name);
  if (H5Tis_variable_str(type) > 0) H5Dvlen_reclaim(type, space.id(), H5P_DEFAULT, bytes.data());
}

void copy_dataset(hid_t from, hid_t to, const std::string& name, const std::string& path,
                  const RowsToKeep& rows_to_keep, int compression) {
  const Handle source(H5Dopen2(from, name.c_str(), H5P_DEFAULT), H5Dclose, path);
  const Handle type(H5Dget_type(source.id()), H5Tclose, path);
  std::vector<hsize_t> shape = hdf5::shape_of(source.id());
  std::size_t row_bytes = H5Tget_size(type.id());
  for (std::size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
  const hsize_t block_rows = std::clamp<hsize_t>(block_bytes / std::max<std::size_t>(1, row_bytes), 1, 4096);
  if (!shape.empty()) shape[0] = std::min(shape[0], rows_to_keep(path, shape[0]));

  const Handle copy = create_copy(to, name, type.id(), shape, block_rows, compression);
  hdf5::copy_attributes(source.id(), copy.id());
  if (shape.empty()) return copy_scalar(source.id(), copy.id(), type.id(), path);
  std::vector<char> block(std::min(block_rows, shape[0]) * row_bytes);
  for (hsize_t first = 0; first < shape[0]; first += block_rows) {
    const hsize_t rows = std::min(block_rows, shape[0] - first);
    hdf5::read_rows(source.id(), type.id(), first, rows, block.data());
    hdf5::write_rows(copy.id(), type.id(), first, rows, block.data());
  }
}

void copy_group(hid_t from, hid_t to, const std::string& below, const RowsToKeep& rows_to_keep, int compression) {
  hdf5::copy_attributes(from, to);
  for (const std::string& name : hdf5::children(from)) {
    if (hdf5::is_group(from, name)) {
      const Handle source = hdf5::open_group(from, name);
      const Handle copy = hdf5::create_group(to, name);
      copy_group(source.id(), copy.id(), below + name + "/", rows_to_keep, compression);
    } else {
      copy_dataset(from, to, name, below + name, rows_to_keep, compression);
    }
  }
}

}  // namespace

void copy_tree(hid_t from, hid_t to, const RowsToKeep& rows_to_keep, int compression) {
  copy_group(from, to, "", rows_to_keep, compression);
}

}  // namespace carom
