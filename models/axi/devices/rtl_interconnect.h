// SPDX-License-Identifier: Apache-2.0
// The interconnect as RTL: a crossbar with AXI4 ports on all sides (rtl/axi_crossbar.sv), a
// transactor and a protocol checker at each.  It offers and counts what the models offer and count;
// its latencies are the RTL's own, so that the keys for them are not looked at.  What is in no
// region is answered DECERR, by the RTL.  In front of a target behind an AXI4-Lite bridge bursts
// become single beats.
//
// Direct memory is refused; debug accesses go round the pins, by the address map.
// Not modelled: ports of other widths and clocks than the crossbar's own 32 bits and clock
// (transactions have no width, the transactors make the beats), exclusive monitors (an exclusive
// write is answered by its target), AxQOS and fixed priorities in arbitration.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/axi/address_map.h"
#include "models/axi/interconnect.h"
#include "models/axi/pins/axi_to_tlm.h"
#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/axi/traffic_counters.h"
#include "models/rtl/block.h"
#include "models/tlm/port_counters.h"

namespace gvp::axi {

class RtlInterconnect : public Interconnect {
 public:
  // block: by its name.  Throws Error (bad input) where there is none, where it has too few ports,
  // and for regions that an AddressMap does not take.
  RtlInterconnect(const sc_core::sc_module_name& name, const std::string& block,
                  const InterconnectConfiguration& configuration);

  tlm::tlm_target_socket<>& from_initiator(unsigned index) override;
  tlm::tlm_initiator_socket<>& to_target(unsigned index) override;
  nlohmann::ordered_json statistics() const override;
  uint64_t protocol_violations() const override;
  bool is_rtl() const override { return true; }
  void open_wave(const std::string& file) override { block_.open_wave(file); }

  rtl::Block& block() { return block_; }

 private:
  pins::Port port(const char* side, size_t index, bool is_master);
  void add_initiator(unsigned index);
  void add_target(unsigned index);
  void set_range(const Region& region);
  void count(unsigned initiator, const tlm::tlm_generic_payload& payload,
             const sc_core::sc_time& begun);
  unsigned debug_access(tlm::tlm_generic_payload& payload);

  const InterconnectConfiguration configuration_;
  const AddressMap map_;
  TrafficCounters counters_;
  rtl::Block block_;
  unsigned data_bytes_ = 4;  // of its ports
  std::vector<std::unique_ptr<pins::TlmToAxi>> initiators_;
  std::vector<std::unique_ptr<pins::AxiToTlm>> targets_;
  std::vector<std::unique_ptr<pins::Checker>> checkers_;  // initiators, then targets
  std::vector<kit::PortCounters> ports_;                  // of initiators
  std::vector<int> hints_;                                // per initiator: the region found last
};

}  // namespace gvp::axi
