// SPDX-License-Identifier: Apache-2.0
// What an engine counts of a kernel for each instruction of its program and each SM, and what
// follows from it: the kernel's profile.  No SystemC.  Units: clock cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/g80/program.h"
#include "models/gpgpu/g80/semantics.h"
#include "models/gpgpu/kernel_profile.h"

namespace gvp::gpgpu::flexgrip {

struct OpProfile {
  g80::OpCounts counts;
  CycleClasses cycles;  // that this instruction took or kept others waiting for
};

// Of one SM.
struct ProgramProfile {
  std::vector<OpProfile> ops;  // by Op::number
  CycleClasses elsewhere;      // the cycles that are no instruction's
  uint64_t executing_cycles = 0;
  uint64_t warp_cycles = 0;
};

// Of a kernel that was stopped after so many cycles, when its SMs were elsewhere: the classes of
// each are made to add up to these cycles.  What it had not come to is of class launch; what it was
// ahead (a loosely timed one, by up to a quantum) is taken from all classes in proportion.  The
// counts of instructions stay: these have been executed.
void end_at(std::vector<ProgramProfile>& sms, uint64_t cycles);

KernelProfile kernel_profile(const std::vector<ProgramProfile>& sms, const g80::Program& program,
                             const Kernel& kernel, const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip
