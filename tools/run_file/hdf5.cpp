#include "tools/run_file/hdf5.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <memory>

#include "tools/run_file/byte_store.h"
#include "tools/run_file/latched_file.h"

namespace carom::hdf5 {

void open_library() {
  static const bool once = [] {
    // After a write error the library would try to write again at exit.
    H5dont_atexit();
    H5PLset_loading_state(0);  // no code comes in with a file
    return true;
  }();
  static_cast<void>(once);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // one stack a thread
}

std::string complaint() {
  std::string innermost;
  const auto take = [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
    if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &innermost);
  // "..., errno = 28, error message = 'No space left on device', ...": the system's words are enough.
  const std::string mark = "error message = '";
  const auto begin = innermost.find(mark);
  if (begin != std::string::npos) {
    const auto end = innermost.find('\'', begin + mark.size());
    innermost = innermost.substr(begin + mark.size(), end - begin - mark.size());
  }
  return innermost.empty() ? "HDF5 gives no reason" : innermost;
}

Handle::Handle(hid_t id, Close close_by, const std::string& what) : id_(id), close_(close_by) {
  if (id < 0) throw RunFileError(fmt::format("{}: {}", what, complaint()));
}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    close();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
  }
  return *this;
}

bool Handle::close() {
  if (id_ < 0) return true;
  const bool closed = close_(id_) >= 0;
  id_ = -1;
  return closed;
}

void check(herr_t result, const std::string& what) {
  if (result < 0) throw RunFileError(fmt::format("{}: {}", what, complaint()));
}

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access");
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), "file format");
  // Rows go to the file when they are written, not by way of another buffer.
  check(H5Pset_sieve_buf_size(access.id(), 0), "file access");
  // Who writes holds a lock of his own (run_file.cpp); the library's would shut readers out.
  check(H5Pset_file_locking(access.id(), false, true), "file access");
  // A reader waits for a writer twice as long with every attempt, 30 ms in all. What is torn then, stays torn.
  check(H5Pset_metadata_read_attempts(access.id(), 24), "file access");
  return access;
}

// A kill can cut a write where the system's pages meet, so nothing that describes the data lies across two of them.
Handle file_creation() {
  Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file creation");
  check(H5Pset_file_space_strategy(creation.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1), "file creation");
  check(H5Pset_file_space_page_size(creation.id(), 4096), "file creation");
  return creation;
}

Handle create_file(const std::string& path) { return create_through(std::make_shared<LatchedFile>(path), path); }

Handle open_file(const std::string& path, Opening opening) {
  const Handle access = file_access();
  // The library refuses a file that somebody has open, and takes the word of a dead writer's mark for it. Its own
  // h5clear asks it by this property to pass over the mark; opened to read, nothing changes in the file.
  const bool pass_over = opening == Opening::to_read_after_kill;
  check(H5Pset(access.id(), "clear_status_flags", &pass_over), "file access");
  const unsigned flags = opening == Opening::to_write                ? H5F_ACC_RDWR
                         : opening == Opening::to_read_beside_writer ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ
                                                                     : H5F_ACC_RDONLY;
  return Handle(H5Fopen(path.c_str(), flags, access.id()), H5Fclose, path + ": cannot be opened");
}

Handle create_group(hid_t parent, const std::string& name) {
  return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                name + ": cannot be created");
}

Handle open_group(hid_t parent, const std::string& name) {
  return Handle(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, name + ": cannot be opened");
}

bool exists(hid_t parent, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (!part.empty() && H5Lexists(parent, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

std::vector<std::string> children(hid_t group) {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), "the list of datasets cannot be read");
  return names;
}

bool is_group(hid_t parent, const std::string& name) {
  const Handle object(H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose, name + ": cannot be opened");
  return H5Iget_type(object.id()) == H5I_GROUP;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text");
  check(H5Tset_size(type.id(), H5T_VARIABLE), "text");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "text");
  return type;
}

Handle text_type(std::size_t width) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text");
  check(H5Tset_size(type.id(), width), "text");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "text");
  return type;
}

Handle dataspace(const std::vector<hsize_t>& shape) {
  return shape.empty()
             ? Handle(H5Screate(H5S_SCALAR), H5Sclose, "dataspace")
             : Handle(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "dataspace");
}

namespace {

std::vector<hsize_t> extents_of(hid_t space) {
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  if (!shape.empty()) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

}  // namespace

std::vector<hsize_t> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "dataspace");
  return extents_of(space.id());
}

