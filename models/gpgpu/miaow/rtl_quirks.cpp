// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/rtl_quirks.h"

#include <algorithm>
#include <iterator>

#include "models/gpgpu/miaow/rtl_instructions.h"
#include "models/gpgpu/southern_islands/execution.h"
#include "models/gpgpu/southern_islands/memory_access.h"
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::miaow {
namespace {

using namespace southern_islands;
using O = Operation;

// Does what another operation does.  kForm: in which form the RTL deviates.
enum class Form : uint8_t { kAny, kOwn, kVop3 };
struct Alias {
  O operation;
  O does;
  Form form = Form::kAny;
};
constexpr Alias kAliases[] = {
    // signed operands taken as unsigned
    {O::kSMaxI32, O::kSMaxU32},
    {O::kSAshrI32, O::kSLshrB32},
    {O::kVMaxI32, O::kVMaxU32},
    {O::kVAshrrevI32, O::kVLshrrevB32},
    {O::kVBfeI32, O::kVBfeU32},
    {O::kVCmpLtI32, O::kVCmpLtU32},
    {O::kVCmpLeI32, O::kVCmpLeU32},
    {O::kVCmpGtI32, O::kVCmpGtU32},
    {O::kVCmpGeI32, O::kVCmpGeU32},
    // floats compared by their bits
    {O::kVMaxF32, O::kVMaxU32},
    {O::kVCmpLtF32, O::kVCmpLtU32},
    {O::kVCmpEqF32, O::kVCmpEqU32},
    {O::kVCmpLeF32, O::kVCmpLeU32},
    {O::kVCmpGtF32, O::kVCmpGtU32},
    {O::kVCmpLgF32, O::kVCmpNeU32},
    {O::kVCmpGeF32, O::kVCmpGeU32},
    {O::kVCmpNgeF32, O::kVCmpLtU32},
    {O::kVCmpNlgF32, O::kVCmpEqU32},
    {O::kVCmpNgtF32, O::kVCmpLeU32},
    {O::kVCmpNleF32, O::kVCmpGtU32},
    {O::kVCmpNeqF32, O::kVCmpNeU32},
    {O::kVCmpNltF32, O::kVCmpGeU32},
    // operands not reversed
    {O::kVSubrevF32, O::kVSubF32, Form::kVop3},
};

Execute function_of(const Instruction& instruction) { return execute_of(instruction.operation); }

// Another instruction in the place of one.
void execute_as(Machine& machine, Wavefront& wavefront, const Op& op,
                const Instruction& instruction) {
  Op other = op;
  other.instruction = instruction;
  function_of(instruction)(machine, wavefront, other);
}

void execute_alias(Machine& machine, Wavefront& wavefront, const Op& op) {
  Instruction other = op.instruction;
  other.operation = std::find_if(std::begin(kAliases), std::end(kAliases), [&](const Alias& each) {
                      return each.operation == op.instruction.operation;
                    })->does;
  execute_as(machine, wavefront, op, other);
}

bool is_negative(uint32_t word) { return (word & kSignBit) != 0; }

// Comparisons of signed scalars: inverted where both are negative.
void compare_scalars(Machine& machine, Wavefront& wavefront, const Op& op) {
  const Instruction& instruction = op.instruction;
  const bool inverted = is_negative(scalar_word(wavefront, instruction, instruction.source[0])) &&
                        is_negative(scalar_word(wavefront, instruction, instruction.source[1]));
  function_of(instruction)(machine, wavefront, op);
  if (inverted) wavefront.scc = !wavefront.scc;
}

uint32_t magnitude(uint32_t word) { return is_negative(word) ? 0u - word : word; }

// Products of magnitudes, whose sign is lost where those of the operands differ.
void multiply_magnitudes(Machine&, Wavefront& wavefront, const Op& op) {
  const Instruction& instruction = op.instruction;
  const uint32_t used = instruction.operation == O::kVMulI32I24 ? 0x00ffffffu : ~0u;
  SourceRows a;
  SourceRows b;
  load_source(a, wavefront, instruction, 0, Type::kU32);
  load_source(b, wavefront, instruction, 1, Type::kU32);
  Lanes result;
  for (unsigned lane = 0; lane < kWavefrontLanes; ++lane)
    result.lane[lane] =
        (magnitude(a.low->lane[lane]) & used) * (magnitude(b.low->lane[lane]) & used);
  store_row(wavefront.vector[instruction.destination - code::kVector0], result, wavefront.exec());
}

// The sign is cleared before the conversion.
void convert_magnitude(Machine& machine, Wavefront& wavefront, const Op& op) {
  Instruction other = op.instruction;
  other.absolute |= 1;
  execute_as(machine, wavefront, op, other);
}

// A product of floats, and an addition of bits as integers.
void multiply_add_bits(Machine& machine, Wavefront& wavefront, const Op& op) {
  const Instruction& instruction = op.instruction;
  Lanes& destination = wavefront.vector[instruction.destination - code::kVector0];
  Instruction product = instruction;
  product.operation = O::kVMulF32;
  Lanes addend = destination;
  if (instruction.operation == O::kVMadmkF32) {
    SourceRows row;
    load_source(row, wavefront, instruction, 1, Type::kU32);
    addend = *row.low;
    product.source[1] = code::kLiteral;
  }
  execute_as(machine, wavefront, op, product);
  Lanes sum;
  for (unsigned lane = 0; lane < kWavefrontLanes; ++lane)
    sum.lane[lane] = destination.lane[lane] + addend.lane[lane];
  store_row(destination, sum, wavefront.exec());
}

// Puts what the load-store unit holds into all active lanes: new where it was accessed, otherwise
// what some earlier load has left.
void finish_load(RtlMachine& machine, Wavefront& wavefront, Code destination, unsigned count,
                 Mask accessed) {
  for (unsigned i = 0; i < count; ++i) {
    Lanes& row = wavefront.vector[destination - code::kVector0 + i];
    store_row(machine.loaded[i], row, accessed);
    store_row(row, machine.loaded[i], wavefront.exec());
  }
}

// Typed accesses move as many words as their operation says, in whatever format (assumed: the
// units' sources do not read it).
void access_buffer(Machine& machine, Wavefront& wavefront, const Op& op) {
  constexpr uint8_t kWords[] = {4, 11, 13, 14};  // BUF_DATA_FORMAT_32 and so on
  constexpr uint8_t kUnsigned = 4;
  const OperationInfo& row = info(op.instruction.operation);
  const Type data = row.destination;
  const unsigned count = words_of(data);
  Instruction other = op.instruction;
  other.data_format = kWords[count - 1];
  other.number_format = kUnsigned;
  const Mask active = wavefront.exec();
  const Mask accessed = rtl_accessed_lanes(active);
  wavefront.set_pair(code::kExecLo, accessed);
  execute_as(machine, wavefront, op, other);
  wavefront.set_pair(code::kExecLo, active);
  if (wavefront.stop == Stop::kFault || !row.is(Trait::kLoads)) return;
  finish_load(static_cast<RtlMachine&>(machine), wavefront, op.instruction.destination, count,
              accessed);
}

// There is no share: it is global memory from its base on.
void access_share(Machine& machine, Wavefront& wavefront, const Op& op) {
  const Instruction& instruction = op.instruction;
  auto& rtl = static_cast<RtlMachine&>(machine);
  const bool store = instruction.operation == O::kDsWriteB32;
  const Lanes& address = wavefront.vector[instruction.source[0] - code::kVector0];
  const Mask accessed = rtl_accessed_lanes(wavefront.exec());
  Lanes loaded{};
  for (Mask lanes = accessed; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = simt::first_lane(lanes);
    const uint32_t at = (rtl.share_base + address.lane[lane] + instruction.immediate) & ~3u;
    uint32_t word = store ? wavefront.vector[instruction.source[1] - code::kVector0].lane[lane] : 0;
    const FaultCause cause =
        store ? write_global(machine, at, &word, 4) : read_global(machine, at, &word, 4);
    if (cause != FaultCause::kNone) return wavefront.set_fault(cause, op.pc, at, lane);
    loaded.lane[lane] = word;
  }
  if (store) return;
  store_row(wavefront.vector[instruction.destination - code::kVector0], loaded, accessed);
  finish_load(rtl, wavefront, instruction.destination, 1, accessed);
}

void never_end(Machine&, Wavefront& wavefront, const Op& op) {
  wavefront.set_fault(FaultCause::kUnsupportedInstruction, op.pc);
}

}  // namespace

Mask rtl_accessed_lanes(Mask exec) {
  const Mask inactive = ~exec;
  return inactive == 0 ? exec : (inactive & (0 - inactive)) - 1;
}

Execute unsupported_function(const Instruction& instruction) {
  return rtl_executes(instruction) ? nullptr : never_end;
}

Execute rtl_function(const Instruction& instruction) {
  if (!rtl_executes(instruction)) return never_end;
  for (const Alias& each : kAliases) {
    const bool form = each.form == Form::kAny || (each.form == Form::kVop3) == instruction.vop3;
    if (each.operation == instruction.operation) return form ? execute_alias : nullptr;
  }
  switch (instruction.operation) {
    case O::kSNop:  // it never retires
      return never_end;
    case O::kSCmpGtI32:
    case O::kSCmpGeI32:
    case O::kSCmpLtI32:
    case O::kSCmpLeI32:
      return compare_scalars;
    case O::kVMulI32I24:
    case O::kVMulLoI32:
      return multiply_magnitudes;
    case O::kVCvtU32F32:
      return convert_magnitude;
    case O::kVMacF32:
    case O::kVMadmkF32:
      return multiply_add_bits;
    case O::kDsWriteB32:
    case O::kDsReadB32:
      return access_share;
    default:
      return info(instruction.operation).format == Format::kMtbuf ? access_buffer : nullptr;
  }
}

}  // namespace gvp::gpgpu::miaow
