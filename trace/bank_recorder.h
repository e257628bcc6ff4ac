// SPDX-License-Identifier: Apache-2.0
// Records when rows of SDRAM banks are open, from the commands on the SDRAM's command bus: one span
// for each activation, up to the precharge, the access that precharges by itself, or the end of the
// run.  Where they are wanted, each burst of data, too, with the transaction that it serves.  A
// model without commands (loosely timed) has none; one of pins (RTL) knows no transactions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ddr3/command.h"
#include "trace/recorder.h"

namespace gvp::trace {

class BankRecorder : public ddr3::CommandObserver {
 public:
  // period_ps: of the SDRAM's clock.
  BankRecorder(Recorder& recorder, std::string device, uint64_t period_ps)
      : recorder_(recorder),
        device_(std::move(device)),
        name_(recorder.names().number("row open")),
        read_(recorder.names().number("read burst")),
        write_(recorder.names().number("write burst")),
        period_ps_(period_ps),
        accesses_(recorder.wants(Subject::kAccesses)) {}

  void on_command(uint64_t cycle, ddr3::Command command, unsigned bank, uint32_t row) override;
  void on_access(const Access& access) override;
  // The simulation ends at this time: rows that are open are recorded.
  void finish_all(uint64_t now_ps);

 private:
  struct Bank {
    TrackId track = 0;
    TrackId accesses = 0;
    bool open = false;
    uint32_t row = 0;
    uint64_t begin_ps = 0;
    uint64_t span = 0;  // its number
    uint64_t reads = 0, writes = 0;
  };

  Bank& bank(unsigned number);
  uint64_t tell(const Bank& bank);
  void close(Bank& bank, uint64_t end_ps);

  Recorder& recorder_;
  const std::string device_;
  const Id name_, read_, write_;
  const uint64_t period_ps_;
  const bool accesses_;  // are wanted
  std::vector<Bank> banks_;
};

}  // namespace gvp::trace
