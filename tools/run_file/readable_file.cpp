#include "tools/run_file/readable_file.h"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tools/run_file/dimensions.h"
#include "tools/run_file/journal.h"

namespace carom::hdf5 {

namespace {

// Byte 11 of the superblock of format 1.10 says who has the file open: 1 a writer, 4 a writer that lets others read.
// A killed writer leaves them set.
constexpr std::streamoff flags_place = 11;

Opening how_to_open(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(path, error)) {
    const std::string part = path + ".part";
    throw BadRunFile(path + ": no such file" +
                     (fs::exists(part, error) ? fmt::format(", but there is {}: a run that is still being written, or "
                                                            "was killed ('carom recover {}')",
                                                            part, part)
                                              : ""));
  }
  if (fs::is_directory(path, error)) throw BadRunFile(path + ": is a folder, not a run file");
  if (!fs::is_regular_file(path, error)) throw BadRunFile(path + ": is not a file");
  std::array<char, flags_place + 1> head{};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadRunFile(path + ": cannot be read");
  file.read(head.data(), head.size());
  if (file.gcount() == 0) throw UnreadableFile(path + ": is empty");
  if (std::string(head.data(), 8) != "\x89HDF\r\n\x1a\n") {
    const bool is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
    throw UnreadableFile(path + ": is not a run file (not HDF5)" +
                         (is_yaml ? "; 'carom simulate' makes one of a scene, 'carom sweep' computes a sweep" : ""));
  }
  const int flags = head[8] >= 3 ? head[flags_place] & 5 : 0;
  return (flags & 4) != 0 ? Opening::to_read_beside_writer
         : flags != 0     ? Opening::to_read_after_kill
                          : Opening::to_read;
}

bool is_in_heap(hid_t type) { return H5Tis_variable_str(type) > 0; }

// Texts of one width, padded with zeros.
template <class Read>
std::vector<std::string> padded_texts(hid_t type, hid_t space, const std::string& name, const Read& read) {
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  std::vector<std::string> values;
  if (count == 0) return values;
  if (H5Tget_class(type) != H5T_STRING) throw BadRunFile(name + ": should be text");
  const std::size_t width = H5Tget_size(type);
  std::vector<char> bytes(count * width);
  check(read(bytes.data()), name);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string padded(bytes.data() + i * width, width);
    values.push_back(padded.substr(0, padded.find('\0')));
  }
  return values;
}

}  // namespace

ReadableFile::ReadableFile(const std::string& path, TextsOf texts) : path_(path) {
  open_library();
  complete_changes(path);
  const Opening opening = how_to_open(path);
  heap_texts_ = read_heap_texts(path, opening, texts);
  file_ = reading([&] { return open_file(path, opening); });
}

std::string ReadableFile::naming(const std::string& what) const {
  return what.rfind(path_, 0) == 0 ? what : fmt::format("{}: {}", path_, what);
}

const std::vector<std::string>& ReadableFile::heap_texts(hid_t object, const std::string& attribute) const {
  H5O_info_t info;
  check(H5Oget_info2(object, &info, H5O_INFO_BASIC), attribute);
  const auto found = heap_texts_.find({info.addr, attribute});
  if (found == heap_texts_.end())
    throw BadRunFile(fmt::format("text '{}' appeared while the file was read", attribute));
  return found->second;
}

std::vector<std::string> ReadableFile::texts(hid_t object, const std::string& name) const {
  if (!has_attribute(object, name)) return {};
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, name);
  if (is_in_heap(type.id())) return heap_texts(object, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
  return padded_texts(type.id(), space.id(), name, [&](void* out) { return H5Aread(attribute.id(), type.id(), out); });
}

std::string ReadableFile::text(hid_t object, const std::string& name) const {
  const std::vector<std::string> values = texts(object, name);
  return values.empty() ? std::string{} : values.front();
}

std::vector<std::string> ReadableFile::read_texts(hid_t group, const std::string& name) const {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, name);
  if (is_in_heap(type.id())) return heap_texts(dataset.id(), "");
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, name);
  return padded_texts(type.id(), space.id(), name,
                      [&](void* out) { return H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out); });
}

std::vector<std::string> ReadableFile::attribute_bytes(hid_t object, const std::string& name) const {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, name);
  if (H5Tget_class(type.id()) == H5T_STRING) return texts(object, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.id())));
  std::string bytes(count * H5Tget_size(type.id()), '\0');
  if (count > 0) check(H5Aread(attribute.id(), type.id(), bytes.data()), name);
  return {bytes};
}

void ReadableFile::copy_attributes(hid_t from, hid_t to) const {
  for (const std::string& name : attributes_without_references(from)) {
    const Handle attribute(H5Aopen(from, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose, name);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
    if (is_in_heap(type.id())) {
      const bool is_list = H5Sget_simple_extent_type(space.id()) != H5S_SCALAR;
      is_list ? set_texts(to, name, heap_texts(from, name)) : set_text(to, name, heap_texts(from, name).front());
      continue;
    }
    const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.id())));
    std::vector<char> bytes(std::max<std::size_t>(1, count * H5Tget_size(type.id())));
    check(H5Aread(attribute.id(), type.id(), bytes.data()), name);
    const Handle copy(H5Acreate2(to, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    check(H5Awrite(copy.id(), type.id(), bytes.data()), name);
  }
}

}  // namespace carom::hdf5
