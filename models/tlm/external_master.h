// SPDX-License-Identifier: Apache-2.0
// A bus master that a program outside of the board drives, as Xilinx's JTAG to AXI master (PG174)
// is on a board without a processor: single words over the bus, one after the other, and debug
// accesses.  gpgpu-run launches kernels through it.
// Not modelled: the way from outside to the bus, which takes no time.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

namespace gvp::kit {

class ExternalMaster : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<ExternalMaster> socket{"socket"};

  explicit ExternalMaster(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}

  // From a process; take simulated time.  Throw Error (model error) for an error response.
  uint32_t read(uint64_t address);
  void write(uint64_t address, uint32_t word);
  // Untimed; the number of bytes that exist.
  uint64_t debug_read(uint64_t address, void* data, uint64_t bytes);
  uint64_t debug_write(uint64_t address, const void* data, uint64_t bytes);

 private:
  void transport(tlm::tlm_command command, uint64_t address, uint32_t& word);
  uint64_t debug_access(tlm::tlm_command command, uint64_t address, void* data, uint64_t bytes);
};

}  // namespace gvp::kit
