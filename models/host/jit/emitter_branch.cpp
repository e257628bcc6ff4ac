// SPDX-License-Identifier: Apache-2.0
// Ends of blocks: as in the interpreter, the block's cost is added and the limit checked, then the
// successor is entered.
#include <cstddef>

#include "models/host/branch_kind.h"
#include "models/host/jit/emitter.h"

namespace gvp::host {
namespace {

using namespace asmjit;  // NOLINT(google-build-using-namespace)
using namespace asmjit::x86;

}  // namespace

// Flags of a guest register compared with 0.
void Emitter::test(unsigned guest) {
  if (pinned(guest)) {
    a_.test(host(guest), host(guest));
  } else {
    a_.cmp(memory(guest), 0);
  }
}

void Emitter::branch_if(const Op& op, Id jump) {
  const Label taken = a_.newLabel();
  if (op.ra == eax_before_) {
    a_.test(eax, eax);
  } else {
    test(op.ra);
  }
  a_.emit(jump, taken);
  go(false, false);
  a_.bind(taken);
  go(true, true);
}

// The count at the end of the block, as Interpreter::ended(); eax stays.
void Emitter::end_count(bool taken) {
  a_.add(rbx, qword_ptr(taken ? cost_taken_ : cost_fall_));
  const Count fetched = taken ? block_->fetched_taken : block_->fetched_fall;
  if (fetched == 0 || !block_->has_accesses) return;
  a_.mov(rcx, qword_ptr(rbp, layout_.entered));
  a_.add(rcx, qword_ptr(taken ? fetched_taken_ : fetched_fall_));
  a_.cmp(rbx, rcx);
  a_.cmovl(rbx, rcx);
}

// To the block's target, or to what stands behind it.
void Emitter::go(bool taken, bool costs_taken) {
  Link& link = taken ? translated_->taken : translated_->fall;
  end_count(costs_taken);
  a_.cmp(ebx, dword_ptr(rbp, layout_.limit));
  if (taken ? block_->taken_chainable : block_->fall_chainable) {
    const Label way_out = a_.newLabel();
    a_.long_().jb(way_out);
    link.jump = position_ + static_cast<uint32_t>(a_.offset()) - 4;
    a_.bind(way_out);
    link.default_target = position_ + static_cast<uint32_t>(a_.offset());
    a_.mov(rax, imm(&link.way_out));
    a_.jmp(imm(stubs_->exit));
    return;
  }
  a_.mov(eax, taken ? block_->target : block_->next_pc);
  a_.jae(imm(stubs_->indirect));
  look_up_and_jump();
}

// To eax, by the jump cache.
void Emitter::look_up_and_jump() {
  constexpr uint32_t kIndexBits = 4096 * 4 - 4;
  a_.mov(ecx, eax);
  a_.and_(ecx, kIndexBits);
  a_.cmp(eax, dword_ptr(rbp, rcx, 2, layout_.jump_pc));
  a_.jne(imm(stubs_->indirect));
  a_.mov(rdx, qword_ptr(rbp, rcx, 2, layout_.jump_block));
  a_.jmp(qword_ptr(rdx, static_cast<int32_t>(offsetof(Block, entry))));
}

void Emitter::branch_register(const Op& op) {
  move(eax, op.rb);
  if (op.imm != 0) a_.add(eax, static_cast<int32_t>(op.imm));
  a_.and_(eax, -4);
  end_count(true);
  a_.cmp(ebx, dword_ptr(rbp, layout_.limit));
  a_.jae(imm(stubs_->indirect));
  look_up_and_jump();
}

// As evaluate_branch() of the interpreter.
void Emitter::prepare_branch(size_t index) {
  const Instruction& branch = block_->branch;
  const Operation operation = branch.operation();
  if (branch.has(kPrivileged)) return slow(index);
  if (is_return(operation)) {
    move(eax, branch.ra);
    a_.add(eax, static_cast<int32_t>(block_->branch_imm));
    a_.mov(dword_ptr(rbp, layout_.branch_target), eax);
    return;
  }
  const uint32_t origin = is_absolute(operation) ? 0 : block_->branch_pc;
  if (is_register_branch(operation) || is_register_condition(operation)) {
    move(eax, branch.rb);
    if (origin != 0) a_.add(eax, static_cast<int32_t>(origin));
    a_.and_(eax, -4);
  } else {
    a_.mov(eax, (origin + block_->branch_imm) & ~3u);
  }
  const int which = condition(operation);
  if (which >= 0) {
    static constexpr Id kOtherwise[] = {Inst::kIdCmovnz, Inst::kIdCmovz,  Inst::kIdCmovge,
                                        Inst::kIdCmovg,  Inst::kIdCmovle, Inst::kIdCmovl};
    a_.mov(ecx, block_->branch_pc + (branch.has(kDelaySlot) ? 8 : 4));
    test(branch.ra);
    a_.emit(kOtherwise[which], eax, ecx);
  }
  a_.mov(dword_ptr(rbp, layout_.branch_target), eax);
}

// Costs what a taken branch costs, whichever way it goes, as in the interpreter.
void Emitter::branch_prepared() {
  if (is_direct(block_->branch.operation())) {
    const Label taken = a_.newLabel();
    a_.cmp(dword_ptr(rbp, layout_.branch_target), static_cast<int32_t>(block_->target));
    a_.je(taken);
    go(false, true);
    a_.bind(taken);
    go(true, true);
    return;
  }
  a_.mov(eax, dword_ptr(rbp, layout_.branch_target));
  end_count(true);
  a_.cmp(ebx, dword_ptr(rbp, layout_.limit));
  a_.jae(imm(stubs_->indirect));
  look_up_and_jump();
}

void Emitter::leave_to_interpreter(size_t index) {
  translated_->operation.operation = static_cast<uint16_t>(index);
  a_.mov(rax, imm(&translated_->operation));
  a_.jmp(imm(stubs_->exit));
}

}  // namespace gvp::host
