// SPDX-License-Identifier: Apache-2.0
// FlexGrip's two timings over one function.
//
// Loosely timed (lt_engine.cpp, its SMs lt_core.h): time from sums of costs, a warp many
// instructions at a stretch.
//
// Approximately timed (at_engine.cpp): cycle for cycle what the published RTL takes, worked out
// instruction by instruction (KernelTimeline, docs/flexgrip-timing.md).  Where global memory is
// on the bus, every lane's access is a transaction at its time and takes as long as the bus
// answers; all SMs share the device's one port.  Not modelled: SMs getting into each other's way
// other than at the block scheduler and that port.
#pragma once

#include <memory>

#include "models/gpgpu/flexgrip/engine.h"

namespace gvp::gpgpu::flexgrip::timing {

std::unique_ptr<Engine> make_lt_engine(const Configuration& configuration);
std::unique_ptr<Engine> make_at_engine(const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip::timing
