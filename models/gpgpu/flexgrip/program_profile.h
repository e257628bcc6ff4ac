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

KernelProfile kernel_profile(const std::vector<ProgramProfile>& sms, const g80::Program& program,
                             const Kernel& kernel, const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip
