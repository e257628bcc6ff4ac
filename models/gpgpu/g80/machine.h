// SPDX-License-Identifier: Apache-2.0
// The state that executing G80 instructions works on, without time: one warp with its registers
// and memories, and what all warps of a device share.  Semantics: docs/g80.md; what the
// reference leaves open is a named choice in Machine.  Addresses and sizes are bytes.
#pragma once

#include <array>
#include <cstdint>

#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/simt/control_flow.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::g80 {

// What all warps of a device share.
struct Machine {
  // Choices (docs/g80.md).
  bool taken_first = true;         // of a divergent branch: which side runs on
  bool truncate_products = false;  // FMAD as sm_10 hardware: product truncated, not rounded
  bool flush_denormals = true;     // denormal operands and results of float operations are zero
  // Units a trimmed device lacks (thesis 4.1).
  bool multiplier = true;
  bool three_operands = true;
  bool floating_point = true;
  // Atomic operations on global memory (compute capability 1.1), on shared memory and votes (1.2).
  bool device_extensions = false;

  // Constant memory and where the sixteen banks begin in it.
  const uint8_t* constants = nullptr;
  uint32_t constant_bytes = 0;
  struct Bank {
    uint32_t base = 0;
    uint32_t bytes = 0;
  };
  std::array<Bank, 16> banks;
  // Constants are read through the port instead; a program is prepared for the one or the other.
  bool constants_behind_port = false;
  ConstantPort* constant_port = nullptr;

  // Global memory: one directly accessible range; everything else goes through the port, and is
  // out of range where there is none.
  DirectRange global;
  GlobalPort* port = nullptr;
  // As in FlexGripPlus: g[] is accessed byte by byte, so that addresses need no alignment, and
  // wraps at the end of the direct range, which starts at 0 and has a power of two bytes.
  bool wrap_global = false;

  uint64_t clock = 0;  // what S2R of the clock register reads, cycles
};

// The four flags of one $c register, each as one bit per lane.
struct ConditionRegister {
  simt::Mask zero = 0, sign = 0, carry = 0, overflow = 0;
};

// Why a warp has stopped.
enum class Stop : uint8_t {
  kNone,      // it may go on (time slice used up)
  kBarrier,   // Warp::barrier says what it asks for; flow.pc is the next instruction
  kFinished,  // no thread is left
  kFault,     // Warp::fault
};

// What a warp asked of a barrier.
constexpr uint16_t kAllThreads = 0xfff;
struct BarrierRequest {
  uint8_t barrier = 0;
  uint16_t threads = kAllThreads;  // expected, of the block
  bool arrive = false;
  bool wait = false;
  uint32_t pc = 0;  // of the instruction
};

// Rows of a warp's register storage.  Operands are row numbers, so that "reads as zero" and
// "writes are ignored" cost nothing.
constexpr uint16_t kZeroRow = 0;  // always zero: $a0, registers beyond the allocation
constexpr uint16_t kSinkRow = 1;  // written and never read
constexpr uint16_t kOperandRows[3] = {2, 3, 4};
constexpr uint16_t kResultRow = 5;
constexpr uint16_t kAddressRow = 6;          // byte addresses of the last memory access, by lane
constexpr uint16_t kAddressRegisterRow = 7;  // $a1..$a4
constexpr uint16_t kRegisterRow = 11;        // $r0...
constexpr unsigned kMaxRegisters = 128;
constexpr unsigned row_count(unsigned registers) { return kRegisterRow + registers; }

struct Warp {
  simt::ControlFlow flow;
  simt::Lanes* rows = nullptr;  // row_count(registers) of them
  std::array<ConditionRegister, 4> condition;
  uint8_t* shared = nullptr;  // of the block
  uint32_t shared_bytes = 0;
  uint8_t* locks = nullptr;  // of the block: 1 for each locked word of s[]; device extensions only
  uint8_t* local = nullptr;  // thread after thread
  uint32_t local_bytes = 0;  // per thread
  uint32_t physical_id = 0;  // S2R: [7:0] lane (added), [15:8] warp, [23:16] SM

  simt::Mask executed = 0;  // lanes in which the last instruction took effect (predicate)
  Stop stop = Stop::kNone;
  simt::ControlFlow::Branch branch = simt::ControlFlow::Branch::kNotTaken;  // last branch
  Fault fault;
  BarrierRequest barrier;

  simt::Lanes& register_row(unsigned number) { return rows[kRegisterRow + number]; }
  // Clears registers, flags and faults; threads start at address 0.
  void start(simt::Mask threads, unsigned registers);
};

}  // namespace gvp::gpgpu::g80
