// The text is translated once into a program for a stack of dual numbers (v, v'), v' = dv/dt: operands before their
// operator. Evaluation is then a loop without recursion or allocation; chains such as t+t+t+… of any length need
// three places on the stack, and nesting, which needs more, is limited.

#include "models/expression_program.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "engine/suggestion.h"

namespace carom {

namespace {

using Dual = Expression::Value;

constexpr int deepest_nesting = 200;
// What is pending when a nested operand begins: at most an argument of min or max and the left operands of + and *.
constexpr std::size_t stack_size = 3 * (deepest_nesting + 1) + 1;

struct Function {
  std::string_view name;
  Operation operation;
};

constexpr std::array<Function, 17> functions = {{{"sin", Operation::sin},
                                                 {"cos", Operation::cos},
                                                 {"tan", Operation::tan},
                                                 {"asin", Operation::asin},
                                                 {"acos", Operation::acos},
                                                 {"atan", Operation::atan},
                                                 {"sinh", Operation::sinh},
                                                 {"cosh", Operation::cosh},
                                                 {"tanh", Operation::tanh},
                                                 {"exp", Operation::exp},
                                                 {"log", Operation::log},
                                                 {"sqrt", Operation::sqrt},
                                                 {"abs", Operation::abs},
                                                 {"sign", Operation::sign},
                                                 {"step", Operation::step},
                                                 {"min", Operation::min},
                                                 {"max", Operation::max}}};

const Function* find_function(std::string_view name) {
  const auto* found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : found;
}

// A factor 0 wins over an infinite slope: sqrt(0*t) is constant.
double product_rule_term(double slope, double inner) { return inner == 0 ? 0 : slope * inner; }

// (f(x))' = f'(x) x'
Dual chain(double value, double slope, const Dual& x) { return {value, product_rule_term(slope, x.derivative)}; }

// (aᵇ)' = b aᵇ⁻¹ a' + aᵇ ln(a) b'; the last term tends to 0 where aᵇ does.
Dual power(const Dual& a, const Dual& b) {
  const double value = std::pow(a.value, b.value);
  const double of_base = b.value == 0 ? 0 : product_rule_term(b.value * std::pow(a.value, b.value - 1), a.derivative);
  const double of_exponent = value == 0 ? 0 : product_rule_term(value * std::log(a.value), b.derivative);
  return {value, of_base + of_exponent};
}

// The sign function, with NaN kept.
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// NaN on either side wins; equal values leave the first.
Dual smaller(const Dual& a, const Dual& b) { return b.value < a.value || std::isnan(b.value) ? b : a; }
Dual larger(const Dual& a, const Dual& b) { return b.value > a.value || std::isnan(b.value) ? b : a; }

Dual apply(Operation operation, const Dual& x) {
  const double v = x.value;
  switch (operation) {
    case Operation::negate:
      return {-v, -x.derivative};
    case Operation::sin:
      return chain(std::sin(v), std::cos(v), x);
    case Operation::cos:
      return chain(std::cos(v), -std::sin(v), x);
    case Operation::tan: {
      const double tangent = std::tan(v);
      return chain(tangent, 1 + tangent * tangent, x);
    }
    case Operation::asin:
      return chain(std::asin(v), 1 / std::sqrt((1 - v) * (1 + v)), x);
    case Operation::acos:
      return chain(std::acos(v), -1 / std::sqrt((1 - v) * (1 + v)), x);
    case Operation::atan:
      return chain(std::atan(v), 1 / (1 + v * v), x);
    case Operation::sinh:
      return chain(std::sinh(v), std::cosh(v), x);
    case Operation::cosh:
      return chain(std::cosh(v), std::sinh(v), x);
    case Operation::tanh: {
      const double secant = 1 / std::cosh(v);
      return chain(std::tanh(v), secant * secant, x);
    }
    case Operation::exp:
      return chain(std::exp(v), std::exp(v), x);
    case Operation::log:
      return chain(std::log(v), 1 / v, x);
    case Operation::sqrt:
      return chain(std::sqrt(v), 0.5 / std::sqrt(v), x);
    case Operation::abs:
      return chain(std::abs(v), sign_of(v), x);
    case Operation::sign:
      return {sign_of(v), 0};
    case Operation::step:
      return {std::isnan(v) ? v : v < 0 ? 0.0 : 1.0, 0};
    default:
      break;
  }
  throw std::logic_error("not an operation of one operand");
}

Dual apply(Operation operation, const Dual& a, const Dual& b) {
  switch (operation) {
    case Operation::add:
      return {a.value + b.value, a.derivative + b.derivative};
    case Operation::subtract:
      return {a.value - b.value, a.derivative - b.derivative};
    case Operation::multiply:
      return {a.value * b.value, product_rule_term(b.value, a.derivative) + product_rule_term(a.value, b.derivative)};
    case Operation::divide: {
      const double quotient = a.value / b.value;
      return {quotient, (a.derivative - product_rule_term(quotient, b.derivative)) / b.value};
    }
    case Operation::power:
      return power(a, b);
    case Operation::min:
      return smaller(a, b);
    case Operation::max:
      return larger(a, b);
    default:
      break;
  }
  throw std::logic_error("not an operation of two operands");
}

Dual run(const std::vector<Instruction>& program, double t) {
  std::array<double, stack_size> value;  // not initialised: written before read, and this is called at every step
  std::array<double, stack_size> derivative;
  std::size_t top = 0;
  for (const Instruction& instruction : program) {
    Dual result;
    if (instruction.operation == Operation::push) {
      result.value = instruction.number;
    } else if (instruction.operation == Operation::time) {
      result = {t, 1};
    } else if (is_binary(instruction.operation)) {
      top -= 2;
      result = apply(instruction.operation, {value[top], derivative[top]}, {value[top + 1], derivative[top + 1]});
    } else {
      --top;
      result = apply(instruction.operation, {value[top], derivative[top]});
    }
    value[top] = result.value;
    derivative[top] = result.derivative;
    ++top;
  }
  return {value[0], derivative[0]};
}

// sum     = product {("+" | "-") product}
// product = signed {("*" | "/") signed | "deg"}             30/2 deg is 15 degrees; "deg" once
// signed  = ("+" | "-") signed | power
// power   = atom ["^" signed]                               the exponent may have a sign: 2^-t
// atom    = number | "t" | "pi" | "e" | name "(" sum {"," sum} ")" | "(" sum ")"
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::vector<Instruction> parse() {
    sum();
    skip_spaces();
    if (at_ < text_.size()) fail("expected an operator or the end, not " + here(), at_);
    return std::move(program_);
  }