hsize_t rows_in_chunks(hid_t dataset, hsize_t rows, const std::string& name) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose, "dataset");
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return rows;
  std::vector<hsize_t> chunk(shape_of(dataset).size());
  H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
  const Handle space(H5Dget_space(dataset), H5Sclose, "dataspace");
  hsize_t chunks = 0;
  check(H5Dget_num_chunks(dataset, space.id(), &chunks), name);
  return std::min(rows, chunks * chunk[0]);
}

namespace {

void set_attribute(hid_t object, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                   const void* values) {
  if (has_attribute(object, name)) check(H5Adelete(object, name.c_str()), name);
  const Handle space = dataspace(shape);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  check(H5Awrite(attribute.id(), type, values), name);
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

template <class T>
T scalar(hid_t object, const std::string& name, T otherwise) {
  if (!has_attribute(object, name)) return otherwise;
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw BadRunFile(name + ": should be one number");
  T value{};
  check(H5Aread(attribute.id(), type_of<T>(), &value), name);
  return value;
}

}  // namespace

void set_text(hid_t object, const std::string& name, const std::string& value) {
  const Handle type = text_type();
  const char* pointer = value.c_str();
  set_attribute(object, name, type.id(), {}, &pointer);
}

void set_texts(hid_t object, const std::string& name, const std::vector<std::string>& values) {
  const Handle type = text_type();
  set_attribute(object, name, type.id(), {values.size()}, pointers_to(values).data());
}

void set_number(hid_t object, const std::string& name, double value) {
  set_attribute(object, name, H5T_NATIVE_DOUBLE, {}, &value);
}

void set_integer(hid_t object, const std::string& name, std::int64_t value) {
  set_attribute(object, name, H5T_NATIVE_INT64, {}, &value);
}

bool has_attribute(hid_t object, const std::string& name) { return H5Aexists(object, name.c_str()) > 0; }

std::vector<std::string> attributes(hid_t object) {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), "the attributes cannot be read");
  return names;
}

double number(hid_t object, const std::string& name, double otherwise) { return scalar(object, name, otherwise); }

std::int64_t integer(hid_t object, const std::string& name, std::int64_t otherwise) {
  return scalar(object, name, otherwise);
}

namespace {

void write_padded(hid_t group, const std::string& name, const std::vector<std::string>& values,
                  const std::vector<hsize_t>& shape) {
  std::size_t width = 1;
  for (const std::string& value : values) width = std::max(width, value.size());
  std::vector<char> bytes(values.size() * width, 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::copy(values[i].begin(), values[i].end(), bytes.data() + i * width);
  write_values(group, name, text_type(width).id(), shape, bytes.data());
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  mark_as_utf8(dataset.id());
}

}  // namespace

void mark_as_utf8(hid_t dataset) { set_text(dataset, "_Encoding", "utf-8"); }

void write_text(hid_t group, const std::string& name, const std::string& value) {
  write_padded(group, name, {value}, {});
}

void write_texts(hid_t group, const std::string& name, const std::vector<std::string>& values) {
  write_padded(group, name, values, {values.size()});
}

void write_values(hid_t group, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                  const void* values) {
  const Handle space = dataspace(shape);
  const Handle dataset(H5Dcreate2(group, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose, name);
  check(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
}

namespace {

struct Slab {
  Handle file, memory;
};

Slab rows_slab(hid_t dataset, hsize_t first, hsize_t count) {
  Handle file(H5Dget_space(dataset), H5Sclose, "dataspace");
  std::vector<hsize_t> size = extents_of(file.id());
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = first;
  size[0] = count;
  Slab slab{std::move(file), dataspace(size)};
  check(H5Sselect_hyperslab(slab.file.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), "rows");
  return slab;
}

}  // namespace

void read_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count, void* values, const std::string& name) {
  if (count == 0) return;
  const Slab slab = rows_slab(dataset, first, count);
  check(H5Dread(dataset, type, slab.memory.id(), slab.file.id(), H5P_DEFAULT, values), name + " cannot be read");
}

void write_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t count, const void* values) {
  if (count == 0) return;
  const Slab slab = rows_slab(dataset, first, count);
  check(H5Dwrite(dataset, type, slab.memory.id(), slab.file.id(), H5P_DEFAULT, values), "rows cannot be written");
}

}  // namespace carom::hdf5
