// A file of results that is more than one run: a comparison of laws, a sweep. Read as it stands: attributes, groups,
// arrays of any shape.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/run_file/error.h"

namespace carom {

// An array of numbers or of texts, the last extent running fastest.
struct ResultArray {
  std::vector<std::int64_t> shape;  // empty: one value
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string units;

  bool is_text() const { return !texts.empty(); }
};

class ResultFile {
 public:
  // BadRunFile: no such file, not HDF5, damaged.
  explicit ResultFile(const std::string& path);
  ResultFile(ResultFile&&) noexcept;
  ~ResultFile();

  const std::string& path() const;
  std::string format() const;  // root attribute; empty if there is none

  // Root attributes; empty if there are none.
  std::string text(const std::string& attribute) const;
  std::vector<std::string> texts(const std::string& attribute) const;
  std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;

  bool has(const std::string& path) const;
  std::vector<std::string> children(const std::string& group) const;  // in alphabetical order; none without the group
  std::string read_text(const std::string& dataset) const;            // empty if there is none
  ResultArray read(const std::string& dataset) const;                 // BadRunFile if there is none

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom
