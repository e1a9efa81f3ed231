#include "tools/run_file/byte_store.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace carom::hdf5 {

namespace {

// What the library's driver keeps of an open file. It knows only the base.
struct DriverFile : H5FD_t {
  std::shared_ptr<ByteStore> store;
  haddr_t end_of_space = 0;  // that the library has given away
};

DriverFile& opened(H5FD_t* file) { return *static_cast<DriverFile*>(file); }
const DriverFile& opened(const H5FD_t* file) { return *static_cast<const DriverFile*>(file); }

// The innermost words of the library's complaint are the store's.
herr_t result_of(const ByteStore& store, bool done) {
  if (done) return 0;
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR, "%s",
           store.failure().c_str());
  return -1;
}

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  auto file = std::make_unique<DriverFile>();
  file->store = **static_cast<const std::shared_ptr<ByteStore>* const*>(H5Pget_driver_info(access));
  return file.release();
}

herr_t close(H5FD_t* file) {
  const std::unique_ptr<DriverFile> closed(&opened(file));
  return result_of(*closed->store, closed->store->close());
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
           H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, void* bytes) {
  ByteStore& store = *opened(file).store;
  return result_of(store, store.read(place, static_cast<char*>(bytes), size));
}

herr_t write(H5FD_t* file, H5FD_mem_t kind, hid_t, haddr_t place, std::size_t size, const void* bytes) {
  ByteStore& store = *opened(file).store;
  const ByteStore::Bytes what = kind == H5FD_MEM_DRAW ? ByteStore::Bytes::rows : ByteStore::Bytes::description;
  return result_of(store, store.write(what, place, static_cast<const char*>(bytes), size));
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  ByteStore& store = *opened(file).store;
  const haddr_t end = opened(file).end_of_space;
  return result_of(store, store.length() == end || store.set_length(end));
}

hid_t driver() {
  static const hid_t id = [] {
    static H5FD_class_t functions{};
    functions.name = "carom";
    functions.maxaddr = std::numeric_limits<off_t>::max();
    functions.fc_degree = H5F_CLOSE_WEAK;
    functions.fapl_size = sizeof(const std::shared_ptr<ByteStore>*);
    functions.open = open;
    functions.close = close;
    functions.query = query;
    functions.get_eoa = [](const H5FD_t* file, H5FD_mem_t) { return opened(file).end_of_space; };
    functions.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) -> herr_t {
      opened(file).end_of_space = end;
      return 0;
    };
    functions.get_eof = [](const H5FD_t* file, H5FD_mem_t) -> haddr_t { return opened(file).store->length(); };
    functions.read = read;
    functions.write = write;
    functions.truncate = truncate;
    // Without these the library does not say in the file that it is being written. The lock itself is ours (FileLock).
    functions.lock = [](H5FD_t*, hbool_t) -> herr_t { return 0; };
    functions.unlock = [](H5FD_t*) -> herr_t { return 0; };
    constexpr H5FD_mem_t one_kind[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(one_kind), std::end(one_kind), functions.fl_map);
    return H5FDregister(&functions);
  }();
  return id;
}

}  // namespace

Handle create_through(const std::shared_ptr<ByteStore>& store, const std::string& name) {
  const Handle access = file_access(), creation = file_creation();
  const std::shared_ptr<ByteStore>* const info = &store;
  check(H5Pset_driver(access.id(), driver(), &info), "file access");
  return Handle(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose,
                name + ": cannot be created");
}

}  // namespace carom::hdf5
