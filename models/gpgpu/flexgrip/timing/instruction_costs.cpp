// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/instruction_costs.h"

#include <algorithm>

#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

using g80::CostClass;
using g80::Form;
using g80::Instruction;
using g80::Marker;
using g80::Operand;
using Kind = g80::Operand::Kind;

constexpr unsigned kWarpSize = 32;
// Register numbers as encoded: what the RTL's register controllers compare, also for halves.
constexpr unsigned kZeroRegister = 124;
constexpr unsigned kDiscardRegister = 127;

unsigned encoded_number(const Operand& operand) {
  return operand.kind == Kind::kHalfRegister ? operand.index * 2u + (operand.high ? 1u : 0u)
                                             : operand.index;
}

// Bits of the words that the RTL looks at whatever the instruction is.
struct RawBits {
  bool condition_always;
  bool post_increment;
  bool condition_write;   // long instructions and control instructions only
  bool second_immediate;  // long instructions only: the second source is a number
  unsigned store_size;    // stores to s[]; with device extensions the third bit unlocks
};

RawBits raw_bits(const Instruction& instruction, bool device_extensions) {
  const g80::Words words = g80::encode(instruction);
  const bool is_long = instruction.form == Form::kLong;
  const bool has_flags = is_long || instruction.form == Form::kLongControl;
  return {(words[1] >> 7 & 0x1f) == static_cast<unsigned>(g80::Condition::kAlways),
          (words[0] >> 25 & 1) != 0, has_flags && (words[1] >> 6 & 1) != 0,
          is_long && (words[1] >> 20 & 1) != 0,
          words[1] >> 21 & (device_extensions && g80::is_locked(instruction) ? 3 : 7)};
}

// The RTL's decoder knows a type for the second source and the result of most operations only.
// Without one, the source is not read and the result written as a whole register.
bool decoder_types_second_source(const Instruction& i) {
  const CostClass cost = g80::cost_class(i);
  const bool carry = cost == CostClass::kAdd && i.combine == g80::Combine::kAddCarry;
  return !carry && cost != CostClass::kMinMax;
}

bool decoder_types_result(const Instruction& i) {
  const CostClass cost = g80::cost_class(i);
  const bool opcode_3 = cost == CostClass::kAdd && (i.combine == g80::Combine::kAddCarry ||
                                                    i.combine == g80::Combine::kReverseSubtract);
  return !opcode_3 && cost != CostClass::kCompare && cost != CostClass::kMinMax;
}

// Bit 20 of the second word says that the second source is a number.  The RTL looks at it in all
// operations but comparisons, also where it is part of a register's number or asks for |a|.
// c[] with an address register takes its lanes' time in each operation: the RTL lacks it.
bool reads_second_source(const Instruction& i, const RawBits& bits) {
  if (i.sources[1].is_memory() && i.sources[1].indexed && i.address_register != 0) return true;
  if (!decoder_types_second_source(i)) return false;
  return !bits.second_immediate || i.address_register != 0 || !i.sources[1].is_register() ||
         g80::cost_class(i) == CostClass::kCompare;
}

bool waits_for_predicate(const Instruction& i, const RawBits& bits) {
  switch (i.form) {
    case Form::kLongControl:
      return !bits.condition_always;
    case Form::kLong:
      return !(g80::cost_class(i) == CostClass::kAddressAdd && i.marker == Marker::kNone);
    default:
      return false;
  }
}

// 64- and 128-bit accesses are accesses to two or four words.
unsigned words_of(unsigned bytes) { return std::max(1u, bytes / 4); }

LaneCosts load_lanes(const PipelineTiming& t, unsigned bytes) {
  return {true, t.lane_access, words_of(bytes) * t.lane_access + bytes * t.lane_byte, t.lane_idle};
}

// What the RTL stores to s[]: a half register as two bytes, a whole one as four even where two
// are meant, and otherwise one byte.
unsigned shared_store_bytes(const RawBits& bits) {
  return bits.store_size == 0 ? 2 : bits.store_size == 1 ? 4 : 1;
}

LaneCosts store_lanes(const PipelineTiming& t, unsigned bytes) {
  return {true, t.lane_store, words_of(bytes) * t.lane_store + bytes * t.lane_store_byte,
          t.lane_idle};
}

