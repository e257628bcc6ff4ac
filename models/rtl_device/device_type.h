// SPDX-License-Identifier: Apache-2.0
// The device type of a block of RTL: "rtl:" and the block's name.  Slaves are windows, masters
// ports of its own; where there is one of a kind, it has no name on the board.  Its keys: the size
// of each window (by default what its address pins reach, up to 256 MiB; with more of them 64
// KiB), a value for each input that is neither of a port nor clock or reset, and the time-out of
// its protocol checkers.
#pragma once

#include "models/device/device_type.h"
#include "models/rtl/block_interface.h"

namespace gvp::rtl_device {

// The block outlives the type.  Throws Error (bad input) for a block with more ports or inputs
// than a type can have keys for.
device::DeviceType type_of(const gvp_rtl_block& block);

}  // namespace gvp::rtl_device
