// Datasets that grow together, one row at a time. Rows gather in memory and go to the file a chunk at a time, because
// one write a row costs a hundred times as much. A chunk that is not full yet can be written too: its place in the
// file is fixed (no filter), later rows are added behind, so a writer killed in between leaves whole rows.

#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tools/run_file/hdf5.h"

namespace carom {

class GrowingTable {
 public:
  explicit GrowingTable(hsize_t chunk_rows = 1);

  // A column with `row_shape` values a row (empty: one), at a path below the group. Returns its number.
  template <class T>
  std::size_t add(hid_t group, const std::string& path, const std::vector<hsize_t>& row_shape,
                  const std::string& units) {
    return add(group, path, hdf5::type_of<T>(), row_shape, units);
  }
  std::size_t add(hid_t group, const std::string& path, hid_t type, const std::vector<hsize_t>& row_shape,
                  const std::string& units);
  hid_t dataset(std::size_t column) const { return columns_[column].dataset.id(); }

  // Where the row that is being made keeps its values of a column.
  template <class T>
  T* cell(std::size_t column) {
    Column& c = columns_[column];
    return reinterpret_cast<T*>(c.rows.data() + buffered_ * c.row_bytes);
  }
  void set_text(std::size_t column, const std::string& value);  // cut to the column's width
  void end_row() { ++buffered_; }

  bool full() const { return buffered_ == chunk_rows_; }
  bool has_unwritten() const { return buffered_ > written_; }
  hsize_t row_count() const { return before_ + buffered_; }
  std::size_t row_bytes() const;
  std::size_t column_count() const { return columns_.size(); }
  void write();                                // the rows that are not in the file yet
  void copy_rows(hid_t group, hsize_t count);  // appends the first rows of the same columns of another run
  void close();                                // RunFileError: rows or what describes them could not be written

 private:
  struct Column {
    std::string path;
    hdf5::Handle dataset, type;
    std::vector<hsize_t> shape;  // of one chunk
    std::size_t row_bytes = 0;
    std::vector<std::byte> rows;
  };

  hid_t creation_of(const std::vector<hsize_t>& chunk);

  // Property lists, made once: one costs as much as a dataset.
  hdf5::Handle access_, link_;
  std::map<std::vector<hsize_t>, hdf5::Handle> creation_;  // by the shape of a chunk
  hsize_t chunk_rows_;
  hsize_t before_ = 0;    // rows in the file before the buffer
  hsize_t buffered_ = 0;  // rows in the buffer
  hsize_t written_ = 0;   // of these, in the file
  std::vector<Column> columns_;
};

}  // namespace carom
