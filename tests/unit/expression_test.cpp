#include "models/expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

using namespace carom;

namespace {

std::string mistake_in(const std::string& text) {
  try {
    const Expression expression(text);
  } catch (const std::invalid_argument& mistake) {
    return mistake.what();
  }
  return "";
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("an expression binds as in mathematics") {
  const auto value = [](const char* text) { return Expression(text)(2).value; };
  CHECK(value("1 + 2*3") == 7);
  CHECK(value("(1 + 2)*3") == 9);
  CHECK(value("8/4/2") == 1);
  CHECK(value("7-2-1") == 4);
  CHECK(value("-2^2") == -4);
  CHECK(value("(-2)^2") == 4);
  CHECK(value("2^3^2") == 512);
  CHECK(value("2^-1") == 0.5);
  CHECK(value("2*-3") == -6);
  CHECK(value("--3") == 3);
  CHECK(value("+-+3") == -3);
  CHECK(value("4^-t^2") == std::pow(4, -4));
  CHECK(value("-t*3") == -6);
  CHECK(value(".5+1.+2e-1\t+\n1E1") == 11.7);
  CHECK(value("min(3, t, 5)") == 2);
  CHECK(value("max(3,t,5)") == 5);
  CHECK(value("2*pi") == 2 * std::numbers::pi);
  CHECK(value("e^1") == std::numbers::e);
  CHECK(value("step(t-2) + 10*step(t-2.5)") == 1);
  CHECK(value("sign(-t) + sign(0) + abs(-t)") == 1);
}

TEST_CASE("degrees are a factor behind a product") {
  CHECK(Expression("sin(30 deg)")(0).value == doctest::Approx(0.5));
  CHECK(Expression("30/2 deg")(0).value == doctest::Approx(std::numbers::pi / 12));
  CHECK(Expression("pi/2 + 30 deg")(0).value == doctest::Approx(2 * std::numbers::pi / 3));
  CHECK(Expression("45 deg * t")(2).derivative == doctest::Approx(std::numbers::pi / 4));
  CHECK_THROWS_WITH_AS(Expression("30 degrees"), doctest::Contains("'degrees'"), std::invalid_argument);
  CHECK_THROWS_AS(Expression("deg"), std::invalid_argument);
  CHECK_THROWS_AS(Expression("30 deg deg"), std::invalid_argument);
}

TEST_CASE("an expression's derivative is exact") {
  struct Case {
    const char* text;
    std::function<double(double)> value, derivative;
  };
  const std::vector<Case> cases = {
      {"10*sin(2*pi*t)", [](double t) { return 10 * std::sin(2 * std::numbers::pi * t); },
       [](double t) { return 20 * std::numbers::pi * std::cos(2 * std::numbers::pi * t); }},
      {"cos(t)/t", [](double t) { return std::cos(t) / t; },
       [](double t) { return (-std::sin(t) * t - std::cos(t)) / (t * t); }},
      {"tan(t)", [](double t) { return std::tan(t); }, [](double t) { return 1 / (std::cos(t) * std::cos(t)); }},
      {"asin(t/2)", [](double t) { return std::asin(t / 2); }, [](double t) { return 0.5 / std::sqrt(1 - t * t / 4); }},
      {"acos(t/2)", [](double t) { return std::acos(t / 2); },
       [](double t) { return -0.5 / std::sqrt(1 - t * t / 4); }},
      {"atan(3*t)", [](double t) { return std::atan(3 * t); }, [](double t) { return 3 / (1 + 9 * t * t); }},
      {"sinh(t)*cosh(t)", [](double t) { return std::sinh(2 * t) / 2; }, [](double t) { return std::cosh(2 * t); }},
      {"tanh(t)", [](double t) { return std::tanh(t); }, [](double t) { return 1 - std::tanh(t) * std::tanh(t); }},
      {"exp(-t^2)", [](double t) { return std::exp(-t * t); }, [](double t) { return -2 * t * std::exp(-t * t); }},
      {"log(1+t)", [](double t) { return std::log(1 + t); }, [](double t) { return 1 / (1 + t); }},
      {"sqrt(t)", [](double t) { return std::sqrt(t); }, [](double t) { return 0.5 / std::sqrt(t); }},
      {"t^t", [](double t) { return std::pow(t, t); }, [](double t) { return std::pow(t, t) * (std::log(t) + 1); }},
      {"2^t", [](double t) { return std::pow(2, t); }, [](double t) { return std::pow(2, t) * std::log(2); }},
      {"abs(t-1)", [](double t) { return std::abs(t - 1); }, [](double t) { return t < 1 ? -1 : 1; }},
      {"min(t, t^2)", [](double t) { return std::min(t, t * t); }, [](double t) { return t < 1 ? 2 * t : 1; }},
      {"max(t, t^2)", [](double t) { return std::max(t, t * t); }, [](double t) { return t < 1 ? 1 : 2 * t; }},
      {"t*step(t-1)", [](double t) { return t < 1 ? 0 : t; }, [](double t) { return t < 1 ? 0 : 1; }},
      {"t*sign(1-t)", [](double t) { return t < 1 ? t : -t; }, [](double t) { return t < 1 ? 1 : -1; }},
      {"-(t - 3)^3", [](double t) { return -std::pow(t - 3, 3); }, [](double t) { return -3 * (t - 3) * (t - 3); }},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Expression expression(c.text);
    CHECK_FALSE(expression.is_constant());
    for (double t : {0.1, 0.7, 1.3, 1.9}) {
      CAPTURE(t);
      CHECK(expression(t).value == doctest::Approx(c.value(t)).epsilon(1e-14));
      CHECK(expression(t).derivative == doctest::Approx(c.derivative(t)).epsilon(1e-13));
    }
  }
}

TEST_CASE("derivatives at the ends of a domain") {
  CHECK(Expression("t^2")(0).derivative == 0);
  CHECK(Expression("t^1")(0).derivative == 1);
  CHECK(Expression("t^0")(0).derivative == 0);
  CHECK(Expression("0^t")(1).derivative == 0);
  CHECK(Expression("(-2)^(0*t+2)")(1).derivative == 0);
  CHECK(Expression("sqrt(0*t)")(1).derivative == 0);
  CHECK(Expression("abs(t)")(0).derivative == 0);
  CHECK(Expression("sqrt(t)")(0).derivative == HUGE_VAL);
  CHECK(std::isnan(Expression("min(1, log(t))")(-1).value));
  CHECK(std::isnan(Expression("step(log(t))")(-1).value));
  CHECK(std::isnan(Expression("sign(log(t))")(-1).value));
}

TEST_CASE("constants know that they are") {
  CHECK(Expression()(3).value == 0);
  CHECK(Expression().is_constant());
  CHECK(Expression().text() == "0");
  CHECK(Expression("2*pi^2").is_constant());
  CHECK(Expression("2*pi^2")(1).value == 2 * std::pow(std::numbers::pi, 2));
  CHECK(Expression(" t ").text() == " t ");
  CHECK(Expression("-1e300")(7).value == -1e300);
  CHECK(Expression("-1e300")(7).derivative == 0);
}

TEST_CASE("a mistake in an expression is named with its place") {
  CHECK(mistake_in("") == "position 1: expected a number, t, a function or '(', not the end");
  CHECK(mistake_in("  ") == "position 3: expected a number, t, a function or '(', not the end");
  CHECK(mistake_in("2*") == "position 3: expected a number, t, a function or '(', not the end");
  CHECK(mistake_in("2 t") == "position 3: expected an operator or the end, not 't'");
  CHECK(mistake_in("(1+t") == "position 5: expected an operator or ')', not the end");
  CHECK(mistake_in("1+t)") == "position 4: expected an operator or the end, not ')'");
  CHECK(mistake_in("2*sni(t)") == "position 3: unknown name 'sni' (did you mean 'sin'?)");
  CHECK(mistake_in("velocity") == "position 1: unknown name 'velocity'");
  CHECK(mistake_in("sin t") == "position 5: expected '(' after sin, not 't'");
  CHECK(mistake_in("sin(1,2)") == "position 6: sin takes one argument: expected ')', not ','");
  CHECK(mistake_in("min(1)") == "position 6: min takes two arguments or more: expected ',', not ')'");
  CHECK(mistake_in("t**2") == "position 3: a power is written ^, not **");
  CHECK(mistake_in("1e999*t") == "position 1: the number 1e999 is too large or too small");
  CHECK(mistake_in("1+1e-999") == "position 3: the number 1e-999 is too large or too small");
  CHECK(mistake_in(".") == "position 1: expected digits, not '.'");
  CHECK(mistake_in("1.2.3") == "position 4: expected an operator or the end, not '.'");
  CHECK(mistake_in("0x10") == "position 2: expected an operator or the end, not 'x10'");
  CHECK(mistake_in("2·π·t") == "position 2: expected an operator or the end, not '·'");
  CHECK(mistake_in("t − π") == "position 3: expected an operator or the end, not '−'");
  CHECK(mistake_in(std::string("1+\0", 3)) != "");
  CHECK(mistake_in("nan") == "position 1: unknown name 'nan' (did you mean 'tan'?)");
  CHECK(mistake_in("inf") != "");
}

TEST_CASE("long expressions are evaluated, deep ones refused") {
  CHECK(Expression("t" + repeated("+t", 100000))(1).value == 100001);
  CHECK(Expression(repeated("(", 199) + "t" + repeated(")", 199))(3).value == 3);
  CHECK(Expression(repeated("max(t,t+t*", 199) + "t" + repeated(")", 199))(1).value == 200);
  for (const std::string deep : {"(", "-", "2^", "sin(", "max(1,2+3*"}) {
    CAPTURE(deep);
    CHECK(mistake_in(repeated(deep, 100000)).find("nested more than 200 deep") != std::string::npos);
  }
}

TEST_CASE("the range of an expression holds its values; it has no bound where there may be a pole") {
  for (const char* text :
       {"10*sin(2*pi*t)", "cos(t)^2 - t^3", "2^-t", "tan(t/4)", "exp(-t)*sinh(t) + cosh(1 - t)",
        "min(t, 1, 3 - t) + max(0, t - 2)", "abs(t - 1) + sign(t - 1)*step(2 - t)", "log(1 + t)", "sqrt(t)/(1 + t^2)",
        "asin(t/4) - acos(t/4) + atan(t) + tanh(-t)", "(t - 1)^3", "(t + 1)^t"}) {
    CAPTURE(text);
    const Expression f(text);
    for (const double length : {0.1, 1.0, 3.0}) {
      const Expression::Range range = f.range(0, length);
      CHECK(std::isfinite(range.least));
      CHECK(std::isfinite(range.most));
      for (int k = 0; k <= 1000; ++k) {
        const double value = f(k * length / 1000).value, allowance = 1e-12 * (1 + std::abs(value));
        CHECK(value >= range.least - allowance);
        CHECK(value <= range.most + allowance);
      }
    }
  }
  for (const char* text : {"1/(t - 0.5)", "tan(pi*t)", "(t - 0.5)^-2", "log(t - 0.5)", "sqrt(t - 0.5)", "1/sin(pi*t)",
                           "(t - 0.5)^t", "asin(2*t)"}) {
    CAPTURE(text);
    const Expression::Range range = Expression(text).range(0.4, 0.6);
    const bool bounded = std::isfinite(range.least) && std::isfinite(range.most);
    CHECK(bounded == (std::string(text) == "1/sin(pi*t)"));
    CHECK(std::isfinite(Expression("1/(t - 0.5)").range(0.500001, 0.6).most));
  }
}
