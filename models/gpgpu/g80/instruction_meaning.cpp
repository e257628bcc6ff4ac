// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/instruction_reader.h"
#include "models/gpgpu/g80/names.h"

namespace gvp::gpgpu::g80 {
namespace {

using O = Operation;
using Kind = Operand::Kind;

constexpr Signature kSignatures[] = {
    {O::kMove, true, 1, Tail::kNone, "MOV R1, R2"},
    {O::kLoadConstant, true, 1, Tail::kNone, "MVC R1, c[0x1][0x2]"},
    {O::kStoreShared, true, 1, Tail::kNone, "R2G.U32.U32 g[A1+0x9], R1"},
    {O::kLoadLocal, true, 1, Tail::kNone, "LLD.U32 R1, local[0x0]"},
    {O::kStoreLocal, true, 1, Tail::kNone, "LST.U32 local[0x0], R1"},
    {O::kLoadGlobal, true, 1, Tail::kNone, "GLD.U32 R1, global14[R2]"},
    {O::kStoreGlobal, true, 1, Tail::kNone, "GST.U32 global14[R2], R1"},
    {O::kShiftToAddress, true, 2, Tail::kNone, "R2A A1, R2, 0x2"},
    {O::kAddAddress, true, 2, Tail::kNone, "ADA A1, A2, 0x10"},
    {O::kMoveFromAddress, true, 1, Tail::kNone, "A2R R1, A2"},
    {O::kMoveFromCondition, true, 1, Tail::kNone, "C2R R1, C2"},
    {O::kMoveToCondition, true, 1, Tail::kNone, "R2C C1, R2"},
    {O::kMoveFromSpecial, true, 1, Tail::kNone, "S2R R1, SR_CLOCK"},
    {O::kAdd, true, 2, Tail::kNone, "IADD R1, R2, R3"},
    {O::kMultiply, true, 2, Tail::kNone, "IMUL.U16.U16 R1, R2L, R3H"},
    {O::kMultiplyAdd, true, 3, Tail::kNone, "IMAD.U16 R1, R2L, R3L, R4"},
    {O::kSumAbsoluteDifference, true, 3, Tail::kNone, "ISAD.S32 R1, R2, R3, R4"},
    {O::kSet, true, 2, Tail::kCompare, "ISET.S32.C0 o[0x7f], R1, R2, NE"},
    {O::kMax, true, 2, Tail::kNone, "IMAX.S32 R1, R2, R3"},
    {O::kMin, true, 2, Tail::kNone, "IMIN.S32 R1, R2, R3"},
    {O::kShiftLeft, true, 2, Tail::kNone, "SHL R1, R2, 0x2"},
    {O::kShiftRight, true, 2, Tail::kNone, "SHR.S32 R1, R2, 0x2"},
    {O::kAnd, true, 2, Tail::kNone, "LOP.AND R1, R2, R3"},
    {O::kOr, true, 2, Tail::kNone, "LOP.OR R1, R2, R3"},
    {O::kXor, true, 2, Tail::kNone, "LOP.XOR R1, R2, R3"},
    {O::kPassSecond, true, 2, Tail::kNone, "LOP.PASS_B R1, R2, ~R3"},
    {O::kConvert, true, 1, Tail::kNone, "I2F.F32.S32 R1, R2"},
    {O::kFloatAdd, true, 2, Tail::kNone, "FADD R1, R2, -R3"},
    {O::kFloatMultiply, true, 2, Tail::kNone, "FMUL R1, R2, R3"},
    {O::kFloatMultiplyAdd, true, 3, Tail::kNone, "FMAD R1, R2, R3, R4"},
    {O::kFloatSet, true, 2, Tail::kCompare, "FSET.C0 o[0x7f], R1, R2, GT"},
    {O::kFloatMax, true, 2, Tail::kNone, "FMAX R1, R2, R3"},
    {O::kFloatMin, true, 2, Tail::kNone, "FMIN R1, R2, R3"},
    {O::kFloatSelect, true, 3, Tail::kNone, "FCMP R1, R2, R3, R4"},
    {O::kReciprocal, true, 1, Tail::kNone, "RCP R1, R2"},
    {O::kReciprocalSqrt, true, 1, Tail::kNone, "RSQ R1, R2"},
    {O::kLog2, true, 1, Tail::kNone, "LG2 R1, R2"},
    {O::kSine, true, 1, Tail::kNone, "SIN R1, R2"},
    {O::kCosine, true, 1, Tail::kNone, "COS R1, R2"},
    {O::kExp2, true, 1, Tail::kNone, "EX2 R1, R2"},
    {O::kPreSine, true, 1, Tail::kReduction, "RRO R1, R2, SIN"},
    {O::kPreExp2, true, 1, Tail::kReduction, "RRO R1, R2, EX2"},
    {O::kBranch, false, 0, Tail::kTarget, "BRA C0.NE, label"},
    {O::kCall, false, 0, Tail::kTarget, "CAL.NOINC label"},
    {O::kReturn, false, 0, Tail::kNone, "RET C0.NE"},
    {O::kPreBreak, false, 0, Tail::kTarget, "PBK label"},
    {O::kBreak, false, 0, Tail::kNone, "BRK C0.NE"},
    {O::kSetSync, false, 0, Tail::kTarget, "SSY label"},
    {O::kBarrier, false, 0, Tail::kBarrier, "BAR.ARV.WAIT b0, 0xfff"},
    {O::kTrap, false, 0, Tail::kNone, "TRAP"},
    {O::kDiscard, false, 0, Tail::kNone, "KIL"},
    {O::kQuadOn, false, 0, Tail::kNone, "QUADON"},
    {O::kQuadPop, false, 0, Tail::kNone, "QUADPOP"},
    {O::kNop, false, 0, Tail::kNone, "NOP"},
    {O::kPerformanceEvent, false, 0, Tail::kEvent, "PMTRIG 0x1"},
};

}  // namespace

const Signature& signature(O operation) {
  for (const Signature& s : kSignatures)
    if (s.operation == operation) return s;
  return kSignatures[0];
}

void InstructionReader::wrong_operands(const std::string& what, std::size_t column) {
  scanner_.fail_at(column, what, fmt::format("the form is: {}", signature(i_.operation).form));
}

void InstructionReader::assign_operands() {
  if (i_.operation == O::kPreSine || i_.operation == O::kPreExp2) {
    // The last operand chooses between the two.
    if (operands_.size() == 3) {
      const std::string word = upper(operands_.back().word);
      const bool sine = word == "SIN" || word == "COS" || word == "SINCOS";
      if (word != "EX2" && !sine)
        wrong_operands("RRO prepares for SIN or EX2", operands_.back().column);
      i_.operation = sine ? O::kPreSine : O::kPreExp2;
    }
  }
  const Signature& s = signature(i_.operation);
  const std::size_t tail = s.tail == Tail::kNone ? 0 : s.tail == Tail::kBarrier ? 2 : 1;
  const std::size_t wanted = (s.destination ? 1 : 0) + s.sources + tail;
  const bool short_barrier = s.tail == Tail::kBarrier && operands_.size() < 2;
  if (operands_.size() != wanted && !short_barrier) {
    const std::size_t column =
        operands_.size() > wanted ? operands_[wanted].column : scanner_.line().size();
    wrong_operands(fmt::format("{} takes {} operand{}, not {}", name_, wanted,
                               wanted == 1 ? "" : "s", operands_.size()),
                   column);
  }
  std::size_t next = 0;
  const auto take = [&](Operand& to) {
    ParsedOperand& from = operands_[next++];
    if (!from.word.empty() && from.operand.kind != Kind::kImmediate)
      wrong_operands(fmt::format("\"{}\" is no operand", from.word), from.column);
    to = from.operand;
  };
  if (s.destination) take(i_.destination);
  for (unsigned n = 0; n < s.sources; ++n) take(i_.sources[n]);
  if (s.tail != Tail::kNone) assign_tail(s);
}

void InstructionReader::assign_tail(const Signature& s) {
  if (s.tail == Tail::kBarrier) {
    i_.barrier_threads = 0xfff;
    if (name_ == "BAR" && operands_.size() < 2) i_.barrier_arrive = i_.barrier_wait = true;
    for (std::size_t n = 0; n < operands_.size(); ++n) {
      const ParsedOperand& o = operands_[n];
      uint32_t value = static_cast<uint32_t>(o.operand.value);
      const bool named = n == 0 && o.word.size() > 1 && (o.word[0] == 'b' || o.word[0] == 'B');
      if (named) {
        value = 0;
        for (const char c : o.word.substr(1)) {
          if (c < '0' || c > '9' || value > 15) wrong_operands("barriers are b0 to b15", o.column);
          value = value * 10 + static_cast<uint32_t>(c - '0');
        }
      } else if (o.operand.kind != Kind::kImmediate) {
        wrong_operands("a barrier (b0) or a thread count is expected", o.column);
      }
      if (value > (n == 0 ? 15u : 0xfffu))
        wrong_operands(n == 0 ? "barriers are b0 to b15" : "at most 0xfff threads", o.column);
      if (n == 0) {
        i_.barrier = static_cast<uint8_t>(value);
      } else {
        i_.barrier_threads = static_cast<uint16_t>(value);
      }
    }
    return;
  }
  const ParsedOperand& o = operands_.back();
  switch (s.tail) {
    case Tail::kCompare: {
      auto compare = condition_from_name(o.word);
      if (i_.operation == O::kSet && compare == Condition::kAlways) compare = Condition::kOrdered;
      if (!compare) wrong_operands(fmt::format("unknown comparison \"{}\"", o.word), o.column);
      i_.compare = *compare;
      break;
    }
    case Tail::kTarget:
      assign_target(o);
      break;
    case Tail::kEvent:
      if (o.operand.kind != Kind::kImmediate)
        wrong_operands("an event number is expected", o.column);
      if (static_cast<uint32_t>(o.operand.value) > 15)
        wrong_operands("events are 0 to 15", o.column);
      i_.event = static_cast<uint8_t>(o.operand.value);
      break;
    default:
      break;
  }
}

void InstructionReader::assign_target(const ParsedOperand& o) {
  if (!o.word.empty()) {
    parsed_.label = o.word;
    parsed_.label_column = o.column;
  } else if (o.operand.kind == Kind::kImmediate) {
    i_.target = static_cast<uint32_t>(o.operand.value);
    parsed_.numeric_target = true;
  } else {
    wrong_operands("a label or an address is expected", o.column);
  }
}

// Offsets count in units of the access, which is known only now.
void InstructionReader::resolve_memory(ParsedOperand& parsed, Operand& o, bool is_destination) {
  if (!o.is_memory() || o.kind == Kind::kGlobal) return;
  if (o.kind == Kind::kConstant && i_.operation != O::kLoadConstant) {
    const bool third = &o == &i_.sources[2];
    const Type t = unsigned_variant(i_.sources[0].type != Type::kNone && !third ? i_.sources[0].type
                                                                                : i_.type);
    o.access = (t == Type::kU16 || t == Type::kB16) && !third ? Type::kB16 : Type::kB32;
  } else if (o.kind == Kind::kShared && is_destination) {
    o.access = i_.type == Type::kU32 ? Type::kB32 : i_.type;
  } else if (o.kind == Kind::kShared && !parsed.access_given && parsed.offset_in_bytes) {
    // s[] of a 16-bit operation: 16 bits are meant.
    const Type t =
        unsigned_variant(i_.sources[0].type != Type::kNone ? i_.sources[0].type : i_.type);
    if (t == Type::kU16 || t == Type::kB16)
      o.access = i_.sources[0].type == Type::kS16 ? Type::kS16 : Type::kU16;
  }
  if (!parsed.offset_in_bytes) o.value *= static_cast<int32_t>(type_bytes(o.access));
  if (o.indexed) {
    i_.address_register = parsed.address_register;
    i_.post_increment = parsed.post_increment;
  }
  const bool wraps = is_destination || o.kind == Kind::kLocal || i_.operation == O::kLoadConstant;
  if (wraps && o.value < 0 && o.value >= -0x8000) o.value += 0x10000;  // the address wraps
}

void InstructionReader::combine_signs() {
  const bool mad = i_.operation == O::kMultiplyAdd;
  if (i_.operation != O::kAdd && !mad) return;
  Operand& a = i_.sources[0];
  Operand& b = i_.sources[mad ? 2 : 1];
  if (a.negate && b.negate)
    scanner_.fail_at(operands_[mad ? 3 : 2].column, "only one of the operands can be negative");
  if (carry_ && (a.negate || b.negate))
    scanner_.fail_at(parsed_.column, "an addition with carry has no negative operand");
  if (carry_) {
    i_.combine = Combine::kAddCarry;
    if (carry_register_) i_.condition_register = *carry_register_;
  } else if (a.negate) {
    i_.combine = Combine::kReverseSubtract;
  } else if (b.negate) {
    i_.combine = Combine::kSubtract;
  }
  a.negate = b.negate = false;
}

// A MOV in the special function unit: a bit that changes nothing else.
void InstructionReader::choose_unit() {
  if (!special_unit_) return;
  const Words bit = special_unit_bit(i_.form);
  for (std::size_t n = 0; n < bit.size(); ++n) i_.extra[n] |= bit[n];
}

// "IADD R1, R2, 5" is written with the name of the long form: the assembler knows better.
void InstructionReader::choose_form() {
  if (i_.operation == O::kNop && !guarded_) i_.predicate = Condition::kNever;
  if (i_.operation == O::kMoveFromCondition && i_.sources[0].kind == Kind::kCondition)
    i_.condition_register = i_.sources[0].index;
  if (i_.form != Form::kLong) return;
  const bool move = i_.operation == O::kMove;
  const Operand& last = i_.sources[move ? 0 : 1];
  const bool has_form = move || i_.operation == O::kAdd || i_.operation == O::kMultiply ||
                        i_.operation == O::kMultiplyAdd || i_.operation == O::kFloatAdd ||
                        i_.operation == O::kFloatMultiply || i_.operation == O::kFloatMultiplyAdd ||
                        (i_.operation >= O::kAnd && i_.operation <= O::kPassSecond);
  if (has_form && last.kind == Kind::kImmediate) i_.form = Form::kLongImmediate;
}

void InstructionReader::check() {
  std::string problem;
  Instruction probe = i_;
  if (!parsed_.label.empty()) probe.target = 0;
  if (const auto words = try_encode(probe, &problem)) return;
  scanner_.fail_at(parsed_.column, fmt::format("{}: {}", name_, problem),
                   fmt::format("the form is: {}", signature(i_.operation).form));
}

}  // namespace gvp::gpgpu::g80
