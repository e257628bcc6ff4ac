// SPDX-License-Identifier: Apache-2.0
// The commands on the SDRAM's command bus and who may watch them.  Cycles are SDRAM clocks.
#pragma once

#include <cstdint>

namespace gvp::ddr3 {

enum class Command : uint8_t {
  kActivate,
  kRead,
  kWrite,
  kReadPrecharge,   // RDA: with auto-precharge
  kWritePrecharge,  // WRA
  kPrecharge,
  kPrechargeAll,
  kRefresh,
};

class CommandObserver {
 public:
  virtual ~CommandObserver() = default;
  // bank and row have no meaning for kPrechargeAll and kRefresh, row none for kPrecharge.
  virtual void on_command(uint64_t cycle, Command command, unsigned bank, uint32_t row) = 0;
};

}  // namespace gvp::ddr3
