// SPDX-License-Identifier: Apache-2.0
// The memory accesses of a G80 instruction as device-neutral events, for those who observe a device
// (models/gpgpu/observer.h).
#pragma once

#include <vector>

#include "models/gpgpu/g80/machine.h"
#include "models/gpgpu/g80/program.h"
#include "models/gpgpu/observer.h"

namespace gvp::gpgpu::flexgrip {

// Fills the list with what the op is about to do in the given lanes, one event per operand in
// memory; place and cycle are left to the caller.  To be called before the op is executed, because
// a load may overwrite the register with its address.  Constant addresses count from the
// beginning of constant memory.
void memory_events(const g80::Op& op, const g80::Warp& warp, std::vector<MemoryEvent>& events);

}  // namespace gvp::gpgpu::flexgrip
