// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/names.h"
#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::g80 {
namespace {

using O = Operation;
using Kind = Operand::Kind;

// Types that are written only when they are not the usual one.
std::string unusual(Type type, Type usual) {
  if (type == usual || type == Type::kB32) return "";
  return fmt::format(".{}", type_name(type));
}

std::string rounding_suffix(Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest:
      return "";
    case Rounding::kMinusInfinity:
      return ".FLOOR";
    case Rounding::kPlusInfinity:
      return ".CEIL";
    case Rounding::kZero:
      return ".TRUNC";
  }
  return "";
}

std::string convert_suffix(const Instruction& i) {
  const Operand& s = i.sources[0];
  std::string text = fmt::format(".{}", type_name(i.type));
  // A byte is taken from a register half or from a register: "U16.BEXT", "U32.BEXT".
  if (unsigned_variant(s.type) == Type::kU8) {
    const char sign = is_signed(s.type) ? 'S' : 'U';
    text += fmt::format(".{}{}.BEXT", sign, s.kind == Kind::kRegister ? 32 : 16);
  } else {
    text += fmt::format(".{}", type_name(s.type));
  }
  if (i.round_to_integer) text += ".IR";
  text += rounding_suffix(i.rounding);
  if (i.saturate) text += ".SAT";
  return text;
}

std::string barrier_suffix(const Instruction& i) {
  std::string text;
  if (i.barrier_arrive) text += ".ARV";
  if (i.barrier_wait) text += ".WAIT";
  if (i.barrier_all) text += ".ALL";
  return text;
}

bool in_special_unit(const Instruction& i) {
  const Words bit = special_unit_bit(i.form);
  return i.operation == O::kMove && ((i.extra[0] & bit[0]) | (i.extra[1] & bit[1])) != 0;
}

// What follows the name: types, rounding, saturation...
std::string modifiers(const Instruction& i) {
  if (i.operation == O::kBarrier) return barrier_suffix(i);
  std::string text;
  switch (info(i.operation).typing) {
    case Typing::kNone:
    case Typing::kWord:
    case Typing::kHalf:
    case Typing::kFloatBits:
      break;
    case Typing::kBits:
      text = unusual(i.type, Type::kB32);
      if (in_special_unit(i)) text += ".SFU";
      if (i.lane_mask != 0xf) text += fmt::format(".L{:X}", i.lane_mask);
      break;
    case Typing::kInteger:
      text = unusual(i.type, Type::kU32);
      break;
    case Typing::kStore:
      text = fmt::format(".{}.{}", i.sources[0].kind == Kind::kHalfRegister ? "U16" : "U32",
                         type_name(i.type));
      break;
    case Typing::kMemory:
      text = fmt::format(".{}", type_name(i.type));
      break;
    case Typing::kFactor:
      text = fmt::format("{}.{}", i.high ? ".HI" : "", type_name(i.sources[0].type));
      break;
    case Typing::kFactors:
      text = fmt::format("{}.{}.{}", i.high ? ".HI" : "", type_name(i.sources[0].type),
                         type_name(i.sources[1].type));
      break;
    case Typing::kConversion:
      return convert_suffix(i);
    case Typing::kFloat:
      text = rounding_suffix(i.rounding);
      break;
  }
  if (i.operation == O::kCall && !i.limited) text += ".NOINC";
  if (i.combine == Combine::kAddCarry) text += fmt::format(".CARRY{}", i.condition_register);
  if (i.saturate) text += ".SAT";
  return text;
}

std::string mnemonic(const Instruction& i) {
  const std::string_view name = row_name(i);
  const std::size_t dot = std::min(name.find('.'), name.size());
  std::string text(name.substr(0, dot));
  if (i.marker == Marker::kJoin) text += ".S";
  if (i.marker == Marker::kExit) text += ".END";
  text += name.substr(dot);
  text += modifiers(i);
  if (i.writes_condition) {
    text += fmt::format(".C{}", i.condition_destination);
  } else if (i.condition_destination != 0) {
    text += fmt::format(".NC{}", i.condition_destination);  // selected, but not written
  }
  return text;
}

// The predicate if it has to be written: "C0.NE".
std::string predicate(const Instruction& i) {
  const bool is_nop = i.operation == O::kNop;  // ptxas writes NOPs with the condition "never"
  const Condition usual = is_nop ? Condition::kNever : Condition::kAlways;
  const bool register_shown =
      i.combine == Combine::kAddCarry || i.operation == O::kMoveFromCondition;
  if (i.predicate == usual && (i.condition_register == 0 || register_shown)) return "";
  return fmt::format("C{}.{}", i.condition_register, condition_name(i.predicate));
}

std::string register_text(const Operand& o) {
  if (o.kind == Kind::kHalfRegister) return fmt::format("R{}{}", o.index, o.high ? 'H' : 'L');
  return fmt::format("R{}", o.index);
}

// "A1+0x9", or "A1+++0x1" when the register is incremented afterwards.
std::string address_text(const Instruction& i, const Operand& o, int units) {
  if (!o.indexed) return fmt::format("{:#x}", units);
  if (!i.post_increment) return fmt::format("A{}+{:#x}", i.address_register, units);
  return fmt::format("A{}++{}{:#x}", i.address_register, units < 0 ? '-' : '+',
                     units < 0 ? -units : units);
}

std::string access_suffix(Type access) {
  return access == Type::kB32 || access == Type::kB16 ? "" : fmt::format(".{}", type_name(access));
}

