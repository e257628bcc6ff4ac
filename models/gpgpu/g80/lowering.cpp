// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/lowering.h"

#include "models/gpgpu/g80/apply.h"
#include "models/gpgpu/g80/floating_point.h"
#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/g80/semantics.h"

namespace gvp::gpgpu::g80 {
namespace {

using Kind = Operand::Kind;

bool is_half(Type type) {
  return type == Type::kB16 || type == Type::kU16 || type == Type::kS16 || type == Type::kF16;
}
bool is_signed_type(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS24 || type == Type::kS32;
}

// The function of each operation chooses what executes an instruction (apply.h).
constexpr Select kSelect[kOperationCount] = {
    [](const Selection&) { return Execution{}; },
#define OPERATION(name, syntax, destination, sources, tail, typing, source, third, unit, cost, \
                  traits, function, ...)                                                       \
  function,
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
};

class Lowering {
 public:
  Lowering(const Instruction& instruction, unsigned registers, const Machine& machine)
      : i_(instruction),
        info_(info(instruction.operation)),
        registers_(registers),
        machine_(machine) {}

  Op run(uint32_t pc) {
    op_.instruction = &i_;
    op_.pc = pc;
    op_.next_pc = pc + byte_length(i_);
    op_.target_pc = i_.target;
    op_.marker = i_.marker;
    predicate();
    width();
    destination();
    for (unsigned n = 0; n < 3; ++n) source(n);
    post_increment();
    choose();
    op_.plain = is_plain();
    op_.global = accesses_global(i_);
    return op_;
  }

 private:
  static uint16_t register_row(unsigned number) {
    return static_cast<uint16_t>(kRegisterRow + number);
  }
  uint16_t source_row(unsigned number) const {
    return number < registers_ ? register_row(number) : kZeroRow;
  }
  uint16_t destination_row(unsigned number) const {
    return number < registers_ ? register_row(number) : kSinkRow;
  }
  static bool is_address_register(unsigned number) { return number >= 1 && number <= 4; }
  static uint16_t address_row(unsigned number, uint16_t otherwise) {
    return is_address_register(number) ? static_cast<uint16_t>(kAddressRegisterRow + number - 1)
                                       : otherwise;
  }

  void predicate() {
    op_.condition = i_.condition_register;
    if (info_.is(Trait::kUnguarded)) return;
    op_.truth_table = truth_table(i_.predicate);
    if (info_.is(Trait::kVotes)) return;
    op_.predicated = i_.predicate != Condition::kAlways;
    const uint32_t nibble = op_.truth_table & 0xfu;
    op_.zero_and_sign_only = op_.truth_table == nibble * 0x1111u;
  }

  void width() {
    op_.writes_condition = i_.writes_condition;
    op_.condition_destination = i_.condition_destination;
    if (is_half(i_.type) && !info_.is(Trait::kWholeWords)) {
      op_.result_mask = 0xffff;
      op_.sign_bit = 0x8000;
    }
    if (is_signed_type(i_.type)) op_.bias = kSignBit;
  }

  void destination() {
    const Operand& d = i_.destination;
    switch (d.kind) {
      case Kind::kRegister:
        op_.destination = destination_row(d.index);
        for (unsigned word = 0; word < d.words && word < 4; ++word)
          op_.wide[word] = destination_row(d.index + word);
        break;
      case Kind::kHalfRegister:
        op_.destination = kResultRow;
        op_.half_destination = true;
        op_.half_row = destination_row(d.index);
        op_.half_shift = d.high ? 16 : 0;
        break;
      case Kind::kAddress:
        op_.destination = address_row(d.index, kSinkRow);
        break;
      case Kind::kCondition:
        op_.condition_destination = d.index;
        break;
      case Kind::kShared:
      case Kind::kLocal:
      case Kind::kGlobal:
        op_.memory = location(d);
        break;
      default:
        break;  // o[]: results go nowhere
    }
  }

