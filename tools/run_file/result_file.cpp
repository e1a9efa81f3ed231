#include "tools/run_file/result_file.h"

#include <spdlog/fmt/fmt.h>

#include "tools/run_file/hdf5.h"

namespace carom {

using hdf5::Handle;

struct ResultFile::Parts {
  std::string path;
  Handle file, root;

  // What the library says about a dataset, as a sentence that names the file.
  template <class Read>
  auto reading(const std::string& dataset, const Read& read) const {
    if (!hdf5::exists(root.id(), dataset)) throw BadRunFile(fmt::format("{}: has no dataset '{}'", path, dataset));
    try {
      return read();
    } catch (const RunFileError& e) {
      throw BadRunFile(fmt::format("{}: {}: {} (damaged or cut short)", path, dataset, e.what()));
    }
  }
};

ResultFile::ResultFile(const std::string& path) : parts_(std::make_unique<Parts>()) {
  hdf5::open_library();
  parts_->path = path;
  parts_->file = hdf5::open_any(path);
  parts_->root = hdf5::open_group(parts_->file.id(), "/");
}

ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile::~ResultFile() = default;

const std::string& ResultFile::path() const { return parts_->path; }
std::string ResultFile::format() const { return text("format"); }
std::string ResultFile::text(const std::string& attribute) const { return hdf5::text(parts_->root.id(), attribute); }
std::vector<std::string> ResultFile::texts(const std::string& attribute) const {
  return hdf5::texts(parts_->root.id(), attribute);
}
std::int64_t ResultFile::integer(const std::string& attribute, std::int64_t otherwise) const {
  return hdf5::integer(parts_->root.id(), attribute, otherwise);
}

bool ResultFile::has(const std::string& path) const { return hdf5::exists(parts_->root.id(), path); }

std::vector<std::string> ResultFile::children(const std::string& group) const {
  if (!has(group)) return {};
  return hdf5::children(hdf5::open_group(parts_->root.id(), group).id());
}

std::string ResultFile::read_text(const std::string& dataset) const {
  if (!has(dataset)) return {};
  const std::vector<std::string> texts =
      parts_->reading(dataset, [&] { return hdf5::read_texts(parts_->root.id(), dataset); });
  return texts.empty() ? std::string{} : texts.front();
}

ResultArray ResultFile::read(const std::string& path) const {
  return parts_->reading(path, [&] {
    const Handle dataset(H5Dopen2(parts_->root.id(), path.c_str(), H5P_DEFAULT), H5Dclose, path);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose, path);
    ResultArray array;
    std::int64_t count = 1;
    for (const hsize_t extent : hdf5::shape_of(dataset.id())) {
      array.shape.push_back(static_cast<std::int64_t>(extent));
      count *= array.shape.back();
    }
    array.units = hdf5::text(dataset.id(), "units");
    if (H5Tget_class(type.id()) == H5T_STRING) {
      array.texts = hdf5::read_texts(parts_->root.id(), path);
    } else {
      array.numbers.resize(static_cast<std::size_t>(count));
      hdf5::check(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.numbers.data()), path);
    }
    return array;
  });
}

}  // namespace carom
