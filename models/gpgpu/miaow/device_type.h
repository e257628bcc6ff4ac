// SPDX-License-Identifier: Apache-2.0
// MIAOW as a device of a board.
#pragma once

#include "models/device/device_type.h"

namespace gvp::gpgpu::miaow {

device::DeviceType miaow_type();

}  // namespace gvp::gpgpu::miaow