  Location location(const Operand& operand) const {
    Location where;
    where.access = operand.access;
    if (operand.kind == Kind::kGlobal) {
      where.address_row = source_row(static_cast<unsigned>(operand.value));
      where.uniform = false;
      return where;
    }
    where.offset = static_cast<uint32_t>(operand.value);
    if (operand.indexed) {
      where.address_row = address_row(i_.address_register, kZeroRow);
      where.uniform = where.address_row == kZeroRow;
      if (i_.post_increment) where.offset = 0;
    }
    if (operand.kind == Kind::kConstant) {
      const Machine::Bank& bank = machine_.banks[operand.index & 15u];
      where.bank_base = bank.base;
      where.limit = bank.bytes;
    }
    return where;
  }

  void source(unsigned n) {
    const Operand& s = i_.sources[n];
    uint16_t& row = n == 0 ? op_.a : n == 1 ? op_.b : op_.c;
    switch (s.kind) {
      case Kind::kRegister:
        row = source_row(s.index);
        if (s.words > 1)
          for (unsigned word = 0; word < s.words && word < 4; ++word)
            op_.wide[word] = source_row(s.index + word);
        break;
      case Kind::kHalfRegister:
        row = half(s, n);
        break;
      case Kind::kImmediate:
        row = immediate(s, n);
        break;
      case Kind::kShared:
      case Kind::kConstant:
        row = memory_operand(s, n);
        break;
      case Kind::kAddress:
        row = address_row(s.index, kZeroRow);
        break;
      case Kind::kLocal:
      case Kind::kGlobal:
        op_.memory = location(s);
        break;
      default:
        break;
    }
    modifiers(s, n);
  }

  Load& add_load(unsigned n) {
    Load& load = op_.loads[op_.load_count++];
    load.row = kOperandRows[n];
    return load;
  }

  uint16_t half(const Operand& s, unsigned n) {
    const uint16_t row = source_row(s.index);
    // What is stored as a word is the half alone, extended by zeros.
    const bool widened = info_.is(Trait::kStores) && i_.destination.bytes() > sizeof(uint16_t);
    if (info_.is(Trait::kShiftsHalves) && !widened) {
      (n == 0 ? op_.shift_a : op_.shift_b) = s.high ? 16 : 0;
      return row;
    }
    Load& load = add_load(n);
    load.fetch = fetch_half;
    load.source = row;
    load.shift = s.high ? 16 : 0;
    load.sign_extend = is_signed_type(i_.type) && !widened;
    return load.row;
  }

  uint16_t immediate(const Operand& s, unsigned n) {
    if (n == 1 ? !is_float(i_.operation) : i_.operation == Operation::kMove) {
      op_.immediate = static_cast<uint32_t>(s.value);
      op_.immediate_b = true;
      return kZeroRow;
    }
    Load& load = add_load(n);
    load.fetch = fetch_immediate;
    load.value = static_cast<uint32_t>(s.value);
    return load.row;
  }

  uint16_t memory_operand(const Operand& s, unsigned n) {
    Load& load = add_load(n);
    load.location = location(s);
    if (is_signed_type(i_.type) && load.location.access == Type::kB16)
      load.location.access = Type::kS16;
    load.fetch = select_memory_fetch(s.kind, load.location, machine_);
    return load.row;
  }

  void modifiers(const Operand& s, unsigned n) {
    if (i_.operation == Operation::kConvert) return;  // does it itself
    uint32_t flip = s.invert ? op_.result_mask : 0;
    if (s.negate) flip = kSignBit;
    const uint32_t keep = s.absolute ? ~kSignBit : ~0u;
    if (n == 0) {
      op_.xor_a = flip;
      op_.and_a = keep;
    } else if (n == 1) {
      op_.xor_b = flip;
      op_.and_b = keep;
    } else {
      op_.xor_c = flip;
    }
  }

  void post_increment() {
    if (!i_.post_increment) return;
    op_.increment_row = address_row(i_.address_register, kSinkRow);
    if (i_.destination.indexed) op_.increment = static_cast<uint32_t>(i_.destination.value);
    for (const Operand& s : i_.sources)
      if (s.indexed) op_.increment = static_cast<uint32_t>(s.value);
  }

