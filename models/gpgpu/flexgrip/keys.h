// SPDX-License-Identifier: Apache-2.0
// The configuration keys of a FlexGrip device: the rows of its device type, and what validate()
// holds a Configuration against.  No SystemC.
#pragma once

#include <vector>

#include "models/device/key.h"
#include "models/gpgpu/flexgrip/configuration.h"

namespace gvp::gpgpu::flexgrip {

const std::vector<device::Key>& keys();  // of a Configuration
std::vector<device::Key> timing_keys();  // those of its timing::PipelineTiming, "timing.*"

}  // namespace gvp::gpgpu::flexgrip
