// SPDX-License-Identifier: Apache-2.0
// The ML605's DDR3 module and short names of the commands, for tests that speak of single cycles.
#pragma once

#include "models/ddr3/controller.h"

namespace gvp::ddr3 {

constexpr auto kAct = Command::kActivate;
constexpr auto kRd = Command::kRead;
constexpr auto kWr = Command::kWrite;
constexpr auto kRda = Command::kReadPrecharge;
constexpr auto kWra = Command::kWritePrecharge;
constexpr auto kPre = Command::kPrecharge;
constexpr auto kPreAll = Command::kPrechargeAll;
constexpr auto kRef = Command::kRefresh;

// At 400 MHz, written down here: these tests must not believe device.cpp.
inline Timing ml605() { return {6, 5, 4, 6, 6, 15, 21, 4, 20, 6, 4, 4, 4, 44, 3120}; }

}  // namespace gvp::ddr3
