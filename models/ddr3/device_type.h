// SPDX-License-Identifier: Apache-2.0
// A DDR3 memory with its controller as a type of device of a board, loosely or approximately timed.
// With the controller as RTL, too: models/ddr3/rtl/device_type.cpp.
#pragma once

#include "models/device/device_type.h"

namespace gvp::ddr3 {

device::DeviceType ddr3_type();

}  // namespace gvp::ddr3
