#include "tools/run_file/growing_table.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace carom {

using hdf5::Handle;

namespace {

Handle create_dataset(hid_t group, const std::string& path, hid_t type, const std::vector<hsize_t>& chunk,
                      hid_t creation, hid_t access, hid_t link) {
  std::vector<hsize_t> empty = chunk, unlimited = chunk;
  empty[0] = 0;
  unlimited[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(chunk.size()), empty.data(), unlimited.data()), H5Sclose, path);
  return Handle(H5Dcreate2(group, path.c_str(), type, space.id(), link, creation, access), H5Dclose,
                path + ": cannot be created");
}

}  // namespace

// Rows go straight to their place in the file: no cache of chunks, no fill values before them.
GrowingTable::GrowingTable(hsize_t chunk_rows)
    : access_(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "dataset access"),
      link_(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "link"),
      chunk_rows_(chunk_rows) {
  hdf5::check(H5Pset_chunk_cache(access_.id(), 1, 0, 1), "dataset access");
  hdf5::check(H5Pset_create_intermediate_group(link_.id(), 1), "link");
  hdf5::check(H5Pset_char_encoding(link_.id(), H5T_CSET_UTF8), "link");
}

hid_t GrowingTable::creation_of(const std::vector<hsize_t>& chunk) {
  Handle& creation = creation_[chunk];
  if (!creation) {
    creation = Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "dataset creation");
    hdf5::check(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()), "dataset creation");
    hdf5::check(H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER), "dataset creation");
  }
  return creation.id();
}

std::size_t GrowingTable::add(hid_t group, const std::string& path, hid_t type, const std::vector<hsize_t>& row_shape,
                              const std::string& units) {
  Column column;
  column.type = Handle(H5Tcopy(type), H5Tclose, path);
  column.row_bytes = H5Tget_size(type);
  column.shape = {chunk_rows_};
  for (const hsize_t extent : row_shape) {
    column.shape.push_back(extent);
    column.row_bytes *= extent;
  }
  column.dataset = create_dataset(group, path, type, column.shape, creation_of(column.shape), access_.id(), link_.id());
  column.path = path;
  if (!units.empty()) hdf5::set_text(column.dataset.id(), "units", units);
  column.rows.resize(chunk_rows_ * column.row_bytes);
  columns_.push_back(std::move(column));
  return columns_.size() - 1;
}

std::size_t GrowingTable::row_bytes() const {
  std::size_t bytes = 0;
  for (const Column& column : columns_) bytes += column.row_bytes;
  return bytes;
}

void GrowingTable::set_text(std::size_t column, const std::string& value) {
  const std::size_t width = columns_[column].row_bytes;
  char* out = cell<char>(column);
  std::memset(out, 0, width);
  std::memcpy(out, value.data(), std::min(width, value.size()));
}

void GrowingTable::write() {
  if (!has_unwritten()) return;
  for (Column& column : columns_) {
    std::vector<hsize_t> extent = column.shape;
    extent[0] = row_count();
    hdf5::check(H5Dset_extent(column.dataset.id(), extent.data()), column.path);
    hdf5::write_rows(column.dataset.id(), column.type.id(), before_ + written_, buffered_ - written_,
                     column.rows.data() + written_ * column.row_bytes);
  }
  written_ = buffered_;
  if (full()) {
    before_ += buffered_;
    buffered_ = written_ = 0;
  }
}

void GrowingTable::close() {
  for (Column& column : columns_)
    if (!column.dataset.close()) throw RunFileError(fmt::format("{}: {}", column.path, hdf5::complaint()));
  columns_.clear();
}

void GrowingTable::copy_rows(hid_t group, hsize_t count) {
  for (hsize_t copied = 0; copied < count;) {
    const hsize_t rows = std::min(count - copied, chunk_rows_ - buffered_);
    for (Column& column : columns_) {
      const Handle source(H5Dopen2(group, column.path.c_str(), H5P_DEFAULT), H5Dclose, column.path);
      std::vector<hsize_t> shape = hdf5::shape_of(source.id());
      if (shape.size() != column.shape.size() || !std::equal(shape.begin() + 1, shape.end(), column.shape.begin() + 1))
        throw BadRunFile(fmt::format("/{} does not have the form this scene gives it", column.path));
      hdf5::read_rows(source.id(), column.type.id(), copied, rows, column.rows.data() + buffered_ * column.row_bytes,
                      "/" + column.path);
    }
    buffered_ += rows;
    copied += rows;
    if (full()) write();
  }
}

}  // namespace carom
