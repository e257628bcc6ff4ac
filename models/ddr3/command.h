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
  // The data of a burst of this bank is on the data bus from first to before end.  root: of the
  // transaction that it serves (kit::TransactionIdentity); 0: nobody has numbered it.  Not from
  // models that see pins only.
  struct Access {
    uint64_t first = 0, end = 0;  // cycles
    unsigned bank = 0;
    bool write = false;
    uint64_t root = 0;
  };
  virtual void on_access(const Access&) {}
};

}  // namespace gvp::ddr3
