// Text tables for a terminal: columns aligned by what the eye sees, not by bytes.

#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/parameters.h"

namespace carom {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text(const std::string& indent = "  ") const;
  // The same with sentences in some columns, which are broken where a line would be wider than the page.
  std::string prose(const std::string& indent = "  ") const;

 private:
  std::string text(const std::string& indent, std::size_t page) const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

// What a user may set: name, default, range and meaning, a row each.
std::string parameter_table(const std::vector<ParameterSpec>& specs, const std::string& indent);

std::size_t display_width(const std::string& text);
std::size_t page_width();  // of sentences: 100 columns, fewer on a narrow terminal

// Breaks a paragraph at spaces, each line behind the indent.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent,
                    const std::string& more_indent = "");

// Four decimals where they say something, otherwise four significant digits; on a terminal a true minus sign. What is
// rounding against the size of its kin is zero.
std::string figure(double value, double size = 0);
std::string figures(const std::vector<double>& values, double size = 0);  // (a, b, c)
std::string signed_figure(double value, double size = 0);                 // +a where it is more than zero
// A coefficient as a person would write it: 0.5, 1, 1.66667.
std::string coefficient(double value);
// The largest of them.
double size_of(std::initializer_list<double> values);

// Emphasis on a terminal; nothing on a pipe, with NO_COLOR or TERM=dumb.
std::string good(const std::string& text);
std::string bad(const std::string& text);
std::string faint(const std::string& text);

}  // namespace carom
