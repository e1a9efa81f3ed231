// What the text of an expression is translated into: operands before their operator. Only what implements
// expression.h sees it.

#pragma once

#include <vector>

#include "models/expression.h"

namespace carom {

enum class Operation {
  push,
  time,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  step,
  min,
  max
};

struct Instruction {
  Operation operation = Operation::push;
  double number = 0;  // of push
};

inline bool takes_several(Operation operation) { return operation == Operation::min || operation == Operation::max; }

inline bool is_binary(Operation operation) {
  return (operation >= Operation::add && operation <= Operation::power) || takes_several(operation);
}

struct Expression::Program {
  std::vector<Instruction> instructions;  // none: a constant
  double constant = 0;
};

}  // namespace carom