uint32_t register_cost(const PipelineTiming& t, unsigned number, unsigned words) {
  const uint32_t first = number == kZeroRegister ? t.read_zero_register : t.read_register;
  return first + (words - 1) * t.read_second_word;
}

// g[$r]: the address comes from a register.
uint32_t address_discount(const PipelineTiming& t, const Operand& operand) {
  const bool zero = operand.kind == Kind::kGlobal && operand.value == int32_t{kZeroRegister};
  return zero ? t.read_register - t.read_zero_register : 0;
}

CycleClass class_of(Kind kind) {
  switch (kind) {
    case Kind::kShared:
      return CycleClass::kShared;
    case Kind::kConstant:
      return CycleClass::kConstant;
    case Kind::kLocal:
      return CycleClass::kLocal;
    default:
      return CycleClass::kGlobal;
  }
}

// s[], c[], l[] or g[] as a source.
void add_memory_source(InstructionCosts& costs, const PipelineTiming& t, const Instruction& i,
                       const Operand& operand) {
  uint32_t cost = t.read_base;
  LaneCosts lanes;
  if (operand.kind == Kind::kGlobal) {
    cost += t.read_global - address_discount(t, operand);
    lanes = load_lanes(t, operand.bytes());
  } else if (operand.kind == Kind::kLocal || (operand.indexed && i.address_register != 0)) {
    cost += t.read_gather;
    lanes = load_lanes(t, operand.bytes());
  } else {
    cost += t.read_direct + operand.bytes() * t.read_direct_byte;  // one access for all lanes
  }
  // Two memory operands (s[] and c[]) are read side by side.
  if (cost + lanes.active > costs.read_memory + costs.read_lanes.active)
    costs.read_class = class_of(operand.kind);
  costs.read_memory = std::max(costs.read_memory, cost);
  costs.read_lanes.accessed |= lanes.accessed;
  costs.read_lanes.access = std::max(costs.read_lanes.access, lanes.access);
  costs.read_lanes.active = std::max(costs.read_lanes.active, lanes.active);
  costs.read_lanes.idle = std::max(costs.read_lanes.idle, lanes.idle);
}

void set_read(InstructionCosts& costs, const PipelineTiming& t, const Instruction& i,
              const RawBits& bits, unsigned sps) {
  // What the RTL's decoder calls NOP: nothing but a join happens.
  if (g80::cost_class(i) == CostClass::kNothing && i.marker != Marker::kJoin) {
    costs.read_registers = t.read_nop;
    return;
  }
  costs.read_prologue = t.read_mask;
  if (waits_for_predicate(i, bits))
    costs.read_prologue += t.read_predicate + kWarpSize / sps * t.read_predicate_row;
  if (g80::is_control(i.operation)) {
    costs.read_registers = t.read_flow;
    return;
  }
  costs.read_registers = t.read_base;
  if (i.combine == g80::Combine::kAddCarry) costs.read_registers += t.read_carry;
  for (const Operand& operand : i.sources) {
    if (&operand == &i.sources[1] && !reads_second_source(i, bits)) continue;
    if (operand.is_register())
      costs.read_registers += register_cost(t, encoded_number(operand), operand.words);
    else if (operand.is_memory())
      add_memory_source(costs, t, i, operand);
    else if (operand.kind == Kind::kAddress || operand.kind == Kind::kCondition ||
             operand.kind == Kind::kSpecial)
      costs.read_registers += t.read_special;
  }
  // Without a result, what is changed is the destination.
  if (g80::is_atomic(i) && i.destination.is_memory()) add_memory_source(costs, t, i, i.destination);
  // A store to s[] through an address register reads one register more, a spurious one.
  if (g80::cost_class(i) == CostClass::kSharedStore && i.address_register != 0)
    costs.read_registers += t.read_register;
}

// Conversions that involve no float are integer operations; and a negated source next to a change
// between integer and float keeps the RTL's FPU idle.
bool converts_in_fpu(const Instruction& i) {
  const auto is_float = [](g80::Type type) {
    return type == g80::Type::kF32 || type == g80::Type::kF16;
  };
  const bool to_float = is_float(i.type);
  const bool from_float = is_float(i.sources[0].type);
  const bool unknown_to_fpu = to_float != from_float && i.sources[0].negate;
  return (to_float || from_float) && !unknown_to_fpu;
}

