// SPDX-License-Identifier: Apache-2.0
// What one decoded instruction costs in each stage of the SM pipeline, worked out once per
// instruction of a program.  What depends on the execution (active lanes, stack operations, signs
// of float operands) is added by Pipeline.  Operations are known by their class of cost
// (g80/operations.h), not by name.  Rules: docs/flexgrip-timing.md, from the published
// FlexGripPlus 4.4 RTL; all numbers are those of PipelineTiming.  Units: clock cycles.
#pragma once

#include <cstdint>

#include "models/gpgpu/flexgrip/timing/pipeline_timing.h"
#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/kernel_profile.h"

namespace gvp::gpgpu::flexgrip::timing {

// A memory unit that serves one lane after the other.
struct LaneCosts {
  bool accessed = false;  // the instruction does
  uint32_t access = 0;    // per lane that takes part, when memory's own time is known
  uint32_t active = 0;    // per lane that takes part, memory's time included
  uint32_t idle = 0;      // per lane that does not
};

struct InstructionCosts {
  uint32_t fetch = 0;  // first row; the others take PipelineTiming::fetch_row

  // A row's read takes max(registers, memory + lanes), the first row `prologue` more.
  uint32_t read_prologue = 0;
  uint32_t read_registers = 0;
  uint32_t read_memory = 0;
  LaneCosts read_lanes;
  CycleClass read_class = CycleClass::kRead;  // of what memory takes beyond the registers

  uint32_t execute = 0;

  uint32_t write = 0;
  LaneCosts write_lanes;
  CycleClass write_class = CycleClass::kWrite;

  bool join = false;  // pops the stack where there is something on it
  bool barrier = false;
  bool float_add = false;  // FADD: execution time depends on the operands' signs
  g80::CostClass what = g80::CostClass::kNothing;
};

// device_extensions: the device has them; without, a store that unlocks is what the RTL takes it
// for.
InstructionCosts instruction_costs(const g80::Instruction& instruction,
                                   const PipelineTiming& timing, unsigned sps,
                                   bool device_extensions);

}  // namespace gvp::gpgpu::flexgrip::timing
