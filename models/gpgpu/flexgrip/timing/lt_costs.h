// SPDX-License-Identifier: Apache-2.0
// What FlexGrip's loosely timed engine adds up: each op's cycles of the slowest stage, of a warp
// that is alone, and by class.  Sums of what the stages cost (instruction_costs.h), worked out once
// per op of a program.  No SystemC.  Units: clock cycles.
#pragma once

#include <vector>

#include "models/gpgpu/flexgrip/timing/pipeline_timing.h"
#include "models/gpgpu/flexgrip/timing/shared_banks.h"
#include "models/gpgpu/g80/program.h"
#include "models/gpgpu/kernel_profile.h"

namespace gvp::gpgpu::flexgrip::timing {

// What an op takes and its lanes take beyond that, by class: the sum over a kernel is that of
// op.cost and op.cost_per_lane.
struct OpClasses {
  CycleClasses base;
  CycleClass lanes = CycleClass::kGlobal;
};

// Sets cost, cost_per_lane, latency and steps of each op, and returns the classes, by op.
// global_on_bus: the time that global memory takes is known elsewhere and comes extra.  banks stays
// until the program has run.
std::vector<OpClasses> annotate(g80::Program& program, const PipelineTiming& timing, unsigned sps,
                                const SharedBanks& banks, bool global_on_bus,
                                bool device_extensions);

}  // namespace gvp::gpgpu::flexgrip::timing
