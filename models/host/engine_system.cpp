// SPDX-License-Identifier: Apache-2.0
// System instructions: special registers, returns from interrupts, breaks and exceptions, barriers,
// streams, cache control.
#include <fmt/format.h>

#include "models/host/engine.h"
#include "models/host/version_registers.h"

namespace gvp::host {
namespace {

// Bits that mts, msrset and msrclr can change; PVR is read only, UM and VM exist with an MMU.
uint32_t writable_msr(const Configuration& configuration) {
  uint32_t bits =
      msr::kIe | msr::kBip | msr::kFsl | msr::kIce | msr::kDzo | msr::kDce | msr::kEe | msr::kEip;
  if (configuration.use_mmu >= 1) bits |= msr::kUm | msr::kUms;
  if (configuration.use_mmu >= 2) bits |= msr::kVm | msr::kVms;
  return bits;
}

}  // namespace

void Engine::change_msr(uint32_t value) {
  constexpr uint32_t kMode = msr::kUm | msr::kVm | msr::kIce | msr::kDce;
  const bool mode_changed = ((state_.msr ^ value) & kMode) != 0;
  state_.msr = value;
  limit_ = 0;  // interrupts may be possible now
  if (!mode_changed) return;
  memory_.set_mode(value);
  forget_jumps();
}

bool Engine::privileged_violation(const Block&, const Op&) {
  return configuration_.use_mmu >= 1 && (state_.msr & msr::kUm) != 0;
}

Engine::Next Engine::prepare_branch(const Block& block, const Op& op) {
  if (block.branch.has(kPrivileged) && privileged_violation(block, op))
    return raise(block, op, Cause::kPrivileged, 0);
  state_.branch_target = evaluate_branch(state_, block.branch, block.branch_pc, block.branch_imm);
  return Next::kNext;
}

void Engine::slot_across(const Block& block) {
  state_.in_delay_slot = true;
  state_.branch_word = block.branch.word;
  state_.branch_pc = block.branch_pc;
  state_.branch_has_imm = block.branch_has_imm;
  state_.pc = block.branch_pc + 4;
}

// rtid, rtbd, rted; and bralid, which leaves user and virtual mode when it calls the user vector.
void Engine::return_from_system(const Block& block) {
  state_.pc = state_.branch_target & ~3u;
  const uint32_t mode = state_.msr & (msr::kUm | msr::kVm);
  if (block.branch.is(Operation::kBralid)) {
    const uint32_t user_vector = configuration_.base_vectors + vector::kUser;
    if (configuration_.use_mmu < 1 || state_.pc != user_vector) return;
    constexpr uint32_t kModes = msr::kUm | msr::kVm | msr::kUms | msr::kVms;
    change_msr((state_.msr & ~kModes) | mode << 1);
    return;
  }
  uint32_t value = state_.msr & ~mode;
  value |= (state_.msr & (msr::kUms | msr::kVms)) >> 1;
  switch (block.branch.operation()) {
    case Operation::kRtid:
      value |= msr::kIe;
      break;
    case Operation::kRtbd:
      value &= ~msr::kBip;
      break;
    default:
      value = (value | msr::kEe) & ~msr::kEip;
      break;
  }
  change_msr(value);
}

// brk, brki.  As the software break at 0x18, brki leaves BIP alone; towards 0x8 and 0x18 it is the
// system call of user mode.
Engine::Next Engine::break_to(const Block& block, const Op& op) {
  const bool immediate = block.branch.is(Operation::kBrki);
  const uint32_t target = immediate ? op.imm : state_.r[op.rb];
  const bool to_user_vector = immediate && target == configuration_.base_vectors + vector::kUser;
  const bool to_break_vector = immediate && target == configuration_.base_vectors + vector::kBreak;
  if (!to_user_vector && !to_break_vector && privileged_violation(block, op))
    return raise(block, op, Cause::kPrivileged, 0);
  state_.r[op.rd] = block.branch_pc;
  state_.pc = target & ~3u;
  state_.reservation = false;
  uint32_t value = state_.msr;
  if (!to_break_vector) value |= msr::kBip;
  if (to_user_vector || to_break_vector) {
    const uint32_t saved = (value & (msr::kUm | msr::kVm)) << 1;
    value = (value & ~(msr::kUm | msr::kVm | msr::kUms | msr::kVms)) | saved;
  }
  change_msr(value);
  return Next::kNext;
}

// mbar: bit 1 of the operand empties the prefetch buffer, so code may have changed; bits 3 and 4
// put the processor to sleep.
Engine::Exit Engine::barrier(const Block& block) {
  const uint32_t mode = block.branch.rd;
  if ((mode & 16) != 0 && privileged_violation(block, *block.first)) {
    raise(block, block.ops.back(), Cause::kPrivileged, 0);
    return Exit::kContinue;
  }
  count_ = later(count_ + block.cost_fall, entered_ + block.fetched_fall);
  state_.pc = block.next_pc;
  if ((mode & 2) != 0) invalidate_code(0, 0xffffffff);
  return (mode & 24) != 0 ? Exit::kSleep : Exit::kContinue;
}

Engine::Next Engine::system_slow(const Block& block, const Op& op) {
  const auto operation = static_cast<Operation>(op.extra);
  const uint32_t word = op.imm;
  switch (operation) {
    case Operation::kMfs:
      state_.pc = pc_of(block, place(block, op));  // GCC's trampolines read it
      state_.r[op.rd] = read_special(word & 0x3fff);
      return Next::kNext;
    case Operation::kMts:
      return move_to_special(block, op, word);
    case Operation::kMsrset:
      return set_or_clear_msr(block, op, true);
    case Operation::kMsrclr:
      return set_or_clear_msr(block, op, false);
    case Operation::kGet:
    case Operation::kPut:
    case Operation::kGetd:
    case Operation::kPutd:
      return stream_access(block, op, word);
    default:
      break;
  }
  if (privileged_violation(block, op)) return raise(block, op, Cause::kPrivileged, 0);
  return cache_operation(block, op);
}

Engine::Next Engine::move_to_special(const Block& block, const Op& op, uint32_t word) {
  if (privileged_violation(block, op)) return raise(block, op, Cause::kPrivileged, 0);
  const uint32_t number = word & 0x3fff;
  write_special(number, state_.r[op.ra]);
  const bool changes_translation = number == spr::kMsr || number >= spr::kPid;
  return changes_translation ? leave_after(block, op) : Next::kNext;
}

Engine::Next Engine::set_or_clear_msr(const Block& block, const Op& op, bool set) {
  const uint32_t bits = op.imm & 0x7fff;
  // User mode may only touch the carry.
  if ((bits & ~msr::kC) != 0 && privileged_violation(block, op))
    return raise(block, op, Cause::kPrivileged, 0);
  state_.r[op.rd] = state_.full_msr();
  if ((bits & msr::kC) != 0) state_.carry = set ? 1 : 0;
  const uint32_t changed = bits & writable_msr(configuration_);
  const uint32_t value = set ? state_.msr | changed : state_.msr & ~changed;
  if (value == state_.msr) return Next::kNext;
  change_msr(value);
  return leave_after(block, op);
}

uint32_t Engine::read_special(uint32_t number) {
  const bool has_tlb = configuration_.use_mmu >= 2;
  switch (number) {
    case spr::kPc:
      return state_.pc;
    case spr::kMsr:
      return state_.full_msr();
    case spr::kEar:
      return state_.ear;
    case spr::kEsr:
      return state_.esr;
    case spr::kFsr:
      return state_.fsr;
    case spr::kBtr:
      return state_.btr;
    case spr::kEdr:
      return state_.edr;
    case spr::kSlr:
      return configuration_.use_stack_protection ? state_.slr : 0;
    case spr::kShr:
      return configuration_.use_stack_protection ? state_.shr : 0;
    case spr::kPid:
      return has_tlb ? mmu_.pid() : 0;
    case spr::kZpr:
      return has_tlb ? mmu_.zpr() : 0;
    case spr::kTlbx:
      return has_tlb ? mmu_.tlbx() : 0;
    case spr::kTlblo:
      return has_tlb ? mmu_.tlblo() : 0;
    case spr::kTlbhi:
      return has_tlb ? mmu_.read_tlbhi((state_.msr & msr::kUm) != 0) : 0;
    default:
      break;
  }
  if (number >= spr::kPvr0 && number <= spr::kPvrLast)
    return version_register(configuration_, number - spr::kPvr0);
  return 0;
}

void Engine::write_special(uint32_t number, uint32_t value) {
  switch (number) {
    case spr::kMsr: {
      const uint32_t writable = writable_msr(configuration_);
      state_.carry = (value & msr::kC) != 0 ? 1 : 0;
      change_msr((state_.msr & ~writable) | (value & writable));
      return;
    }
    case spr::kEar:
      state_.ear = value;
      return;
    case spr::kEsr:
      state_.esr = value;
      return;
    case spr::kFsr:
      state_.fsr = value & 31;
      return;
    case spr::kSlr:
      state_.slr = value;
      return;
    case spr::kShr:
      state_.shr = value;
      return;
    default:
      break;
  }
  if (configuration_.use_mmu < 2) return;
  switch (number) {
    case spr::kPid:
      mmu_.set_pid(value);
      break;
    case spr::kZpr:
      mmu_.set_zpr(value);
      break;
    case spr::kTlbx:
      mmu_.set_tlbx(value);
      return;
    case spr::kTlblo:
      mmu_.set_tlblo(value);
      break;
    case spr::kTlbhi:
      mmu_.set_tlbhi(value);
      break;
    case spr::kTlbsx:
      mmu_.search(value);
      return;
    default:
      return;
  }
  memory_.forget_pages();
  forget_jumps();
  limit_ = 0;
}

// UG984 get, getd, put, putd.  The letters' bits stand at 14..10 of get and put, 9..5 of getd and
// putd: n (not blocking), c (control), t (test), a (atomic), e (exception).
Engine::Next Engine::stream_access(const Block& block, const Op& op, uint32_t word) {
  const auto operation = static_cast<Operation>(op.extra);
  const bool dynamic = operation == Operation::kGetd || operation == Operation::kPutd;
  const bool is_get = operation == Operation::kGet || operation == Operation::kGetd;
  if (!configuration_.mmu_privileged_instr && privileged_violation(block, op))
    return raise(block, op, Cause::kPrivileged, 0);
  const uint32_t bits = dynamic ? word >> 5 : word >> 10;
  const bool blocking = (bits & 16) == 0;
  const bool control = (bits & 8) != 0;
  const bool test = (bits & 4) != 0;
  const unsigned link = (dynamic ? state_.r[op.rb] : word) & 15;
  // A link beyond those configured is undefined: here it never answers.
  StreamLinks* const links = link < configuration_.fsl_links ? links_ : nullptr;
  uint32_t data = 0;
  bool data_is_control = control;
  const bool done = links != nullptr && (is_get ? links->get(link, test, data, data_is_control)
                                                : links->put(link, test, state_.r[op.ra], control));
  if (!blocking) state_.carry = done ? 0 : 1;
  if (!done) {
    if (!blocking) return Next::kNext;
    if (links == nullptr)
      return die(block, op,
                 fmt::format("blocking access to stream link {}, which is not connected", link));
    return stall(block, op);
  }
  if (!is_get) return Next::kNext;
  if (data_is_control != control) {
    state_.msr |= msr::kFsl;
    if ((bits & 1) != 0 && exceptions_on(Cause::kStream)) {
      state_.edr = data;
      return raise(block, op, Cause::kStream, link << 5);
    }
  }
  if (!test) state_.r[op.rd] = data;
  return Next::kNext;
}

// Back to the instruction.  In a delay slot its branch has been executed, and it stays between the
// two: interrupts wait (UG984 "Delay Slots").
Engine::Next Engine::stall(const Block& block, const Op& op) {
  const Place& where = place(block, op);
  Elapsed elapsed = {where.start.executing + 1, where.start.fetching + 1};
  if (where.in_slot) {
    finish_branch(block);
    slot_across(block);
    const bool branch_in_block = where.instructions_before > 0;
    if (branch_in_block) ++elapsed.executing;  // the second of a branch with a slot
  } else {
    state_.pc = pc_of(block, where) - where.prefixes * 4u;
  }
  count_ = reached(where.instructions_before, elapsed);
  fetched_until(block, where.word - where.prefixes);  // the rest is fetched anew
  stalled_ = true;
  return Next::kLeave;
}

// wic, wdc and its forms.  In a write-back cache wdc adds the registers; in a write-through cache
// it takes rA alone, and wdc.ext.* are like wdc, because their external cache does not exist (UG984
// wdc).
Engine::Next Engine::cache_operation(const Block& block, const Op& op) {
  const auto operation = static_cast<Operation>(op.extra);
  CacheController& caches = memory_.caches();
  if (operation == Operation::kWic) {
    const uint32_t address = memory_.physical_of(state_.r[op.ra]);
    caches.invalidate_instruction_line(address);
    const uint32_t line = address & ~31u;
    invalidate_code(line, line + 31);  // code that memory got from other masters
    return Next::kNext;
  }
  const bool add = configuration_.dcache_use_writeback;
  const uint32_t address = memory_.physical_of(state_.r[op.ra] + (add ? state_.r[op.rb] : 0));
  const bool only_match = operation != Operation::kWdc && operation != Operation::kWdcFlush;
  const bool flush = operation == Operation::kWdcFlush || operation == Operation::kWdcExtFlush;
  const Place& where = place(block, op);
  uint64_t cycles = cycles_now(where);
  caches.invalidate_data_line(address, only_match, flush, cycles);
  access_until(where, cycles);
  return Next::kNext;
}

}  // namespace gvp::host
