// SPDX-License-Identifier: Apache-2.0
// Configuration of one MIAOW device.  Every field is the configuration key INSTANCE.<field>.
// Defaults are the published MIAOW2.0 with prefetch memory, clocked as in the SCRATCH paper.
// Plain data: no SystemC.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpgpu/miaow/timing.h"

namespace gvp::gpgpu::miaow {

// The RTL's sizes.
constexpr uint32_t kInstructionWords = 1024;
constexpr uint32_t kVectorRegisters = 1024;
constexpr uint32_t kScalarRegisters = 512;
constexpr uint32_t kWavefrontSlots = 40;        // of a compute unit
constexpr uint32_t kMostVectorRegisters = 256;  // that instructions can name
constexpr uint32_t kPrefetchBytes = 1u << 20;   // addresses from 0 on

// Assumed: one share of AMD's size; the published compute unit has none.
constexpr uint32_t kShareBytes = 65536;

struct Configuration {
  double clock_hz = 50e6;
  bool prefetch = true;        // the memory in the compute unit; false: the host serves all words
  bool check_buffers = false;  // accesses beyond a buffer's end read 0 and write nothing
  bool rtl_quirks = false;     // instructions do what they do on the published RTL (rtl_quirks.h)
  bool rtl_instructions = false;  // those alone that the published RTL executes
  std::string instructions;       // file of those that a trimmed one has; "": all
  uint32_t compute_units = 1;     // beyond the first, for the queue of grids alone
  uint32_t integer_units = 1;     // vector units of a compute unit (SIMD)
  uint32_t float_units = 1;       // likewise (SIMF)
  uint32_t wavefronts = 1;        // of grids, in a compute unit at a time
  uint32_t dispatch_cycles = 8;   // of the queue, for a wavefront's first registers (assumed)
  Timing timing;                  // keys INSTANCE.timing.<field>
};

// Throws Error (bad input) naming the key, its value and what is allowed.
void validate(const Configuration& configuration);

}  // namespace gvp::gpgpu::miaow
