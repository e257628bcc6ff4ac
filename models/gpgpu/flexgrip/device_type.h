// SPDX-License-Identifier: Apache-2.0
// FlexGrip as a device of a board.
#pragma once

#include <memory>

#include "models/device/device_type.h"
#include "models/gpgpu/device.h"

namespace gvp::gpgpu::flexgrip {

// With the models of this folder: "lt", "at", "none".
device::DeviceType flexgrip_type();
// What a board connects and asks of such a device.
device::Parts parts_of(std::unique_ptr<Device> device);

}  // namespace gvp::gpgpu::flexgrip
