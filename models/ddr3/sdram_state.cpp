// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/sdram_state.h"

namespace gvp::ddr3 {

void SdramState::column_read(uint64_t cycle, Bank& bank) {
  const Timing& t = timing_;
  raise(read_, cycle + t.tccd);                      // tCCD: read to read
  raise(write_, cycle + t.cl + t.tccd + 2 - t.cwl);  // read to write: the data bus turns round
  raise(bank.precharge, cycle + t.trtp);             // tRTP: read to precharge
}

void SdramState::column_write(uint64_t cycle, Bank& bank) {
  const Timing& t = timing_;
  const uint64_t data_end = cycle + t.cwl + t.burst;
  raise(write_, cycle + t.tccd);            // tCCD: write to write
  raise(read_, data_end + t.twtr);          // tWTR: end of write data to read
  raise(bank.precharge, data_end + t.twr);  // tWR: end of write data to precharge
}

void SdramState::issue(uint64_t cycle, Command command, unsigned index, uint32_t row) {
  const Timing& t = timing_;
  Bank& bank = banks_[index];
  command_bus_ = cycle + 1;  // one command a clock
  switch (command) {
    case Command::kActivate:
      bank.open_row = row;
      raise(bank.column, cycle + t.trcd);             // tRCD: activate to read or write
      raise(bank.precharge, cycle + t.tras);          // tRAS: activate to precharge
      raise(bank.activate, cycle + t.trc);            // tRC: activate to activate, same bank
      raise(activate_, cycle + t.trrd);               // tRRD: activate to activate, other bank
      activates_[oldest_activate_] = cycle + t.tfaw;  // tFAW: four activates in a window
      oldest_activate_ = (oldest_activate_ + 1) % 4;
      break;
    case Command::kRead:
      column_read(cycle, bank);
      break;
    case Command::kWrite:
      column_write(cycle, bank);
      break;
    case Command::kReadPrecharge:
      column_read(cycle, bank);
      bank.open_row = kClosed;
      raise(bank.activate, bank.precharge + t.trp);  // the SDRAM precharges as soon as it may
      break;
    case Command::kWritePrecharge:
      column_write(cycle, bank);
      bank.open_row = kClosed;
      raise(bank.activate, bank.precharge + t.trp);
      break;
    case Command::kPrecharge:
      bank.open_row = kClosed;
      raise(bank.activate, cycle + t.trp);  // tRP: precharge to activate
      break;
    case Command::kPrechargeAll:
      for (Bank& each : banks_) {
        each.open_row = kClosed;
        raise(each.activate, cycle + t.trp);  // tRP: precharge to refresh
      }
      break;
    case Command::kRefresh:
      for (Bank& each : banks_) raise(each.activate, cycle + t.trfc);  // tRFC
      break;
  }
}

}  // namespace gvp::ddr3
