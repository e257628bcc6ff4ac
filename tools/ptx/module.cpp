// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/module.h"

namespace gvp::ptx {

bool writes_first_operand(const Instruction& instruction) {
  if (instruction.operands.empty()) return false;
  const char shape = info(instruction.opcode).shape.front();
  return shape == 'd' || shape == 'v';
}

}  // namespace gvp::ptx
