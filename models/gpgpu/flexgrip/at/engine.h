// SPDX-License-Identifier: Apache-2.0
// The approximately timed FlexGrip: cycle for cycle what the published RTL takes, worked out
// instruction by instruction (KernelTimeline, docs/flexgrip-timing.md).  Where global memory is
// on the bus, every lane's access is a transaction at its time and takes as long as the bus
// answers; all SMs share the device's one port.
//
// Not modelled: SMs getting into each other's way other than at the block scheduler and that
// port.
#pragma once

#include <memory>

#include "models/gpgpu/flexgrip/engine.h"

namespace gvp::gpgpu::flexgrip {

std::unique_ptr<Engine> make_at_engine(const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip
