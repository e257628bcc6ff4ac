// SPDX-License-Identifier: Apache-2.0
// The SDRAM as its controller must think of it: which row each bank has open and when each
// command is allowed next.  Every timing rule of JESD79-3 that matters here is one line of
// issue(), with its name.  Cycles are SDRAM clocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/ddr3/command.h"
#include "models/ddr3/device.h"

namespace gvp::ddr3 {

class SdramState {
 public:
  static constexpr int64_t kClosed = -1;

  SdramState(unsigned banks, const Timing& timing) : timing_(timing), banks_(banks) {}

  int64_t open_row(unsigned bank) const { return banks_[bank].open_row; }
  bool all_closed() const {
    return std::all_of(banks_.begin(), banks_.end(),
                       [](const Bank& bank) { return bank.open_row == kClosed; });
  }

  // A command is allowed from the later of two cycles on: the one that the rules within its bank
  // give, which only commands to that bank or to all banks change, ...
  uint64_t bank_activate(unsigned bank) const { return banks_[bank].activate; }
  uint64_t bank_column(unsigned bank) const { return banks_[bank].column; }
  uint64_t bank_precharge(unsigned bank) const { return banks_[bank].precharge; }
  // ... and the one that the rules between banks and the command bus give.
  uint64_t any_activate() const {
    return std::max({activate_, activates_[oldest_activate_], command_bus_});
  }
  uint64_t any_read() const { return std::max(read_, command_bus_); }
  uint64_t any_write() const { return std::max(write_, command_bus_); }
  uint64_t any_precharge() const { return command_bus_; }
  // Closed banks count too: one that precharges itself must have begun.
  uint64_t earliest_precharge_all() const {
    uint64_t cycle = command_bus_;
    for (const Bank& bank : banks_) cycle = std::max(cycle, bank.precharge);
    return cycle;
  }
  // All banks must be closed: what forbids an activate forbids a refresh.
  uint64_t earliest_refresh() const {
    uint64_t cycle = command_bus_;
    for (const Bank& bank : banks_) cycle = std::max(cycle, bank.activate);
    return cycle;
  }

  void issue(uint64_t cycle, Command command, unsigned bank, uint32_t row);

 private:
  struct Bank {
    int64_t open_row = kClosed;
    uint64_t activate = 0, column = 0, precharge = 0;  // first allowed cycles
  };
  static void raise(uint64_t& cycle, uint64_t to) { cycle = std::max(cycle, to); }
  void column_read(uint64_t cycle, Bank& bank);
  void column_write(uint64_t cycle, Bank& bank);

  Timing timing_;
  std::vector<Bank> banks_;
  uint64_t command_bus_ = 0;
  uint64_t activate_ = 0, read_ = 0, write_ = 0;  // rules between banks
  std::array<uint64_t, 4> activates_{};           // when each of the last four lets a fifth go
  unsigned oldest_activate_ = 0;
};

}  // namespace gvp::ddr3