  void choose() {
    const Execution execution =
        kSelect[static_cast<std::size_t>(i_.operation)]({i_, op_, machine_});
    op_.control = execution.control;
    op_.operate = execution.operate;
    if (op_.control != nullptr) return;
    straight_to_destination();
  }

  // MOV and MVC from memory: the load itself writes the register.
  void straight_to_destination() {
    const bool moves =
        i_.operation == Operation::kLoadConstant ||
        (i_.operation == Operation::kMove && i_.lane_mask == 0xf && !op_.half_destination);
    if (!moves || op_.load_count != 1 || op_.writes_condition) return;
    op_.loads[0].row = op_.destination;
    op_.a = op_.destination;
    op_.operate = [](Machine&, Warp&, const Op&, simt::Mask) {};
  }

  bool is_plain() const {
    return op_.operate != nullptr && op_.control == nullptr && !op_.predicated &&
           op_.load_count == 0 && op_.marker == Marker::kNone && !op_.half_destination &&
           op_.memory.access == Type::kNone && !i_.post_increment;
  }

  static void fetch_half(Machine&, Warp& warp, const Op&, const Load& load, simt::Mask) {
    const simt::Lanes& from = warp.rows[load.source];
    const uint32_t to_top = 16u - load.shift;
    if (load.sign_extend) {
      simt::for_lanes(warp.rows[load.row], simt::kAllLanes, [&](unsigned i) {
        return static_cast<uint32_t>(static_cast<int32_t>(from.lane[i] << to_top) >> 16);
      });
    } else {
      simt::for_lanes(warp.rows[load.row], simt::kAllLanes,
                      [&](unsigned i) { return from.lane[i] << to_top >> 16; });
    }
  }

  static void fetch_immediate(Machine&, Warp& warp, const Op&, const Load& load, simt::Mask) {
    simt::for_lanes(warp.rows[load.row], simt::kAllLanes, [&](unsigned) { return load.value; });
  }

  const Instruction& i_;
  const OperationInfo& info_;
  unsigned registers_;
  const Machine& machine_;
  Op op_;
};

bool lacks_unit(const Instruction& instruction, const Machine& machine) {
  if (!machine.multiplier && uses_multiplier(instruction)) return true;
  if (!machine.three_operands && instruction.sources[2].kind != Kind::kNone) return true;
  if (machine.floating_point) return false;
  const bool converts_float =
      info(instruction.operation).unit == Unit::kConversion &&
      (instruction.type == Type::kF32 || instruction.type == Type::kF16 ||
       instruction.sources[0].type == Type::kF32 || instruction.sources[0].type == Type::kF16);
  return is_float(instruction.operation) || converts_float;
}

const Op* stop_with_fault(Machine&, Warp& warp, const Op& op, simt::Mask lanes) {
  const simt::Mask concerned = lanes != 0 ? lanes : warp.flow.active;
  const unsigned lane = concerned != 0 ? simt::first_lane(concerned) : 0;
  fault(warp, op, op.fault, lane, 0);
  if (op.pc == kNoAddress) warp.fault.pc = warp.flow.pc;
  warp.stop = Stop::kFault;
  return nullptr;
}

}  // namespace

Op faulting_op(const Instruction& instruction, uint32_t pc, FaultCause cause) {
  Op op;
  op.instruction = &instruction;
  op.pc = pc;
  op.next_pc = pc;
  op.fault = cause;
  op.control = stop_with_fault;
  return op;
}

Op lower(const Instruction& instruction, uint32_t pc, unsigned registers, const Machine& machine) {
  if (lacks_unit(instruction, machine))
    return faulting_op(instruction, pc, FaultCause::kUnsupportedInstruction);
  Op op = Lowering(instruction, registers, machine).run(pc);
  if (op.operate == nullptr && op.control == nullptr)  // graphics only
    return faulting_op(instruction, pc, FaultCause::kUnsupportedInstruction);
  return op;
}

}  // namespace gvp::gpgpu::g80
