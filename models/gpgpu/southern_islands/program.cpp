// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/program.h"

#include <algorithm>

#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/execution.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::gpgpu::southern_islands {
namespace {

void fault_illegal(Machine&, Wavefront& wavefront, const Op& op) {
  wavefront.set_fault(FaultCause::kIllegalInstruction, op.pc);
}

void fault_outside(Machine&, Wavefront& wavefront, const Op&) {
  wavefront.set_fault(FaultCause::kCodeOutOfRange, wavefront.pc);
}

void fault_unsupported(Machine&, Wavefront& wavefront, const Op& op) {
  wavefront.set_fault(FaultCause::kUnsupportedInstruction, op.pc);
}

unsigned vector_registers(const Instruction& instruction) {
  unsigned count = 0;
  for (const Slot& slot : slots_of(instruction)) {
    if (slot.kind == Kind::kNumber || slot.place == Place::kVcc) continue;
    const Code number = code_of(instruction, slot.place);
    if (is_vector(number)) count = std::max(count, number - code::kVector0 + slot.words);
  }
  return count;
}

}  // namespace

Op Program::outside() {
  Op op;
  op.execute = fault_outside;
  return op;
}

Program::Program(const uint32_t* words, std::size_t count, Deviation deviation) : ops_(count) {
  for (std::size_t i = 0; i < count; ++i) {
    Op& op = ops_[i];
    const Decoded decoded = decode(words + i, count - i);
    op.pc = static_cast<uint32_t>(4 * i);
    op.next_pc = op.pc + 4 * decoded.count;
    op.execute = fault_illegal;
    if (!decoded.executable()) continue;
    op.instruction = decoded.instruction;
    const Execute different = deviation != nullptr ? deviation(decoded.instruction) : nullptr;
    op.execute = different != nullptr ? different : execute_of(decoded.instruction.operation);
    op.vector_registers = vector_registers(decoded.instruction);
  }
}

void Program::keep_only(const std::function<bool(const Instruction&)>& allowed) {
  for (Op& op : ops_)
    if (op.instruction.operation != Operation::kNone && !allowed(op.instruction))
      op.execute = fault_unsupported;
}

const Op& step(Machine& machine, Wavefront& wavefront, const Program& program) {
  const Op& op = program.at(wavefront.pc);
  if (op.vector_registers > wavefront.vector_count) {
    wavefront.set_fault(FaultCause::kIllegalInstruction, op.pc);
    return op;
  }
  if (op.execute != fault_outside) wavefront.pc = op.next_pc;
  op.execute(machine, wavefront, op);
  if (wavefront.stop == Stop::kFault) wavefront.pc = wavefront.fault.pc;
  return op;
}

uint64_t run(Machine& machine, Wavefront& wavefront, const Program& program, uint64_t most) {
  uint64_t count = 0;
  while (wavefront.stop == Stop::kNone && count < most) {
    step(machine, wavefront, program);
    ++count;
  }
  return count;
}

}  // namespace gvp::gpgpu::southern_islands
