// SPDX-License-Identifier: Apache-2.0
// From TLM-2.0 to the AXI4-Lite subordinate port of a block of RTL.  A transaction becomes one
// transfer for each word of the bus that it touches, in order, until one is answered with an error;
// byte enables become strobes.  One read and one write are on the pins at a time, more wait.  A
// blocking initiator's time catches up with the simulation first, and its call returns at the edge
// of the last response.
//
// Direct memory is refused: it would bypass the pins.  Debug reads go through a back door that the
// block may have, an input debug_address and an output debug_data that follows it without a clock
// and without side effects, and refuses debug writes; or it is what its owner sets.
// Not modelled: exclusive accesses (B1.1.1 has none; they are ordinary ones).
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <utility>

#include "models/axi/extension.h"
#include "models/axi/pins/debug_pins.h"
#include "models/axi/pins/port.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"

namespace gvp::axi::pins {

class TlmToLite : public sc_core::sc_module, public rtl::Agent {
 public:
  tlm_utils::simple_target_socket<TlmToLite> socket{"socket"};

  TlmToLite(const sc_core::sc_module_name& name, rtl::Block& block, const Port& port);
  // As transport_dbg, instead of the pins.
  void set_back_door(std::function<unsigned(tlm::tlm_generic_payload&)> back_door) {
    back_door_ = std::move(back_door);
  }

 private:
  struct Request {
    tlm::tlm_generic_payload* payload;
    unsigned done_bytes = 0;  // of the data, moved or left out
    sc_core::sc_event done;
    bool over = false;
  };
  // One transfer: bytes [first, first + count) of the payload's data.
  struct Transfer {
    uint64_t address = 0;
    unsigned first = 0, count = 0;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    return back_door_ ? back_door_(payload) : debug_pins_.access(payload);
  }

  void sample() override;
  void drive() override;
  uint64_t idle_edges() const override;
  void publish() override;
  void reset() override;

  bool next_transfer(Request& request, Transfer& transfer) const;
  void start_write();
  void start_read();
  void end_transfer(std::deque<Request*>& queue, const Transfer& transfer, uint64_t pins);
  void finish(std::deque<Request*>& queue, Response response);
  void take_read_data(const Request& request) const;

  rtl::Block& block_;
  Port port_;
  DebugPins debug_pins_;
  std::function<unsigned(tlm::tlm_generic_payload&)> back_door_;
  std::deque<Request*> writes_, reads_;  // the first is on the pins
  std::deque<Request*> finished_;        // still to be told
  Transfer write_, read_;
  bool write_busy_ = false, read_busy_ = false;  // a transfer is on the pins
  // What the coming drive() has to do.
  bool aw_taken_ = false, w_taken_ = false, b_taken_ = false, ar_taken_ = false, r_taken_ = false;
};

}  // namespace gvp::axi::pins
