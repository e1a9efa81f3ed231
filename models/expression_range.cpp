// An expression over a span of time by interval arithmetic: every operation on all values its operands can have.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "models/expression_program.h"

namespace carom {

namespace {

using Range = Expression::Range;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
constexpr Range anything = {-infinity, infinity};

bool is_finite(const Range& x) { return std::isfinite(x.least) && std::isfinite(x.most); }

// What is not a number may be any.
Range around(double a, double b) { return a <= b || b <= a ? Range{std::min(a, b), std::max(a, b)} : anything; }

template <class Function>
Range corners(const Range& a, const Range& b, const Function& f) {
  const std::array<double, 4> values = {f(a.least, b.least), f(a.least, b.most), f(a.most, b.least), f(a.most, b.most)};
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) return anything;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most};
}

// Whether `first` + k·period lies in it for a whole k.
bool meets(const Range& x, double first, double period) {
  return std::floor((x.most - first) / period) >= std::ceil((x.least - first) / period);
}

Range sine(const Range& x) {
  if (!is_finite(x)) return {-1, 1};
  Range values = around(std::sin(x.least), std::sin(x.most));
  if (meets(x, 0.5 * pi, 2 * pi)) values.most = 1;
  if (meets(x, -0.5 * pi, 2 * pi)) values.least = -1;
  return values;
}

Range tangent(const Range& x) {
  if (!is_finite(x) || meets(x, 0.5 * pi, pi)) return anything;
  return around(std::tan(x.least), std::tan(x.most));
}

Range absolute(const Range& x) {
  const double least = std::abs(x.least), most = std::abs(x.most);
  return {x.least <= 0 && x.most >= 0 ? 0 : std::min(least, most), std::max(least, most)};
}

Range divide(const Range& a, const Range& b) {
  if (b.least <= 0 && b.most >= 0) return anything;
  return corners(a, b, [](double x, double y) { return x / y; });
}

// A whole power of anything, or any power of what is positive; other bases may have none.
Range power(const Range& a, const Range& b) {
  const auto raised = [](double x, double y) { return std::pow(x, y); };
  const bool is_whole = b.least == b.most && b.least == std::floor(b.least);
  if (a.least > 0) return corners(a, b, raised);
  if (!is_whole) return a.least == 0 && b.least > 0 ? corners(a, b, raised) : anything;
  if (b.least < 0) return divide({1, 1}, power(a, {-b.least, -b.least}));
  return std::fmod(b.least, 2) == 0 ? corners(absolute(a), b, raised) : corners(a, b, raised);
}

// Of a function that rises or falls throughout; outside of where it has values there are none.
template <class Function>
Range monotone(const Range& x, const Function& f, const Range& domain = anything) {
  return x.least < domain.least || x.most > domain.most ? anything : around(f(x.least), f(x.most));
}

Range apply(Operation operation, const Range& x) {
  const auto of = [&](double (*f)(double), const Range& domain = anything) { return monotone(x, f, domain); };
  switch (operation) {
    case Operation::negate:
      return {-x.most, -x.least};
    case Operation::sin:
      return sine(x);
    case Operation::cos:
      return sine({x.least + 0.5 * pi, x.most + 0.5 * pi});
    case Operation::tan:
      return tangent(x);
    case Operation::asin:
      return of(std::asin, {-1, 1});
    case Operation::acos:
      return of(std::acos, {-1, 1});
    case Operation::atan:
      return of(std::atan);
    case Operation::sinh:
      return of(std::sinh);
    case Operation::cosh:
      return monotone(absolute(x), [](double y) { return std::cosh(y); });
    case Operation::tanh:
      return of(std::tanh);
    case Operation::exp:
      return of(std::exp);
    case Operation::log:
      return of(std::log, {0, infinity});
    case Operation::sqrt:
      return of(std::sqrt, {0, infinity});
    case Operation::abs:
      return absolute(x);
    case Operation::sign:
      return monotone(x, [](double y) { return y > 0 ? 1.0 : y < 0 ? -1.0 : 0.0; });
    case Operation::step:
      return monotone(x, [](double y) { return y < 0 ? 0.0 : 1.0; });
    default:
      return anything;
  }
}

Range apply(Operation operation, const Range& a, const Range& b) {
  switch (operation) {
    case Operation::add:
      return around(a.least + b.least, a.most + b.most);
    case Operation::subtract:
      return around(a.least - b.most, a.most - b.least);
    case Operation::multiply:
      return corners(a, b, [](double x, double y) { return x * y; });
    case Operation::divide:
      return divide(a, b);
    case Operation::power:
      return power(a, b);
    case Operation::min:
      return {std::min(a.least, b.least), std::min(a.most, b.most)};
    case Operation::max:
      return {std::max(a.least, b.least), std::max(a.most, b.most)};
    default:
      return anything;
  }
}

}  // namespace

Expression::Range Expression::range(double from, double to) const {
  if (is_constant()) return around(program_->constant, program_->constant);
  std::vector<Range> stack;
  for (const Instruction& instruction : program_->instructions) {
    if (instruction.operation == Operation::push) {
      stack.push_back({instruction.number, instruction.number});
    } else if (instruction.operation == Operation::time) {
      stack.push_back({from, to});
    } else if (is_binary(instruction.operation)) {
      const Range second = stack.back();
      stack.pop_back();
      stack.back() = apply(instruction.operation, stack.back(), second);
    } else {
      stack.back() = apply(instruction.operation, stack.back());
    }
  }
  return stack.back();
}

}  // namespace carom
