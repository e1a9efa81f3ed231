#include "tools/report/columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace carom {

namespace {

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

template <class Number>
std::string packed_text(const std::vector<double>& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<Number>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Number), &value, sizeof(Number));
  }
  return base64(bytes);
}

}  // namespace

Json packed(const std::vector<double>& values) { return {{"f64", packed_text<double>(values)}}; }
Json packed_single(const std::vector<double>& values) { return {{"f32", packed_text<float>(values)}}; }

RowNumbers evenly_spread(std::int64_t rows, std::int64_t most) {
  const std::int64_t count = std::min(rows, std::max<std::int64_t>(2, most));
  RowNumbers chosen;
  for (std::int64_t i = 0; i < count; ++i) chosen.push_back(count > 1 ? i * (rows - 1) / (count - 1) : 0);
  return chosen;
}

RowNumbers keeping_extremes(const RunFileReader& run, const std::vector<Column>& columns, std::int64_t most) {
  const std::int64_t rows = run.samples();
  if (rows <= most) return evenly_spread(rows, rows);
  const std::int64_t stretches = std::max<std::int64_t>(1, most / (2 * static_cast<std::int64_t>(columns.size())));
  RowNumbers chosen = {0, rows - 1};
  const RowNumbers all = evenly_spread(rows, rows);
  for (const Column& column : columns) {
    const std::vector<double> values = read_rows(run, column, 1, all);
    for (std::int64_t s = 0; s < stretches; ++s) {
      const auto begin = values.begin() + s * rows / stretches, end = values.begin() + (s + 1) * rows / stretches;
      const auto [low, high] = std::minmax_element(begin, end);
      chosen.push_back(low - values.begin());
      chosen.push_back(high - values.begin());
    }
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<double> read_rows(const RunFileReader& run, const Column& column, std::int64_t count,
                              const RowNumbers& rows) {
  constexpr std::int64_t block_numbers = 1 << 18;
  const std::int64_t width = run.dataset(column.path).width();
  const std::int64_t most_rows = std::max<std::int64_t>(1, block_numbers / width);
  std::vector<double> values;
  values.reserve(rows.size() * static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < rows.size();) {
    // One read for all rows that lie near each other.
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] < rows[i] + most_rows && rows[end] - rows[end - 1] < 512) ++end;
    const std::int64_t first = rows[i];
    const std::vector<double> block = run.read(column.path, first, rows[end - 1] - first + 1);
    for (; i < end; ++i) {
      const auto from = block.begin() + (rows[i] - first) * width + column.place;
      values.insert(values.end(), from, from + count);
    }
  }
  return values;
}

}  // namespace carom
