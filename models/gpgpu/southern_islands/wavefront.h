// SPDX-License-Identifier: Apache-2.0
// The state that executing Southern Islands instructions works on, without time: one wavefront of
// 64 lanes with its registers, and the memories it reaches.  Addresses and sizes are bytes.
//
// Not modelled: the MODE register (it stands at what compilers expect of it: round to nearest even,
// denormals of 32-bit floats are zero, those of 16 bits are kept, IEEE, DX10_CLAMP), traps,
// exceptions, priorities, the skipping of vector instructions.
#pragma once

#include <array>
#include <cstdint>

#include "models/gpgpu/fault.h"
#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/simt/lanes.h"
#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::southern_islands {

constexpr unsigned kWavefrontLanes = 64;
using Lanes = simt::LanesOf<kWavefrontLanes>;
using Mask = simt::MaskOf<kWavefrontLanes>;

// What all wavefronts of a device share.  Addresses of global memory are the low 32 bits of what
// instructions compute.
struct Machine {
  DirectRange global;          // one range directly...
  GlobalPort* port = nullptr;  // ...everything else through this, or out of range without
  bool check_buffers = true;   // accesses beyond a buffer's end read 0 and write nothing
  uint64_t clock = 0;          // what s_memtime reads
};

// Why a wavefront has stopped.
enum class Stop : uint8_t {
  kNone,      // it may go on
  kFinished,  // s_endpgm
  kBarrier,   // s_barrier; pc is the next instruction
  kHalted,    // s_sethalt, s_trap
  kFault      // Wavefront::fault
};

struct Wavefront {
  uint32_t pc = 0;                                // bytes
  std::array<uint32_t, code::kScalars> scalar{};  // by Code: registers, VCC, M0, EXEC
  bool scc = false;
  Lanes* vector = nullptr;  // v0...
  unsigned vector_count = 0;
  uint8_t* share = nullptr;  // local data share of the workgroup
  uint32_t share_bytes = 0;
  Stop stop = Stop::kNone;
  Fault fault;

  uint64_t pair(Code first) const { return scalar[first] | uint64_t{scalar[first + 1u]} << 32; }
  void set_pair(Code first, uint64_t value) {
    scalar[first] = static_cast<uint32_t>(value);
    scalar[first + 1u] = static_cast<uint32_t>(value >> 32);
  }
  Mask exec() const { return pair(code::kExecLo); }
  Mask vcc() const { return pair(code::kVccLo); }
  void set_fault(FaultCause cause, uint32_t at, uint32_t address = 0, unsigned lane = 0) {
    stop = Stop::kFault;
    fault = {cause, at, address, static_cast<uint8_t>(lane)};
  }
};

}  // namespace gvp::gpgpu::southern_islands
