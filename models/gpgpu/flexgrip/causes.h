// SPDX-License-Identifier: Apache-2.0
// What a fault of a G80 warp is called in FlexGrip's cause register; the numbers and their texts
// are in flexgrip_registers.h.
#pragma once

#include <cstdint>

#include "models/gpgpu/g80/machine.h"

namespace gvp::gpgpu::flexgrip {

// The FLEXGRIP_CAUSE_* of a warp's fault.
uint32_t cause_of(g80::FaultCause fault);
// What it means, for messages: "misaligned memory access".
const char* describe(g80::FaultCause fault);

}  // namespace gvp::gpgpu::flexgrip