uint32_t execute_cost(const PipelineTiming& t, const Instruction& i, unsigned sps) {
  switch (g80::cost_class(i)) {
    case CostClass::kNothing:
    case CostClass::kMove:
    case CostClass::kSharedStore:
      return t.execute_move;
    case CostClass::kAddressShift:  // a shift by zero bits is a move
      return i.sources[1].value == 0 ? t.execute_move : t.execute_integer;
    case CostClass::kAddressAdd:
    case CostClass::kInteger:
    case CostClass::kAdd:
    case CostClass::kCompare:
    case CostClass::kMinMax:
      return t.execute_integer;
    case CostClass::kMultiply:
      return t.execute_multiply;
    case CostClass::kMultiplyAdd:
      return t.execute_multiply_add;
    case CostClass::kConversion:
      return converts_in_fpu(i) ? t.execute_conversion : t.execute_integer;
    case CostClass::kFloatAdd:
      return t.execute_float_add;
    case CostClass::kFloatMultiply:
      return t.execute_float_multiply;
    case CostClass::kFloatMultiplyAdd:
      return t.execute_float_multiply_add;
    case CostClass::kFloatCompare:
      return t.execute_float_compare;
    case CostClass::kSpecial:
      return t.execute_special + sps * t.execute_special_lane;
    case CostClass::kBranch:
    case CostClass::kPush:
    case CostClass::kReturn:
    case CostClass::kBreak:
    case CostClass::kBarrier:
    case CostClass::kControl:
      return t.execute_flow;
  }
  return t.execute_flow;
}

uint32_t register_write_cost(const PipelineTiming& t, const Instruction& i) {
  const Operand& destination = i.destination;
  if (encoded_number(destination) == kDiscardRegister) return t.write_discard;
  if (destination.kind == Kind::kHalfRegister && decoder_types_result(i))
    return t.write_half_register;
  return t.write_register + (destination.words - 1u) * t.write_second_word;
}

void set_write(InstructionCosts& costs, const PipelineTiming& t, const Instruction& i,
               const RawBits& bits) {
  const Operand& destination = i.destination;
  switch (destination.kind) {
    case Kind::kRegister:
    case Kind::kHalfRegister:
      costs.write = register_write_cost(t, i);
      break;
    case Kind::kOutput:  // o[0x7f], where comparisons go
      costs.write = t.write_discard;
      break;
    case Kind::kAddress:
      costs.write = t.write_address;
      break;
    case Kind::kShared:
      costs.write = t.write_shared + (i.address_register != 0 ? t.write_shared_address : 0);
      costs.write_lanes = store_lanes(t, shared_store_bytes(bits));
      costs.write_class = class_of(destination.kind);
      break;
    case Kind::kLocal:
    case Kind::kGlobal:
      costs.write = t.write_global - address_discount(t, destination);
      costs.write_lanes = store_lanes(t, destination.bytes());
      costs.write_class = class_of(destination.kind);
      break;
    default:
      costs.write = t.write_none;
  }
  // No RTL has atomic operations: assumed is that they cost what their load and their store do.
  // Those on shared memory are such a pair, in a loop.
  if (g80::is_atomic(i) && !destination.is_memory()) {
    costs.write += t.write_global;
    costs.write_lanes = store_lanes(t, i.sources[0].bytes());
    costs.write_class = CycleClass::kGlobal;
  }
  if (bits.condition_write) costs.write += t.write_condition;
  if (bits.post_increment) costs.write += t.write_post_increment;
}

}  // namespace

InstructionCosts instruction_costs(const Instruction& instruction, const PipelineTiming& timing,
                                   unsigned sps, bool device_extensions) {
  const RawBits bits = raw_bits(instruction, device_extensions);
  InstructionCosts costs;
  costs.fetch = g80::byte_length(instruction) == 4 ? timing.fetch_short : timing.fetch_long;
  set_read(costs, timing, instruction, bits, sps);
  costs.execute = execute_cost(timing, instruction, sps);
  set_write(costs, timing, instruction, bits);
  costs.join = instruction.marker == Marker::kJoin;
  costs.what = g80::cost_class(instruction);
  costs.barrier = costs.what == CostClass::kBarrier;
  costs.float_add = costs.what == CostClass::kFloatAdd;
  return costs;
}

}  // namespace gvp::gpgpu::flexgrip::timing
