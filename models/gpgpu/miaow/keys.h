// SPDX-License-Identifier: Apache-2.0
// The configuration keys of a MIAOW device: the rows of its device type, and what validate() holds
// a Configuration against.  No SystemC.
#pragma once

#include <vector>

#include "models/device/key.h"
#include "models/gpgpu/miaow/configuration.h"

namespace gvp::gpgpu::miaow {

const std::vector<device::Key>& keys();

}  // namespace gvp::gpgpu::miaow
