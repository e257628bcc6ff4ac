// SPDX-License-Identifier: Apache-2.0
// Somebody's own initiator on our interconnect and DDR3 memory: writes a word, reads it back, and
// prints both times.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <iostream>
#include <systemc>

#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"

namespace {

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
  }
  bool passed() const { return passed_; }

 private:
  bool transfer(tlm::tlm_command command, uint64_t address, uint32_t& word) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    transaction.set_data_length(sizeof word);
    transaction.set_streaming_width(sizeof word);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(transaction, delay);
    wait(delay);
    return transaction.is_response_ok();
  }
  void run() {
    uint32_t written = 0x600D600D;
    uint32_t read = 0;
    const bool wrote = transfer(tlm::TLM_WRITE_COMMAND, 0x80000100, written);
    std::cout << "written at " << sc_core::sc_time_stamp() << '\n';
    passed_ = transfer(tlm::TLM_READ_COMMAND, 0x80000100, read) && wrote && read == written;
    std::cout << "read back at " << sc_core::sc_time_stamp() << '\n';
  }

  bool passed_ = false;
};

}  // namespace

int sc_main(int, char*[]) {
  gvp::axi::InterconnectConfiguration map;
  map.initiators = {"mine"};
  map.targets = {"ddr3"};
  map.regions = {{"ddr3", 0x80000000, 0x1000000, 0, 0, false}};
  Initiator initiator("initiator");
  const auto bus = gvp::axi::make_interconnect("bus", "at", map);
  const auto memory = gvp::ddr3::make_memory_controller("ddr3", "at", {});
  initiator.socket.bind(bus->from_initiator(0));
  bus->to_target(0).bind(memory->socket());
  sc_core::sc_start();
  return initiator.passed() ? 0 : 1;
}
