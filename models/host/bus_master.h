// SPDX-License-Identifier: Apache-2.0
// One AXI master port of the approximately timed MicroBlaze: non-blocking transport, base protocol,
// one transaction outstanding, as M_AXI_IP and M_AXI_DP have it (UG984, "Memory Mapped
// Interfaces").  Its ID is 0, which needs no AXI attributes; an exclusive access carries them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm>

#include "models/axi/extension.h"
#include "models/host/bus.h"
#include "models/tlm/payload_pool.h"

namespace gvp::host {

class BusMaster {
 public:
  tlm_utils::simple_initiator_socket<BusMaster> socket;

  // completed: called when a response has arrived, at the time it arrives.
  BusMaster(const char* name, std::function<void()> completed);

  // Begins a transaction after a delay; the data must stay until it is complete.  enables: bytes
  // that a write changes, or null for all.  exclusive: AxLOCK.  Not while busy().
  void start(tlm::tlm_command command, uint32_t address, void* data, uint32_t bytes,
             uint8_t* enables, const sc_core::sc_time& delay, bool exclusive = false);
  // Told of each transaction as it begins: whether it writes, and its bytes.
  void on_start(std::function<void(bool write, uint32_t bytes)> started) {
    started_ = std::move(started);
  }
  bool busy() const { return payload_ != nullptr; }
  BusStatus status() const { return status_; }  // of the last one

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void respond(const sc_core::sc_time& delay, bool end_owed);
  void finish();

  std::function<void()> completed_;
  std::function<void(bool write, uint32_t bytes)> started_;
  kit::PayloadPool pool_;
  tlm::tlm_generic_payload* payload_ = nullptr;  // outstanding
  bool end_owed_ = false;                        // END_RESP has to be sent
  axi::Extension exclusive_;                     // on the payload of an exclusive access only
  sc_core::sc_event later_;                      // a response that takes effect later
  BusStatus status_ = BusStatus::kOkay;
};

}  // namespace gvp::host
