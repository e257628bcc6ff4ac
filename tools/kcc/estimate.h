// SPDX-License-Identifier: Apache-2.0
// How long code takes, as far as it tells itself: what two versions of a kernel are compared by.
#pragma once

#include "models/gpgpu/g80/module.h"

namespace gvp::kcc {

// Clock cycles of a warp on the thesis's device (8 SPs), all of whose threads go both ways out of
// each branch and through each loop ten times, in the pipeline's slowest stage of each instruction
// (docs/flexgrip-timing.md).  Only good for comparing.
double estimated_cycles(const gpgpu::g80::Kernel& kernel);

}  // namespace gvp::kcc
