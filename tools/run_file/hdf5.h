// The C library behind handles that close themselves. Every return is checked; its stack dump is silenced and becomes
// one sentence.

#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/run_file/error.h"

namespace carom::hdf5 {

// Silences the library's own messages and its work at exit. To be called before anything else of it.
void open_library();

// What the library complains about, in its innermost words ("No space left on device").
std::string complaint();

class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  // Throws `what`: complaint, if the id is none.
  Handle(hid_t id, Close close_by, const std::string& what);
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { close(); }

  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  bool close();  // false if the library could not

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

void check(herr_t result, const std::string& what);  // throws RunFileError `what`: complaint

// Files in the format of HDF5 1.10, which can be read while they are written (SWMR).
Handle file_access();                         // the properties of all of them
Handle create_file(const std::string& path);  // must not exist
enum class Opening {
  to_write,
  to_read,
  to_read_beside_writer,  // or after one that was killed while rows were appended (SWMR)
  to_read_after_kill,     // of a writer that was not appending
};
Handle open_file(const std::string& path, Opening opening);

Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
bool exists(hid_t parent, const std::string& path);  // every part of the path
std::vector<std::string> children(hid_t group);      // names, in alphabetical order
bool is_group(hid_t parent, const std::string& name);

// The type that values have in memory and in the file.
template <class T>
hid_t type_of();
template <>
inline hid_t type_of<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t type_of<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t type_of<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}
template <>
inline hid_t type_of<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t type_of<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
Handle text_type();  // UTF-8 of any length: what h5py reads as str, in attributes
// Padded with zeros: the only text that can be written in SWMR, and the only one in datasets that Octave loads. It has
// no conversion for text that is declared as UTF-8, so the type says ASCII where the bytes are UTF-8.
Handle text_type(std::size_t width);

Handle dataspace(const std::vector<hsize_t>& shape);  // {} is a scalar
std::vector<hsize_t> shape_of(hid_t dataset);
// Rows that lie in chunks there are. A disk that was full can have taken the length of a dataset and not its last
// chunk.
hsize_t rows_in_chunks(hid_t dataset, hsize_t rows, const std::string& name);

// Attributes. Setting replaces what is there.
void set_text(hid_t object, const std::string& name, const std::string& value);
void set_texts(hid_t object, const std::string& name, const std::vector<std::string>& values);
void set_number(hid_t object, const std::string& name, double value);
void set_integer(hid_t object, const std::string& name, std::int64_t value);
bool has_attribute(hid_t object, const std::string& name);
std::vector<std::string> attributes(hid_t object);  // their names, in alphabetical order
double number(hid_t object, const std::string& name, double otherwise);
std::int64_t integer(hid_t object, const std::string& name, std::int64_t otherwise);

// Datasets written at once.
void mark_as_utf8(hid_t dataset);  // for xarray, which reads its texts as str then
void write_text(hid_t group, const std::string& name, const std::string& value);
void write_texts(hid_t group, const std::string& name, const std::vector<std::string>& values);  // of one width
void write_values(hid_t group, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                  const void* values);

// Rows [first, first + count) of a dataset, in the given type of memory.
void read_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count, void* values, const std::string& name);
void write_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count, const void* values);

}  // namespace carom::hdf5
