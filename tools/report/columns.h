// Columns of a run as a page takes them: fewer rows where there are many, packed.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/json.h"
#include "tools/run_file/reader.h"

namespace carom {

using RowNumbers = std::vector<std::int64_t>;  // ascending

// Little-endian numbers in base 64: {"f64": "..."}, or in single precision {"f32": "..."}.
Json packed(const std::vector<double>& values);
Json packed_single(const std::vector<double>& values);

// At most `most` rows (at least two), evenly spread, the first and the last among them.
RowNumbers evenly_spread(std::int64_t rows, std::int64_t most);

// A number of a dataset's row.
struct Column {
  std::string path;
  std::int64_t place = 0;
};

// About `most` rows such that curves through them keep their extremes: every stretch of the run gives the rows in which
// each column is lowest and highest there. All rows if there are no more.
RowNumbers keeping_extremes(const RunFileReader& run, const std::vector<Column>& columns, std::int64_t most);

// `count` numbers from `place` on in each of the rows.
std::vector<double> read_rows(const RunFileReader& run, const Column& column, std::int64_t count,
                              const RowNumbers& rows);

}  // namespace carom
