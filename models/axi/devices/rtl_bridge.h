// SPDX-License-Identifier: Apache-2.0
// The bridge to another bus as RTL: AXI4 to AXI4-Lite (rtl/axi_lite_bridge.sv), with a transactor
// and a protocol checker on each side.  What crosses it arrives as single transfers of up to 32
// bits, one after the other.  Debug accesses go round the pins; direct memory is refused.
// Addresses are bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>

#include "models/axi/pins/axi_to_tlm.h"
#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/rtl/block.h"

namespace gvp::axi {

class RtlBridge : public sc_core::sc_module {
 public:
  // base: of the window, as Bridge's.
  RtlBridge(const sc_core::sc_module_name& name, const std::string& block,
            const rtl::BlockConfiguration& configuration, uint64_t base);

  tlm::tlm_target_socket<>& upstream() { return from_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return to_.socket; }
  rtl::Block& block() { return block_; }
  uint64_t protocol_violations() const {
    return from_checker_.violation_count() + to_checker_.violation_count();
  }
  nlohmann::ordered_json statistics() const;

 private:
  unsigned debug_access(tlm::tlm_generic_payload& payload);

  uint64_t base_;
  rtl::Block block_;
  pins::Port from_port_, to_port_;
  pins::TlmToAxi from_;
  pins::AxiToTlm to_;
  pins::Checker from_checker_, to_checker_;
};

}  // namespace gvp::axi
