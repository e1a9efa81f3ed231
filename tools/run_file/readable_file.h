// A file open for reading: finished, being written, or left open by a killed writer. Texts of any length come out of
// heap_texts.h; this process never asks the library for them.

#pragma once

#include <string>
#include <vector>

#include "tools/run_file/hdf5.h"
#include "tools/run_file/heap_texts.h"

namespace carom::hdf5 {

class ReadableFile {
 public:
  // BadRunFile with a sentence: no such file, not HDF5, damaged and where.
  explicit ReadableFile(const std::string& path, TextsOf texts = TextsOf::everything);

  const std::string& path() const { return path_; }
  hid_t id() const { return file_.id(); }

  std::vector<std::string> texts(hid_t object, const std::string& attribute) const;  // {} if there is none
  std::string text(hid_t object, const std::string& attribute) const;                // empty if there is none
  std::vector<std::string> read_texts(hid_t group, const std::string& dataset) const;
  void copy_attributes(hid_t from, hid_t to) const;
  std::vector<std::string> attribute_bytes(hid_t object,
                                           const std::string& name) const;  // texts, or the numbers as one

  // Does what is given; what the library complains about there becomes a sentence that names this file.
  template <class Read>
  auto reading(const Read& read) const {
    try {
      return read();
    } catch (const UnreadableFile&) {
      throw;
    } catch (const BadRunFile& e) {
      throw BadRunFile(naming(e.what()));
    } catch (const RunFileError& e) {
      throw UnreadableFile(naming(e.what()) + " (damaged or cut short)");
    }
  }

 private:
  std::string naming(const std::string& what) const;
  const std::vector<std::string>& heap_texts(hid_t object, const std::string& attribute) const;

  std::string path_;
  HeapTexts heap_texts_;
  Handle file_;
};

}  // namespace carom::hdf5
