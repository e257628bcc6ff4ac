// SPDX-License-Identifier: Apache-2.0
// The registers of miaow_registers.h as rows: what the model declares them from, and what lists and
// pages show.  No SystemC.
#pragma once

#include <vector>

#include "models/device/register_row.h"

namespace gvp::gpgpu::miaow {

const std::vector<device::RegisterRow>& register_rows();
// Of the queue of grids.
const std::vector<device::RegisterRow>& queue_register_rows();

}  // namespace gvp::gpgpu::miaow
