// SPDX-License-Identifier: Apache-2.0
// The part of the checker that follows values: which registers, address and condition registers and
// bytes of shared memory hold what came of something that nothing had been written to.
#include <fmt/format.h>

#include "models/gpgpu/g80/operations.h"
#include "tools/gpgpu-run/checker.h"

namespace gvp::tools {
namespace {

using gpgpu::WarpPlace;
using gpgpu::g80::Operand;
using gpgpu::g80::Operation;
using gpgpu::g80::Step;
using gpgpu::g80::Warp;
using gpgpu::simt::Mask;
using Kind = Operand::Kind;

}  // namespace

uint32_t Checker::address_of(const Access& access, const Operand& operand, unsigned lane) const {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  if (operand.kind == Kind::kGlobal) {
    const auto number = static_cast<uint32_t>(operand.value);
    return register_of(access.warp, number, lane);
  }
  const unsigned a = operand.indexed ? instruction.address_register : 0u;
  const uint32_t base =
      a >= 1 && a <= 4 ? access.warp.rows[gpgpu::g80::kAddressRegisterRow + a - 1][lane] : 0;
  const bool increments = operand.indexed && instruction.post_increment;
  return (base + (increments ? 0 : static_cast<uint32_t>(operand.value))) & 0xffffu;
}

void Checker::matters(const Doubt& doubt) {
  if (doubt.lanes != 0 && doubt.origin != kNever)
    findings_[static_cast<size_t>(doubt.origin)].matters = true;
}

// A branch on it is a use; other instructions have a result that is not known.
Checker::Doubt Checker::doubt_of_predicate(const Access& access) {
  if (!access.op.predicated) return {};
  Doubt doubt = registers_of(access.place).condition[access.op.condition & 3u];
  doubt.lanes &= access.warp.flow.active;
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  if (gpgpu::g80::is_control(instruction.operation) || instruction.destination.is_memory())
    matters(doubt);
  return doubt;
}

Checker::Doubt Checker::doubt_of_sources(const Access& access) {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  const auto& sources = instruction.sources;
  const bool second_only =
      gpgpu::g80::info(instruction.operation).is(gpgpu::g80::Trait::kSecondOnly);
  Doubt all;
  for (size_t i = second_only ? 1 : 0; i < sources.size(); ++i) {
    const Doubt doubt = doubt_of(access, sources[i]);
    all.lanes |= doubt.lanes;
    if (doubt.lanes != 0) all.origin = doubt.origin;
  }
  if (instruction.combine == gpgpu::g80::Combine::kAddCarry) {
    const Doubt carry = registers_of(access.place).condition[access.op.condition & 3u];
    all.lanes |= carry.lanes;
    if (carry.lanes != 0) all.origin = carry.origin;
  }
  all.lanes &= access.lanes;
  // Zero AND anything is zero.
  for (Mask rest = all.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = gpgpu::simt::first_lane(rest);
    unknown_[lane] = unknown_result(access, lane);
    if (unknown_[lane] == 0) all.lanes &= ~(Mask{1} << lane);
  }
  return all;
}

Checker::Doubt Checker::doubt_of(const Access& access, const Operand& operand) {
  const WarpRegisters& registers = registers_of(access.place);
  switch (operand.kind) {
    case Kind::kRegister:
    case Kind::kHalfRegister:
      return doubt_of_register(access, operand);
    case Kind::kShared:
      return doubt_of_shared(access, operand);
    case Kind::kAddress:
      return registers.address[operand.index & 7u];
    case Kind::kCondition:
      return registers.condition[operand.index & 3u];
    default:
      return {};
  }
}

Checker::Doubt Checker::doubt_of_register(const Access& access, const Operand& operand) {
  const WarpRegisters& registers = registers_of(access.place);
  const bool half = operand.kind == Kind::kHalfRegister;
  Doubt doubt;
  for (unsigned number = operand.index;
       number < operand.index + unsigned{operand.words} && number < registers_; ++number) {
    Mask missing = 0;
    if (!half || !operand.high) missing |= access.lanes & ~registers.known[number][0];
    if (!half || operand.high) missing |= access.lanes & ~registers.known[number][1];
    if (missing == 0) continue;
    doubt.lanes |= missing;
    doubt.origin = registers.origin[number];
    if (doubt.origin == kNever)
      doubt.origin = note(access, gpgpu::simt::first_lane(missing), "uninitialised register",
                          fmt::format("R{}{} is read before anything was written to it", number,
                                      half ? (operand.high ? "H" : "L") : ""));
  }
  return doubt;
}

// Structures have holes, which copies read: where a part of what is read was written, what never
// was is no reason to doubt.
Checker::Doubt Checker::doubt_of_shared(const Access& access, const Operand& operand) {
  const std::vector<Byte>& shared = block_of(access.place).shared;
  Doubt doubt;
  for (Mask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = gpgpu::simt::first_lane(rest);
    const uint32_t address = address_of(access, operand, lane);
    unsigned written = 0;
    int origin = kNever;
    uint32_t at = address;
    for (; at < address + operand.bytes() && at < shared.size(); ++at) {
      if (shared[at].initialised) ++written;
      if (!shared[at].initialised && origin == kNever) origin = shared[at].origin;
    }
    if (origin == kNever && (written != 0 || at == address)) continue;
    doubt.lanes |= Mask{1} << lane;
    doubt.origin = origin;
    if (doubt.origin == kNever)
      doubt.origin = note(access, lane, "uninitialised shared memory",
                          fmt::format("{:#x} is read before anything was written to it", address));
  }
  return doubt;
}

// What goes to global memory, and addresses there.
void Checker::check_uses(const Access& access, const Doubt& sources) {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  const bool atomic = gpgpu::g80::is_atomic(instruction);
  if (atomic || instruction.destination.kind == Kind::kGlobal) matters(sources);
  const auto check = [&](const Operand& operand) {
    if (operand.kind != Kind::kGlobal) return;
    Operand address;
    address.kind = Kind::kRegister;
    address.index = static_cast<uint8_t>(operand.value);
    matters(doubt_of_register(access, address));
  };
  for (const Operand& source : instruction.sources) check(source);
  check(instruction.destination);
}

void Checker::check_address_registers(const Access& access) {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  const auto check = [&](const Operand& operand) {
    if (!operand.indexed) return;
    const unsigned number = instruction.address_register & 7u;
    const Mask missing = registers_of(access.place).address[number].lanes & access.lanes;
    if (missing == 0) return;
    report(access, gpgpu::simt::first_lane(missing), "uninitialised register",
           fmt::format("A{} was computed from a register before anything was written to that",
                       number));
  };
  for (const Operand& source : instruction.sources) check(source);
  check(instruction.destination);
}

void Checker::after(const WarpPlace& place, const Step& step, Warp&) {
  if (step.stop == gpgpu::g80::Stop::kFault) return;
  const gpgpu::g80::Instruction& instruction = *step.op->instruction;
  const Operand& d = instruction.destination;
  WarpRegisters& registers = registers_of(place);
  const Mask lanes = step.executed | doubt_.lanes;  // that have something new, or may have
  const auto note_result = [&](Doubt& result) {
    result.lanes = (result.lanes & ~lanes) | doubt_.lanes;
    if (doubt_.lanes != 0) result.origin = doubt_.origin;
  };
  // Whether a word was locked says nothing about what was in it.
  if (instruction.writes_condition && gpgpu::g80::is_locked(instruction)) {
    registers.condition[instruction.condition_destination & 3u].lanes &= ~step.executed;
  } else if (instruction.writes_condition) {
    note_result(registers.condition[instruction.condition_destination & 3u]);
  }
  if (d.kind == Kind::kAddress) note_result(registers.address[d.index & 7u]);
  if (!d.is_register()) return;
  for (unsigned number = d.index; number < d.index + unsigned{d.words} && number < 128; ++number) {
    auto& known = registers.known[number];
    const auto note_half = [&](Mask& half) { half = (half & ~lanes) | (lanes & ~doubt_.lanes); };
    if (d.kind == Kind::kRegister || !d.high) note_half(known[0]);
    if (d.kind == Kind::kRegister || d.high) note_half(known[1]);
    if (doubt_.lanes != 0) registers.origin[number] = doubt_.origin;
  }
  if (doubt_.lanes != 0) note_unknown_bits(registers, d);
}

}  // namespace gvp::tools
