// SPDX-License-Identifier: Apache-2.0
// From TLM-2.0 to the AXI4 subordinate port of a block of RTL.  A transaction that carries
// axi::Extension becomes the burst that it describes, any other the bursts that bursts.h cuts it
// into.  Byte enables become strobes; unaligned ends use the lanes that they touch.  Several
// transactions are under way at once; responses are matched by ID, read data of several IDs may be
// interleaved.  EXOKAY comes back in the extension.  An ID that has more bits than AWID or ARID
// loses the upper ones: such transactions stay in order among themselves, too.
//
// Neighbours may be loosely or approximately timed (acceptor.h).  Debug accesses go to the block's
// debug pins (debug_pins.h), or to what the owner sets as back door.
// A reset answers everything that is under way with an error.
// Not modelled: user signals, several regions, exclusive accesses that do not fit one burst (they
// are ordinary ones), write data before their address.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "models/axi/pins/acceptor.h"
#include "models/axi/pins/bursts.h"
#include "models/axi/pins/debug_pins.h"
#include "models/axi/pins/port.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"

namespace gvp::axi::pins {

struct TlmToAxiSettings {
  unsigned outstanding = 8;  // bursts on the pins, and transactions accepted, per direction
  // Incrementing bursts use all of the data's width, as behind a width converter; what their
  // extension says of beats is left aside.
  bool widen = false;
  // Asked by each channel at each edge: true leaves it alone for a cycle.  For tests: back-pressure
  // and gaps.  Empty: never.
  std::function<bool()> pause;
  // Told of each transaction that has been answered, with the time at which it came; for
  // statistics.
  std::function<void(const tlm::tlm_generic_payload&, const sc_core::sc_time&)> answered;
  // What lies beyond the port's address pins is answered TLM_ADDRESS_ERROR_RESPONSE; else the upper
  // bits are cut, as in front of a device that sees only its own.
  bool whole_addresses = false;
};

class TlmToAxi : public sc_core::sc_module, public rtl::Agent {
 private:
  DebugPins debug_pins_;
  Acceptor acceptor_;

 public:
  tlm::tlm_target_socket<>& socket;

  // Throws Error (bad input) for an AXI4-Lite port, and for one of fewer than 32 bits.
  TlmToAxi(const sc_core::sc_module_name& name, rtl::Block& block, const Port& port,
           const TlmToAxiSettings& settings = {});

  void set_back_door(std::function<unsigned(tlm::tlm_generic_payload&)> back_door) {
    acceptor_.back_door = std::move(back_door);
  }
  // Bursts whose address could not go out when they came: others were before them.
  uint64_t stalled_requests() const { return stalled_requests_; }

 private:
  struct Job;
  struct Transfer {  // a burst on its way
    Job* job = nullptr;
    Part part;
    unsigned beat = 0;   // the next one
    unsigned moved = 0;  // bytes of its data before that one
    uint64_t id = 0;
  };
  struct Job {
    tlm::tlm_generic_payload* payload = nullptr;
    std::vector<Transfer> transfers;
    size_t open = 0;  // transfers
    Response worst = Response::kOkay;
    sc_core::sc_time begun;
  };
  struct Direction {
    std::deque<Transfer*> to_send;    // their addresses
    std::deque<Transfer*> with_data;  // writes: their data, in the order of their addresses
    std::deque<Transfer*> answers;    // responses still to come, by age
    bool address_on_pins = false, address_taken = false;
  };

  void begin(tlm::tlm_generic_payload& payload);
  void refuse_address(tlm::tlm_generic_payload& payload);
  void sample() override;
  void drive() override;
  uint64_t idle_edges() const override;
  void publish() override;
  void reset() override;

  static Transfer* oldest(const Direction& direction, const rtl::Pin& id);
  void take_write_response();
  void take_read_data();
  void end_transfer(Direction& direction, Transfer& transfer);
  void drive_address(Direction& direction, AddressPins& pins);
  void drive_data();
  void put_address(const Transfer& transfer, AddressPins& pins) const;
  void put_data(const Transfer& transfer);
  void finish(Job& job);
  bool paused() const { return settings_.pause && settings_.pause(); }

  rtl::Block& block_;
  Port port_;
  TlmToAxiSettings settings_;
  Direction writes_, reads_;
  bool data_on_pins_ = false, data_taken_ = false;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::vector<Job*> finished_;  // still to be told
  std::vector<Part> parts_;     // scratch
  uint64_t stalled_requests_ = 0;
};

}  // namespace gvp::axi::pins
