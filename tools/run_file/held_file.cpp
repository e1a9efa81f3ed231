#include "tools/run_file/held_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>

namespace carom::hdf5 {

namespace {

using Page = FileChanges::Page;
constexpr std::uint64_t page_bytes = FileChanges::page_bytes;

// What the library's driver keeps of an open file. It knows only the base.
struct HeldFile : H5FD_t {
  int file = -1;
  FileChanges* changes = nullptr;
  haddr_t end_of_space = 0;  // that the library has given away

  ~HeldFile() {
    if (file >= 0) ::close(file);
  }

  bool read_bytes(std::uint64_t place, std::uint64_t count, char* bytes) const {
    while (count > 0) {
      const ssize_t got = ::pread(file, bytes, count, static_cast<off_t>(place));
      if (got < 0) return false;
      if (got == 0) break;
      place += static_cast<std::uint64_t>(got);
      bytes += got;
      count -= static_cast<std::uint64_t>(got);
    }
    std::fill_n(bytes, count, '\0');  // beyond the end
    return true;
  }

  Page* page_to_change(std::uint64_t number) {
    const auto [entry, fresh] = changes->pages.try_emplace(number);
    if (fresh && !read_bytes(number * page_bytes, page_bytes, entry->second.data())) return nullptr;
    return &entry->second;
  }
};

HeldFile& held(H5FD_t* file) { return *static_cast<HeldFile*>(file); }
const HeldFile& held(const H5FD_t* file) { return *static_cast<const HeldFile*>(file); }

H5FD_t* open(const char* name, unsigned, hid_t access, haddr_t) {
  auto opened = std::make_unique<HeldFile>();
  opened->changes = *static_cast<FileChanges* const*>(H5Pget_driver_info(access));
  opened->file = ::open(name, O_RDONLY | O_CLOEXEC);
  std::error_code error;
  const std::uintmax_t length = std::filesystem::file_size(name, error);
  if (opened->file < 0 || error) return nullptr;
  opened->changes->length_before = opened->changes->length = length;
  return opened.release();
}

herr_t close(H5FD_t* file) {
  delete &held(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

// Calls `take`(number of a page, place in it, place in the bytes, how many) for each page that a range touches.
template <class Take>
herr_t for_each_page(haddr_t place, std::size_t size, const Take& take) {
  for (std::size_t done = 0; done < size;) {
    const std::uint64_t within = (place + done) % page_bytes;
    const std::size_t count = std::min<std::size_t>(size - done, page_bytes - within);
    if (!take((place + done) / page_bytes, within, done, count)) return -1;
    done += count;
  }
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, void* bytes) {
  const HeldFile& from = held(file);
  char* out = static_cast<char*>(bytes);
  return for_each_page(place, size,
                       [&](std::uint64_t number, std::uint64_t within, std::size_t done, std::size_t count) {
                         const auto page = from.changes->pages.find(number);
                         if (page == from.changes->pages.end()) return from.read_bytes(place + done, count, out + done);
                         std::copy_n(page->second.data() + within, count, out + done);
                         return true;
                       });
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, const void* bytes) {
  HeldFile& to = held(file);
  const char* in = static_cast<const char*>(bytes);
  to.changes->length = std::max<std::uint64_t>(to.changes->length, place + size);
  return for_each_page(place, size,
                       [&](std::uint64_t number, std::uint64_t within, std::size_t done, std::size_t count) {
                         Page* page = to.page_to_change(number);
                         if (page) std::copy_n(in + done, count, page->data() + within);
                         return page != nullptr;
                       });
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  held(file).changes->length = held(file).end_of_space;
  return 0;
}

hid_t driver() {
  static const hid_t id = [] {
    static H5FD_class_t functions{};
    functions.name = "held";
    functions.maxaddr = std::numeric_limits<off_t>::max();
    functions.fc_degree = H5F_CLOSE_WEAK;
    functions.fapl_size = sizeof(FileChanges*);
    functions.open = open;
    functions.close = close;
    functions.query = query;
    functions.get_eoa = [](const H5FD_t* file, H5FD_mem_t) { return held(file).end_of_space; };
    functions.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) -> herr_t {
      held(file).end_of_space = end;
      return 0;
    };
    functions.get_eof = [](const H5FD_t* file, H5FD_mem_t) -> haddr_t { return held(file).changes->length; };
    functions.read = read;
    functions.write = write;
    functions.truncate = truncate;
    constexpr H5FD_mem_t one_kind[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(one_kind), std::end(one_kind), functions.fl_map);
    return H5FDregister(&functions);
  }();
  return id;
}

}  // namespace

Handle open_held(const std::string& path, FileChanges& changes) {
  const Handle access = file_access();
  FileChanges* const info = &changes;
  check(H5Pset_driver(access.id(), driver(), &info), "file access");
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose, path + ": cannot be opened");
}

}  // namespace carom::hdf5
