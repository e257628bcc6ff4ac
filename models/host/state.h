// SPDX-License-Identifier: Apache-2.0
// Architectural state of the processor (UG984 chapter 2, "Registers"): what a debugger shows and a
// checkpoint would save.  The TLB is in mmu.h.
#pragma once

#include <array>
#include <cstdint>

namespace gvp::host {

// Machine status register, bit masks (the manual counts bits from the most significant one).
namespace msr {
inline constexpr uint32_t kIe = 1u << 1;    // interrupt enable
inline constexpr uint32_t kC = 1u << 2;     // carry
inline constexpr uint32_t kBip = 1u << 3;   // break in progress
inline constexpr uint32_t kFsl = 1u << 4;   // stream control bit mismatch
inline constexpr uint32_t kIce = 1u << 5;   // instruction cache enable
inline constexpr uint32_t kDzo = 1u << 6;   // division by zero or overflow
inline constexpr uint32_t kDce = 1u << 7;   // data cache enable
inline constexpr uint32_t kEe = 1u << 8;    // exception enable
inline constexpr uint32_t kEip = 1u << 9;   // exception in progress
inline constexpr uint32_t kPvr = 1u << 10;  // version registers exist (read only)
inline constexpr uint32_t kUm = 1u << 11;   // user mode
inline constexpr uint32_t kUms = 1u << 12;  // user mode, saved
inline constexpr uint32_t kVm = 1u << 13;   // virtual protected mode
inline constexpr uint32_t kVms = 1u << 14;  // virtual protected mode, saved
inline constexpr uint32_t kCc = 1u << 31;   // copy of the carry
}  // namespace msr

// Exception causes, ESR.EC.
enum class Cause : uint32_t {
  kStream = 0x00,
  kUnaligned = 0x01,
  kIllegalOpcode = 0x02,
  kInstructionBus = 0x03,
  kDataBus = 0x04,
  kDivide = 0x05,
  kFpu = 0x06,
  kPrivileged = 0x07,  // also stack protection
  kDataStorage = 0x10,
  kInstructionStorage = 0x11,
  kDataTlbMiss = 0x12,
  kInstructionTlbMiss = 0x13,
};

namespace esr {
inline constexpr uint32_t kDelaySlot = 1u << 12;
inline constexpr uint32_t kWord = 1u << 11;  // unaligned: word, not halfword
inline constexpr uint32_t kZone = 1u << 11;  // storage: denied by a zone (DIZ)
inline constexpr uint32_t kStore = 1u << 10;
inline constexpr unsigned kRegisterShift = 5;  // unaligned: source or destination register
}  // namespace esr

// Numbers of the special registers in mfs and mts.
namespace spr {
inline constexpr uint32_t kPc = 0x0000;
inline constexpr uint32_t kMsr = 0x0001;
inline constexpr uint32_t kEar = 0x0003;
inline constexpr uint32_t kEsr = 0x0005;
inline constexpr uint32_t kFsr = 0x0007;
inline constexpr uint32_t kBtr = 0x000b;
inline constexpr uint32_t kEdr = 0x000d;
inline constexpr uint32_t kSlr = 0x0800;
inline constexpr uint32_t kShr = 0x0802;
inline constexpr uint32_t kPid = 0x1000;
inline constexpr uint32_t kZpr = 0x1001;
inline constexpr uint32_t kTlbx = 0x1002;
inline constexpr uint32_t kTlblo = 0x1003;
inline constexpr uint32_t kTlbhi = 0x1004;
inline constexpr uint32_t kTlbsx = 0x1005;
inline constexpr uint32_t kPvr0 = 0x2000;
inline constexpr uint32_t kPvrLast = 0x200c;
}  // namespace spr

// Vectors, offsets from C_BASE_VECTORS.
namespace vector {
inline constexpr uint32_t kReset = 0x00;
inline constexpr uint32_t kUser = 0x08;
inline constexpr uint32_t kInterrupt = 0x10;
inline constexpr uint32_t kBreak = 0x18;
inline constexpr uint32_t kException = 0x20;
}  // namespace vector

struct State {
  static constexpr unsigned kSink = 32;  // r[32] takes what is written to r0, so r[0] stays 0
  std::array<uint32_t, 33> r{};
  uint32_t pc = 0;
  uint32_t carry = 0;  // MSR.C, 0 or 1; not in msr
  uint32_t msr = 0;    // without C and CC
  uint32_t ear = 0;
  uint32_t esr = 0;
  uint32_t fsr = 0;
  uint32_t btr = 0;
  uint32_t edr = 0;
  uint32_t slr = 0;
  uint32_t shr = 0xffffffff;
  bool reservation = false;  // of lwx

  // Between an imm and its instruction, or a branch and its delay slot, when those two do not
  // stand in one block (see block.h).  No interrupt is taken there.
  bool imm_valid = false;
  uint16_t imm = 0;
  bool in_delay_slot = false;
  bool branch_has_imm = false;
  uint32_t branch_word = 0;
  uint32_t branch_pc = 0;
  uint32_t branch_target = 0;

  bool between_parts() const { return imm_valid || in_delay_slot; }
  uint32_t full_msr() const { return msr | (carry != 0 ? msr::kC | msr::kCc : 0); }
};

}  // namespace gvp::host
