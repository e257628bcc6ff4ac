// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/instruction_reader.h"
#include "models/gpgpu/g80/names.h"
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {
namespace {

using O = Operation;
using Kind = Operand::Kind;

bool has_immediate_form(Operation operation) {
  const RowRange all = rows();
  return std::any_of(all.begin(), all.end(), [operation](const Row& row) {
    return row.operation == operation && row.form == Form::kLongImmediate;
  });
}

}  // namespace

void InstructionReader::wrong_operands(const std::string& what, std::size_t column) {
  scanner_.fail_at(column, what, fmt::format("the form is: {}", info(i_.operation).syntax));
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
  const OperationInfo& s = info(i_.operation);
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

void InstructionReader::assign_tail(const OperationInfo& s) {
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
      if (!compare)
        wrong_operands(o.word.empty() ? "a comparison is expected (EQ, LT ...)"
                                      : fmt::format("unknown comparison \"{}\"", o.word),
                       o.column);
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
  const Operand& last = i_.sources[i_.operation == O::kMove ? 0 : 1];
  if (last.kind == Kind::kImmediate && has_immediate_form(i_.operation))
    i_.form = Form::kLongImmediate;
}

void InstructionReader::check() {
  std::string problem;
  Instruction probe = i_;
  if (!parsed_.label.empty()) probe.target = 0;
  if (const auto words = try_encode(probe, &problem)) return;
  scanner_.fail_at(parsed_.column, fmt::format("{}: {}", name_, problem),
                   fmt::format("the form is: {}", info(i_.operation).syntax));
}

}  // namespace gvp::gpgpu::g80
