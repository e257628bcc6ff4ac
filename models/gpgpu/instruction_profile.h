// SPDX-License-Identifier: Apache-2.0
// What each instruction of each kernel did and cost, of all launches together, for
// --kernel-profile. A device fills it in where Device::profile_instructions() has asked for it.
// Units: clock cycles of the device, summed over SMs.  No SystemC.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/kernel_profile.h"

namespace gvp::gpgpu {

struct InstructionRow {
  uint64_t pc = 0;
  std::string text;       // disassembled
  std::string source;     // "k.cu:12"; empty where the compiler has not told
  uint64_t issued = 0;    // by warps
  uint64_t active = 0;    // lanes, summed up
  uint64_t executed = 0;  // of these, where the predicate held
  CycleClasses cycles;    // that it took, or kept all others waiting for
};

struct InstructionProfile {
  std::string kernel;
  uint32_t lanes = 0;  // of a warp
  uint64_t launches = 0;
  uint64_t cycles = 0;               // of all SMs
  CycleClasses elsewhere;            // those that are no instruction's
  std::vector<InstructionRow> rows;  // by address
};

}  // namespace gvp::gpgpu
