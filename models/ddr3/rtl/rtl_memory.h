// SPDX-License-Identifier: Apache-2.0
// DDR3 whose controller is RTL: a block (rtl/ddr3/axi_ddr3.sv, or another with the same pins) with
// a transactor and a protocol checker at its AXI4 port, and the SDRAM at its other side.  It runs
// with the SDRAM's clock.  Debug accesses and loaded programs go to the SDRAM's bytes directly;
// direct memory is refused: it would bypass the pins.
//
// Of `front_end_ns` the controller's own pipeline has 4 cycles, the PHY has the rest; with less
// than these 4 cycles it is the pipeline alone. Not modelled: see sdram_pins.h and the block.
#pragma once

#include <memory>
#include <string>

#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/ddr3/address_mapping.h"
#include "models/ddr3/command_log.h"
#include "models/ddr3/memory_controller.h"
#include "models/ddr3/rtl/sdram_pins.h"
#include "models/rtl/block.h"
#include "models/tlm/port_counters.h"
#include "models/tlm/storage.h"

namespace gvp::ddr3 {

class RtlMemory : public MemoryController {
 public:
  // block: by its name (models/rtl/block_table.h).  Throws Error (bad input) for what the block
  // cannot do: a module of another width, more banks, longer queues.  widen: transactions use the
  // whole width of the port, as behind a converter; else they are the bursts that their extension
  // describes.
  RtlMemory(const sc_core::sc_module_name& name, const std::string& block,
            const Configuration& configuration, uint32_t seed = 0, bool widen = true);

  tlm::tlm_target_socket<>& socket() override { return bus_.socket; }
  nlohmann::ordered_json statistics() const override;
  uint64_t command_period_ps() const override { return block_.clock().period_ps(); }
  void observe(CommandObserver& observer) override { sdram_.observe(observer); }

  rtl::Block& block() { return block_; }
  // Of AXI and of JESD79-3.
  uint64_t violations() const {
    return checker_.violation_count() + sdram_.checker().violation_count();
  }

 private:
  void tie(const char* pin, uint64_t value);
  void tie_device();
  void tie_policies(const Configuration& configuration);
  void answered(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& begun);

  Device device_;
  Timing timing_;
  AddressMapping mapping_;
  kit::Storage storage_;
  rtl::Block block_;
  axi::pins::Port port_;
  axi::pins::TlmToAxi bus_;
  axi::pins::Checker checker_;
  SdramPins sdram_;
  std::unique_ptr<CommandLog> command_log_;  // where the log level wants one
  bool refresh_;
  kit::PortCounters traffic_;
};

}  // namespace gvp::ddr3
