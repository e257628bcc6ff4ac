// SPDX-License-Identifier: Apache-2.0
// Arithmetic and logic.
#include "models/host/jit/emitter.h"

namespace gvp::host {
namespace {

using namespace asmjit;  // NOLINT(google-build-using-namespace)
using namespace asmjit::x86;

constexpr int kNoRegister = -1;

}  // namespace

// rd <- ra id second.
void Emitter::binary(Id id, bool commutative, const Op& op, const Operand& second_operand,
                     int second_register) {
  const bool in_place = op.rd == op.ra;
  if (in_place && !pinned(op.rd) && !second_operand.isMem() && id != Inst::kIdImul) {
    a_.emit(id, memory(op.rd), second_operand);
    return;
  }
  unsigned first = op.ra;
  Operand other = second_operand;
  Gp to = result_register(op.rd);
  if (second_register == op.rd && !in_place && pinned(op.rd)) {
    if (commutative) {
      first = op.rd;
      other = value(op.ra);
    } else {
      to = eax;
    }
  }
  move(to, first);
  a_.emit(id, to, other);
  write(op.rd, to);
}

void Emitter::add(const Op& op, bool immediate) {
  if (immediate) {
    const auto offset = static_cast<int32_t>(op.imm);
    if (op.ra == 0) {
      a_.emit(Inst::kIdMov, value(op.rd), Imm(offset));
    } else if (pinned(op.rd) && pinned(op.ra) && op.rd != op.ra && offset != 0) {
      a_.lea(host(op.rd), ptr(host(op.ra).r64(), offset));
    } else {
      binary(Inst::kIdAdd, true, op, Imm(offset), kNoRegister);
    }
    return;
  }
  if (op.ra == 0 || op.rb == 0) {
    const Gp to = result_register(op.rd);
    move(to, op.ra == 0 ? op.rb : op.ra);
    write(op.rd, to);
  } else if (pinned(op.rd) && pinned(op.ra) && pinned(op.rb) && op.rd != op.ra && op.rd != op.rb) {
    a_.lea(host(op.rd), ptr(host(op.ra).r64(), host(op.rb).r64()));
  } else {
    binary(Inst::kIdAdd, true, op, value(op.rb), op.rb);
  }
}

// rd <- ra + second (+ carry), and the carry unless the instruction keeps it.
void Emitter::add_with_flags(const Op& op, bool immediate, bool with_carry, bool keep) {
  if (with_carry) {
    a_.cmp(carry(1), 1);
    a_.cmc();
  }
  move(eax, op.ra);
  a_.emit(with_carry ? Inst::kIdAdc : Inst::kIdAdd, eax, second(op, immediate));
  if (!keep) a_.setc(carry(1));
  write(op.rd, eax);
}

// rd <- second - ra.
void Emitter::subtract(const Op& op, bool immediate) {
  if (op.ra == op.rd && !immediate && op.rb == 0) {
    a_.emit(Inst::kIdNeg, value(op.rd));
    return;
  }
  const bool clobbers = pinned(op.rd) && op.rd == op.ra;
  Gp to = result_register(op.rd);
  if (clobbers) to = eax;
  if (immediate) {
    a_.mov(to, static_cast<int32_t>(op.imm));
  } else {
    move(to, op.rb);
  }
  a_.emit(Inst::kIdSub, to, value(op.ra));
  write(op.rd, to);
}

// The carry is the inverted borrow.
void Emitter::subtract_with_flags(const Op& op, bool immediate, bool with_carry, bool keep) {
  if (with_carry) a_.cmp(carry(1), 1);  // borrow where the carry is 0
  if (immediate) {
    a_.mov(eax, static_cast<int32_t>(op.imm));
  } else {
    move(eax, op.rb);
  }
  a_.emit(with_carry ? Inst::kIdSbb : Inst::kIdSub, eax, value(op.ra));
  if (!keep) a_.setnc(carry(1));
  write(op.rd, eax);
}

// rd <- rb - ra, with "ra is greater" as the most significant bit, which here is the borrow; a
// comparison with sign is one without after both operands moved by half the range.
void Emitter::compare(const Op& op, bool with_sign) {
  move(eax, op.rb);
  if (with_sign) {
    move(ecx, op.ra);
    a_.add(eax, static_cast<int32_t>(0x80000000));
    a_.add(ecx, static_cast<int32_t>(0x80000000));
    a_.sub(eax, ecx);
  } else {
    a_.emit(Inst::kIdSub, eax, value(op.ra));
  }
  a_.lea(eax, ptr(rax, rax));  // keeps the borrow
  a_.rcr(eax, 1);
  write(op.rd, eax);
}

// The byte's number from the most significant one, from 1; 0 where no byte is equal.
void Emitter::first_equal_byte(const Op& op) {
  move(eax, op.ra);
  a_.emit(Inst::kIdXor, eax, value(op.rb));
  // 0x80 in each byte that is zero, exactly.
  a_.mov(ecx, eax);
  a_.and_(ecx, 0x7f7f7f7f);
  a_.add(ecx, 0x7f7f7f7f);
  a_.or_(ecx, eax);
  a_.or_(ecx, 0x7f7f7f7f);
  a_.not_(ecx);
  a_.mov(edx, 32);
  a_.bsr(eax, ecx);
  a_.cmovz(eax, edx);
  a_.shr(eax, 3);
  a_.mov(ecx, 4);
  a_.sub(ecx, eax);
  write(op.rd, ecx);
}

void Emitter::count_leading_zeros(const Op& op) {
  a_.mov(ecx, 63);
  a_.emit(Inst::kIdBsr, eax, value(op.ra));
  a_.cmovz(eax, ecx);
  a_.xor_(eax, 31);
  write(op.rd, eax);
}

void Emitter::set_if_equal(const Op& op, bool equal) {
  move(ecx, op.ra);
  a_.xor_(eax, eax);
  a_.emit(Inst::kIdCmp, ecx, value(op.rb));
  if (equal) {
    a_.sete(al);
  } else {
    a_.setne(al);
  }
  write(op.rd, eax);
}

bool Emitter::arithmetic(size_t index, MicroOp what) {
  using M = MicroOp;
  const Op& op = block_->ops[index];
  const auto logic = [&](Id id, bool immediate) {
    if (!immediate && (id == Inst::kIdOr || id == Inst::kIdXor) && (op.ra == 0 || op.rb == 0)) {
      const Gp to = result_register(op.rd);
      move(to, op.ra == 0 ? op.rb : op.ra);
      write(op.rd, to);
      return true;
    }
    binary(id, true, op, second(op, immediate), immediate ? kNoRegister : op.rb);
    return true;
  };
  switch (what) {
    case M::add_r:
    case M::add_i:
      add_with_flags(op, what == M::add_i, false, false);
      return true;
    case M::addc_r:
    case M::addc_i:
      add_with_flags(op, what == M::addc_i, true, false);
      return true;
    case M::addkc_r:
    case M::addkc_i:
      add_with_flags(op, what == M::addkc_i, true, true);
      return true;
    case M::addk_r:
    case M::addk_i:
      add(op, what == M::addk_i);
      return true;
    case M::rsub_r:
    case M::rsub_i:
      subtract_with_flags(op, what == M::rsub_i, false, false);
      return true;
    case M::rsubc_r:
    case M::rsubc_i:
      subtract_with_flags(op, what == M::rsubc_i, true, false);
      return true;
    case M::rsubkc_r:
    case M::rsubkc_i:
      subtract_with_flags(op, what == M::rsubkc_i, true, true);
      return true;
    case M::rsubk_r:
    case M::rsubk_i:
      subtract(op, what == M::rsubk_i);
      return true;
    case M::cmp:
    case M::cmpu:
      compare(op, what == M::cmp);
      return true;
    case M::set:
      a_.emit(Inst::kIdMov, value(op.rd), Imm(static_cast<int32_t>(op.imm)));
      return true;
    case M::or_r:
    case M::or_i:
      return logic(Inst::kIdOr, what == M::or_i);
    case M::and_r:
    case M::and_i:
      return logic(Inst::kIdAnd, what == M::and_i);
    case M::xor_r:
    case M::xor_i:
      return logic(Inst::kIdXor, what == M::xor_i);
    case M::andn_r:
      move(eax, op.rb);
      a_.not_(eax);
      a_.emit(Inst::kIdAnd, eax, value(op.ra));
      write(op.rd, eax);
      return true;
    case M::pcmpbf:
      first_equal_byte(op);
      return true;
    case M::pcmpeq:
    case M::pcmpne:
      set_if_equal(op, what == M::pcmpeq);
      return true;
    case M::clz:
      count_leading_zeros(op);
      return true;
    default:
      return false;
  }
}

}  // namespace gvp::host