 private:
  // Every recursion passes through `signed_factor`.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > deepest_nesting)
        parser.fail("nested more than " + std::to_string(deepest_nesting) + " deep", parser.at_);
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  void sum() {
    product();
    while (true) {
      if (take('+')) {
        product();
        emit(Operation::add);
      } else if (take('-')) {
        product();
        emit(Operation::subtract);
      } else {
        return;
      }
    }
  }

  void product() {
    signed_factor();
    bool in_degrees = false;
    while (true) {
      if (take('*')) {
        if (next() == '*') fail("a power is written ^, not **", at_);
        signed_factor();
        emit(Operation::multiply);
      } else if (take('/')) {
        signed_factor();
        emit(Operation::divide);
      } else if (!in_degrees && take_word("deg")) {
        in_degrees = true;
        program_.push_back({Operation::push, std::numbers::pi / 180});
        emit(Operation::multiply);
      } else {
        return;
      }
    }
  }

  void signed_factor() {
    const Nesting nesting(*this);
    if (take('-')) {
      signed_factor();
      emit(Operation::negate);
    } else if (take('+')) {
      signed_factor();
    } else {
      power_factor();
    }
  }

  void power_factor() {
    atom();
    if (!take('^')) return;
    signed_factor();
    emit(Operation::power);
  }

  void atom() {
    const char c = next();
    if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      name();
    } else if (take('(')) {
      sum();
      expect_closing();
    } else {
      fail("expected a number, t, a function or '(', not " + here(), at_);
    }
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const std::string digits(begin, end);
    if (error == std::errc::result_out_of_range) fail("the number " + digits + " is too large or too small", at_);
    if (error != std::errc()) fail("expected digits, not " + here(), at_);
    at_ += digits.size();
    program_.push_back({Operation::push, value});
  }

  void name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word = text_.substr(start, at_ - start);
    if (const Function* function = find_function(word)) {
      call(*function);
    } else if (word == "t") {
      emit(Operation::time);
    } else if (word == "pi") {
      program_.push_back({Operation::push, std::numbers::pi});
    } else if (word == "e") {
      program_.push_back({Operation::push, std::numbers::e});
    } else {
      fail("unknown name '" + word + "'" + suggestion(word, known_names()), start);
    }
  }

  void call(const Function& function) {
    const std::string name(function.name);
    if (!take('(')) fail("expected '(' after " + name + ", not " + here(), at_);
    sum();
    if (takes_several(function.operation)) {
      if (next() != ',') fail(name + " takes two arguments or more: expected ',', not " + here(), at_);
      while (take(',')) {
        sum();
        emit(function.operation);
      }
    } else {
      if (next() == ',') fail(name + " takes one argument: expected ')', not ','", at_);
      emit(function.operation);
    }
    expect_closing();
  }

  void expect_closing() {
    if (!take(')')) fail("expected an operator or ')', not " + here(), at_);
  }

  void emit(Operation operation) { program_.push_back({operation, 0}); }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // UTF-8

  static std::vector<std::string> known_names() {
    std::vector<std::string> names = {"t", "pi", "e"};
    for (const Function& function : functions) names.emplace_back(function.name);
    return names;
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  char next() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    const std::size_t end = at_ + word.size();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    if (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) return false;
    at_ = end;
    return true;
  }

  // What stands at the place of a mistake: a whole word or one character.
  std::string here() {
    if (at_ == text_.size()) return "the end";
    std::size_t end = at_ + 1;
    if (is_letter(text_[at_]))
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    while (end < text_.size() && continues_character(text_[end])) ++end;
    return "'" + text_.substr(at_, end - at_) + "'";
  }

  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    const auto place = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at),
                                     [](char c) { return !continues_character(c); });
    throw std::invalid_argument("position " + std::to_string(place + 1) + ": " + what);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Instruction> program_;
};

}  // namespace

Expression::Expression() : program_(std::make_shared<const Program>()), text_("0") {}

Expression::Expression(const std::string& text) : text_(text) {
  Program program;
  program.instructions = Parser(text).parse();
  const bool varies = std::any_of(program.instructions.begin(), program.instructions.end(),
                                  [](const Instruction& i) { return i.operation == Operation::time; });
  if (!varies) {
    program.constant = run(program.instructions, 0).value;
    program.instructions.clear();
  }
  program_ = std::make_shared<const Program>(std::move(program));
}

Expression::Value Expression::operator()(double t) const {
  if (program_->instructions.empty()) return {program_->constant, 0};
  return run(program_->instructions, t);
}

bool Expression::is_constant() const { return program_->instructions.empty(); }

const std::string& Expression::text() const { return text_; }

}  // namespace carom
