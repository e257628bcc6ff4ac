// SPDX-License-Identifier: Apache-2.0
// The registers of FlexGrip's control window, a row each: where they are is flexgrip_registers.h's,
// which the driver shares.  Capabilities read what the configuration says.
// Not here: constant memory, from FLEXGRIP_CONSTANT_MEMORY on.  No SystemC.
#pragma once

#include <vector>

#include "models/device/register_row.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {

// The control window: registers, and constant memory behind them.
constexpr uint64_t kControlBytes = FLEXGRIP_CONSTANT_MEMORY + FLEXGRIP_CONSTANT_PAGE_BYTES;

// clock_hz: what the clock really runs at (kit::Clock::hz()).
std::vector<device::RegisterRow> register_rows(const Configuration& configuration, double clock_hz);

}  // namespace gvp::gpgpu::flexgrip
