// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/narrow.h"

namespace gvp::ptx {
namespace {

Type narrowed(Type type) {
  switch (type) {
    case Type::kB64:
      return Type::kB32;
    case Type::kU64:
      return Type::kU32;
    case Type::kS64:
      return Type::kS32;
    default:
      return type;
  }
}

bool is_wide(Type type) { return is_integer(type) && bytes(type) == 8; }

// Operations whose low half needs no upper half.
bool low_half_suffices(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub:
      return !instruction.carry;
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
    case Opcode::kNeg:
    case Opcode::kShl:
    case Opcode::kMov:
    case Opcode::kCvta:
    case Opcode::kSelp:
      return true;
    case Opcode::kMul:
    case Opcode::kMad:
      return instruction.half == Half::kLow;
    case Opcode::kLd:
      return instruction.space == Space::kParameter;
    default:
      return false;
  }
}

void narrow_multiplication(Instruction& instruction) {
  instruction.half = Half::kLow;  // type: that of the 32-bit factors
}

void narrow_conversion(const Module& module, Instruction& instruction) {
  if (instruction.saturate) {
    fail(module, instruction, "64-bit integers are supported for addresses only",
         "use 32-bit types");
  }
  if (is_float(instruction.type) || is_float(instruction.source_type)) {
    fail(module, instruction,
         "conversions between floats and 64-bit integers are not "
         "supported",
         "the machine has 32 bits");
  }
  instruction.type = narrowed(instruction.type);
  instruction.source_type = narrowed(instruction.source_type);
}

}  // namespace

void narrow_addresses(const Module& module, Function& function) {
  for (Instruction& instruction : function.body) {
    const bool product =
        (instruction.opcode == Opcode::kMul || instruction.opcode == Opcode::kMad) &&
        instruction.half == Half::kWide && bytes(instruction.type) == 4;
    if (product) {
      narrow_multiplication(instruction);
    } else if (instruction.opcode == Opcode::kCvt &&
               (is_wide(instruction.type) || is_wide(instruction.source_type))) {
      narrow_conversion(module, instruction);
    } else if (is_wide(instruction.type) || is_wide(instruction.source_type)) {
      if (!low_half_suffices(instruction) || is_wide(instruction.source_type)) {
        fail(module, instruction,
             mnemonic(instruction) + ": 64-bit integers are supported for addresses only",
             "use 32-bit types");
      }
      instruction.type = narrowed(instruction.type);
    }
  }
  for (Register& reg : function.registers) reg.type = narrowed(reg.type);
}

}  // namespace gvp::ptx
