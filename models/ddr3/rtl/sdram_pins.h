// SPDX-License-Identifier: Apache-2.0
// The SDRAM and the PHY at the pins of a DDR3 controller that is RTL (rtl/ddr3/axi_ddr3.sv): takes
// its commands, keeps the data, gives them back after the read latency, measures the refresh
// interval. Every command is judged by the rules of JESD79-3 (command_checker.h), which knows
// nothing of the controller; a rule that is broken is an error in the log.
//
// Times are clock cycles of the SDRAM.  A command reaches the SDRAM `request_cycles` after the edge
// at which the controller has it on its pins; its data take `response_cycles` for the way back. Not
// modelled: what the SDRAM does with rows that are not refreshed; single data beats (the data of a
// burst pass as one word); initialisation, power-down.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/ddr3/active_time.h"
#include "models/ddr3/address_mapping.h"
#include "models/ddr3/bank_counters.h"
#include "models/ddr3/command.h"
#include "models/ddr3/command_checker.h"
#include "models/ddr3/controller.h"
#include "models/ddr3/device.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/tlm/ring.h"
#include "models/tlm/storage.h"

namespace gvp::ddr3 {

struct SdramPinsSettings {
  unsigned request_cycles = 0, response_cycles = 0;
  bool refresh = true;
};

class SdramPins : public rtl::Agent {
 public:
  // storage: by the addresses that the mapping gives; outlives this object.
  SdramPins(rtl::Block& block, const Device& device, const Timing& timing,
            const AddressMapping& mapping, kit::Storage& storage,
            const SdramPinsSettings& settings);

  void observe(CommandObserver& observer) { observers_.push_back(&observer); }
  // As the other controller counts them.
  const ControllerCounters& counters() const { return counters_; }
  const std::vector<BankCounters>& bank_counters() const { return bank_counters_; }
  // Until a cycle of the SDRAM, in which any bank had an open row.
  uint64_t active_cycles(uint64_t now) const { return active_.cycles(now); }
  const CommandChecker& checker() const { return checker_; }

 private:
  static constexpr unsigned kBurstBytes = 64;
  struct ReadData {
    uint64_t due = 0;  // the edge at which the controller takes them
    std::array<uint8_t, kBurstBytes> bytes{};
  };
  struct Bank {
    uint32_t row = 0;
    bool open = false;
    bool activated = false, precharged = false;  // since the last read or write
  };

  void sample() override;
  void drive() override;
  void pin_changed() override {}
  uint64_t idle_edges() const override;
  bool may_sleep() const override;
  uint64_t overdue(uint64_t present) override;
  void reset() override;

  void access(bool write, uint64_t edge, unsigned bank, unsigned address);
  bool at_rest() const;
  void count(bool write, unsigned bank);
  uint8_t* bytes_at(unsigned bank, unsigned address, uint64_t edge);
  void tell(uint64_t edge, Command command, unsigned bank, uint32_t row);
  void complain(uint64_t edge, uint64_t violations_before);

  rtl::Block& block_;
  Timing timing_;
  AddressMapping mapping_;
  unsigned column_bytes_;
  kit::Storage& storage_;
  SdramPinsSettings settings_;
  rtl::Pin cs_n_, ras_n_, cas_n_, we_n_, bank_, address_;
  rtl::Pin write_data_, write_strobes_, written_, read_valid_, read_data_, refresh_tick_;
  std::vector<Bank> banks_;
  kit::Ring<ReadData> reads_;         // on their way to the controller
  kit::Ring<uint64_t> writes_;        // the edges at which it hears that they are done
  uint64_t next_refresh_ = kForever;  // the edge before which the tick is high
  CommandChecker checker_;
  std::vector<CommandObserver*> observers_;
  ControllerCounters counters_;
  std::vector<BankCounters> bank_counters_;
  ActiveTime active_;
};

}  // namespace gvp::ddr3
