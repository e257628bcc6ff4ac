// SPDX-License-Identifier: Apache-2.0
// What instructions do on the published RTL of MIAOW2.0 where that is not what AMD specifies
// (docs/miaow.md, "Deviations of the RTL").  Read in its units' sources, or measured.  No SystemC.
//
// Not reproduced, because the RTL's result is left to a latch or to chance: s_cmov_b32 where SCC is
// 0, v_mad_f32.
#pragma once

#include <array>
#include <cstdint>

#include "models/gpgpu/southern_islands/program.h"
#include "models/gpgpu/southern_islands/wavefront.h"

namespace gvp::gpgpu::miaow {

// What the deviations need of a compute unit beside a wavefront.
struct RtlMachine : southern_islands::Machine {
  uint32_t share_base = 0;  // of the local data share, which is global memory there
  // What the load-store unit has loaded last for each lane, by register.
  std::array<southern_islands::Lanes, 4> loaded{};
};

// The instruction's function on the RTL, to be called with an RtlMachine; null: as AMD specifies.
southern_islands::Execute rtl_function(const southern_islands::Instruction& instruction);

// The function of an instruction without a unit: a fault, so that the wavefront never ends.
southern_islands::Execute unsupported_function(const southern_islands::Instruction& instruction);

// Lanes that a vector access reaches: up to the first that is not active.
southern_islands::Mask rtl_accessed_lanes(southern_islands::Mask exec);

}  // namespace gvp::gpgpu::miaow
