// SPDX-License-Identifier: Apache-2.0
// --log debug:ddr3 and trace:ddr3: the commands on the SDRAM's command bus, in words.  Page
// conflicts and refreshes are what debug shows, every command what trace does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ddr3/command.h"

namespace gvp::ddr3 {

class CommandLog : public CommandObserver {
 public:
  // place: the memory's path; period_ps: of the SDRAM's clock
  CommandLog(std::string place, unsigned banks, uint64_t period_ps);
  static bool wanted();  // the log level says so

  void on_command(uint64_t cycle, Command command, unsigned bank, uint32_t row) override;

 private:
  std::string place_;
  uint64_t period_ps_;
  std::vector<bool> closed_for_another_;  // banks: precharged, to be activated next
};

}  // namespace gvp::ddr3
