// SPDX-License-Identifier: Apache-2.0
// A block RAM behind an AXI BRAM controller that is RTL (rtl/axi_bram_controller.sv): a TLM-2.0
// socket, a transactor and a protocol checker in front of it, the RAM itself behind it.  Debug
// accesses go to the RAM; direct memory is refused.  Sizes are bytes.
// Not modelled: a second port, ECC.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>

#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/tlm/storage.h"

namespace gvp::axi {

// The RAM at the pins: its data are there in the cycle after bram_en.
class BlockRamPins : public rtl::Agent {
 public:
  // Throws Error (bad input) where the block has no such pins.
  BlockRamPins(rtl::Block& block, kit::Storage& storage);

 private:
  void sample() override;
  void drive() override;
  uint64_t idle_edges() const override { return enable_.high() ? 0 : kForever; }

  kit::Storage& storage_;
  rtl::Pin enable_, strobes_, address_, write_data_, read_data_;
  uint32_t read_ = 0;
  bool reads_ = false;
};

class RtlBlockRam : public sc_core::sc_module {
 public:
  RtlBlockRam(const sc_core::sc_module_name& name, const std::string& block,
              const rtl::BlockConfiguration& configuration, uint64_t size);

  tlm::tlm_target_socket<>& socket() { return bus_.socket; }
  rtl::Block& block() { return block_; }
  const pins::Checker& checker() const { return checker_; }
  nlohmann::ordered_json statistics() const;

 private:
  kit::Storage storage_;
  rtl::Block block_;
  pins::Port port_;
  pins::TlmToAxi bus_;
  pins::Checker checker_;
  BlockRamPins ram_;
};

}  // namespace gvp::axi
