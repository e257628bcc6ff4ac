// SPDX-License-Identifier: Apache-2.0
// A block of RTL that a board has as a device, whatever it is: a TLM-2.0 socket for each of its AXI
// ports with a transactor and a protocol checker at the pins, a signal for each interrupt.  What
// its pins are, their roles say (models/rtl/block_interface.h).  Addresses at its pins are those
// of the bus, cut to the pins' width, as interconnects pass them.
//
// Not modelled: pins that are neither of an AXI port nor clock, reset or interrupt stay what the
// board ties them to; several clocks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/pins/checker.h"
#include "models/axi/pins/port.h"
#include "models/device/device_type.h"
#include "models/rtl/block.h"
#include "models/rtl/signals.h"
#include "models/tlm/reset.h"

namespace gvp::rtl_device {

// An AXI port, as its pins' roles say.
struct PortRole {
  std::string name;  // "s_axi"
  bool is_master = false;
  bool lite = true;
  bool reads = false, writes = false;
  unsigned data_bytes = 4, address_bits = 32, id_bits = 0;
};
// In the order of their first pins.
std::vector<PortRole> port_roles(const gvp_rtl_block& block);

struct Configuration {
  rtl::BlockConfiguration block;
  uint64_t time_out = axi::pins::CheckerSettings{}.time_out;  // cycles; 0: none
  std::map<std::string, uint64_t> bases;                      // by ports: bytes, added to addresses
  std::map<std::string, uint64_t> ties;                       // by pins
  std::set<std::string> non_blocking;  // masters in front of what is approximately timed
};

class RtlDevice : public sc_core::sc_module, public kit::Resettable {
 public:
  // Throws Error (bad input) where pins do not fit their roles.
  RtlDevice(const sc_core::sc_module_name& name, const gvp_rtl_block& block,
            const Configuration& configuration);

  rtl::Block& block() { return block_; }
  struct Port {
    PortRole role;
    tlm::tlm_target_socket<>* target = nullptr;  // of a slave
    tlm::tlm_initiator_socket<>* initiator = nullptr;
    std::unique_ptr<sc_core::sc_module> transactor;
    std::unique_ptr<axi::pins::Checker> checker;
  };
  const std::vector<Port>& ports() const { return ports_; }
  struct Interrupt {
    std::string pin;
    std::unique_ptr<sc_core::sc_out<bool>> line;
    std::unique_ptr<rtl::SignalOutput> output;
  };
  const std::vector<Interrupt>& interrupts() const { return interrupts_; }

  void reset() override { block_.reset(); }
  uint64_t protocol_violations() const;
  nlohmann::ordered_json statistics() const;

 private:
  void add_port(const PortRole& role, const Configuration& configuration);

  rtl::Block block_;
  std::vector<Port> ports_;
  std::vector<Interrupt> interrupts_;
};

}  // namespace gvp::rtl_device