std::string memory_text(const Instruction& i, const Operand& o, bool is_destination) {
  const bool local = o.kind == Kind::kLocal;
  const int size = local ? 1 : static_cast<int>(type_bytes(o.access));
  const std::string address = address_text(i, o, o.value / size);
  switch (o.kind) {
    case Kind::kShared:
      if (is_destination) return fmt::format("g[{}]", address);
      return fmt::format("g [{}]{}", address, access_suffix(o.access));
    case Kind::kConstant:
      if (i.operation == O::kLoadConstant)
        return fmt::format("c[{:#x}] [{}]{}", o.index, address, access_suffix(o.access));
      return fmt::format("c[{:#x}][{}]", o.index, address);
    case Kind::kLocal:
      return fmt::format("local[{}]", address);
    default:
      return fmt::format("global{}[R{}]", o.index, o.value);
  }
}

std::string immediate_text(const Instruction& i, const Operand& o) {
  const uint32_t bits = static_cast<uint32_t>(o.value);
  // cuobjdump writes float immediates with their sign bit as two's complement.
  const bool is_signed_text = is_float(i.operation) && (bits >> 31) != 0 && bits != 0x80000000u;
  return is_signed_text ? fmt::format("-{:#x}", -bits) : fmt::format("{:#x}", bits);
}

std::string operand_text(const Instruction& i, const Operand& o, bool is_destination = false) {
  std::string text;
  switch (o.kind) {
    case Kind::kNone:
      return "";
    case Kind::kRegister:
    case Kind::kHalfRegister:
      text = register_text(o);
      break;
    case Kind::kOutput:
      return fmt::format("o[{:#x}]", o.index);
    case Kind::kImmediate:
      text = immediate_text(i, o);
      break;
    case Kind::kAddress:
      return fmt::format("A{}", o.index);
    case Kind::kCondition:
      return fmt::format("C{}", o.index);
    case Kind::kSpecial:
      return special_register_name(o.index);
    default:
      text = memory_text(i, o, is_destination);
      break;
  }
  if (o.absolute && o.kind == Kind::kShared) {
    text = "|g|" + text.substr(1);  // as cuobjdump has it: |g| [0x4]
  } else if (o.absolute) {
    text = fmt::format("|{}|", text);
  }
  if (o.invert) text = "~" + text;
  if (o.negate) text = o.kind == Kind::kImmediate ? fmt::format("-({})", text) : "-" + text;
  return text;
}

// IADD and IMAD write how their operands combine as signs of the operands.
Instruction with_signs(const Instruction& instruction) {
  Instruction i = instruction;
  const bool mad = i.operation == O::kMultiplyAdd;
  if (i.combine == Combine::kReverseSubtract) i.sources[0].negate = true;
  if (i.combine == Combine::kSubtract) i.sources[mad ? 2 : 1].negate = true;
  return i;
}

std::string operands(const Instruction& instruction) {
  const Instruction i = with_signs(instruction);
  std::vector<std::string> list;
  const std::string guard = predicate(i);
  if (i.destination.kind != Kind::kNone) {
    list.push_back(operand_text(i, i.destination, true));
    if (!guard.empty()) list.back() += fmt::format(" ({})", guard);
  } else if (!guard.empty()) {
    list.push_back(guard);
  }
  for (const Operand& operand : i.sources)
    if (operand.kind != Kind::kNone) list.push_back(operand_text(i, operand));
  switch (info(i.operation).tail) {
    case Tail::kNone:
      break;
    case Tail::kCompare: {  // integers are always ordered
      const bool always = !is_float(i.operation) && i.compare == Condition::kOrdered;
      list.push_back(always ? "TRUE" : condition_name(i.compare));
      break;
    }
    case Tail::kReduction:
      list.push_back(i.operation == O::kPreSine ? "SIN" : "EX2");
      break;
    case Tail::kEvent:
      list.push_back(fmt::format("{:#x}", i.event));
      break;
    case Tail::kBarrier:
      list.push_back(fmt::format("b{}", i.barrier));
      list.push_back(fmt::format("{:#x}", i.barrier_threads));
      break;
    case Tail::kTarget:
      list.push_back(fmt::format("{:#x}", i.target));
      break;
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string raw_suffix(const Instruction& i) {
  Words raw = i.extra;
  if (in_special_unit(i))
    for (std::size_t n = 0; n < raw.size(); ++n) raw[n] &= ~special_unit_bit(i.form)[n];
  if (raw[0] == 0 && raw[1] == 0) return "";
  if (byte_length(i) == 4) return fmt::format(" {{raw={:#010x}}}", raw[0]);
  return fmt::format(" {{raw={:#010x},{:#010x}}}", raw[0], raw[1]);
}

}  // namespace

std::string to_text(const Instruction& instruction) {
  const std::string rest = operands(instruction);
  return fmt::format("{}{}{}{}", mnemonic(instruction), rest.empty() ? "" : " ", rest,
                     raw_suffix(instruction));
}

std::vector<DisassembledLine> disassemble(const uint32_t* words, std::size_t count) {
  std::vector<DisassembledLine> lines;
  for (std::size_t n = 0; n < count;) {
    const Decoded decoded = decode(words + n, count - n);
    DisassembledLine line;
    line.address = static_cast<uint32_t>(n * 4);
    line.remark = decoded.reason;
    line.words = decoded.status == DecodeStatus::kTruncated ? 1 : decoded.bytes() / 4;
    if (decoded.executable()) {
      line.text = to_text(decoded.instruction) + ";";
    } else if (line.words == 1) {
      line.text = fmt::format(".word {:#010x};", words[n]);
    } else {
      line.text = fmt::format(".word {:#010x}, {:#010x};", words[n], words[n + 1]);
    }
    n += line.words;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace gvp::gpgpu::g80
