// SPDX-License-Identifier: Apache-2.0
// For how long any bank of an SDRAM had an open row, by the commands that it got: what its
// background current depends on (energy.h).  A bank that precharges itself closes as late as the
// data sheet's tRTP and tWR make it.  Units: SDRAM clock cycles.  No SystemC.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/ddr3/command.h"
#include "models/ddr3/device.h"

namespace gvp::ddr3 {

class ActiveTime {
 public:
  explicit ActiveTime(const Timing& timing)
      : read_closes_(timing.trtp), write_closes_(timing.cwl + timing.burst + timing.twr) {}

  // In ascending order of cycles.
  void command(uint64_t cycle, Command command, unsigned bank) {
    switch (command) {
      case Command::kActivate:
        if (open_ == 0 && cycle >= until_) {
          before_ += until_ - since_;
          since_ = cycle;
        }
        open_ |= 1u << bank;
        break;
      case Command::kReadPrecharge:
        return close(1u << bank, cycle + read_closes_);
      case Command::kWritePrecharge:
        return close(1u << bank, cycle + write_closes_);
      case Command::kPrecharge:
        return close(1u << bank, cycle);
      case Command::kPrechargeAll:
        return close(open_, cycle);
      default:
        break;
    }
  }
  // From the first cycle to this one, which is not before the last command.
  uint64_t cycles(uint64_t now) const {
    const uint64_t end = open_ != 0 ? now : std::min(until_, now);
    return before_ + (end - std::min(since_, end));
  }

 private:
  void close(uint32_t banks, uint64_t cycle) {
    if ((open_ & banks) == 0) return;
    open_ &= ~banks;
    until_ = std::max(until_, cycle);
  }

  const unsigned read_closes_, write_closes_;
  uint32_t open_ = 0;    // a bit for each bank
  uint64_t before_ = 0;  // of intervals that are over
  uint64_t since_ = 0;   // the last one began...
  uint64_t until_ = 0;   // ...and ended, if no bank is open
};

}  // namespace gvp::ddr3
