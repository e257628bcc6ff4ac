// SPDX-License-Identifier: Apache-2.0
// Memory accesses off the fast path, and exceptions (UG984 chapter 2, "Reset, Interrupts,
// Exceptions, and Break").
#include <fmt/format.h>

#include "models/host/engine.h"
#include "models/host/fpu.h"
#include "models/host/log.h"

namespace gvp::host {
namespace {

const char* to_text(Cause cause) {
  switch (cause) {
    case Cause::kStream:
      return "stream exception";
    case Cause::kUnaligned:
      return "unaligned access";
    case Cause::kIllegalOpcode:
      return "illegal opcode";
    case Cause::kInstructionBus:
      return "instruction bus error";
    case Cause::kDataBus:
      return "data bus error";
    case Cause::kDivide:
      return "divide exception";
    case Cause::kFpu:
      return "floating-point exception";
    case Cause::kPrivileged:
      return "privileged instruction or stack protection violation";
    case Cause::kDataStorage:
      return "data storage exception";
    case Cause::kInstructionStorage:
      return "instruction storage exception";
    case Cause::kDataTlbMiss:
      return "data TLB miss";
    case Cause::kInstructionTlbMiss:
      return "instruction TLB miss";
  }
  return "exception";
}

bool is_aligned(uint32_t address, MemoryShape shape) { return (address & (shape.bytes - 1u)) == 0; }

bool is_mmu_exception(Cause cause) { return cause >= Cause::kDataStorage; }

const char* to_text(BusStatus status) {
  if (status == BusStatus::kOkay)
    return "nothing there knows exclusive accesses (OKAY, not EXOKAY)";
  return status == BusStatus::kDecodeError ? "nothing answers at this address (DECERR)"
                                           : "the device refused it (SLVERR)";
}

}  // namespace

bool Engine::exceptions_on(Cause cause) const {
  const Configuration& c = configuration_;
  if (is_mmu_exception(cause)) return true;
  const bool configured = [&] {
    switch (cause) {
      case Cause::kStream:
        return c.fsl_exception;
      case Cause::kUnaligned:
        return c.unaligned_exceptions;
      case Cause::kIllegalOpcode:
        return c.ill_opcode_exception || c.use_mmu > 0;
      case Cause::kInstructionBus:
        return c.iaxi_bus_exception;
      case Cause::kDataBus:
        return c.daxi_bus_exception;
      case Cause::kDivide:
        return c.div_zero_exception;
      case Cause::kFpu:
        return c.fpu_exception;
      default:
        return true;  // privileged, stack protection
    }
  }();
  // Privileged instructions are refused whatever MSR.EE says: protection must not depend on it.
  return configured && (cause == Cause::kPrivileged || (state_.msr & msr::kEe) != 0);
}

// UG984, exceptions, "Equivalent Pseudocode".
void Engine::enter_exception(Cause cause, uint32_t esr_bits, bool in_slot, uint32_t target,
                             uint32_t return_address) {
  state_.esr = static_cast<uint32_t>(cause) | esr_bits | (in_slot ? esr::kDelaySlot : 0);
  if (in_slot) state_.btr = target;
  state_.r[17] = return_address;
  state_.pc = configuration_.base_vectors + vector::kException;
  const uint32_t saved = (state_.msr & (msr::kUm | msr::kVm)) << 1;
  constexpr uint32_t kCleared = msr::kEe | msr::kUm | msr::kVm | msr::kUms | msr::kVms;
  change_msr((state_.msr & ~kCleared) | msr::kEip | saved);
  state_.reservation = false;
  state_.imm_valid = false;
  state_.in_delay_slot = false;
  ++exceptions_;
}

// In most blocks the branch is evaluated, and its link written, after the slot: what stops in the
// slot must find that done.
void Engine::finish_branch(const Block& block) {
  if (block.prepared) return;
  const Instruction& branch = block.branch;
  state_.branch_target = evaluate_branch(state_, branch, block.branch_pc, block.branch_imm);
  const int link = written_register(branch);
  if (link > 0) state_.r[static_cast<size_t>(link)] = block.branch_pc;
}

Engine::Next Engine::raise(const Block& block, const Op& op, Cause cause, uint32_t esr_bits) {
  const Place& where = place(block, op);
  const uint32_t pc = pc_of(block, where);
  uint32_t target = 0;
  uint32_t return_address = is_mmu_exception(cause) ? pc - (where.has_imm ? 4 : 0) : pc + 4;
  if (where.in_slot) {
    finish_branch(block);
    target = state_.branch_target;
    if (is_mmu_exception(cause)) return_address = block.branch_pc - (block.branch_has_imm ? 4 : 0);
  }
  kLog.debug("{} at {}", to_text(cause), describe(pc));
  count_ =
      reached(where.instructions_before, {where.before.executing + 1, where.before.fetching + 1});
  fetched_until(block, where.word + 1u);
  ++faulted_;
  enter_exception(cause, esr_bits, where.in_slot, target, return_address);
  return Next::kLeave;
}

// A failed access to memory: an exception, or nothing where exceptions are off.
Engine::Next Engine::fault(const Block& block, const Op& op, const Fault& fault, bool is_store) {
  const uint32_t pc = pc_of(block, place(block, op));
  if (fault.cause == Cause::kDataBus)
    kLog.warning("data bus error: {} {:#010x} at {}: {}", is_store ? "store to" : "load from",
                 fault.physical, describe(pc), to_text(fault.status));
  if (!exceptions_on(fault.cause)) return Next::kNext;
  state_.ear = fault.address;
  uint32_t bits = fault.esr_bits;
  if (fault.cause == Cause::kUnaligned) {
    const unsigned rd = (block.places.empty() ? 0u : op.rd) & 31u;  // the sink is r0
    bits |= rd << esr::kRegisterShift;
  }
  return raise(block, op, fault.cause, bits);
}

// Leaves after the operation: the state must look as if the next instruction came next.
Engine::Next Engine::leave_after(const Block& block, const Op& op) {
  const Place& next = place(block, *(&op + 1));
  if (place(block, op).in_slot || next.word <= place(block, op).word ||
      (next.op >= MicroOp::fall_through && next.op <= MicroOp::branch_prepared)) {
    limit_ = 0;  // what remains of the block is its branch, or nothing
    return Next::kNext;
  }
  if (next.in_slot) {  // the branch has not been executed yet
    state_.pc = block.branch_pc - block.branch_prefixes * 4u;
    count_ = reached(block.instructions_before_branch, block.before_branch);
  } else {
    state_.pc = pc_of(block, next) - next.prefixes * 4u;
    count_ = reached(next.instructions_before, next.start);
  }
  leave_stream(block, (state_.pc - block.pc) / 4);
  fetched_until(block, (state_.pc - block.pc) / 4);
  return Next::kLeave;
}

// What has a fast path, and could not take it.
Engine::Next Engine::perform_slow(const Block& block, const Op& op) {
  const auto operation = static_cast<Operation>(op.extra);
  if (operation == Operation::kIdiv || operation == Operation::kIdivu)
    return divide_exception(block, op);
  const bool immediate = operation >= Operation::kLbui;
  const uint32_t address = state_.r[op.ra] + (immediate ? op.imm : state_.r[op.rb]);
  return is_store_operation(operation) ? store_slow(block, op, address)
                                       : load_slow(block, op, address);
}

Engine::Next Engine::load_slow(const Block& block, const Op& op, uint32_t address) {
  const MemoryShape shape = memory_shape(static_cast<Operation>(op.extra));
  if (stack_violation(op, address)) return raise(block, op, Cause::kPrivileged, 0);
  const Place& where = place(block, op);
  uint64_t cycles = cycles_now(where);
  uint32_t value = 0;
  Fault why;
  const bool check_alignment = !is_aligned(address, shape) && exceptions_on(Cause::kUnaligned);
  const Access access(*this, block, op);
  const bool good = memory_.load(address, shape, check_alignment, value, cycles, why);
  access_until(where, cycles);
  if (!good && fault(block, op, why, false) == Next::kLeave) return Next::kLeave;
  state_.r[op.rd] = value;
  if (shape.exclusive) {
    state_.reservation = true;
    state_.carry = why.exclusive ? 1 : 0;
  }
  return memory_.watchpoints().empty() ? Next::kNext : leave_after(block, op);
}

Engine::Next Engine::store_slow(const Block& block, const Op& op, uint32_t address) {
  const MemoryShape shape = memory_shape(static_cast<Operation>(op.extra));
  if (stack_violation(op, address)) return raise(block, op, Cause::kPrivileged, 0);
  if (shape.exclusive && !state_.reservation) {
    state_.carry = 1;
    return Next::kNext;
  }
  const Place& where = place(block, op);
  uint64_t cycles = cycles_now(where);
  bool code_changed = false;
  Fault why;
  const Access access(*this, block, op);
  const bool check_alignment = !is_aligned(address, shape) && exceptions_on(Cause::kUnaligned);
  const bool good =
      memory_.store(address, shape, check_alignment, state_.r[op.rd], cycles, code_changed, why);
  access_until(where, cycles);
  // A lost reservation is no error (UG984 swx).
  const bool lost = why.exclusive && !is_error(why.status);
  if (!good && !lost && fault(block, op, why, true) == Next::kLeave) return Next::kLeave;
  if (shape.exclusive) {
    state_.reservation = false;
    state_.carry = why.exclusive ? 1 : 0;
  }
  const bool stay = !code_changed && memory_.watchpoints().empty();
  return stay ? Next::kNext : leave_after(block, op);
}

// UG984 "Stack Low Register": addresses formed with r1, if exceptions are enabled.
bool Engine::stack_violation(const Op& op, uint32_t address) const {
  const bool by_stack_pointer = op.ra == 1;
  return configuration_.use_stack_protection && (state_.msr & msr::kEe) != 0 && by_stack_pointer &&
         (address < state_.slr || address > state_.shr);
}

Engine::Next Engine::divide_exception(const Block& block, const Op& op) {
  const bool by_zero = state_.r[op.ra] == 0;
  state_.msr |= msr::kDzo;
  // The EC of a division overflow is that of division by zero; ESR.DEC tells them apart.
  constexpr uint32_t kOverflow = 1u << 11;
  if (exceptions_on(Cause::kDivide))
    return raise(block, op, Cause::kDivide, by_zero ? 0 : kOverflow);
  state_.r[op.rd] = by_zero ? 0 : 0x80000000;
  return Next::kNext;
}

Engine::Next Engine::fpu_slow(const Block& block, const Op& op) {
  const FpuResult result =
      fpu_execute(static_cast<Operation>(op.extra), state_.r[op.ra], state_.r[op.rb]);
  state_.fsr |= result.flags;
  if (result.flags != 0 && exceptions_on(Cause::kFpu)) return raise(block, op, Cause::kFpu, 0);
  state_.r[op.rd] = result.value;
  return Next::kNext;
}

Engine::Next Engine::raise_slow(const Block& block, const Op& op) {
  const auto cause = static_cast<Cause>(op.extra);
  std::string what = to_text(cause);
  const Instruction instruction = decode(op.imm);
  if (cause == Cause::kIllegalOpcode && instruction.info != nullptr &&
      !has_unit(configuration_, instruction.info->unit)) {
    what +=
        fmt::format(": {} needs {}", instruction.info->mnemonic, key_of(instruction.info->unit));
    if (exceptions_on(cause))
      kLog.warning("{} at {}", what, describe(pc_of(block, place(block, op))));
  }
  if (exceptions_on(cause)) return raise(block, op, cause, 0);
  return die(block, op, what + " with exceptions disabled (MSR.EE = 0)");
}

Engine::Next Engine::die(const Block& block, const Op& op, const std::string& what) {
  const Place& where = place(block, op);
  state_.pc = pc_of(block, where);
  count_ = reached(where.instructions_before, where.before);
  failed_ = true;
  error_ = fmt::format("{} at {}", what, describe(state_.pc));
  return Next::kLeave;
}

// The instruction at state_.pc cannot be fetched.  Always false.
bool Engine::fetch_fault(const Fault& fault) {
  const uint32_t pc = state_.pc;
  if (fault.cause == Cause::kInstructionBus)
    kLog.warning("instruction bus error: fetch of {:#010x} at {}: {}", fault.physical, describe(pc),
                 to_text(fault.status));
  const bool at_vector = pc == configuration_.base_vectors + vector::kException;
  if (!exceptions_on(fault.cause) || at_vector) {
    failed_ = true;
    error_ = fmt::format(
        "{} at {}{}", to_text(fault.cause), describe(pc),
        at_vector ? ", the exception vector" : " with exceptions disabled (MSR.EE = 0)");
    return false;
  }
  count_ += make_count(0, 1);
  state_.ear = fault.address;
  const bool in_slot = state_.in_delay_slot;
  uint32_t return_address = pc + 4;
  if (is_mmu_exception(fault.cause)) {
    return_address = in_slot ? state_.branch_pc - (state_.branch_has_imm ? 4 : 0)
                             : pc - (state_.imm_valid ? 4 : 0);
  }
  enter_exception(fault.cause, fault.esr_bits, in_slot, state_.branch_target, return_address);
  return false;
}

}  // namespace gvp::host
