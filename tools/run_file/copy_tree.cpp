#include "tools/run_file/copy_tree.h"

#include <algorithm>

#include "tools/run_file/dimensions.h"

namespace carom {

using hdf5::Handle;

namespace {

constexpr hsize_t block_bytes = 1 << 20;  // a chunk, and what is held in memory

Handle create_copy(hid_t group, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                   hsize_t block_rows, int compression) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  if (compression > 0 && !shape.empty() && shape[0] > 0) {
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

void copy_scalar(hid_t from, hid_t to, hid_t type, const std::string& name) {
  std::vector<char> bytes(H5Tget_size(type));
  hdf5::check(H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name);
  hdf5::check(H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name);
}

class TreeCopy {
 public:
  TreeCopy(const hdf5::ReadableFile& file, const RowsToKeep& rows_to_keep, int compression)
      : file_(file), rows_to_keep_(rows_to_keep), compression_(compression) {}

  void copy_group(hid_t from, hid_t to, const std::string& below) const {
    file_.copy_attributes(from, to);
    for (const std::string& name : hdf5::children(from)) {
      if (hdf5::is_group(from, name)) {
        const Handle source = hdf5::open_group(from, name);
        const Handle copy = hdf5::create_group(to, name);
        copy_group(source.id(), copy.id(), below + name + "/");
      } else {
        copy_dataset(from, to, name, below + name);
      }
    }
  }

 private:
  void copy_dataset(hid_t from, hid_t to, const std::string& name, const std::string& path) const {
    const Handle source(H5Dopen2(from, name.c_str(), H5P_DEFAULT), H5Dclose, path);
    const Handle type(H5Dget_type(source.id()), H5Tclose, path);
    std::vector<hsize_t> shape = hdf5::shape_of(source.id());
    if (H5Tis_variable_str(type.id()) > 0) return copy_texts(from, source.id(), to, name, shape.empty());
    std::size_t row_bytes = H5Tget_size(type.id());
    for (std::size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
    const hsize_t block_rows = std::clamp<hsize_t>(block_bytes / std::max<std::size_t>(1, row_bytes), 1, 4096);
    if (!shape.empty()) shape[0] = std::min(shape[0], rows_to_keep_(path, shape[0]));

    const Handle copy = create_copy(to, name, type.id(), shape, block_rows, compression_);
    file_.copy_attributes(source.id(), copy.id());
    if (shape.empty()) return copy_scalar(source.id(), copy.id(), type.id(), path);
    std::vector<char> block(std::min(block_rows, shape[0]) * row_bytes);
    for (hsize_t first = 0; first < shape[0]; first += block_rows) {
      const hsize_t rows = std::min(block_rows, shape[0] - first);
      hdf5::read_rows(source.id(), type.id(), first, rows, block.data(), "/" + path);
      hdf5::write_rows(copy.id(), type.id(), first, rows, block.data());
    }
  }

  void copy_texts(hid_t from, hid_t dataset, hid_t to, const std::string& name, bool is_one) const {
    const std::vector<std::string> texts = file_.read_texts(from, name);
    is_one ? hdf5::write_text(to, name, texts.at(0)) : hdf5::write_texts(to, name, texts);
    const Handle copy(H5Dopen2(to, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    file_.copy_attributes(dataset, copy.id());
  }

  const hdf5::ReadableFile& file_;
  const RowsToKeep& rows_to_keep_;
  int compression_;
};

}  // namespace

namespace {

// What the extents of copied datasets run over stands elsewhere in this file than in the other.
void tie_runs(hid_t to) {
  if (!hdf5::exists(to, hdf5::laws_group)) return hdf5::tie_extents(to, hdf5::forms_of_run());
  const Handle laws = hdf5::open_group(to, hdf5::laws_group);
  for (const std::string& law : hdf5::children(laws.id()))
    hdf5::tie_extents(hdf5::open_group(laws.id(), law).id(), hdf5::forms_of_run());
}

}  // namespace

void copy_tree(const hdf5::ReadableFile& from, hid_t to, const RowsToKeep& rows_to_keep, int compression) {
  const Handle root = hdf5::open_group(from.id(), "/");
  TreeCopy(from, rows_to_keep, compression).copy_group(root.id(), to, "");
  tie_runs(to);
}

namespace {

[[noreturn]] void differ(const std::string& path) { throw RunFileError("/" + path + " does not read back as it was"); }

// Everything that was copied, read from both files.
class TreeComparison {
 public:
  TreeComparison(const hdf5::ReadableFile& a, const hdf5::ReadableFile& b) : a_(a), b_(b) {}

  void compare_groups(hid_t a, hid_t b, const std::string& below) const {
    compare_attributes(a, b, below);
    const std::vector<std::string> names = hdf5::children(a);
    if (names != hdf5::children(b)) differ(below);
    for (const std::string& name : names) {
      if (!hdf5::is_group(a, name)) {
        compare_datasets(a, b, name, below + name);
        continue;
      }
      const Handle group = hdf5::open_group(a, name), other = hdf5::open_group(b, name);
      compare_groups(group.id(), other.id(), below + name + "/");
    }
  }

 private:
  void compare_attributes(hid_t a, hid_t b, const std::string& path) const {
    const std::vector<std::string> names = hdf5::attributes_without_references(a);
    if (names != hdf5::attributes_without_references(b)) differ(path);
    for (const std::string& name : names)
      if (a_.attribute_bytes(a, name) != b_.attribute_bytes(b, name)) differ(path + "@" + name);
  }

  void compare_datasets(hid_t in_a, hid_t in_b, const std::string& name, const std::string& path) const {
    const Handle a(H5Dopen2(in_a, name.c_str(), H5P_DEFAULT), H5Dclose, path);
    const Handle b(H5Dopen2(in_b, name.c_str(), H5P_DEFAULT), H5Dclose, path);
    compare_attributes(a.id(), b.id(), path);
    const std::vector<hsize_t> shape = hdf5::shape_of(a.id());
    if (shape != hdf5::shape_of(b.id())) differ(path);
    const Handle type(H5Dget_type(a.id()), H5Tclose, path);
    if (H5Tget_class(type.id()) == H5T_STRING) {
      if (a_.read_texts(in_a, name) != b_.read_texts(in_b, name)) differ(path);
      return;
    }
    if (shape.empty()) throw RunFileError("/" + path + " has no rows to compare");
    std::size_t row_bytes = H5Tget_size(type.id());
    for (std::size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
    const hsize_t block_rows = std::clamp<hsize_t>(block_bytes / std::max<std::size_t>(1, row_bytes), 1, 4096);
    std::vector<char> rows(std::min(block_rows, shape[0]) * row_bytes), others(rows.size());
    for (hsize_t first = 0; first < shape[0]; first += block_rows) {
      const hsize_t count = std::min(block_rows, shape[0] - first);
      hdf5::read_rows(a.id(), type.id(), first, count, rows.data(), path);
      hdf5::read_rows(b.id(), type.id(), first, count, others.data(), path);
      if (rows != others) differ(path);
    }
  }

  const hdf5::ReadableFile &a_, &b_;
};

}  // namespace

void check_copy(const hdf5::ReadableFile& original, const hdf5::ReadableFile& copy) {
  const Handle a = hdf5::open_group(original.id(), "/"), b = hdf5::open_group(copy.id(), "/");
  TreeComparison(original, copy).compare_groups(a.id(), b.id(), "");
}

}  // namespace carom
