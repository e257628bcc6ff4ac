// SPDX-License-Identifier: Apache-2.0
// Shifts, bit fields, byte order, multiplication and division.
#include "models/host/arithmetic.h"
#include "models/host/jit/emitter.h"

namespace gvp::host {
namespace {

using namespace asmjit;  // NOLINT(google-build-using-namespace)
using namespace asmjit::x86;

uint32_t low_bits(uint32_t count) { return (1u << count) - 1; }

}  // namespace

// The computer takes the amount modulo 32, as the MicroBlaze does.
void Emitter::shift_by_register(const Op& op, Id shift, Id shift_bmi2) {
  if (has_bmi2_) {
    Gp amount = ecx;
    if (pinned(op.rb)) {
      amount = host(op.rb);
    } else {
      move(ecx, op.rb);
    }
    const Gp to = result_register(op.rd);
    a_.emit(shift_bmi2, to, value(op.ra), amount);
    write(op.rd, to);
    return;
  }
  move(ecx, op.rb);
  move(eax, op.ra);
  a_.emit(shift, eax, cl);
  write(op.rd, eax);
}

void Emitter::shift_immediate(const Op& op, Id shift, uint32_t amount) {
  const Gp to = result_register(op.rd);
  move(to, op.ra);
  if (amount != 0) a_.emit(shift, to, Imm(amount));
  write(op.rd, to);
}

// By one, the bit that falls out into the carry.
void Emitter::shift_one(const Op& op, Id shift) {
  if (shift == Inst::kIdRcr) {
    a_.cmp(carry(1), 1);
    a_.cmc();
  }
  move(eax, op.ra);
  a_.emit(shift, eax, Imm(1));
  a_.setc(carry(1));
  write(op.rd, eax);
}

void Emitter::multiply_high(const Op& op, bool signed_a, bool signed_b) {
  const auto load = [&](const Gp& to, unsigned guest, bool with_sign) {
    if (with_sign) {
      a_.emit(Inst::kIdMovsxd, to.r64(), value(guest));
    } else {
      a_.emit(Inst::kIdMov, to.r32(), value(guest));
    }
  };
  load(eax, op.ra, signed_a);
  load(ecx, op.rb, signed_b);
  a_.imul(rax, rcx);
  a_.shr(rax, 32);
  write(op.rd, eax);
}

// rd <- rb / ra.  Division by zero and the overflow are the slow handler's.
void Emitter::divide(size_t index, bool with_sign) {
  const Op& op = block_->ops[index];
  const Label done = a_.newLabel();
  const Label trouble = out_of_line(index, done);
  move(ecx, op.ra);
  move(eax, op.rb);
  a_.test(ecx, ecx);
  a_.jz(trouble);
  if (with_sign) {
    const Label good = a_.newLabel();
    a_.cmp(ecx, -1);
    a_.jne(good);
    a_.cmp(eax, static_cast<int32_t>(0x80000000));
    a_.je(trouble);
    a_.bind(good);
    a_.cdq();
    a_.idiv(ecx);
  } else {
    a_.xor_(edx, edx);
    a_.div(ecx);
  }
  write(op.rd, eax);
  a_.bind(done);
  eax_after_ = -1;  // not behind the slow handler
}

bool Emitter::shift_or_multiply(size_t index, MicroOp what) {
  using M = MicroOp;
  const Op& op = block_->ops[index];
  const auto extend = [&](bool byte) {
    const Gp to = result_register(op.rd);
    if (pinned(op.ra)) {
      Gp from = host(op.ra).r8();
      if (!byte) from = host(op.ra).r16();
      a_.movsx(to, from);
    } else {
      a_.movsx(to, byte ? byte_ptr(rbp, op.ra * 4) : word_ptr(rbp, op.ra * 4));
    }
    write(op.rd, to);
  };
  switch (what) {
    case M::sra:
      shift_one(op, Inst::kIdSar);
      return true;
    case M::srl:
      shift_one(op, Inst::kIdShr);
      return true;
    case M::src:
      shift_one(op, Inst::kIdRcr);
      return true;
    case M::sext8:
    case M::sext16:
      extend(what == M::sext8);
      return true;
    case M::swapb: {
      const Gp to = result_register(op.rd);
      move(to, op.ra);
      a_.bswap(to);
      write(op.rd, to);
      return true;
    }
    case M::swaph:
      shift_immediate(op, Inst::kIdRol, 16);
      return true;
    case M::bsrl_r:
      shift_by_register(op, Inst::kIdShr, Inst::kIdShrx);
      return true;
    case M::bsra_r:
      shift_by_register(op, Inst::kIdSar, Inst::kIdSarx);
      return true;
    case M::bsll_r:
      shift_by_register(op, Inst::kIdShl, Inst::kIdShlx);
      return true;
    case M::bsrl_i:
      shift_immediate(op, Inst::kIdShr, op.imm & 31);
      return true;
    case M::bsra_i:
      shift_immediate(op, Inst::kIdSar, op.imm & 31);
      return true;
    case M::bsll_i:
      shift_immediate(op, Inst::kIdShl, op.imm & 31);
      return true;
    case M::bsefi: {
      const Gp to = result_register(op.rd);
      move(to, op.ra);
      if ((op.imm & 31) != 0) a_.shr(to, op.imm & 31);
      a_.and_(to, static_cast<int32_t>(low_bits(op.imm >> 6 & 31)));
      write(op.rd, to);
      return true;
    }
    case M::bsifi: {
      const uint32_t mask = insert_field(0, 0xffffffff, op.imm);
      move(eax, op.ra);
      if ((op.imm & 31) != 0) a_.shl(eax, op.imm & 31);
      a_.and_(eax, static_cast<int32_t>(mask));
      move(ecx, op.rd);
      a_.and_(ecx, static_cast<int32_t>(~mask));
      a_.or_(eax, ecx);
      write(op.rd, eax);
      return true;
    }
    case M::mul_r:
      binary(Inst::kIdImul, true, op, value(op.rb), op.rb);
      return true;
    case M::mul_i: {
      const Gp to = result_register(op.rd);
      a_.emit(Inst::kIdImul, to, value(op.ra), Imm(static_cast<int32_t>(op.imm)));
      write(op.rd, to);
      return true;
    }
    case M::mulh:
      multiply_high(op, true, true);
      return true;
    case M::mulhsu:
      multiply_high(op, true, false);
      return true;
    case M::mulhu:
      multiply_high(op, false, false);
      return true;
    case M::idiv:
    case M::idivu:
      divide(index, what == M::idiv);
      return true;
    default:
      return false;
  }
}

}  // namespace gvp::host
