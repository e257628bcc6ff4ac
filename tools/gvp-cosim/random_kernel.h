// SPDX-License-Identifier: Apache-2.0
// Random kernels with the cycles that each of their instructions costs.  They end, and do nothing
// that the published RTL gets wrong: no RET inside of a divergent region, no local memory, no
// 64-bit accesses, no barrier after the end of a warp.  They do not race: what they load from
// global memory lies below 0x400, what they store from 0x4000 on; in shared memory each thread
// has a word of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/kernel.h"

namespace gvp::cosim {

// What one instruction costs in cycles.
struct RuleCosts {
  unsigned bytes = 8;          // its own
  unsigned read = 8;           // every row
  unsigned read_lane = 0;      // bytes that each active lane reads from memory
  bool nop = false;            // nothing more in the first row
  bool predicate = false;      // the first row reads it
  bool join = false;           // ... and pops the stack, if there is something on it
  unsigned execute = 2;        // every row
  bool execute_lanes = false;  // and one for each SP
  bool push = false;           // the first row pushes the stack
  bool branch = false;         // the same, if it diverges
  bool leave = false;          // RET
  unsigned write = 8;          // every row
  unsigned write_lane = 0;     // bytes that each active lane writes to memory
  bool barrier = false;
};

using KernelCosts = std::map<uint32_t, RuleCosts>;  // by address

struct RandomKernel {
  gpgpu::flexgrip::Kernel launch;
  std::vector<std::string> lines;  // assembly, without the semicolons: "L0:" is a label
  std::string source;              // all of it
  std::vector<uint32_t> code;
  KernelCosts costs;
};

enum class Size { kUsual, kSmall };  // kSmall: few blocks, few statements

// The same for the same seed.  floats: with floating point among the instructions.
RandomKernel random_kernel(uint32_t seed, bool floats = true, Size size = Size::kUsual);

}  // namespace gvp::cosim
