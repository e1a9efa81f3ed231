// A function of time written by a user, such as "10*sin(2*pi*t)": numbers, t, pi, e, + - * / ^, parentheses, and
// sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign min max step(t) (0 before 0, then 1).
// Binding from loose to tight: + and −, * and /, the sign, ^ (from the right), so −2^2 = −4 and 2^3^2 = 2^9. Angles are
// in radians unless "deg" stands behind a product (sin(20 deg)), log is natural, min and max take two arguments or
// more. Value and derivative are exact (no differences). Where a function jumps or has a kink, the derivative is that
// of the branch the value is taken from: 0 for sign and step, 0 for abs at 0. Outside its domain a function gives NaN
// or an infinity, as in the C library.

#pragma once

#include <memory>
#include <string>

namespace carom {

class Expression {
 public:
  struct Value {
    double value = 0;
    double derivative = 0;  // with respect to t
  };

  Expression();  // zero
  // std::invalid_argument with the position (characters, from 1) and what was expected.
  explicit Expression(const std::string& text);

  Value operator()(double t) const;

  struct Range {
    double least = 0, most = 0;
  };
  // That holds all values between two times, and more; not finite if there may be a pole or no value.
  Range range(double from, double to) const;
  bool is_constant() const;  // does not depend on t
  const std::string& text() const;

 private:
  struct Program;

  std::shared_ptr<const Program> program_;
  std::string text_;
};

}  // namespace carom
