// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/command_log.h"

#include <fmt/format.h>

#include <array>
#include <systemc>
#include <utility>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");

// In the order of Command.
constexpr std::array<const char*, 8> kNames = {
    "activate",  "read",          "write",  "read and precharge", "write and precharge",
    "precharge", "precharge all", "refresh"};

}  // namespace

CommandLog::CommandLog(std::string place, unsigned banks, uint64_t period_ps)
    : place_(std::move(place)), period_ps_(period_ps), closed_for_another_(banks) {}

bool CommandLog::wanted() { return log_ddr3.enabled(LogLevel::kDebug); }

void CommandLog::on_command(uint64_t cycle, Command command, unsigned bank, uint32_t row) {
  const std::string place = fmt::format(
      "{} @ {}", place_, kit::time_text(sc_core::sc_time::from_value(cycle * period_ps_)));
  if (command == Command::kRefresh) {
    log_ddr3.debug("{}: refresh", place);
    return;
  }
  if (command == Command::kPrecharge) closed_for_another_[bank] = true;
  if (command == Command::kActivate && closed_for_another_[bank]) {
    closed_for_another_[bank] = false;
    log_ddr3.debug("{}: page conflict in bank {}: row {:#x} takes another's place", place, bank,
                   row);
  }
  const char* const name = kNames[static_cast<size_t>(command)];
  if (command == Command::kPrechargeAll)
    log_ddr3.trace("{}: {}", place, name);
  else if (command == Command::kPrecharge)
    log_ddr3.trace("{}: {} bank {}", place, name, bank);
  else
    log_ddr3.trace("{}: {} bank {}, row {:#x}", place, name, bank, row);
}

}  // namespace gvp::ddr3
